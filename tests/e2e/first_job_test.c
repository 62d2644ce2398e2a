/* The first hour with dray: files, jobs now and later, order, failures; a job's life (JL). */
#include "tests/support/sites/site.h"

#define ONE_THREAD                                                                                 \
	"workers:\n  - {queues: [urgent, \"o*\", slow], threads: 1, polling_interval: 0.02}\n"     \
	"dispatchers:\n  - {polling_interval: 0.05}\n"

SITE_CASE_ON_EMPTY(test_a_first_job_of_ones_own)
{
	site_jobs_yml(site, "  Compress: {command: [gzip, -kf, \"{path}\"]}\n");
	site_write(site, "letter", "Dear reader,\n");
	(void)site_dray(site, "db", "migrate");
	site_start(site, 3);
	site_run(site, "Compress", "path=letter");
	assert_int_equal(site_lines(site, "letter"), 1);
	assert_memory_equal(site_read(site, "letter.gz"), "\x1f\x8b", 2);
}

static int64_t jobs_of(const struct site *site, const char *state)
{
	const char *sql =
		arena_printf(site->arena, "SELECT count(*) FROM solid_queue_%s_executions", state);

	return test_query_int(site->url, sql);
}

/* What jobs.yml says of limits holds for the first job, though nothing has been started yet. */
SITE_CASE_ON_EMPTY(test_limits_hold_before_the_first_start)
{
	static const char bulk[] = "{\"class\": \"Drop\"}\n{\"class\": \"Wait\"}\n";

	site_jobs_yml(
		site,
		"  Wait: {command: [\"true\"], concurrency: {to: 2}}\n"
		"  Drop: {command: [\"true\"], concurrency: {to: 3, on_conflict: discard}}\n");
	(void)site_dray(site, "db", "migrate");
	for (int i = 0; i < 3; i++)
		(void)site_enqueue(site, "Wait");
	assert_int_equal(jobs_of(site, "ready"), 2);
	assert_int_equal(jobs_of(site, "blocked"), 1);
	for (int i = 0; i < 3; i++)
		(void)site_enqueue(site, "Drop");
	assert_int_equal(jobs_of(site, "ready"), 5);
	site_write(site, "jobs.ndjson", bulk);
	assert_contains(site_dray(site, "enqueue", "--bulk", "jobs.ndjson", "--json"),
			"\"discarded\": 1");
	assert_int_equal(jobs_of(site, "ready"), 5);
	assert_int_equal(jobs_of(site, "blocked"), 2);
}

SITE_CASE(test_fl1_jl1_all_jobs_complete_and_term_is_clean)
{
	site_queue_yml(site, "workers:\n  - {queues: background, threads: 3}\n"
			     "  - {queues: default, threads: 5}\n");
	site_enqueue_many(site, "Log", "background", 6);
	site_enqueue_many(site, "Log", "default", 6);
	site_start(site, 3);
	site_await_done(site, 12);
}

static const char steps[] =
	"{\"class\": \"Append\", \"arguments\": [\"order\", \"later\"], \"in\": 1.5, \"priority\": "
	"2}\n"
	"{\"class\": \"Append\", \"arguments\": [\"order\", \"soon\"], \"in\": 1, \"priority\": "
	"1}\n"
	"{\"class\": \"Append\", \"arguments\": [\"order\", \"never\"], \"in\": 3600}\n"
	"{\"class\": \"Append\", \"arguments\": [\"order\", \"now\"], \"priority\": 0}\n";

/* What is later comes later, however slow this machine is; what is due at once runs by priority. */
SITE_CASE(test_jl6_scheduled_jobs_run_in_steps)
{
	site_queue_yml(site, "workers:\n  - {threads: 1, polling_interval: 0.02}\n"
			     "dispatchers:\n  - {polling_interval: 0.05}\n");
	site_write(site, "steps", steps);
	site_start(site, 3);
	int64_t begin = clock_monotonic();
	(void)site_dray(site, "enqueue", "--bulk", "steps");
	site_await_lines(site, "order", 2);
	assert_true(clock_monotonic() - begin >= CLOCK_SECOND);
	site_await_jobs(site, JOB_FINISHED, 3);
	assert_true(clock_monotonic() - begin >= 1500 * CLOCK_MILLISECOND);
	assert_string_equal(site_read(site, "order"), "now\nsoon\nlater\n");
	assert_int_equal(site_jobs_in(site, JOB_SCHEDULED), 1);
}

/* Queues by preference, then priority (smaller first), then age. */
SITE_CASE(test_order_of_queues_and_priorities)
{
	static const struct {
		const char *text, *queue, *priority;
	} jobs[] = {
		{ "4", "other", "9" },   { "5", "slow", "0" },    { "6", "slow", "9" },
		{ "3", "other", "1" },   { "1", "urgent", "20" }, { "2", "urgent", "30" },
		{ "0", "urgent", "-5" },
	};

	site_queue_yml(site, ONE_THREAD);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		(void)site_enqueue(site, "Append", "order", jobs[i].text, "--queue", jobs[i].queue,
				   "--priority", jobs[i].priority);
	site_start(site, 3);
	site_await_jobs(site, JOB_FINISHED, 7);
	assert_string_equal(site_read(site, "order"), "0\n1\n2\n3\n4\n5\n6\n");
}

