/*
 * A process between a client and a MySQL or MariaDB server on loopback that reads along and makes
 * a transaction end unseen, once, at a chosen command inside it. For one connection without TLS.
 */
#ifndef FORGER_H
#define FORGER_H

#include "tests/support/servers/between.h"

enum forgery {
	FORGE_FLAG,         /* answers say that no transaction is open from that statement on */
	FORGE_END,          /* ROLLBACK slips in before that statement is executed */
	FORGE_END_PREPARING /* ROLLBACK slips in before a statement is prepared, as in Galera */
};

/*
 * At the command `at` of its kind, counted from 1 in every transaction. Fails the test when it
 * cannot be started. The host is a numeric address. between_end says whether it came to that
 * command.
 */
struct between forger_start(const char *host, int port, enum forgery forgery, unsigned at);

#endif
