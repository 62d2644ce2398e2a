/* Both schedulers on one database. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "tests/rails/shared.h"

/* Of a file that both have, and each a task of its own. */
static const char both[] = "both:\n  class: BothJob\n  args: [1]\n  queue: both\n"
			   "  schedule: every second\n";
static const char ours[] =
	"ours:\n  class: DrayJob\n  args: [2]\n  queue: dray\n  schedule: \"*/2 * * * * *\"\n";
static const char theirs[] =
	"theirs:\n  class: RubyJob\n  args: [3]\n  queue: ruby\n  schedule: \"*/2 * * * * *\"\n";

#define MOMENTS                                                                                    \
	"SELECT count(DISTINCT run_at) FROM solid_queue_recurring_executions WHERE task_key = "
#define JOBS  "SELECT count(*) FROM solid_queue_jobs WHERE class_name = "
#define KNOWN "SELECT count(*) FROM solid_queue_recurring_tasks"

static bool five_moments(void *data)
{
	return site_int(data, MOMENTS "'both'") >= 5 && site_int(data, MOMENTS "'ours'") >= 2 &&
	       site_int(data, MOMENTS "'theirs'") >= 2 && site_int(data, KNOWN) == 3;
}

static pid_t start_both(struct site *site)
{
	site_write(site, "config/recurring.yml", arena_printf(site->arena, "%s%s", both, ours));
	site_queue_yml(site, "scheduler: {polling_interval: 0.5}\n"
			     "workers: [{queues: [dray, both], threads: 2}]\n");
	site_start(site, 3);
	const char *pid = ruby(site->arena,
			       "start_jobs(<<~YML, <<~TASKS)\nproduction:\n  workers:\n"
			       "    - {queues: [ruby, both], threads: 2}\nYML\n%s%sTASKS\n",
			       both, theirs);
	site_await_rows(site, NULL, 6);
	return (pid_t)strtol(pid, NULL, 10);
}

static void a_moment_is_one_job_and_tasks_are_let_alone(void **state)
{
	struct site *site = shared_open(*state);

	pid_t rails = start_both(site);
	site_until(site, five_moments, site, "five moments and every task");
	shared_rails_stop(site, rails);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_int(site, MOMENTS "'both'"), site_int(site, JOBS "'BothJob'"));
	assert_int_equal(site_int(site, MOMENTS "'ours'"), site_int(site, JOBS "'DrayJob'"));
	assert_int_equal(site_int(site, MOMENTS "'theirs'"), site_int(site, JOBS "'RubyJob'"));
	if (strcmp(site->test->backend, "sqlite") == 0)
		assert_int_equal(site_int(site, "SELECT count(*) FROM "
						"solid_queue_recurring_executions WHERE run_at "
						"NOT LIKE '____-__-__ __:__:__'"),
				 0);
	shared_close(site);
}

const struct test_case shared_recurring[] = {
	RULE("8, 9", a_moment_is_one_job_and_tasks_are_let_alone),
};
const size_t shared_recurring_count = sizeof(shared_recurring) / sizeof(shared_recurring[0]);
