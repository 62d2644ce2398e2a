/* A scheduler whose timers stand still is killed and replaced, and no occurrence is lost. */
#include "tests/support/sites/site.h"

#define TICKS "SELECT count(*) FROM dray_recurring_runs WHERE task_key = 'tick'"

/* The process that stands still says to the database that it lives. */
static void await_beat(struct site *site, const struct process_row *row)
{
	char last[CLOCK_TEXT_SIZE];

	clock_format(row->last_heartbeat_at, last);
	site_await_int(site,
		       arena_printf(site->arena,
				    "SELECT count(*) FROM solid_queue_processes WHERE id = %lld "
				    "AND last_heartbeat_at > '%s'",
				    (long long)row->id, last),
		       1);
}

/* IN22, too: what fails in a process is told. */
SITE_CASE_REAL(test_a_scheduler_that_does_not_advance_is_replaced, NULL)
{
	/* `single` cannot go on without an answer about the job before it, nor all in its batch. */
	site_queue_yml(site, "  connect_timeout: 0.2\n  call_timeout: 1\n  retry_for: 0\n"
			     "process_heartbeat_interval: 0.3\nprocess_alive_threshold: 10\n"
			     "scheduler: {polling_interval: 1}\n");
	site_write(site, "config/recurring.yml",
		   "tick: {class: Log, schedule: every second, misfire: all, misfire_limit: "
		   "1000}\n"
		   "single: {class: Log, schedule: every second, overlap: skip}\n");
	site_start(site, 2);
	site_await_least(site, TICKS, 1);
	test_execute(site->db, "ALTER TABLE solid_queue_jobs RENAME COLUMN finished_at TO hidden");
	site_await_log(site, "\"process.trouble\"", 1);
	const struct process_row row = site_await_row(site, "Scheduler", "\"trouble\"", 0);
	int64_t ticks = site_int(site, TICKS);
	await_beat(site, &row);
	site_await_log(site, "\"reason\":\"its loop stands still\"", 1); /* killed by 9 */
	(void)site_await_row(site, "Scheduler", "\"tick\"", row.id);
	assert_int_equal(site_int(site, TICKS), ticks);
	test_execute(site->db, "ALTER TABLE solid_queue_jobs RENAME COLUMN hidden TO finished_at");
	site_await_least(site, TICKS, ticks + 1);
	(void)site_stop(site, SIGTERM);
	/* How many occurrences an every-second task has from its first to its last. */
	struct db_rows rows = test_query(site->arena, site->url,
					 "SELECT min(run_at), max(run_at) FROM dray_recurring_runs"
					 " WHERE task_key = 'tick' AND outcome = 'enqueued'");
	assert_int_equal(site_int(site, TICKS),
			 (db_time(&rows, 0, 1) - db_time(&rows, 0, 0)) / CLOCK_SECOND + 1);
}
