/*
 * tests/support/servers/: database servers of a test's own, and what stands between them and a
 * client.
 *
 * A database server of a test's own, on a free loopback port with its data in a temporary
 * directory, so that it can be stopped, killed and started again. It runs as this user, or as
 * "postgres" when this one is root. Its crash loses no committed transaction; the host's may.
 * For SQLite it is only the place for a file. Ends the test when the server's programs are not
 * there; dies with the test.
 */
#ifndef TEST_SERVER_H
#define TEST_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/arena.h"

struct server {
	struct arena *arena;
	const char *backend;
	const char *directory; /* its log is in it */
	const char *place;     /* directory of its data */
	bool limited;          /* the place is a file system of its own, as small as was asked */
	const char *url; /* of its administrative database, as its highest user; NULL: SQLite */
	int port;
	pid_t started; /* our child; 0 = not running */
	pid_t pid;     /* the server itself, which sudo may stand before */
};

/* Makes its data, on a file system of so many megabytes (0 = any) if we may, and starts it. */
void server_open(struct server *server, struct arena *arena, const char *backend, int megabytes);

/* The former only. */
void server_init(struct server *server, struct arena *arena, const char *backend, int megabytes);

/*
 * A replica of a running PostgreSQL server, on a port of its own, and started. The test that
 * promotes it has told it before to follow nobody.
 */
void server_open_replica(struct server *replica, const struct server *primary);

/* While it does not run: it listens on this port from now on. */
void server_move(struct server *server, int port);

/* Starts it and waits until it answers. */
void server_start(struct server *server);

/* The same in two steps, with options of one's own (NULL-terminated; NULL = none). */
void server_launch(struct server *server, const char *const options[]);
void server_await(struct server *server);

/* A port on loopback that nobody has, for what else a server listens on. */
int server_free_port(void);

/* Starts it again if it is not running or has ended by itself. */
void server_revive(struct server *server);

/* Asks it to end, without waiting for clients, and waits for it. */
void server_stop(struct server *server);

/* The server's own way to crash: immediate shutdown for PostgreSQL, SIGKILL for others. */
void server_crash(struct server *server);

/* Crashes it if it runs and removes its data. */
void server_close(struct server *server);

/* The url of a database on it, as `user`; in the arena. */
const char *server_url(const struct server *server, const char *user, const char *database);

/* Makes the database "jobs": its url, for a user who may do anything. */
const char *server_make_jobs(const struct server *server);

#endif
