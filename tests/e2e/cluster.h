/*
 * A PostgreSQL server of a test's own, on a free loopback port with its data in a temporary
 * directory, so that it can be killed and started again. It runs as this user, or as the user
 * "postgres" when this one is root. Ends the test when the server's programs are not there.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <sys/types.h>

#include "common/arena.h"

struct cluster {
	struct arena *arena;
	const char *programs; /* directory of initdb and postgres */
	const char *directory;
	const char *url; /* of its administrative database */
	int port;
	pid_t server; /* 0 = not running */
};

/* Makes the data directory and starts the server. */
void cluster_open(struct cluster *cluster, struct arena *arena);

/* Starts it and waits until it answers. */
void cluster_start(struct cluster *cluster);

/* An immediate shutdown: as good as a crash. */
void cluster_crash(struct cluster *cluster);

/* Crashes it if it runs and removes its data. */
void cluster_close(struct cluster *cluster);

#endif
