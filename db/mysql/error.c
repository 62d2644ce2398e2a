#include <string.h>

#include "db/mysql/driver.h"

#define BROKEN               true /* the connection is gone or not to be trusted */
#define CLIENT_OUT_OF_MEMORY 2008
#define OUT_OF_RANGE         1264
#define DISK_FULL            1021
#define TABLE_FULL           1114

/*
 * What the caller must do about an error number. Numbers below 2000 and from 3000 on are the
 * server's, 2000 to 2999 and 5000 to 5999 the client library's. Numbers, not names: neither
 * library's header has the names of the other's servers.
 */
static const struct native_error {
	unsigned code;
	enum status status;
	bool broken;
} native_errors[] = {
	/* the connection or the server is shutting down or gone */
	{ 1053, STATUS_DOWN, BROKEN }, /* shutdown in progress */
	{ 1077, STATUS_DOWN, BROKEN }, /* normal shutdown */
	{ 1079, STATUS_DOWN, BROKEN }, /* shutdown complete */
	{ 1152, STATUS_DOWN, BROKEN }, /* aborted connection */
	{ 1158, STATUS_DOWN,
	  BROKEN }, /* 1158 to 1161: network read and write, interrupted or not */
	{ 1159, STATUS_DOWN, BROKEN },
	{ 1160, STATUS_DOWN, BROKEN },
	{ 1161, STATUS_DOWN, BROKEN },
	{ 1184, STATUS_DOWN, BROKEN }, /* aborted new connection */
	{ 1927, STATUS_DOWN, BROKEN }, /* MariaDB: connection killed */
	{ 2001, STATUS_DOWN, BROKEN }, /* no socket */
	{ 2002, STATUS_DOWN, BROKEN }, /* cannot connect to the socket */
	{ 2003, STATUS_DOWN, BROKEN }, /* cannot connect to the host */
	{ 2004, STATUS_DOWN, BROKEN },
	{ 2005, STATUS_DOWN, BROKEN }, /* unknown host: name servers fail, too */
	{ 2006, STATUS_DOWN, BROKEN }, /* server has gone away */
	{ 2012, STATUS_DOWN, BROKEN }, /* error in the handshake */
	{ 2013, STATUS_DOWN, BROKEN }, /* lost during the query, or timed out */
	{ MYSQLDB_TLS_FAILED, STATUS_DOWN,
	  BROKEN },                    /* a peer that dies in the handshake looks like this */
	{ 2027, STATUS_DOWN, BROKEN }, /* malformed packet */
	{ 2055, STATUS_DOWN, BROKEN }, /* lost, with the system's error */
	{ 3169, STATUS_DOWN, BROKEN }, /* session was killed */
	{ 4031, STATUS_DOWN, BROKEN }, /* disconnected for being idle */
	{ 5013, STATUS_DOWN, BROKEN }, /* Connector/C: network read */
	{ 5014, STATUS_DOWN, BROKEN }, /* Connector/C: network write */

	/* the server is there but cannot serve us; a new connection may reach a better one */
	{ 1040, STATUS_DOWN, BROKEN }, /* too many connections */
	{ 1047, STATUS_DOWN, BROKEN }, /* Galera: node not ready */
	{ 1129, STATUS_DOWN, BROKEN }, /* host blocked after connection errors */
	{ 1135, STATUS_DOWN, BROKEN }, /* cannot create a thread */
	{ 1203, STATUS_DOWN, BROKEN }, /* user has too many connections */
	{ 1226, STATUS_DOWN, BROKEN }, /* user exceeded a resource limit */
	{ 1290, STATUS_DOWN, BROKEN }, /* --read-only */
	{ 1792, STATUS_DOWN, BROKEN }, /* read-only transaction */
	{ 1836, STATUS_DOWN, BROKEN }, /* running in read-only mode */
	{ 3032, STATUS_DOWN, BROKEN }, /* offline mode */
	{ 3100, STATUS_DOWN, BROKEN }, /* group replication refused the transaction */

	/* a retry may work */
	{ 1020, STATUS_RETRY }, /* MariaDB: record changed since the snapshot */
	{ DISK_FULL, STATUS_RETRY },
	{ TABLE_FULL, STATUS_RETRY },
	{ 1180, STATUS_RETRY }, /* error during commit: rolled back */
	{ 1205, STATUS_RETRY }, /* lock wait timeout */
	{ 1213, STATUS_RETRY }, /* deadlock */
	{ 1243, STATUS_RETRY }, /* unknown prepared statement: prepared again */
	{ 1317, STATUS_RETRY }, /* query interrupted */
	{ 1412, STATUS_RETRY }, /* table definition changed */
	{ 1467, STATUS_RETRY }, /* no number for an id: see out_of_ids in mysql.c */
	{ 1615, STATUS_RETRY }, /* needs to be prepared again */
	{ 1637, STATUS_RETRY }, /* too many active transactions */
	{ 1969, STATUS_RETRY }, /* MariaDB: max_statement_time */
	{ 2030, STATUS_RETRY }, /* statement not prepared */
	{ 2056, STATUS_RETRY }, /* statement closed */
	{ 2057, STATUS_RETRY }, /* number of columns changed */
	{ 3024, STATUS_RETRY }, /* max_execution_time */
	{ 3058, STATUS_RETRY }, /* deadlock of user-level locks */
	{ 3572, STATUS_RETRY }, /* NOWAIT */

	/* refused by a key */
	{ 1022, STATUS_CONFLICT },
	{ 1062, STATUS_CONFLICT },
	{ 1169, STATUS_CONFLICT },
	{ 1216, STATUS_CONFLICT },
	{ 1217, STATUS_CONFLICT },
	{ 1451, STATUS_CONFLICT },
	{ 1452, STATUS_CONFLICT },
	{ 1557, STATUS_CONFLICT },
	{ 1586, STATUS_CONFLICT },
	{ 1644, STATUS_CONFLICT }, /* signalled by a trigger */
	{ 1761, STATUS_CONFLICT },
	{ 1762, STATUS_CONFLICT },

	/* a value does not fit */
	{ 1048, STATUS_INVALID },         /* must not be NULL */
	{ 1153, STATUS_INVALID, BROKEN }, /* packet too large; the server hangs up */
	{ 1264, STATUS_INVALID },         /* out of range */
	{ 1265, STATUS_INVALID },         /* data truncated */
	{ 1292, STATUS_INVALID },         /* wrong time or number */
	{ 1300, STATUS_INVALID },         /* not UTF-8 */
	{ 1364, STATUS_INVALID },         /* no default value */
	{ 1366, STATUS_INVALID },         /* wrong string value */
	{ 1406, STATUS_INVALID },         /* too long */
	{ 1411, STATUS_INVALID },
	{ 1690, STATUS_INVALID }, /* out of range in an expression */
	{ 2020, STATUS_INVALID }, /* packet too large for the client */
	{ 3140, STATUS_INVALID }, /* not JSON */
	{ 3141, STATUS_INVALID },
	{ 3819, STATUS_INVALID }, /* check constraint */
	{ 4025, STATUS_INVALID }, /* MariaDB: check constraint, such as json_valid */
	{ 4038, STATUS_INVALID }, /* MariaDB: not JSON */

	/* the URL is wrong: user, password, database, TLS */
	{ 1044, STATUS_INVALID },
	{ 1045, STATUS_INVALID },
	{ 1049, STATUS_INVALID },
	{ 1130, STATUS_INVALID },
	{ 1251, STATUS_INVALID },
	{ 1698, STATUS_INVALID },
	{ 1820, STATUS_INVALID },
	{ 1862, STATUS_INVALID },
	{ 2049, STATUS_INVALID },
	{ 2058, STATUS_INVALID },
	{ 2059, STATUS_INVALID },
	{ 2061, STATUS_INVALID },
	{ 3118, STATUS_INVALID },
	{ 3159, STATUS_INVALID },
	{ 5010, STATUS_INVALID, BROKEN }, /* Connector/C: not in the list of plugins */
};

