/* Pauses that end by themselves, and the audit trail. */
#include "queue/manage/audit.h"
#include "queue/pauses/pause.h"
#include "tests/fault/scene.h"

/* pause_end, pause_forget */

/*
 * An hour ago, for what sweeps has a connection of its own: each knows the server's time only as
 * exactly as its first answer was fast.
 */
static void pause_that_is_over(struct scene *scene)
{
	const struct pause_note ended = { .who = "alice",
					  .ends_at = db_now(scene->db) - CLOCK_HOUR };
	const char *queue = "b";
	bool changed;

	must(pause_queues, scene->db, &queue, 1, &ended, &changed);
}

static void pause_and_resume_elsewhere(struct scene *scene)
{
	pause_that_is_over(scene);
	test_execute(scene->db, "DELETE FROM solid_queue_pauses");
}

static enum status run_sweep(struct scene *scene, struct error *error)
{
	struct pause_row *ended;
	size_t count;
	int64_t next;
	return pause_sweep(scene->db, scene->test->arena, &ended, &count, &next, error);
}

static int64_t effect_sweep(struct scene *scene)
{
	struct pause_row *rows;
	size_t count;

	must(pause_list, scene->db, scene->test->arena, &rows, &count);
	return count == 0 && rows_of(scene->test, "pauses") == 0;
}

/* pause_name, pause_process, resume_other */

static const struct pause_note note = { .who = "alice" };

RUN(run_pause_class, pause_other(scene->db, PAUSE_CLASS, "Import", &note, &(bool){ 0 }, error))
RUN(run_resume_class, resume_other(scene->db, PAUSE_CLASS, "Import", &note, &(bool){ 0 }, error))
SET_UP(pause_class, must(run_pause_class, scene))
RUN(run_pause_process, pause_other(scene->db, PAUSE_PROCESS, "paused", &note, &(bool){ 0 }, error))
SET_UP(put_process, (void)register_worker(scene->db, "paused"))
EFFECT(effect_paused, test_query_int(scene->test->url, "SELECT count(*) FROM dray_pauses"))
EFFECT(effect_resumed, effect_paused(scene) == 0)

/* pause_under */

/* Its only job is finished, so that nothing is left to work off. */
static void put_under_pattern(struct scene *scene)
{
	bool changed;

	(void)put(scene->db, "b", 0);
	test_execute(scene->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(scene->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
	must(pattern_pause, scene->db, "b*", &note, &changed);
}

EFFECT(effect_under, rows_of(scene->test, "pauses") == 1 && effect_paused(scene) == 2)

/* audit_begin, audit_end, audit_clear */

static int64_t lines(struct scene *scene, const char *condition)
{
	char sql[128];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM dray_audit WHERE %s", condition);
	return test_query_int(scene->test->url, sql);
}

static enum status run_begin(struct scene *scene, struct error *error)
{
	struct audit audit = { .action = "retry", .target = "jobs 1", .who = "alice" };

	return audit_begin(scene->db, &audit, error);
}

EFFECT(effect_begin, lines(scene, "state = 'begun' AND count = 0") > 0)
RUN(run_end, audit_end(scene->db, scene_line(scene), 3, true, error))
EFFECT(effect_end, lines(scene, "state = 'done' AND count = 3"))
SET_UP(put_line, scene_begin_line(scene, "retry"))

static void put_old_line(struct scene *scene)
{
	put_line(scene);
	test_execute(scene->db, "UPDATE dray_audit SET created_at = '2020-01-01 00:00:00'");
}

RUN(run_clear, audit_clear(scene->db, error))
EFFECT(effect_clear, lines(scene, "1 = 1") == 0)

static const struct verb verbs[] = {
	{ "pause_end", "pause_end", 1, pause_that_is_over, run_sweep, effect_sweep },
	{ "pause_forget", "pause_forget", 1, pause_and_resume_elsewhere, run_sweep, effect_sweep },
	{ "pause_name", "pause_name", 1, NULL, run_pause_class, effect_paused },
	{ "pause_under", "pause_under", 1, put_under_pattern, run_sweep, effect_under },
	{ "pause_process", "pause_process", 1, put_process, run_pause_process, effect_paused },
	{ "resume_other", "resume_other", 1, pause_class, run_resume_class, effect_resumed },
	{ "audit_begin", "audit_begin", 1, NULL, run_begin, effect_begin },
	{ "audit_end", "audit_end", 1, put_line, run_end, effect_end },
	{ "audit_clear", "audit_clear", 1, put_old_line, run_clear, effect_clear },
};

const struct verbs operator_verbs = VERBS(verbs);
