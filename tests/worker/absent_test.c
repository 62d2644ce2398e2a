/* An outcome whose claim is gone took place or was refused: the log says which. */
#include "common/log/log.h"
#include "rig.h"
#include "tests/support/database.h"

static struct rig rig;

/* Runs the command to its end, of which the database is told `instead`. */
static const char *log_of(const char *command, const char *instead, bool retried)
{
	static const int64_t wait = CLOCK_HOUR;

	rig_keep_log(&rig);
	struct config_class *class = rig_command(&rig, "ScriptJob", RIG_SHELL(command));
	if (retried)
		class->retry = rig_retry(3, &wait);
	(void)rig_enqueue(&rig, "ScriptJob", NULL);
	(void)rig_tick(&rig);
	while (!rig_worker(&rig)->ended)
		(void)loop_wait(rig.context.loop, clock_monotonic() + CLOCK_MILLISECOND);
	test_execute(rig.db, "DELETE FROM solid_queue_claimed_executions");
	test_execute(rig.db, instead);
	rig_worker(&rig)->uncertain = true;
	(void)rig_tick(&rig);
	(void)rig_quiet(NULL);
	return rig_read(&rig, "log");
}

RIG_CASE(what_took_place_is_told_as_it_was)
{
	static const struct {
		const char *command, *instead, *event;
	} cases[] = {
		{ "exit 0", "UPDATE solid_queue_jobs SET finished_at = created_at",
		  "\"job.finished\"" },
		{ "exit 1",
		  "INSERT INTO solid_queue_failed_executions (job_id, error, created_at)"
		  " SELECT id, '{}', created_at FROM solid_queue_jobs",
		  "\"job.failed\"" },
		{ "exit 0", "DELETE FROM solid_queue_jobs", "\"job.finished\"" },
		{ "exit 1", "DELETE FROM solid_queue_jobs", "\"job.failed\"" },
		{ "exit 0", "SELECT 1", "\"job.lost\"" },
		{ "exit 1", "SELECT 1", "\"job.lost\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *log = log_of(cases[i].command, cases[i].instead, false);
		assert_contains(log, cases[i].event);
		assert_int_equal(strstr(log, "\"job.lost\"") != NULL, i >= 4);
		(void)rig_tear_down(state);
		(void)rig_set_up(state);
	}
}

/* It would have run again. */
RIG_CASE(what_was_cancelled_is_told_so)
{
	const char *log = log_of(
		"exit 1",
		"UPDATE solid_queue_jobs SET finished_at = created_at; INSERT INTO dray_attempts "
		"(job_id, attempt, claim_id, began_at, ended_at, outcome, error) SELECT id, 0, 1, "
		"created_at, created_at, 'cancelled', '{\"exception_class\":\"C\",\"message\":"
		"\"cancelled by ann\",\"backtrace\":null}' FROM solid_queue_jobs",
		true);

	assert_null(strstr(log, "\"job.lost\""));
	assert_contains(log, "\"job.cancelled\"");
	assert_contains(log, "cancelled by ann");
}

GROUP(rig_quiet, NULL);
