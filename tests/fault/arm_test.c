/* Arming, counting, and what the built program says about it. */
#include <sys/wait.h>

#include "common/fault.h"
#include "tests/support/database.h"
#include "tests/support/sites/command.h"

static int disarm(void **state)
{
	(void)state;
	fault_disarm();
	return 0;
}

static void arm(const char *text)
{
	must(fault_arm, text);
}

CASE_WITH(the_first_passage_acts, NULL, disarm)
{
	arm("a.1=retry");
	assert_int_equal(fault_pass("a.2"), FAULT_NONE);
	assert_int_equal(fault_pass("a.1"), FAULT_RETRY);
	assert_int_equal(fault_pass("a.1"), FAULT_NONE);
	assert_int_equal(fault_acted(), 1);
	assert_int_equal(fault_actor(), getpid());
}

CASE_WITH(passages_are_counted, NULL, disarm)
{
	arm("a.1=fatal@3,b.1=cut@2+");
	for (int i = 1; i <= 4; i++) {
		assert_int_equal(fault_pass("a.1"), i == 3 ? FAULT_FATAL : FAULT_NONE);
		assert_int_equal(fault_pass("b.1"), i >= 2 ? FAULT_CUT : FAULT_NONE);
	}
	assert_int_equal(fault_acted(), 4);
}

CASE_WITH(all_processes_count_together, NULL, disarm)
{
	int status;

	arm("a.1=kill");
	pid_t child = fork();
	if (child == 0) {
		(void)fault_pass("a.1");
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(fault_pass("a.1"), FAULT_NONE);
	assert_int_equal(fault_actor(), child);
}

CASE_WITH(only_scripts_that_are_armed_stop_the_driver, NULL, disarm)
{
	arm("finish.1=kill");
	assert_true(fault_is_armed("finish"));
	assert_false(fault_is_armed("fin"));
	assert_false(fault_is_armed("finish_and_delete"));
	fault_disarm();
	assert_false(fault_is_armed("finish"));
}

CASE_WITH(nonsense_is_refused, NULL, disarm)
{
	static const char *const texts[] = {
		"a",          "a=",        "=kill",     "a=die",
		"a=kill@",    "a=kill@0",  "a=kill@x",  "a=kill@1x",
		"a=kill@1+2", "a=kill 2",  "a=kill,b",  "a=killed",
		",",          "a=kill@-1", "a=kill@ 1", "a=kill@99999999999"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error error = { 0 };
		if (fault_arm(texts[i], &error) == STATUS_OK)
			fail_msg("'%s' was taken", texts[i]);
		assert_int_equal(error.status, STATUS_INVALID);
	}
	assert_int_equal(fault_acted(), 0);
}

/* the built program */

static struct test_result dray(struct arena *arena, const char *fault,
			       const char *const arguments[])
{
	const char *const environment[] = { arena_printf(arena, "DRAY_FAULT=%s", fault), NULL };
	const struct test_command command = { .arguments = arguments, .environment = environment };

	return test_command_run(arena, &command);
}

ARENA_CASE(points_are_listed)
{
	struct test_result result = dray(arena, "", (const char *const[]){ "faults", NULL });

	assert_int_equal(result.code, 0);
	assert_contains(result.output, "\nworker.claimed ");
	assert_contains(result.output, "\ndispatcher.beating ");
	assert_contains(result.output, "\nfinish.committed ");
}

ARENA_CASE(points_that_do_not_exist_are_refused)
{
	struct test_result result = dray(arena, "worker.x=kill,finish.0=kill",
					 (const char *const[]){ "version", NULL });

	assert_int_equal(result.code, 2);
	assert_contains(result.errors, "DRAY_FAULT: there is no point worker.x");
	result = dray(arena, "finish.0=die", (const char *const[]){ "version", NULL });
	assert_int_equal(result.code, 2);
	assert_contains(result.errors, "DRAY_FAULT: fault 'finish.0=die'");
}

ARENA_CASE(the_program_dies_where_it_is_told)
{
	const char *url = test_database_new(arena, "sqlite");
	const char *const migrate[] = { "db", "migrate", "--database", url, NULL };
	const char *const put[] = { "enqueue", "Hello", "--database", url, NULL };

	assert_int_equal(dray(arena, "", migrate).code, 0);
	assert_int_equal(dray(arena, "enqueue.commit=kill", put).code, -9);
	assert_int_equal(test_query_int(url, "SELECT COUNT(*) FROM solid_queue_jobs"), 0);
	assert_int_equal(dray(arena, "enqueue.committed=kill", put).code, -9);
	assert_int_equal(test_query_int(url, "SELECT COUNT(*) FROM solid_queue_jobs"), 1);
	test_database_drop(arena, "sqlite", url);
}
