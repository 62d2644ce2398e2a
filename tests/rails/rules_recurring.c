/* Both schedulers on one database. */
#include "tests/rails/shared.h"

/* A zone in which this hour is another one: dray's host has it, and the application has not. */
#define ELSEWHERE "Etc/GMT+5"

/* Of a file that both have, and each a task of its own. */
static const char both[] = "both:\n  class: BothJob\n  args: [1]\n  queue: both\n"
			   "  schedule: \"* * %d,%d * * *\"\n"; /* this hour in UTC, and the next */
static const char ours[] =
	"ours:\n  class: DrayJob\n  args: [2]\n  queue: dray\n  schedule: \"*/2 * * * * *\"\n";
static const char theirs[] =
	"theirs:\n  class: RubyJob\n  args: [3]\n  queue: ruby\n  schedule: \"*/2 * * * * *\"\n";

#define OCCURRENCES                                                                                \
	"SELECT count(DISTINCT run_at) FROM solid_queue_recurring_executions WHERE task_key = "
#define JOBS  "SELECT count(*) FROM solid_queue_jobs WHERE class_name = "
#define KNOWN "SELECT count(*) FROM solid_queue_recurring_tasks"

static const char *both_now(struct site *site)
{
	int hour = (int)(clock_wall() / CLOCK_HOUR % 24);

	return arena_printf(site->arena, both, hour, (hour + 1) % 24);
}

/* Whether dray or Rails came first, dray has handled the occurrences, too. */
static bool five_occurrences(struct site *site)
{
	return site_logged(site, "\"task\":\"both\",\"at\"") >= 3 &&
	       site_int(site, OCCURRENCES "'both'") >= 5 &&
	       site_int(site, OCCURRENCES "'ours'") >= 2 &&
	       site_int(site, OCCURRENCES "'theirs'") >= 2 && site_int(site, KNOWN) == 3;
}

static pid_t start_both(struct site *site)
{
	const char *shared = both_now(site);

	site_write(site, "config/recurring.yml", arena_printf(site->arena, "%s%s", shared, ours));
	site_queue_yml(site, "log: {level: debug, format: json}\n"
			     "scheduler: {polling_interval: 0.5}\n"
			     "workers: [{queues: [dray, both], threads: 2}]\n");
	site_start(site, 3);
	const char *pid = ruby(site->arena,
			       "start_jobs(<<~YML, <<~TASKS)\nproduction:\n  workers:\n"
			       "    - {queues: [ruby, both], threads: 2}\nYML\n%s%sTASKS\n",
			       shared, theirs);
	site_await_rows(site, NULL, 6);
	return (pid_t)strtol(pid, NULL, 10);
}

