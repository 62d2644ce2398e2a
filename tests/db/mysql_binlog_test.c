/* A server whose binary log takes statements alone: nothing could be written, so nobody is let in.
 */
#include "tests/support/database.h"
#include "tests/support/servers/server.h"
#include "tests/support/wording.h"

DB_CASE_ON_EMPTY_ONLY(a_binary_log_of_statements_is_refused, "mysql mariadb")
{
	static const char *const options[] = { "--log-bin=binlog", "--server-id=1", NULL };
	struct server server;

	server_init(&server, test->arena, test->backend, 0);
	server_launch(&server, options);
	server_await(&server);
	struct db *db = test_db_open(server.url);
	test_execute(db, "SET GLOBAL binlog_format = 'STATEMENT'");
	db_close(db);
	must_say("mysql.binlog", STATUS_INVALID, db_open, &db, server.url, NULL);
	server_close(&server);
}
