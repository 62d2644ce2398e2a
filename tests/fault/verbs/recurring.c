/* What schedulers do: tasks published, occurrences enqueued, occurrences left out. */
#include "queue/recurring/task.h"
#include "tests/fault/scene.h"

#define OCCURRENCE (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 */

static int64_t count(struct scene *scene, const char *sql)
{
	return test_query_int(scene->test->url, sql);
}

/* occurrences: enqueued again until it is known that they are there; each has one job */

static enum status run_occurrences(struct scene *scene, struct error *error)
{
	struct new_job jobs[3];
	struct enqueued results[3];

	for (int i = 0; i < 3; i++)
		jobs[i] = (struct new_job){ .class_name = "Test",
					    .queue = "a",
					    .task_key = "task",
					    .run_at = OCCURRENCE + i * CLOCK_SECOND };
	enum status status = enqueue(scene->db, jobs, 3, results, error);

	scene->done = 0;
	for (int i = 0; i < 3 && status == STATUS_OK; i++)
		scene->done += results[i].id > 0 || results[i].repeated;
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

static enum status run_publish(struct scene *scene, struct error *error)
{
	const struct recurring_task tasks[] = {
		{ .key = "a", .schedule = "every hour", .class_name = "Test" },
		{ .key = "b", .schedule = "every hour", .class_name = "Test" },
	};

	return recurring_publish(scene->db, tasks, 2, NULL, error);
}

static void put_tasks(struct scene *scene)
{
	const struct recurring_task old = { .key = "old", .schedule = "x", .class_name = "Test" };

	must(recurring_publish, scene->db, &old, 1, NULL);
}

static int64_t effect_publish(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE task_key <> "
				    "'old'");

	assert_count(scene->test, ours > 0 ? ours : 1, "solid_queue_recurring_tasks");
	return ours;
}

/* skip */

static enum status run_skip(struct scene *scene, struct error *error)
{
	const struct recurring_skipped run = { "task", OCCURRENCE, OCCURRENCE, 1, "missed" };
	return recurring_skip(scene->db, &run, 1, error);
}

EFFECT(effect_skip, count(scene, "SELECT count(*) FROM dray_recurring_runs"))

/* clear */

static void put_old(struct scene *scene)
{
	const struct recurring_skipped runs[] = { { "task", OCCURRENCE, OCCURRENCE, 1, "missed" },
						  { "task", OCCURRENCE + 1, OCCURRENCE, 2,
						    "missed" } };

	must(recurring_skip, scene->db, runs, 2);
	sql_do(scene, "UPDATE dray_recurring_runs SET created_at = '2020-01-01 00:00:00'");
}

RUN(run_clear, recurring_clear(scene->db, &(bool){ 0 }, error))
EFFECT(effect_clear, 2 - effect_skip(scene))

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

static enum status run_add(struct scene *scene, struct error *error)
{
	const struct recurring_task task = { .key = "new",
					     .schedule = "every day",
					     .class_name = "Test",
					     .options = { .jitter = CLOCK_SECOND } };
	enum status status = recurring_add(scene->db, &task, &note, error);

	/* Ours, of the attempt whose commit was uncertain. */
	return status == STATUS_CONFLICT ? STATUS_OK : status;
}

static int64_t effect_add(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks");

	assert_int_equal(count(scene, "SELECT count(*) FROM solid_queue_recurring_tasks"), ours);
	assert_int_equal(lines(scene, "add task"), ours);
	return ours;
}

SET_UP(put_dynamic, must(run_add, scene))

/* One that Rails does not know. */
static void put_own(struct scene *scene)
{
	const struct recurring_task task = { .key = "new",
					     .schedule = "every other day",
					     .class_name = "Test" };

	must(recurring_add, scene->db, &task, &note);
}

static enum status weekly(struct arena *arena, struct recurring_task *task, void *input,
			  struct error *error)
{
	(void)arena;
	(void)input;
	(void)error;
	task->schedule = "every week";
	return STATUS_OK;
}

RUN(run_change, recurring_change(scene->db, "new", weekly, NULL, &note, error))

static int64_t effect_change(struct scene *scene)
{
	int64_t ours = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE schedule = "
				    "'every week' AND since > created_at");

	assert_count(scene->test, ours,
		     "solid_queue_recurring_tasks WHERE schedule = 'every week'");
	assert_true(lines(scene, "change task") >= ours);
	return ours;
}

static enum status run_remove(struct scene *scene, struct error *error)
{
	enum status status = recurring_remove(scene->db, "new", &note, error);

	return status == STATUS_NONE ? STATUS_OK : status;
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

RUN(run_pause, recurring_pause(scene->db, "new", &note, &(bool){ 0 }, error))

static int64_t effect_pause(struct scene *scene)
{
	int64_t paused = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE paused_at "
				      "IS NOT NULL AND resumed_at IS NULL AND paused_by = 'alice'");

	assert_int_equal(lines(scene, "pause task") > 0, paused);
	return paused;
}

static void put_paused(struct scene *scene)
{
	put_dynamic(scene);
	must(run_pause, scene);
}

RUN(run_resume, recurring_resume(scene->db, "new", &note, &(bool){ 0 }, error))

static int64_t effect_resume(struct scene *scene)
{
	int64_t resumed = count(scene, "SELECT count(*) FROM dray_recurring_tasks WHERE "
				       "paused_at IS NULL AND resumed_at IS NOT NULL");

	assert_int_equal(lines(scene, "resume task"), resumed);
	return resumed;
}

/* run now: once, however uncertain its commit is */

static enum status run_run(struct scene *scene, struct error *error)
{
	struct recurring_ran ran = { 0 };
	enum status status = recurring_run_now(scene->db, "new", NULL, &note, &ran, error);

	scene->done = ran.job.id > 0;
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

static const struct verb verbs[] = {
	{ "add a task", "recurring_add", 1, NULL, run_add, effect_add },
	{ "change a task", "recurring_change", 1, put_dynamic, run_change, effect_change },
	{ "remove a task", "recurring_remove", 1, put_dynamic, run_remove, effect_remove },
	{ "change a task of our own", "recurring_change_own", 1, put_own, run_change,
	  effect_change },
	{ "remove a task of our own", "recurring_remove_own", 1, put_own, run_remove,
	  effect_remove },
	{ "pause a task", "recurring_pause", 1, put_dynamic, run_pause, effect_pause },
	{ "resume a task", "recurring_resume", 1, put_paused, run_resume, effect_resume },
	{ "run a task", "recurring_ran", 1, put_dynamic, run_run, effect_run },
	{ "forget occurrences", "recurring_clear", 2, put_old, run_clear, effect_clear },
	{ "occurrences", "recurring_record", 3, NULL, run_occurrences, effect_occurrences },
	{ "publish tasks", "recurring_forget recurring_publish", 2, put_tasks, run_publish,
	  effect_publish },
	{ "skip an occurrence", "recurring_skip", 1, NULL, run_skip, effect_skip },
};

const struct verbs recurring_verbs = VERBS(verbs);
