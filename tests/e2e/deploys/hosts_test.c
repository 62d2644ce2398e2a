/* What dray health says of hosts and of processes that ended without a word, on every database. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

enum { WELL, DEGRADED, DEAD };

/* On a host; `metadata` NULL: nothing is said. */
static int64_t start(struct test_db *test, const char *kind, const char *name, const char *host,
		     const char *metadata)
{
	struct process_row row = { .kind = kind,
				   .name = name,
				   .pid = 4711,
				   .hostname = host,
				   .metadata = metadata ? metadata : "{\"queues\":\"*\"}" };

	must(process_register, test->db, &row);
	return row.id;
}

static void leave(struct test_db *test, int64_t process)
{
	int64_t released;

	must(process_deregister, test->db, process, &released);
}

static void kill_process(struct test_db *test, const char *name)
{
	const struct burial burial = { name, 4711, "Received unhandled signal 9." };
	const struct loss_policy policy = { .max_losses = 1 };
	struct loss_result result;

	must(process_bury, test->db, &burial, &policy, &result);
}

#define assert_well(test) assert_code(test_cli((test), "health"), WELL)
#define assert_findings(test, pattern)                                                             \
	assert_json(test_cli((test), "health", "--json"), DEGRADED, "{'findings': " pattern "}")

/* A supervisor starts another at once, or says that it has given up. */
DB_CASE(a_child_that_was_killed_is_no_finding)
{
	start(test, "Supervisor(fork)", "supervisor", "one", NULL);
	start(test, "Worker", "child", "one", NULL);
	kill_process(test, "child");
	assert_well(test);
}

DB_CASE(nobody_takes_the_place_of_a_process)
{
	start(test, "Worker", "other", "one", NULL);
	start(test, "Supervisor(fork)", "first", "one", NULL);
	start(test, "Dispatcher", "child", "one", NULL);
	assert_well(test);
	kill_process(test, "first");
	kill_process(test, "child");
	assert_findings(test, "[{'name': 'process_gone', 'subject': 'first'}]");
	assert_wording("health.process_gone", test_cli(test, "health").output);
	assert_code(test_cli(test, "health", "--queue", "a"), WELL);
	start(test, "Supervisor(fork)", "second", "two", NULL);
	assert_findings(test, "[{'name': 'process_gone', 'subject': 'first'}]");
	start(test, "Supervisor(fork)", "third", "one", NULL);
	assert_well(test);
	kill_process(test, "third");
	assert_findings(test, "[{'name': 'process_gone', 'subject': 'third'}]");
	leave(test, start(test, "Supervisor(fork)", "fourth", "one", NULL));
	assert_well(test);
}

/* It was there today and did not say goodbye; for one that does, nothing is missing. */
DB_CASE(a_host_that_was_there_is_missing)
{
	start(test, "Worker", "other", "one", NULL);
	start(test, "Supervisor(fork)", "s", "two", NULL);
	start(test, "Worker", "w", "two", NULL);
	kill_process(test, "w");
	leave(test, start(test, "Dispatcher", "d", "three", NULL));
	assert_well(test);
	kill_process(test, "s");
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'two'}]");
	assert_wording("health.host_missing", test_cli(test, "health").output);
	int64_t again = start(test, "Supervisor(fork)", "again", "two", NULL);
	assert_well(test);
	leave(test, again);
	assert_well(test);
}

/* Nobody else starts it again, and nobody watches it but the others. */
DB_CASE(one_that_only_looks_is_gone)
{
	start(test, "Supervisor(fork)", "supervisor", "one", NULL);
	start(test, "Watcher", "first", "one", NULL);
	start(test, "Watcher", "w", "two", NULL);
	kill_process(test, "first");
	assert_findings(test, "[{'name': 'process_gone', 'subject': 'first'}]");
	kill_process(test, "w");
	assert_findings(test,
			"[{'name': 'host_missing', 'subject': 'two'}, {'name': 'process_gone'}]");
	leave(test, start(test, "Watcher", "again", "two", NULL));
	start(test, "Watcher", "second", "one", NULL);
	assert_well(test);
}

/* Who looks does not say goodbye for those that work, nor they for it. */
DB_CASE(a_host_that_was_only_looked_at)
{
	start(test, "Worker", "other", "one", NULL);
	start(test, "Supervisor(fork)", "s", "two", NULL);
	int64_t watcher = start(test, "Watcher", "w", "two", NULL);
	kill_process(test, "s");
	assert_findings(test, "[{'name': 'process_gone', 'subject': 's'}]");
	leave(test, watcher);
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'two'}]");
	leave(test, start(test, "Supervisor(fork)", "again", "two", NULL));
	assert_well(test);
	start(test, "Watcher", "x", "two", NULL);
	kill_process(test, "x");
	leave(test, start(test, "Supervisor(fork)", "third", "two", NULL));
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'two'}]");
}

/* What it looks at does not run. */
DB_CASE(only_one_that_looks_is_there)
{
	const int64_t last = start(test, "Worker", "worker", "one", NULL);

	start(test, "Watcher", "watcher", "two", NULL);
	assert_well(test);
	leave(test, last);
	assert_json(test_cli(test, "health", "--json"), DEAD,
		    "{'findings': [{'name': 'nothing_running'}]}");
}

DB_CASE(a_host_is_forgotten)
{
	start(test, "Worker", "other", "one", NULL);
	start(test, "Worker", "w", "two", NULL);
	kill_process(test, "w");
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'two'}]");
	assert_told("processes.forget_unknown", EXIT_USAGE,
		    test_cli(test, "processes", "forget", "tow"));
	assert_code(test_cli(test, "processes", "forget"), EXIT_USAGE);
	assert_json(test_cli(test, "processes", "forget", "two", "--reason", "sold", "--json"),
		    EXIT_STOPPED, "{'host': 'two', 'forgotten': ['w']}");
	assert_audited(test, "forget host 1 done host two");
	assert_well(test);
	assert_told("processes.forget_none", EXIT_USAGE,
		    test_cli(test, "processes", "forget", "two"));
}

/* Where the files of any host say what is expected, nothing else is. */
DB_CASE(the_files_say_which_hosts_have_to_be_there)
{
	start(test, "Supervisor(fork)", "other", "one",
	      "{\"queues\":\"*\",\"expect_hosts\":[\"ONE\",\"three\"]}");
	start(test, "Worker", "w", "two", NULL);
	kill_process(test, "w");
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'three'}]");
	int64_t three = start(test, "Worker", "third", "three", "{\"expect_hosts\":[]}");
	assert_well(test);
	leave(test, three);
	assert_findings(test, "[{'name': 'host_missing', 'subject': 'three'}]");
}
