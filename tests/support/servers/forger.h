/*
 * A process between a client and a MySQL or MariaDB server on loopback that reads along and makes
 * a transaction end unseen, once, at a chosen command inside it. For one connection without TLS.
 */
#ifndef FORGER_H
#define FORGER_H

#include <stdbool.h>
#include <sys/types.h>

enum forgery {
	FORGE_FLAG,         /* answers say that no transaction is open from that statement on */
	FORGE_END,          /* ROLLBACK slips in before that statement is executed */
	FORGE_END_PREPARING /* ROLLBACK slips in before a statement is prepared, as in Galera */
};

struct forger {
	pid_t process;
	int port; /* on 127.0.0.1 */
};

/* At the command `at` of its kind, from 1 in every transaction. The host is a numeric address. */
struct forger forger_start(const char *host, int port, enum forgery forgery, unsigned at);

/* Waits for the end of the connection. Did it come to that command? */
bool forger_end(const struct forger *forger);

#endif
