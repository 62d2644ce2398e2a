/* Pauses of a running deployment: obeyed by workers that are told nothing, ended at their time. */
#include "tests/support/sites/site.h"

/* One worker takes everything, the other two queues that are not told about. */
static void start(struct site *site)
{
	site_queue_yml(site, "workers:\n"
			     "  - {queues: \"*\", threads: 2, polling_interval: 0.02}\n"
			     "  - {queues: [mail, news], threads: 2, polling_interval: 0.02}\n"
			     "dispatchers:\n  - {polling_interval: 0.02}\n");
	site_jobs_yml(site, "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"
			    "  Other: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n");
	site_start(site, 4);
}

/* Ten others, one after the other, are taken while the paused one could have been, too. */
static void assert_left_alone(struct site *site, int64_t paused, const char *class)
{
	for (int i = 0; i < 10; i++)
		site_run(site, class, "--queue", "else");
	assert_int_equal(site_state(site, paused), JOB_READY);
}

/* Enqueueing and dispatching go on; what ran before runs on. */
SITE_CASE(test_pa_a_queue_while_workers_run)
{
	start(site);
	(void)site_dray(site, "pause", "mail", "--reason", "the server moves");
	int64_t now = site_enqueue(site, "Log", "--queue", "mail");
	int64_t later = site_enqueue(site, "Log", "--queue", "mail", "--in", "1ms");
	site_await(site, later, JOB_READY);
	assert_left_alone(site, now, "Log");
	assert_int_equal(site_state(site, later), JOB_READY);
	(void)site_dray(site, "resume", "mail");
	site_await(site, now, JOB_FINISHED);
	site_await(site, later, JOB_FINISHED);
}

SITE_CASE(test_pa_a_class_while_workers_run)
{
	start(site);
	(void)site_dray(site, "pause", "--class", "Other");
	int64_t paused = site_enqueue(site, "Other", "--queue", "mail");
	site_run(site, "Log", "--queue", "mail");
	assert_left_alone(site, paused, "Log");
	(void)site_dray(site, "resume", "--class", "Other");
	site_await(site, paused, JOB_FINISHED);
}

/* Both workers, so that nobody is left who could take it. */
SITE_CASE(test_pa_processes_while_they_run)
{
	start(site);
	size_t count;
	const struct process_row *workers = site_rows(site, "Worker", &count);

	assert_int_equal(count, 2);
	(void)site_dray(site, "pause", "--process", workers[0].name);
	site_run(site, "Log", "--queue", "mail");
	(void)site_dray(site, "pause", "--process", workers[1].name);
	int64_t job = site_enqueue(site, "Log", "--queue", "mail");
	(void)site_dray(site, "resume", "--process", workers[0].name);
	(void)site_dray(site, "resume", "--process", workers[1].name);
	site_await(site, job, JOB_FINISHED);
}

/* A queue that nobody knew when it was paused; Solid Queue is told of it, and may end it. */
SITE_CASE(test_pa_a_pattern_while_workers_run)
{
	start(site);
	(void)site_dray(site, "pause", "later_*", "--reason", "the server moves");
	int64_t first = site_enqueue(site, "Log", "--queue", "later_a");
	int64_t second = site_enqueue(site, "Log", "--queue", "later_b");
	assert_left_alone(site, first, "Log");
	assert_int_equal(site_state(site, second), JOB_READY);
	site_await_int(site, "SELECT count(*) FROM solid_queue_pauses", 2);
	test_execute(site->db, "DELETE FROM solid_queue_pauses WHERE queue_name = 'later_b'");
	site_await(site, second, JOB_FINISHED);
	assert_int_equal(site_state(site, first), JOB_READY);
	(void)site_dray(site, "resume", "later_*");
	site_await(site, first, JOB_FINISHED);
}

SITE_CASE(test_pa_a_pause_ends_by_itself)
{
	start(site);
	(void)site_dray(site, "pause", "mail", "--for", "1s", "--reason", "a moment");
	(void)site_dray(site, "pause", "--class", "Other", "--for", "1s");
	int64_t queued = site_enqueue(site, "Log", "--queue", "mail");
	int64_t classed = site_enqueue(site, "Other", "--queue", "news");
	site_await(site, queued, JOB_FINISHED);
	site_await(site, classed, JOB_FINISHED);
	site_await_log(site, "\"pause.ended\"", 2);
	assert_contains(site_log(site), "a moment");
}
