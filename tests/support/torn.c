#include "tests/support/torn.h"

#include "db/operations.h"
#include "tests/support/queue.h"

const char *const torn_tables[TORN_TABLES] = { "claimed", "failed", "ready", "blocked",
					       "scheduled" };

struct doctor torn_examine(struct test_db *test, bool mend)
{
	struct doctor doctor = {
		.db = test->db,
		.prune = { 0, TORN_ALIVE, TORN_OTHERS },
		.policy = test_policy,
		.mend = mend,
	};

	must(doctor_examine, &doctor);
	return doctor;
}

void torn_assert_well(struct test_db *test)
{
	struct doctor doctor = torn_examine(test, false);

	assert_false(doctor_found(&doctor));
}

/* This kind `count` times, the first of them `first`, and no other. */
static void assert_only(const struct doctor *doctor, enum ailment ailment, int64_t count,
			int64_t first)
{
	for (int i = 0; i < AILMENTS; i++) {
		int64_t expected = i == (int)ailment ? count : 0;
		if (doctor->found[i].count != expected)
			fail_msg("%s: %lld, expected %lld", ailment_text((enum ailment)i)->name,
				 (long long)doctor->found[i].count, (long long)expected);
	}
	assert_int_equal(doctor->found[ailment].examples[0], first);
}

/* Looking finds it and changes nothing, mending finds it too, and then all is well. */
void torn_mend(struct test_db *test, enum ailment ailment, int64_t count, int64_t first)
{
	struct doctor doctor = torn_examine(test, false);

	assert_only(&doctor, ailment, count, first);
	doctor = torn_examine(test, true);
	assert_only(&doctor, ailment, count, first);
	doctor = torn_examine(test, false);
	assert_false(doctor_found(&doctor));
	test_invariant(test->db);
}

/* The text with a number in place of the mark, if that is there. */
static const char *fill(struct arena *arena, const char *text, char mark, int64_t number)
{
	const char *at = strchr(text, mark);

	if (!at)
		return text;
	return arena_printf(arena, "%.*s%lld%s", (int)(at - text), text, (long long)number, at + 1);
}

/* SQL whose # is a number. */
void torn_execute(struct test_db *test, const char *sql, int64_t number)
{
	test_execute(test->db, fill(test->arena, sql, '#', number));
}

/* From here on this connection may leave rows without what they refer to. */
void torn_unguard(struct test_db *test)
{
	static const char *const statements[] = {
		[DB_SQLITE] = "PRAGMA foreign_keys = OFF",
		[DB_POSTGRESQL] = "SET session_replication_role = replica",
		[DB_MYSQL] = "SET FOREIGN_KEY_CHECKS = 0",
	};

	test_execute(test->db, statements[db_dialect_of(test->db)]);
}

void torn_add(struct test_db *test, const char *table, int64_t job, int64_t process)
{
	static const struct {
		const char *table;
		const char *into;
	} rows[] = {
		{ "claimed", "claimed_executions (job_id, process_id, created_at) VALUES (#, @" },
		{ "failed", "failed_executions (job_id, error, created_at) VALUES (#, '{}'" },
		{ "ready",
		  "ready_executions (job_id, queue_name, priority, created_at) VALUES (#, 'a', 0" },
		{ "blocked",
		  "blocked_executions (job_id, queue_name, priority, concurrency_key, expires_at,"
		  " created_at) VALUES (#, 'a', 0, 'k', '2099-01-01 00:00:00'" },
		{ "scheduled",
		  "scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)"
		  " VALUES (#, 'a', 0, '2099-01-01 00:00:00'" },
	};

	const char *into = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].table, table) == 0)
			into = rows[i].into;
	assert_non_null(into);
	const char *sql = arena_printf(test->arena,
				       "INSERT INTO solid_queue_%s, '2026-01-01 00:00:00')", into);
	torn_execute(test, fill(test->arena, sql, '@', process), job);
}

void torn_remove(struct test_db *test, int64_t job)
{
	for (size_t i = 0; i < TORN_TABLES; i++)
		torn_execute(test,
			     arena_printf(test->arena,
					  "DELETE FROM solid_queue_%s_executions WHERE job_id = #",
					  torn_tables[i]),
			     job);
}

bool torn_is_in(struct test_db *test, const char *table, int64_t job)
{
	return sql_number(test,
			  "SELECT count(*) FROM solid_queue_%s_executions"
			  " WHERE job_id = %lld",
			  table, (long long)job) > 0;
}

const char *torn_odd_time(struct test_db *test)
{
	static const char *const times[] = { [DB_SQLITE] = "2099-01-01T00:00:00Z",
					     [DB_POSTGRESQL] = "infinity",
					     [DB_MYSQL] = "0000-00-00 00:00:00.000000" };

	return times[db_dialect_of(test->db)];
}

void torn_set_odd_time(struct test_db *test, const char *table, const char *column, int64_t above)
{
	const char *id = strcmp(table, "solid_queue_jobs") == 0 ? "id" : "job_id";

	if (db_dialect_of(test->db) == DB_MYSQL)
		test_execute(test->db, "SET SESSION sql_mode = ''");
	sql_execute(test->db, "UPDATE %s SET %s = '%s' WHERE %s > %lld", table, column,
		    torn_odd_time(test), id, (long long)above);
}

int64_t torn_odd_times(struct test_db *test)
{
	struct db_rows rows = { 0 };
	int64_t count = 0;

	must(db_query, test->db, test->arena,
	     DB_CALL(scheduled_odd, .after = P_INT(0), .limit = P_INT(1000)), &rows);
	for (size_t i = 0; i < rows.count; i++)
		count += db_int(&rows, i, SCHEDULED_ODD_ODD);
	return count;
}

void torn_forbid(struct test_db *test, const char *change, const char *table, const char *when,
		 const char *code)
{
	const char *what = arena_printf(
		test->arena, "CREATE TRIGGER no BEFORE %s ON solid_queue_%s", change, table);
	const char *const triggers[] = {
		[DB_SQLITE] = arena_printf(
			test->arena, "%s WHEN %s BEGIN SELECT RAISE(ABORT, 'not this one'); END",
			what, when),
		[DB_POSTGRESQL] = arena_printf(
			test->arena,
			"CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE "
			"EXCEPTION USING MESSAGE = ''not this one'', ERRCODE = ''%s''; END';"
			"%s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION no()",
			code ? code : "P0001", what, when),
		[DB_MYSQL] = arena_printf(test->arena,
					  "%s FOR EACH ROW IF %s THEN SIGNAL SQLSTATE '45000' SET"
					  " MYSQL_ERRNO = %s, MESSAGE_TEXT = 'not this one';"
					  " END IF",
					  what, when, code ? code : "1644"),
	};

	test_execute(test->db, triggers[db_dialect_of(test->db)]);
}

void torn_allow(struct test_db *test, const char *table)
{
	test_execute(test->db, db_dialect_of(test->db) == DB_POSTGRESQL
				       ? arena_printf(test->arena,
						      "DROP TRIGGER no ON solid_queue_%s;"
						      "DROP FUNCTION no()",
						      table)
				       : "DROP TRIGGER no");
}
