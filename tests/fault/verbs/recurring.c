/* What schedulers do: tasks published, occurrences enqueued, occurrences left out. */
#include "queue/recurring/task.h"
#include "tests/fault/scene.h"

#define OCCURRENCE (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 */

static void nothing(struct scene *scene)
{
	(void)scene;
}

static int64_t count(struct scene *scene, const char *sql)
{
	return test_query_int(scene->test->url, sql);
}

/* occurrences: enqueued again until it is known that they are there; each has one job */

static enum status run_occurrences(struct scene *scene, struct db *db, int64_t *done,
				   struct error *error)
{
	struct new_job jobs[3];
	struct enqueued results[3];

	(void)scene;
	for (int i = 0; i < 3; i++)
		jobs[i] = (struct new_job){ .class_name = "Test",
					    .queue = "a",
					    .task_key = "task",
					    .run_at = OCCURRENCE + i * CLOCK_SECOND };
	enum status status = enqueue(db, jobs, 3, results, error);
	for (int i = 0; i < 3 && status == STATUS_OK; i++)
		*done += results[i].id > 0 || results[i].repeated;
	return status;
}

static int64_t effect_occurrences(struct scene *scene)
{
	int64_t occurrences = count(scene, "SELECT count(*) FROM solid_queue_recurring_executions");

	assert_int_equal(count(scene, "SELECT count(*) FROM dray_recurring_runs"), occurrences);
	assert_int_equal(scene_count(scene, JOB_READY), occurrences);
	return occurrences;
}

/* publish */

static enum status run_publish(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	const struct recurring_task tasks[] = {
		{ .key = "a", .schedule = "every hour", .class_name = "Test" },
		{ .key = "b", .schedule = "every hour", .class_name = "Test" },
	};
	enum status status = recurring_publish(db, tasks, 2, NULL, error);

	(void)scene;
	*done = status == STATUS_OK ? 2 : 0;
	return status;
}

static void put_tasks(struct scene *scene)
{
	const struct recurring_task old = { .key = "old", .schedule = "x", .class_name = "Test" };
	struct error error = { 0 };

	assert_ok(recurring_publish(scene->test->db, &old, 1, NULL, &error), &error);
}

static int64_t effect_publish(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE task_key <> "
				    "'old'");

	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_recurring_tasks"),
			 ours > 0 ? ours : 1);
	return ours;
}

/* skip */

