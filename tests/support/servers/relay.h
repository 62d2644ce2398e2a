/*
 * A process between a client and a server on loopback that forwards bytes until the client
 * sends a message that ends with a certain text, and then cuts the connection: before the server
 * has seen the text, or after the server has answered and before the client hears of it. For one
 * connection.
 */
#ifndef RELAY_H
#define RELAY_H

#include "tests/support/servers/between.h"

/*
 * Fails the test when it cannot be started. The host is a numeric address. between_end says whether
 * it has seen the text and cut the connection.
 */
struct between relay_start(const char *host, int port, const char *text, bool after_answer);

#endif
