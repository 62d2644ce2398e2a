/* What people do to many jobs at once, with the line of the audit trail that counts it. */
#include "queue/manage/manage.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"

#define UNITS     3
#define NEW_QUEUE "elsewhere"

/* To all three. The line tells what an attempt of unknown end has come to. */
static enum status act(struct scene *scene, struct action action, struct error *error)
{
	if (scene->uncertain && scene_line_count(scene) == UNITS)
		return STATUS_OK;
	action.db = scene->db;
	action.arena = scene->test->arena;
	action.audit = scene_line(scene);
	enum status status = action_ids(&action, scene->jobs, UNITS, error);
	scene->done = action.done;
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
		scene->jobs[i] = put_job(scene->db, &later);
	scene_begin_line(scene, "run-now");
}

static enum status run_now(struct scene *scene, struct error *error)
{
	return act(scene, (struct action){ .kind = ACTION_RUN_NOW }, error);
}

EFFECT(count_released,
       scene_counted(scene, scene_count(scene, JOB_READY) + scene_count(scene, JOB_BLOCKED)))

/* arrange: one is ready, one scheduled, one has failed */

static void put_around(struct scene *scene)
{
	scene_end(scene, 1, OUTCOME_FAILED);
	scene->jobs[1] = put_for_later(scene->db, "Test", "a");
	scene->jobs[2] = put(scene->db, "a", 0);
	scene_begin_line(scene, "move");
}

static enum status run_arrange(struct scene *scene, struct error *error)
{
	const struct action action = { .kind = ACTION_ARRANGE, .queue = NEW_QUEUE };

	return act(scene, action, error);
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
	scene_end(scene, UNITS, OUTCOME_FAILED);
	scene_begin_line(scene, "retry");
}

static enum status run_retry(struct scene *scene, struct error *error)
{
	return act(scene, (struct action){ .kind = ACTION_RETRY }, error);
}

static int64_t count_retried(struct scene *scene)
{
	const int64_t ready = scene_count(scene, JOB_READY);
	const int64_t told =
		test_query_int(scene->test->url, "SELECT count(*) FROM dray_attempts WHERE "
						 "outcome = 'retried_by_hand'");

	return scene_counted(scene, ready == told ? ready : SCENE_UNITS + 1);
}

/* discard */

static void put_ready(struct scene *scene)
{
	scene_put(scene, UNITS);
	scene_begin_line(scene, "discard");
}

static enum status run_discard(struct scene *scene, struct error *error)
{
	return act(scene, (struct action){ .kind = ACTION_DISCARD }, error);
}

EFFECT(count_discarded, scene_counted(scene, UNITS - rows_of(scene->test, "jobs")))

/* cancel: of three that are limited one is blocked */

static void put_limited_jobs(struct scene *scene)
{
	declare(scene->test, "Limited", 2, LIMIT_BLOCK);
	for (size_t i = 0; i < UNITS; i++)
		scene->jobs[i] = put_limited(scene->test, "Limited", "k");
	scene_begin_line(scene, "cancel");
}

static enum status run_cancel(struct scene *scene, struct error *error)
{
	return act(scene, (struct action){ .kind = ACTION_CANCEL }, error);
}

static int64_t count_cancelled(struct scene *scene)
{
	const int64_t finished = scene_count(scene, JOB_FINISHED);
	const int64_t told = test_query_int(
		scene->test->url, "SELECT count(*) FROM dray_attempts WHERE outcome = 'cancelled'");

	return scene_counted(scene, finished == told ? finished : SCENE_UNITS + 1);
}

/* The victim runs the three, too: when it is declared dead they end as cancelled. */
static void put_running(struct scene *scene)
{
	scene_claim(scene, UNITS, OUTCOME_FINISHED);
	scene_begin_line(scene, "cancel");
}

static int64_t count_noted(struct scene *scene)
{
	const char *url = scene->test->url;
	const int64_t noted = test_query_int(url, "SELECT count(*) FROM dray_cancellations");

	return scene_counted(scene, noted + scene_count(scene, JOB_FINISHED));
}

static const struct verb verbs[] = {
	{ "run_now", "run_now", UNITS, put_later, run_now, count_released },
	{ "arrange", "arrange", UNITS, put_around, run_arrange, count_moved },
	{ "retry", "retry", UNITS, put_failed, run_retry, count_retried },
	{ "cancel", "cancel slots_free", UNITS, put_limited_jobs, run_cancel, count_cancelled },
	{ "cancel what runs", "cancel cancel_running", UNITS, put_running, run_cancel,
	  count_noted },
	{ "discard", "discard", UNITS, put_ready, run_discard, count_discarded },
};

const struct verbs action_verbs = VERBS(verbs);
