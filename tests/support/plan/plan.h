/*
 * tests/support/plan/: the plans that servers make for the statements of db/sql.
 *
 * How a server means to run a statement of db/sql, in one notation for all of them:
 *
 *     ready_executions(poll_all*) jobs(id)
 *
 * names every table of ours that is read and the index it is read through, without what their
 * names have in common; id is the primary key. "*" is an index walked from its beginning, good
 * only where a LIMIT ends the walk; "~" a set of rows found through an index and then sorted by
 * place; "scan" the whole table without an index.
 */
#ifndef TEST_PLAN_H
#define TEST_PLAN_H

#include "db/scripts/dialect.h"
#include "tests/support/database.h"

/* One connection on which statements can be explained. */
struct plan_session {
	struct test_db *test;
	struct connection *connection;
	struct arena *arena; /* of the test */
	struct dialect dialect;
	unsigned statements; /* made so far */
};

/* What is explained. */
struct plan_statement {
	const struct script *script;
	unsigned number;               /* of the statement, from 0 */
	const struct db_value *values; /* in the script's order */
};

/* Everything here fails the test when it fails. */
void plan_open(struct plan_session *session, struct test_db *test);
void plan_close(struct plan_session *session);

/* Several statements without parameters. */
void plan_execute(struct plan_session *session, const char *sql);

/* One statement, without parameters or with its values; its rows. No transaction of its own. */
struct db_rows plan_query(struct plan_session *session, const char *sql);
struct db_rows plan_run(struct plan_session *session, const struct plan_statement *statement);

const struct script *plan_script(struct plan_session *session, const char *operation);

/* The plan for these values, as the driver runs the statement. */
const char *plan_of(struct plan_session *session, const struct plan_statement *statement);

/* PostgreSQL: the plan made once for all values, which a connection comes to use in time. */
const char *plan_generic(struct plan_session *session, const struct plan_statement *statement);

/* Does a plan read the whole of such a table, as a table or through an index? */
bool plan_reads_all_of(const char *plan, const char *table);

/* What a server's rows of EXPLAIN say about this SQL. */
const char *plan_read(struct plan_session *session, const char *sql, const struct db_rows *rows);

/*
 * Runs a whole operation, rolls it back, and says how much the server looked at: pages on
 * PostgreSQL, rows on MySQL, steps of its virtual machine on SQLite. On PostgreSQL the statements
 * are generic ones that stay prepared: what is called again runs with its first plan.
 */
int64_t plan_cost(struct plan_session *session, const char *operation);

/* Example values for a script; `sparse`: those that may be NULL are. */
const struct db_value *plan_values(struct arena *arena, const struct script *script, bool sparse);

/*
 * More jobs (a multiple of 20), spread over 20 queues: of 20 each, 8 are ready, 3 scheduled (one
 * of them due), one is claimed by one of ten processes, 2 failed, one is blocked and 5 finished.
 */
void plan_fill(struct test_db *test, unsigned jobs);

/* First of all: new tables with nothing in them but some processes. */
void plan_begin(struct test_db *test);

/* Brings the server's statistics up to date. */
void plan_analyze(struct test_db *test);

#endif