/* Also where the file names no zone, and the host of dray has another than the application. */
SHARED_CASE(an_occurrence_is_one_job_and_tasks_are_let_alone)
{
	/* No thread of ours runs. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	assert_int_equal(setenv("TZ", ELSEWHERE, 1), 0);
	pid_t rails = start_both(site);
	site_until(site, five_occurrences(site), "five occurrences and every task");
	/* The same. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	assert_int_equal(unsetenv("TZ"), 0);
	shared_rails_stop(site, rails);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_int(site, OCCURRENCES "'both'"), site_int(site, JOBS "'BothJob'"));
	assert_int_equal(site_int(site, OCCURRENCES "'ours'"), site_int(site, JOBS "'DrayJob'"));
	assert_int_equal(site_int(site, OCCURRENCES "'theirs'"), site_int(site, JOBS "'RubyJob'"));
	if (strcmp(site->test->backend, "sqlite") == 0)
		assert_count(site, 0,
			     "solid_queue_recurring_executions WHERE run_at NOT LIKE '____-__-__ "
			     "__:__:__'");
}

/* A command of each side: a program, and Ruby source. */
static const char our_command[] = "ours:\n  command: [sh, -c, 'echo \"dray 0\" >>effects']\n"
				  "  schedule: every second\n";
static const char their_command[] =
	"theirs:\n  command: mark(%q(rails), 0)\n  schedule: every second\n";

static pid_t start_rails(struct site *site, const char *queues, const char *tasks, size_t rows)
{
	const char *pid = ruby(site->arena,
			       "start_jobs(<<~YML, <<~'TASKS')\nproduction:\n  workers:\n"
			       "    - {queues: %s, threads: 2}\nYML\n%sTASKS\n",
			       queues, tasks);
	site_await_rows(site, NULL, rows);
	return (pid_t)strtol(pid, NULL, 10);
}

static struct test_result check(struct site *site)
{
	return site_run_dray(site, NULL, (const char *const[]){ "check", NULL });
}

/* A Rails worker that takes Rails' own queue of commands has nothing to do with those of dray. */
SHARED_CASE(commands_are_run_by_the_side_that_has_them)
{
	site_write(site, "config/recurring.yml", our_command);
	site_queue_yml(site, "workers: [{queues: [dray_commands], polling_interval: 0.05}]\n");
	site_start(site, 3);
	pid_t rails = start_rails(site, "[solid_queue_recurring, ruby]", their_command, 6);
	site_until(site,
		   shared_effects_of(site, "dray") >= 3 && shared_effects_of(site, "rails") >= 3,
		   "three commands of each");
	assert_null(strstr(check(site).errors, "of other software"));
	shared_rails_stop(site, rails);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
	assert_int_equal(shared_effects_of(site, "dray"),
			 site_int(site, JOBS "'recurring:ours' AND finished_at IS NOT NULL"));
	assert_number(site,
		      site_int(site, JOBS "'recurring:ours' AND queue_name = 'dray_commands'"),
		      JOBS "'recurring:ours'");
	assert_int_equal(shared_effects_of(site, "rails"),
			 site_int(site, JOBS "'SolidQueue::RecurringJob' AND finished_at IS NOT "
					     "NULL"));
	shared_rails_content(site);
}

static struct test_result pause_task(struct site *site, const char *key)
{
	return site_run_dray(site, NULL, (const char *const[]){ "recurring", "pause", key, NULL });
}

/* Rails goes on with it, and a worker of Rails that takes every queue is named. */
SHARED_CASE(what_does_not_hold_in_rails_is_said)
{
	const char *shared = both_now(site);

	site_write(site, "config/recurring.yml",
		   arena_printf(site->arena,
				"%s%sbackup:\n  command: ['true']\n  schedule: every year\n",
				shared, ours));
	site_queue_yml(site, "scheduler: {polling_interval: 0.5}\n"
			     "workers: [{queues: [dray, dray_commands, both]}]\n");
	site_start(site, 3);
	pid_t rails =
		start_rails(site, "'*'", arena_printf(site->arena, "%s%s", shared, theirs), 6);
	site_await_int(site, KNOWN, 4);
	struct test_result result = pause_task(site, "both");
	assert_code(result, 0);
	assert_contains(result.errors, "warning: the pause does not hold in scheduler-");
	site_await_least(site, OCCURRENCES "'both'", site_int(site, OCCURRENCES "'both'") + 3);
	result = pause_task(site, "ours");
	assert_code(result, 0);
	assert_string_equal(result.errors, "");
	result = pause_task(site, "theirs");
	assert_code(result, 2);
	assert_contains(result.errors, "theirs is a task of a Rails application alone");
	result = check(site);
	assert_code(result, 0);
	assert_contains(result.errors,
			"also takes the queue dray_commands (queues: *) and fails the jobs");
	shared_rails_stop(site, rails);
}

SHARED_CASES(recurring, RULE("8, 9", an_occurrence_is_one_job_and_tasks_are_let_alone),
	     RULE("5, 8", commands_are_run_by_the_side_that_has_them),
	     RULE("5, 8", what_does_not_hold_in_rails_is_said));