static enum status run_skip(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	const struct recurring_skipped run = { "task", OCCURRENCE, OCCURRENCE, 1, "missed" };
	enum status status = recurring_skip(db, &run, 1, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_skip(struct scene *scene)
{
	return count(scene, "SELECT count(*) FROM dray_recurring_runs");
}

/* clear */

static void put_old(struct scene *scene)
{
	const struct recurring_skipped runs[] = { { "task", OCCURRENCE, OCCURRENCE, 1, "missed" },
						  { "task", OCCURRENCE + 1, OCCURRENCE, 2,
						    "missed" } };
	struct error error = { 0 };

	assert_ok(recurring_skip(scene->test->db, runs, 2, &error), &error);
	test_execute(scene->test->db, "UPDATE dray_recurring_runs SET created_at = '2020-01-01 "
				      "00:00:00'");
}

static enum status run_clear(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	bool more;
	enum status status = recurring_clear(db, &more, error);

	(void)scene;
	*done = status == STATUS_OK ? 2 : 0;
	return status;
}

static int64_t effect_clear(struct scene *scene)
{
	return 2 - effect_skip(scene);
}

/* add, change, remove, pause, resume: done twice is done once; the audit trail says so */

static const struct pause_note note = { .who = "alice" };

static int64_t lines(struct scene *scene, const char *action)
{
	char sql[128];

	(void)snprintf(sql, sizeof(sql),
		       "SELECT count(*) FROM dray_audit WHERE action = '%s' AND who = 'alice'",
		       action);
	return count(scene, sql);
}

static enum status run_add(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	const struct recurring_task task = { .key = "new",
					     .schedule = "every day",
					     .class_name = "Test" };
	const struct recurring_options options = { .jitter = CLOCK_SECOND };
	enum status status = recurring_add(db, &task, &options, &note, error);

	(void)scene;
	/* Ours, of the attempt whose commit was uncertain. */
	if (status == STATUS_CONFLICT)
		status = STATUS_OK;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_add(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks");

	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_recurring_tasks"), ours);
	assert_int_equal(lines(scene, "add task"), ours);
	return ours;
}

static void put_dynamic(struct scene *scene)
{
	struct error error = { 0 };
	int64_t done;

	assert_ok(run_add(scene, scene->test->db, &done, &error), &error);
}

/* One that Rails does not know. */
static void put_own(struct scene *scene)
{
	const struct recurring_task task = { .key = "new",
					     .schedule = "every other day",
					     .class_name = "Test" };
	const struct recurring_options options = { 0 };
	struct error error = { 0 };

	assert_ok(recurring_add(scene->test->db, &task, &options, &note, &error), &error);
}

static enum status weekly(struct arena *arena, struct recurring_task *task,
			  struct recurring_options *options, void *input, struct error *error)
{
	(void)arena;
	(void)options;
	(void)input;
	(void)error;
	task->schedule = "every week";
	return STATUS_OK;
}

static enum status run_change(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	enum status status = recurring_change(db, "new", weekly, NULL, &note, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_change(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE schedule = "
				    "'every week' AND since > created_at");

	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_recurring_tasks WHERE "
				      "schedule = 'every week'"),
			 ours);
	assert_true(lines(scene, "change task") >= ours);
	return ours;
}

static enum status run_remove(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	enum status status = recurring_remove(db, "new", &note, error);

	(void)scene;
	if (status == STATUS_NONE)
		status = STATUS_OK;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_remove(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks");

	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_recurring_tasks") +
				 count(scene, "SELECT count(*) FROM dray_recurring_own"),
			 ours);
	assert_int_equal(lines(scene, "remove task"), 1 - ours);
	return 1 - ours;
}

static enum status run_pause(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	bool changed;
	enum status status = recurring_pause(db, "new", &note, &changed, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_pause(struct scene *scene)
{
	int64_t paused = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE paused_at "
				      "IS NOT NULL AND resumed_at IS NULL AND paused_by = 'alice'");

	assert_int_equal(lines(scene, "pause task") > 0, paused);
	return paused;
}

static void put_paused(struct scene *scene)
{
	struct error error = { 0 };
	int64_t done;

	put_dynamic(scene);
	assert_ok(run_pause(scene, scene->test->db, &done, &error), &error);
}

static enum status run_resume(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	bool changed;
	enum status status = recurring_resume(db, "new", &note, &changed, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t effect_resume(struct scene *scene)
{
	int64_t resumed = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE "
				       "paused_at IS NULL AND resumed_at IS NOT NULL");

	assert_int_equal(lines(scene, "resume task"), resumed);
	return resumed;
}

/* run now: once, however uncertain its commit is */

static enum status run_run(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	struct recurring_ran ran;
	enum status status = recurring_run_now(db, "new", NULL, &note, &ran, error);

	(void)scene;
	*done = status == STATUS_OK && ran.job.id > 0;
	return status;
}

static int64_t effect_run(struct scene *scene)
{
	int64_t runs = count(scene, "SELECT count(*) FROM dray_recurring_runs r JOIN "
				    "solid_queue_jobs j ON j.id = r.job_id WHERE r.outcome = "
				    "'manual'");

	assert_int_equal(lines(scene, "run task"), runs);
	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_jobs"), runs);
	assert_int_equal(scene_count(scene, JOB_READY), runs);
	return runs;
}

const struct verb recurring_verbs[] = {
	{ .name = "add a task",
	  .scripts = { "recurring_add" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_add,
	  .effect = effect_add },
	{ .name = "change a task",
	  .scripts = { "recurring_change" },
	  .units = 1,
	  .set_up = put_dynamic,
	  .run = run_change,
	  .effect = effect_change },
	{ .name = "remove a task",
	  .scripts = { "recurring_remove" },
	  .units = 1,
	  .set_up = put_dynamic,
	  .run = run_remove,
	  .effect = effect_remove },
	{ .name = "change a task of our own",
	  .scripts = { "recurring_change_own" },
	  .units = 1,
	  .set_up = put_own,
	  .run = run_change,
	  .effect = effect_change },
	{ .name = "remove a task of our own",
	  .scripts = { "recurring_remove_own" },
	  .units = 1,
	  .set_up = put_own,
	  .run = run_remove,
	  .effect = effect_remove },
	{ .name = "pause a task",
	  .scripts = { "recurring_pause" },
	  .units = 1,
	  .set_up = put_dynamic,
	  .run = run_pause,
	  .effect = effect_pause },
	{ .name = "resume a task",
	  .scripts = { "recurring_resume" },
	  .units = 1,
	  .set_up = put_paused,
	  .run = run_resume,
	  .effect = effect_resume },
	{ .name = "run a task",
	  .scripts = { "recurring_ran" },
	  .units = 1,
	  .set_up = put_dynamic,
	  .run = run_run,
	  .effect = effect_run },
	{ .name = "forget occurrences",
	  .scripts = { "recurring_clear" },
	  .units = 2,
	  .set_up = put_old,
	  .run = run_clear,
	  .effect = effect_clear },
	{ .name = "occurrences",
	  .scripts = { "recurring_record" },
	  .units = 3,
	  .set_up = nothing,
	  .run = run_occurrences,
	  .effect = effect_occurrences },
	{ .name = "publish tasks",
	  .scripts = { "recurring_forget", "recurring_publish" },
	  .units = 2,
	  .set_up = put_tasks,
	  .run = run_publish,
	  .effect = effect_publish },
	{ .name = "skip an occurrence",
	  .scripts = { "recurring_skip" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_skip,
	  .effect = effect_skip },
};

const size_t recurring_verb_count = sizeof(recurring_verbs) / sizeof(recurring_verbs[0]);