static void assert_failed_with_story(struct site *site, int64_t job)
{
	assert_json(site_try(site, "job", site_number(site, job), "--json"), 0,
		    "{'state': 'failed', 'error': {'exception_class': 'Dray::ExitStatusError', "
		    "'message': 'sh exited with status 3', 'backtrace': ['before', 'why']}}");
}

/* JL2; CE4, WO3, WO4: each is told once. */
SITE_CASE(test_jl2_failures_are_kept_with_their_story)
{
	site_start(site, 3);
	int64_t first = site_enqueue(site, "Fail");
	int64_t second = site_enqueue(site, "Fail");
	site_await_jobs(site, JOB_FAILED, 2);
	assert_int_equal(site_jobs_in(site, JOB_FINISHED), 0);
	assert_failed_with_story(site, first);
	assert_failed_with_story(site, second);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"job.failed\""), 2);
}

SITE_CASE(test_a_retry_says_what_it_waits_for)
{
	site_jobs_yml(site, "  Fail: {command: [sh, -c, 'exit 3'], retry: {wait: 1h}}\n");
	site_start(site, 3);
	int64_t job = site_enqueue(site, "Fail");
	site_await(site, job, JOB_SCHEDULED);
	assert_json(site_try(site, "why", site_number(site, job), "--json"), 0,
		    "{'reasons': [{'kind': 'retrying', 'attempt': 1, 'executions': 1, 'attempts': "
		    "5, 'error': 'Dray::ExitStatusError'}, {'kind': 'scheduled'}]}");
	assert_json(site_try(site, "stats", "--json"), 0, "{'scheduled': 0, 'retrying': 1}");
}

/* JL3, JL5: by the policy of its class; a status that nobody mends ends the job. */
SITE_CASE(test_jl3_retries_by_itself)
{
	site_jobs_yml(site, "  Flaky: {command: [sh, -c, 'echo $DRAY_ATTEMPT >> tries; "
			    "test $DRAY_ATTEMPT = 3'], retry: {wait: 0s}}\n"
			    "  Moot: {command: [sh, -c, 'exit 65'], retry: {discard_on: 65}}\n");
	site_start(site, 3);
	int64_t job = site_enqueue(site, "Flaky");
	int64_t moot = site_enqueue(site, "Moot");
	site_await(site, job, JOB_FINISHED);
	site_await(site, moot, JOB_FINISHED);
	assert_string_equal(site_read(site, "tries"), "1\n2\n3\n");
	const char *story = site_dray(site, "job", site_number(site, job));
	assert_contains(story, "attempt 1 by worker-");
	assert_contains(story, "attempt 2 by worker-");
	assert_contains(site_dray(site, "job", site_number(site, moot)), " discarded ");
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"job.retried\""), 2);
	assert_int_equal(site_logged(site, "\"job.discarded\""), 1);
	assert_int_equal(site_logged(site, "\"job.failed\""), 0);
}

/* JL4, by hand. */
SITE_CASE(test_jl4_retry_by_hand_once_the_cause_is_mended)
{
	site_start(site, 3);
	int64_t job = site_enqueue(site, "Copy", "from=missing", "to=copy");
	const char *id = site_number(site, job);
	site_await(site, job, JOB_FAILED);
	assert_contains(site_dray(site, "job", id), "missing");
	(void)site_dray(site, "retry", id);
	site_await_log(site, "\"job.failed\"", 2);
	site_await(site, job, JOB_FAILED);
	site_write(site, "missing", "found\n");
	(void)site_dray(site, "retry", "--all", "--yes");
	site_await(site, job, JOB_FINISHED);
	assert_string_equal(site_read(site, "copy"), "found\n");
}

SITE_CASE(test_fl8_failing_jobs_among_good_ones)
{
	for (int i = 0; i < 3; i++) {
		(void)site_enqueue(site, "Fail", "--queue", i % 2 ? "background" : "default");
		site_enqueue_many(site, "Log", i % 2 ? "default" : "background", 3);
	}
	site_start(site, 3);
	site_await_jobs(site, JOB_FAILED, 3);
	site_await_jobs(site, JOB_FINISHED, 9);
	assert_int_equal(site_lines(site, "done"), 9);
}

SITE_CASE(test_jl7_finished_jobs_leave_no_rows)
{
	site_queue_yml(site, "preserve_finished_jobs: false\n" ONE_THREAD);
	site_enqueue_many(site, "Log", "urgent", 4);
	(void)site_enqueue(site, "Fail", "--queue", "slow");
	site_start(site, 3);
	site_await_lines(site, "done", 4);
	site_await_jobs(site, JOB_FAILED, 1);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_int(site, "SELECT COUNT(*) FROM solid_queue_jobs"), 1);
}
