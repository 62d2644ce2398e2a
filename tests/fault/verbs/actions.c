/* What people do to many jobs at once, with the line of the audit trail that counts it. */
#include "queue/manage/action.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"

#define UNITS     3
#define NEW_QUEUE "elsewhere"

/* To all three. The line tells what an attempt of unknown end has come to. */
static enum status act(struct scene *scene, struct action action, int64_t *done,
		       struct error *error)
{
	if (scene->uncertain && scene_line_count(scene) == UNITS) {
		*done = UNITS;
		return STATUS_OK;
	}
	action.arena = scene->test->arena;
	action.audit = scene_line(scene);
	enum status status = action_ids(&action, scene->jobs, UNITS, error);
	if (status == STATUS_OK)
		*done = action.done;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

/* run_now: of three that are limited two have a slot */

static void put_later(struct scene *scene)
{
	const struct new_job later = {
		.class_name = "Limited", .queue = "a", .concurrency_key = "k", .delay = CLOCK_HOUR
	};

	declare(scene->test, "Limited", 2, LIMIT_BLOCK);
	for (size_t i = 0; i < UNITS; i++)
		scene->jobs[i] = put_job(scene->test->db, &later);
	scene_begin_line(scene, "run-now");
}

static enum status run_now(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	return act(scene, (struct action){ .db = db, .kind = ACTION_RUN_NOW }, done, error);
}

static int64_t count_released(struct scene *scene)
{
	return scene_counted(scene,
			     scene_count(scene, JOB_READY) + scene_count(scene, JOB_BLOCKED));
}

/* arrange: one is ready, one scheduled, one has failed */

static void put_around(struct scene *scene)
{
	const struct new_job later = { .class_name = "Test", .queue = "a", .delay = CLOCK_HOUR };

	scene_put(scene, 1);
	const struct claim *claims = take_all(scene->test, scene->victim, 1);
	assert_true(settle_one(scene->test->db, &claims[0], OUTCOME_FAILED));
	scene->jobs[1] = put_job(scene->test->db, &later);
	scene->jobs[2] = put(scene->test->db, "a", 0);
	scene_begin_line(scene, "move");
}

static enum status run_arrange(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	const struct action action = { .db = db, .kind = ACTION_ARRANGE, .queue = NEW_QUEUE };

	return act(scene, action, done, error);
}

static int64_t count_moved(struct scene *scene)
{
	const char *url = scene->test->url;
	int64_t moved = test_query_int(
		url, "SELECT count(*) FROM solid_queue_jobs WHERE queue_name = '" NEW_QUEUE "'");

	assert_int_equal(test_query_int(url, "SELECT count(*) FROM solid_queue_jobs j LEFT JOIN "
					     "solid_queue_ready_executions r ON r.job_id = j.id "
					     "LEFT JOIN solid_queue_scheduled_executions s ON "
					     "s.job_id = j.id WHERE r.queue_name <> j.queue_name "
					     "OR s.queue_name <> j.queue_name"),
			 0);
	return scene_counted(scene, moved);
}

/* retry */

static void put_failed(struct scene *scene)
{
	scene_put(scene, UNITS);
	const struct claim *claims = take_all(scene->test, scene->victim, UNITS);
	for (size_t i = 0; i < UNITS; i++)
		assert_true(settle_one(scene->test->db, &claims[i], OUTCOME_FAILED));
	scene_begin_line(scene, "retry");
}

static enum status run_retry(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	return act(scene, (struct action){ .db = db, .kind = ACTION_RETRY }, done, error);
}

static int64_t count_retried(struct scene *scene)
{
	return scene_counted(scene, scene_count(scene, JOB_READY));
}

/* discard */

static void put_ready(struct scene *scene)
{
	scene_put(scene, UNITS);
	scene_begin_line(scene, "discard");
}

static enum status run_discard(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	return act(scene, (struct action){ .db = db, .kind = ACTION_DISCARD }, done, error);
}

static int64_t count_discarded(struct scene *scene)
{
	return scene_counted(scene, UNITS - rows_of(scene->test, "jobs"));
}

const struct verb action_verbs[] = {
	{ .name = "run_now",
	  .scripts = { "run_now" },
	  .units = UNITS,
	  .set_up = put_later,
	  .run = run_now,
	  .effect = count_released },
	{ .name = "arrange",
	  .scripts = { "arrange" },
	  .units = UNITS,
	  .set_up = put_around,
	  .run = run_arrange,
	  .effect = count_moved },
	{ .name = "retry",
	  .scripts = { "retry" },
	  .units = UNITS,
	  .set_up = put_failed,
	  .run = run_retry,
	  .effect = count_retried },
	{ .name = "discard",
	  .scripts = { "discard" },
	  .units = UNITS,
	  .set_up = put_ready,
	  .run = run_discard,
	  .effect = count_discarded },
};

const size_t action_verb_count = sizeof(action_verbs) / sizeof(action_verbs[0]);
