/* What callers and people do to jobs and queues, and what a dispatcher does. */
#include "tests/fault/scene.h"

static void nothing(struct scene *scene)
{
	(void)scene;
}

/* enqueue */

static enum status run_enqueue(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	static const struct new_job jobs[] = { { .class_name = "Test", .queue = "a" },
					       { .class_name = "Test", .delay = CLOCK_HOUR },
					       { .class_name = "Test" } };
	struct enqueued *results = scene->enqueued;
	enum status status = STATUS_NONE;

	if (scene->uncertain)
		status = enqueue_resolve(db, results, 3, error);
	if (status == STATUS_NONE)
		status = enqueue(db, jobs, 3, results, error);
	scene->uncertain = status == STATUS_UNCERTAIN;
	for (size_t i = 0; i < 3 && status == STATUS_OK; i++)
		*done += results[i].id > 0;
	return status;
}

static int64_t effect_enqueue(struct scene *scene)
{
	return scene_count(scene, JOB_READY) + scene_count(scene, JOB_SCHEDULED);
}

/* dispatch */

static void put_due(struct scene *scene)
{
	const struct new_job job = { .class_name = "Test", .queue = "a", .delay = CLOCK_HOUR };

	for (int i = 0; i < 3; i++)
		put_job(scene->test->db, &job);
	test_execute(scene->test->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = "
				      "'2020-01-01 00:00:00'");
}

/* Rows that a lost transaction still holds are left out and come with the next poll. */
static enum status run_dispatch(struct scene *scene, struct db *db, int64_t *done,
				struct error *error)
{
	struct queue_row *queues;
	size_t count;
	int64_t deadline = clock_monotonic() + scene->patience;

	do {
		int64_t moved;
		enum status status = dispatch(db, 10, &moved, error);
		if (status == STATUS_OK)
			status = queue_list(db, scene->test->arena, &queues, &count, error);
		if (status != STATUS_OK)
			return status;
		*done = count > 0 ? queues[0].counts[JOB_READY] : 0;
	} while (*done < 3 && clock_monotonic() < deadline);
	return STATUS_OK;
}

static int64_t count_ready(struct scene *scene)
{
	return scene_count(scene, JOB_READY);
}

/* clear_finished */

static int64_t count_missing(struct scene *scene)
{
	int64_t missing = 0;

	for (size_t i = 0; i < SCENE_UNITS; i++)
		missing +=
			scene->jobs[i] > 0 && state_of(scene->test, scene->jobs[i]) == JOB_STATES;
	return missing;
}

static void put_finished(struct scene *scene)
{
	scene_put(scene, 3);
	const struct claim *claims = take_all(scene->test, scene->victim, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(settle_one(scene->test->db, &claims[i], OUTCOME_FINISHED));
}

static enum status run_clear(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	int64_t count = 0;
	enum status status =
		job_clear_finished(db, db_now(db) + CLOCK_HOUR, NULL, 100, &count, error);

	if (status == STATUS_OK)
		*done = scene->uncertain ? 3 : count;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

/* pause, resume */

static bool is_paused(struct scene *scene)
{
	struct error error = { 0 };
	struct queue_row *queues;
	size_t count;

	assert_ok(queue_list(scene->test->db, scene->test->arena, &queues, &count, &error), &error);
	return count > 0 && queues[0].paused;
}

static enum status run_pause(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	bool changed;
	enum status status = queue_pause(db, "b", &changed, error);

	*done = status == STATUS_OK && (changed || scene->uncertain);
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

static int64_t effect_pause(struct scene *scene)
{
	return is_paused(scene);
}

static void pause_first(struct scene *scene)
{
	struct error error = { 0 };
	bool changed;

	assert_ok(queue_pause(scene->test->db, "b", &changed, &error), &error);
}

static enum status run_resume(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	bool changed;
	enum status status = queue_resume(db, "b", &changed, error);

	*done = status == STATUS_OK && (changed || scene->uncertain);
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

static int64_t effect_resume(struct scene *scene)
{
	return !is_paused(scene);
}

const struct verb job_verbs[] = {
	{ .name = "enqueue",
	  .scripts = { "enqueue" },
	  .units = 3,
	  .set_up = nothing,
	  .run = run_enqueue,
	  .effect = effect_enqueue },
	{ .name = "enqueue, resolved",
	  .scripts = { "found" },
	  .also = "enqueue.committed=cut",
	  .units = 3,
	  .set_up = nothing,
	  .run = run_enqueue,
	  .effect = effect_enqueue },
	{ .name = "dispatch",
	  .scripts = { "dispatch" },
	  .units = 3,
	  .set_up = put_due,
	  .run = run_dispatch,
	  .effect = count_ready },
	{ .name = "clear_finished",
	  .scripts = { "clear_finished" },
	  .units = 3,
	  .set_up = put_finished,
	  .run = run_clear,
	  .effect = count_missing },
	{ .name = "pause",
	  .scripts = { "pause" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_pause,
	  .effect = effect_pause },
	{ .name = "resume",
	  .scripts = { "resume" },
	  .units = 1,
	  .set_up = pause_first,
	  .run = run_resume,
	  .effect = effect_resume },
};

const size_t job_verb_count = sizeof(job_verbs) / sizeof(job_verbs[0]);
