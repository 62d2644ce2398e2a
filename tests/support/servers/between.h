/*
 * A process between one client and one server, on loopback: it accepts a connection, opens its own
 * to the server, and a function decides what passes.
 */
#ifndef BETWEEN_H
#define BETWEEN_H

#include <stdbool.h>
#include <sys/types.h>

struct between {
	pid_t process;
	int port; /* on 127.0.0.1 */
};

/* Something to read has come from one side. False: the connection is to end. */
struct between_manner {
	bool (*from_client)(void *data, int client, int server);
	bool (*from_server)(void *data, int client, int server);
	const bool *done; /* in the data: did it come to what it was started for? */
};

/*
 * Fails the test when it cannot be started. The host is a numeric address. What the functions do to
 * the data stays in the process.
 */
struct between between_start(const char *host, int port, const struct between_manner *manner,
			     void *data);

/* Waits for the end of the connection. Did it come to that? */
bool between_end(struct between *between);

#endif
