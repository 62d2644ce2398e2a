/* Pauses that end by themselves, and the audit trail. */
#include "queue/manage/audit.h"
#include "queue/pauses/pattern.h"
#include "tests/fault/scene.h"

/* pause_end, pause_forget */

static void pause_until_now(struct scene *scene)
{
	const struct pause_note note = { .who = "alice", .ends_at = db_now(scene->test->db) };
	const char *queue = "b";
	struct error error = { 0 };
	bool changed;

	assert_ok(pause_queues(scene->test->db, &queue, 1, &note, &changed, &error), &error);
}

static void pause_and_resume_elsewhere(struct scene *scene)
{
	pause_until_now(scene);
	test_execute(scene->test->db, "DELETE FROM solid_queue_pauses");
}

static enum status run_sweep(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	struct pause_row *ended;
	size_t count;
	int64_t next;
	enum status status = pause_sweep(db, scene->test->arena, &ended, &count, &next, error);

	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_sweep(struct scene *scene)
{
	struct error error = { 0 };
	struct pause_row *rows;
	size_t count;

	assert_ok(pause_list(scene->test->db, scene->test->arena, &rows, &count, &error), &error);
	return count == 0 && rows_of(scene->test, "pauses") == 0;
}

/* pause_name, pause_process, resume_other */

static enum status change(struct db *db, enum pause_kind kind, const char *name, bool pause,
			  int64_t *done, struct error *error)
{
	const struct pause_note note = { .who = "alice" };
	bool changed = false;
	enum status status =
		(pause ? pause_other : resume_other)(db, kind, name, &note, &changed, error);

	*done = status == STATUS_OK;
	return status;
}

static enum status run_pause_class(struct scene *scene, struct db *db, int64_t *done,
				   struct error *error)
{
	(void)scene;
	return change(db, PAUSE_CLASS, "Import", true, done, error);
}

static enum status run_resume_class(struct scene *scene, struct db *db, int64_t *done,
				    struct error *error)
{
	(void)scene;
	return change(db, PAUSE_CLASS, "Import", false, done, error);
}

static void pause_class(struct scene *scene)
{
	struct error error = { 0 };
	int64_t done;

	assert_ok(run_pause_class(scene, scene->test->db, &done, &error), &error);
}

static enum status run_pause_process(struct scene *scene, struct db *db, int64_t *done,
				     struct error *error)
{
	(void)scene;
	return change(db, PAUSE_PROCESS, "paused", true, done, error);
}

static void put_process(struct scene *scene)
{
	(void)register_worker(scene->test->db, "paused");
}

static int64_t effect_paused(struct scene *scene)
{
	return test_query_int(scene->test->url, "SELECT count(*) FROM dray_pauses");
}

static int64_t effect_resumed(struct scene *scene)
{
	return effect_paused(scene) == 0;
}

/* pause_under */

/* Its only job is finished, so that nothing is left to work off. */
static void put_under_pattern(struct scene *scene)
{
	const struct pause_note note = { .who = "alice" };
	struct error error = { 0 };
	bool changed;

	(void)put(scene->test->db, "b", 0);
	test_execute(scene->test->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(scene->test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
	assert_ok(pattern_pause(scene->test->db, "b*", &note, &changed, &error), &error);
}

static int64_t effect_under(struct scene *scene)
{
	return rows_of(scene->test, "pauses") == 1 && effect_paused(scene) == 2;
}

/* audit_begin, audit_end, audit_clear */

static int64_t lines(struct scene *scene, const char *condition)
{
	char sql[128];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM dray_audit WHERE %s", condition);
	return test_query_int(scene->test->url, sql);
}

static void nothing(struct scene *scene)
{
	(void)scene;
}

static enum status begin_line(struct db *db, int64_t *id, struct error *error)
{
	struct audit audit = { .action = "retry", .target = "jobs 1", .who = "alice" };
	enum status status = audit_begin(db, &audit, error);

	*id = audit.id;
	return status;
}

static enum status run_begin(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	int64_t id;
	enum status status = begin_line(db, &id, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_begin(struct scene *scene)
{
	return lines(scene, "state = 'begun' AND count = 0") > 0;
}

static void put_line(struct scene *scene)
{
	struct error error = { 0 };
	int64_t id;

	assert_ok(begin_line(scene->test->db, &id, &error), &error);
}

static enum status run_end(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	int64_t id = test_query_int(scene->test->url, "SELECT max(id) FROM dray_audit");
	enum status status = audit_end(db, id, 3, true, error);

	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_end(struct scene *scene)
{
	return lines(scene, "state = 'done' AND count = 3");
}

static void put_old_line(struct scene *scene)
{
	put_line(scene);
	test_execute(scene->test->db, "UPDATE dray_audit SET created_at = '2020-01-01 00:00:00'");
}

static enum status run_clear(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	enum status status = audit_clear(db, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_clear(struct scene *scene)
{
	return lines(scene, "1 = 1") == 0;
}

const struct verb operator_verbs[] = {
	{ .name = "pause_end",
	  .scripts = { "pause_end" },
	  .units = 1,
	  .set_up = pause_until_now,
	  .run = run_sweep,
	  .effect = effect_sweep },
	{ .name = "pause_forget",
	  .scripts = { "pause_forget" },
	  .units = 1,
	  .set_up = pause_and_resume_elsewhere,
	  .run = run_sweep,
	  .effect = effect_sweep },
	{ .name = "pause_name",
	  .scripts = { "pause_name" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_pause_class,
	  .effect = effect_paused },
	{ .name = "pause_under",
	  .scripts = { "pause_under" },
	  .units = 1,
	  .set_up = put_under_pattern,
	  .run = run_sweep,
	  .effect = effect_under },
	{ .name = "pause_process",
	  .scripts = { "pause_process" },
	  .units = 1,
	  .set_up = put_process,
	  .run = run_pause_process,
	  .effect = effect_paused },
	{ .name = "resume_other",
	  .scripts = { "resume_other" },
	  .units = 1,
	  .set_up = pause_class,
	  .run = run_resume_class,
	  .effect = effect_resumed },
	{ .name = "audit_begin",
	  .scripts = { "audit_begin" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_begin,
	  .effect = effect_begin },
	{ .name = "audit_end",
	  .scripts = { "audit_end" },
	  .units = 1,
	  .set_up = put_line,
	  .run = run_end,
	  .effect = effect_end },
	{ .name = "audit_clear",
	  .scripts = { "audit_clear" },
	  .units = 1,
	  .set_up = put_old_line,
	  .run = run_clear,
	  .effect = effect_clear },
};

const size_t operator_verb_count = sizeof(operator_verbs) / sizeof(operator_verbs[0]);
