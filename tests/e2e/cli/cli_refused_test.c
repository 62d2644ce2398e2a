/* A database that refuses a statement is no bug of ours: status 1, and its words on one line. */
#include <string.h>

#include "common/process.h"
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
