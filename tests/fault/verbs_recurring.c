/* What schedulers do: tasks published, moments enqueued, moments left out. */
#include "queue/recurring.h"
#include "tests/fault/scene.h"

#define MOMENT (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 */

static void nothing(struct scene *scene)
{
	(void)scene;
}

static int64_t count(struct scene *scene, const char *sql)
{
	return test_query_int(scene->test->url, sql);
}

/* moments: enqueued again until it is known that they are there; each has one job */

static enum status run_moments(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	struct new_job jobs[3];
	struct enqueued results[3];

	(void)scene;
	for (int i = 0; i < 3; i++)
		jobs[i] = (struct new_job){ .class_name = "Test",
					    .queue = "a",
					    .task_key = "task",
					    .run_at = MOMENT + i * CLOCK_SECOND };
	enum status status = enqueue(db, jobs, 3, results, error);
	for (int i = 0; i < 3 && status == STATUS_OK; i++)
		*done += results[i].id > 0 || results[i].repeated;
	return status;
}

static int64_t effect_moments(struct scene *scene)
{
	int64_t moments = count(scene, "SELECT count(*) FROM solid_queue_recurring_executions");

	assert_int_equal(count(scene, "SELECT count(*) FROM dray_recurring_runs"), moments);
	assert_int_equal(scene_count(scene, JOB_READY), moments);
	return moments;
}

/* publish */

static enum status run_publish(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	const struct recurring_task tasks[] = {
		{ .key = "a", .schedule = "every hour", .class_name = "Test" },
		{ .key = "b", .schedule = "every hour", .class_name = "Test" },
	};
	enum status status = recurring_publish(db, tasks, 2, error);

	(void)scene;
	*done = status == STATUS_OK ? 2 : 0;
	return status;
}

static void put_tasks(struct scene *scene)
{
	const struct recurring_task old = { .key = "old", .schedule = "x", .class_name = "Test" };
	struct error error = { 0 };

	assert_ok(recurring_publish(scene->test->db, &old, 1, &error), &error);
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
	const struct recurring_moment moment = { "task", MOMENT, "missed" };
	enum status status = recurring_skip(db, &moment, 1, error);

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
	const struct recurring_moment moments[] = { { "task", MOMENT, "missed" },
						    { "task", MOMENT + 1, "missed" } };
	struct error error = { 0 };

	assert_ok(recurring_skip(scene->test->db, moments, 2, &error), &error);
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

const struct verb recurring_verbs[] = {
	{ .name = "forget moments",
	  .scripts = { "recurring_clear" },
	  .units = 2,
	  .set_up = put_old,
	  .run = run_clear,
	  .effect = effect_clear },
	{ .name = "moments",
	  .scripts = { "recurring_record" },
	  .units = 3,
	  .set_up = nothing,
	  .run = run_moments,
	  .effect = effect_moments },
	{ .name = "publish tasks",
	  .scripts = { "recurring_forget", "recurring_publish" },
	  .units = 2,
	  .set_up = put_tasks,
	  .run = run_publish,
	  .effect = effect_publish },
	{ .name = "skip a moment",
	  .scripts = { "recurring_skip" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_skip,
	  .effect = effect_skip },
};

const size_t recurring_verb_count = sizeof(recurring_verbs) / sizeof(recurring_verbs[0]);
