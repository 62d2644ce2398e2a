/*
 * A process between a client and a server on loopback that forwards bytes until the client
 * sends a message that ends with a certain text, and then cuts the connection: before the server
 * has seen the text, or after the server has answered and before the client hears of it. For one
 * connection.
 */
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <sys/types.h>

struct relay {
	pid_t process;
	int port; /* on 127.0.0.1 */
};

/* Fails the test when it cannot be started. The host is a numeric address. */
struct relay relay_start(const char *host, int port, const char *text, bool after_answer);

/* Waits for its end. True when it has seen the text and cut the connection. */
bool relay_end(struct relay *relay);

#endif
