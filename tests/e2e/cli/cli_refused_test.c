/* A database that refuses a statement is no bug of ours: status 1, and its words on one line. */
#include <unistd.h>

#include "tests/support/sites/cli.h"

DB_CASE(a_refusal_is_an_error_with_one_line)
{
	static const char *const commands[][3] = {
		{ "queues" },
		{ "enqueue", "A" },
		{ "doctor" },
		{ "pause", "mail" },
	};

	test_execute(test->db, "ALTER TABLE solid_queue_pauses RENAME TO elsewhere;"
			       "ALTER TABLE solid_queue_ready_executions RENAME TO away");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct test_result result = test_cli_arguments(test, NULL, commands[i]);
		assert_code(result, EXIT_ERROR);
		const char *last = strstr(result.errors, "\ndray: ");
		last = last ? last + 1 : result.errors;
		assert_int_equal(strncmp(last, "dray: ", 6), 0);
		assert_ptr_equal(strchr(last, '\n'), last + strlen(last) - 1);
	}
	test_execute(test->db, "ALTER TABLE elsewhere RENAME TO solid_queue_pauses;"
			       "ALTER TABLE away RENAME TO solid_queue_ready_executions");
}

#define LAST "9223372036854775807"

/* A table's counter is at its end, that of the second, where there are such, is a narrow one. */
static const struct {
	const char *sql[DB_DIALECTS];
	const char *const command[4], *input;
} ends[] = {
	{ { [DB_SQLITE] = "INSERT INTO solid_queue_pauses (id, queue_name, created_at)"
			  " VALUES (" LAST ", 'a', '2026-01-01');"
			  "DELETE FROM sqlite_sequence WHERE name = 'solid_queue_pauses'",
	    [DB_POSTGRESQL] = "SELECT setval('solid_queue_pauses_id_seq', " LAST ")",
	    [DB_MYSQL] = "ALTER TABLE solid_queue_pauses AUTO_INCREMENT = " LAST },
	  { "pause", "mail" },
	  NULL },
	{ { [DB_SQLITE] = "INSERT INTO sqlite_sequence"
			  " VALUES ('solid_queue_ready_executions', " LAST ")",
	    [DB_POSTGRESQL] = "ALTER TABLE solid_queue_ready_executions ALTER id TYPE integer;"
			      "SELECT setval('solid_queue_ready_executions_id_seq', 2147483647)",
	    [DB_MYSQL] = "ALTER TABLE solid_queue_ready_executions"
			 " MODIFY id int NOT NULL AUTO_INCREMENT, AUTO_INCREMENT = 2147483647" },
	  { "enqueue", "A" },
	  NULL },
	{ { [DB_SQLITE] = "UPDATE sqlite_sequence SET seq = " LAST " - 2"
			  " WHERE name = 'solid_queue_jobs'",
	    [DB_POSTGRESQL] = "SELECT setval('solid_queue_jobs_id_seq', " LAST ")",
	    [DB_MYSQL] = "ALTER TABLE solid_queue_jobs AUTO_INCREMENT = " LAST },
	  { "enqueue", "--bulk", "-" },
	  "{\"class\":\"A\"}\n{\"class\":\"A\"}\n{\"class\":\"A\"}\n" },
};

/* No full disk, and no mistake of who asks. Some servers still give the last one. */
DB_CASE(ids_that_have_come_to_their_end)
{
	struct test_db own = { .backend = test->backend };

	test_db_begin(&own, TEST_MIGRATED);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		test_execute(own.db, ends[i].sql[db_dialect_of(own.db)]);
		if (i > 0)
			(void)test_cli_arguments(&own, ends[i].input, ends[i].command);
		else
			(void)test_cli(&own, "pause", "other");
		struct test_result result =
			test_cli_arguments(&own, ends[i].input, ends[i].command);
		assert_code(result, EXIT_ERROR);
		assert_contains(result.errors, "the ids of ");
	}
	test_db_end(&own);
}

/* Some other file, or what is left of one: one line, and no mistake of who asks. */
DB_CASE_ONLY(a_file_that_is_no_database, "sqlite")
{
	static const char *const commands[] = { "queues", "jobs", "doctor", "stats", "audit" };
	static const struct {
		const char *text;
		off_t size;
	} files[] = {
		{ "# Notes\n", 5000 },      /* and then zeros */
		{ "", 20000 },              /* zeros */
		{ "jobs", 4 },              /* shorter than a header */
		{ "SQLite format 3", 16 },  /* half a header */
		{ "SQLite format 3", 100 }, /* one of zeros */
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct test_db other = *test;
		other.url = arena_printf(test->arena, "%s.%zu", test->url, i);
		const char *path = strchr(other.url, ':') + 1;
		test_write_file(path, files[i].text);
		assert_int_equal(truncate(path, files[i].size), 0);
		for (size_t j = 0; j < sizeof(commands) / sizeof(commands[0]); j++) {
			struct test_result result = test_cli(&other, commands[j]);
			assert_code(result, EXIT_ERROR);
			assert_int_equal(test_count_text(result.errors, "\n"), 1);
		}
	}
}
