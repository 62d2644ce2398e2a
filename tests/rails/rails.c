/*
 * rails BACKEND: the real Solid Queue beside dray, on one database. Each case is named by the rules
 * that it holds, of what must be so when other processes share Solid Queue's tables with Rails
 * (docs/internals/solid-queue.md, 6); DRAY_TEST_ONLY selects cases by a part of their name.
 */
#include "tests/rails/shared.h"

#define CTEST_SKIPPED 77

/* The cases of one file. */
struct part {
	const char *name;
	const struct test_case *cases;
	const size_t *count;
	const char *gem; /* NULL = that of the part before */
};

static const struct part parts[] = {
	{ "jobs", shared_jobs, &shared_jobs_count, "solid_queue" },
	{ "arguments", shared_arguments, &shared_arguments_count },
	{ "limits", shared_limits, &shared_limits_count },
	{ "declared", shared_declared, &shared_declared_count },
	{ "processes", shared_processes, &shared_processes_count },
	{ "schema", shared_schema, &shared_schema_count },
	{ "recurring", shared_recurring, &shared_recurring_count },
	{ "schedules", shared_schedules, &shared_schedules_count },
	{ "dashboard", shared_dashboard, &shared_dashboard_count },
	{ "batches", shared_batches, &shared_batches_count, "solid_queue_batches" },
};

int main(int argc, char **argv)
{
	const char *wanted = getenv("DRAY_TEST_BACKENDS");
	const char *place = getenv("DRAY_TEST_RAILS_PLACE");
	int failures = 0;

	if (argc != 2)
		return 2;
	if (!place || (wanted && !strstr(wanted, argv[1]))) {
		(void)printf("LEFT OUT: %s\n", place ? argv[1] : "there is no Rails here");
		return CTEST_SKIPPED;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	setenv("DRAY_TEST_BACKENDS", argv[1], 1);
	setenv("TMPDIR", place, 1); /* SQLite's files: Rails sees them */
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].gem)
			console_start(argv[1], parts[i].gem);
		failures += test_run_backends(parts[i].name, parts[i].cases, *parts[i].count);
	}
	console_end();
	return failures == 0 ? 0 : 1;
}
