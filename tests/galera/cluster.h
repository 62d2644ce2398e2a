/* A cluster of MariaDB Galera on loopback, of nodes that all begin with the same empty database. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "tests/support/servers/server.h"

#define NODES 3

struct cluster {
	struct server nodes[NODES];
	int ports[NODES]; /* where they talk to one another */
};

/* Starts it and waits until every node serves; ends the test when it cannot. */
void cluster_open(struct cluster *cluster, struct arena *arena);
void cluster_close(struct cluster *cluster);

/* The url of a database through one of the nodes; in the nodes' arena. */
const char *cluster_url(const struct cluster *cluster, unsigned node, const char *database);

#endif