/* After any other error of the client library its view of the protocol is lost. */
static struct native_error unknown_error(unsigned code)
{
	bool client = (code >= 2000 && code < 3000) || (code >= 5000 && code < 6000);

	return (struct native_error){ .code = code, .status = STATUS_FATAL, .broken = client };
}

static struct native_error find_error(unsigned code)
{
	for (size_t i = 0; i < sizeof(native_errors) / sizeof(native_errors[0]); i++)
		if (native_errors[i].code == code)
			return native_errors[i];
	return unknown_error(code);
}

bool mysqldb_plugin_refused(unsigned code)
{
	return code == 2058 || code == 2059 || code == 2061 || code == 5010;
}

enum status mysqldb_fail(struct mysqldb *my, unsigned code, const char *text, const char *what,
			 struct error *error)
{
	struct native_error native = find_error(code);

	/* MariaDB has a number for it. Only the counter ever gives an id, and its name is "id". */
	my->base.out_of_ids = code == 167 || (code == OUT_OF_RANGE && strstr(text, "'id'"));
	if (my->base.out_of_ids)
		native.status = STATUS_FATAL;
	my->full = code == DISK_FULL || code == TABLE_FULL;
	/* Connector/C fails without an error number when it cannot build a request. */
	if (code == CLIENT_OUT_OF_MEMORY || code == 0)
		out_of_memory();
	if (native.broken)
		my->base.broken = true;
	return error_set(error, native.status, "%s: %s (MySQL %u)", what, text, code);
}
