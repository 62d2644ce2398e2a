/* `dray cancel` of jobs that run: their worker is on this host, looks at once, and stops them. */
#include "tests/support/sites/site.h"

static const char jobs[] =
	"  Sleep: {command: [sh, -c, 'echo $$ >>begun; exec sleep 3600']}\n"
	"  Polite: {command: [sh, -c, 'trap \"exit 0\" TERM; echo $$ >>begun; while :; do sleep "
	"0.02; done']}\n"
	"  Limited: {command: [sh, -c, 'echo $$ >>begun; exec sleep 3600'], concurrency: {to: "
	"1}}\n"
	"  Deaf: {command: [sh, -c, 'trap \"\" TERM; echo $$ >>begun; while :; do sleep 0.02; "
	"done'], "
	"stop: {grace: 0.2s}}\n";

/* No heartbeat comes by itself in time. */
static void configure(struct site *site, int threads, const char *classes)
{
	site_queue_yml(site, arena_printf(site->arena,
					  "process_heartbeat_interval: 60\n"
					  "process_alive_threshold: 600\n"
					  "workers:\n  - {threads: %d, polling_interval: 0.02}\n",
					  threads));
	site_jobs_yml(site, classes);
}

static void begin(struct site *site)
{
	configure(site, 9, jobs);
	site_start(site, 2);
}

static const char *outcomes(struct site *site)
{
	return test_query_text(site->arena, site->url,
			       "SELECT outcome, count(*) FROM dray_attempts GROUP BY outcome");
}

SITE_CASE(test_running_jobs_are_cancelled_at_once)
{
	begin(site);
	int64_t rude = site_enqueue(site, "Sleep");
	int64_t polite = site_enqueue(site, "Polite");
	int64_t limited = site_begin(site, 3, "Limited");

	int64_t at = clock_monotonic();
	const char *said =
		site_dray(site, "cancel", site_number(site, rude), site_number(site, polite),
			  site_number(site, limited), "--reason", "a mistake");
	assert_wording("cancel.running", said);
	site_await(site, rude, JOB_FINISHED);
	site_await(site, polite, JOB_FINISHED);
	site_await(site, limited, JOB_FINISHED);
	assert_true(clock_monotonic() - at < 20 * CLOCK_SECOND); /* not a heartbeat's minute */
	assert_string_equal(outcomes(site), "cancelled 3\n");
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_cancellations"), 0);
	assert_contains(site_dray(site, "job", site_number(site, rude)), ": a mistake");
	assert_contains(site_dray(site, "why", site_number(site, polite)), ": a mistake");
	struct test_result result = site_stop(site, SIGTERM);
	assert_contains(result.errors, "\"job.cancelled\"");
}

/* Those that wait, and those that run; what runs beside them goes on. */
SITE_CASE(test_all_of_a_class)
{
	begin(site);
	int64_t other = site_enqueue(site, "Polite");

	for (int i = 0; i < 3; i++)
		(void)site_enqueue(site, "Limited");
	for (int i = 0; i < 9; i++)
		(void)site_enqueue(site, "Sleep");
	site_await_jobs(site, JOB_CLAIMED, 9);
	(void)site_dray(site, "cancel", "--class", "Sleep", "--yes");
	(void)site_dray(site, "cancel", "--class", "Limited", "--yes");
	site_await_jobs(site, JOB_FINISHED, 12);
	assert_string_equal(outcomes(site), "cancelled 12\n");
	assert_int_equal(site_state(site, other), JOB_CLAIMED);
	(void)site_stop(site, SIGTERM);
}

/* Who cancels it again is told by whom it was, and changes nothing. */
SITE_CASE(test_a_second_time)
{
	configure(site, 1,
		  "  Deaf: {command: [sh, -c, 'trap \"\" TERM; echo $$ >>begun; while :; do "
		  "sleep 0.02; done'], stop: {grace: 600s}}\n");
	int64_t id = site_enqueue(site, "Deaf");
	site_start(site, 2);
	site_await_lines(site, "begun", 1);
	(void)site_dray(site, "cancel", site_number(site, id), "--reason", "a mistake");
	assert_wording("cancel.again", site_dray(site, "cancel", site_number(site, id)));
	assert_wording("cancel.all_again", site_dray(site, "cancel", "--class", "Deaf", "--yes"));
	assert_contains(site_dray(site, "cancel", site_number(site, id), "--json"),
			"\"known_count\": 1");
	assert_int_equal(site_int(site, "SELECT sum(count) FROM dray_audit"), 1);
	(void)site_stop(site, SIGQUIT);
}

/* No signal comes from there, so its heartbeat tells it; it has nothing else to do, and kills. */
SITE_CASE(test_from_another_host)
{
	site_queue_yml(site, "process_heartbeat_interval: 0.5\n"
			     "workers:\n  - {threads: 1, polling_interval: 60}\n");
	site_jobs_yml(site, jobs);
	int64_t id = site_enqueue(site, "Deaf");
	site_start(site, 2);
	site_await_lines(site, "begun", 1);
	test_execute(site->db, "UPDATE solid_queue_processes SET hostname = 'elsewhere'");
	(void)site_dray(site, "cancel", site_number(site, id));
	site_await(site, id, JOB_FINISHED);
	assert_string_equal(outcomes(site), "cancelled 1\n");
	(void)site_stop(site, SIGTERM);
}

/* All at once, on two supervisors: each begins once and ends once. */
static void cancel_many(struct site *site, int count)
{
	configure(site, count / 2, jobs);
	site_enqueue_many(site, "Sleep", "default", count);
	site_start(site, 2);
	struct test_running other = site_launch(site, "start");
	site_await_lines(site, "begun", (size_t)count);
	(void)site_dray(site, "cancel", "--class", "Sleep", "--yes");
	site_await_int(site, "SELECT count(*) FROM solid_queue_jobs WHERE finished_at IS NULL", 0);
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_attempts"), count);
	assert_number(site, count,
		      "SELECT count(DISTINCT job_id) FROM dray_attempts WHERE outcome = "
		      "'cancelled'");
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_cancellations"), 0);
	assert_int_equal(site_lines(site, "begun"), count);
	site_stop_other(site, &other);
	(void)site_stop(site, SIGTERM);
}

SITE_CASE(test_many_at_once)
{
	cancel_many(site, 40);
}

SITE_CASE_REAL(test_a_thousand_at_once, NULL)
{
	cancel_many(site, 1000);
}

/* Of those that one class has, as in CI: the last one runs. */
SITE_CASE(test_a_newer_job_cancels)
{
	configure(site, 3,
		  "  Build: {command: [sh, -c, 'echo $$ >>begun; exec sleep 3600'], "
		  "concurrency: {to: 1, on_conflict: cancel_running}}\n");
	int64_t first = site_enqueue(site, "Build");
	site_start(site, 2);
	site_await_lines(site, "begun", 1);
	int64_t second = site_enqueue(site, "Build");
	int64_t third = site_enqueue(site, "Build");
	site_await(site, first, JOB_FINISHED);
	site_await_lines(site, "begun", 2);
	site_await(site, second, JOB_FINISHED); /* it may have begun */
	site_await(site, third, JOB_CLAIMED);
	assert_string_equal(outcomes(site), "cancelled 2\n");
	assert_contains(site_dray(site, "why", site_number(site, first)), "a newer job");
	(void)site_stop(site, SIGQUIT);
}
