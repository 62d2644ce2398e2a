/* What callers and people do to jobs and queues, and what a dispatcher does. */
#include "tests/fault/scene.h"

/* enqueue */

static enum status run_enqueue(struct scene *scene, struct error *error)
{
	static const struct new_job jobs[3] = { { .class_name = "Test", .queue = "a" },
						{ .class_name = "Test", .delay = CLOCK_HOUR },
						{ .class_name = "Test" } };

	return scene_enqueue(scene, jobs, error);
}

EFFECT(effect_enqueue, scene_count(scene, JOB_READY) + scene_count(scene, JOB_SCHEDULED))

/* dispatch */

static void put_due(struct scene *scene)
{
	scene_put_due(scene, &(struct new_job){ .class_name = "Test", .queue = "a" });
}

/* clear_finished */

SET_UP(put_finished, scene_end(scene, 3, OUTCOME_FINISHED))

static enum status run_clear(struct scene *scene, struct error *error)
{
	int64_t count = 0;
	enum status status = job_clear_finished(scene->db, db_now(scene->db) + CLOCK_HOUR, NULL,
						100, &count, error);

	if (status == STATUS_OK)
		scene->done = scene->uncertain ? 3 : count;
	return status;
}

/* pause, resume */

static int64_t count_paused(struct scene *scene)
{
	struct queue_row *queues;
	size_t count;

	must(queue_list, scene->db, scene->test->arena, &queues, &count);
	return count > 0 && queues[0].paused;
}

static enum status run_pause(struct scene *scene, struct error *error)
{
	bool changed = false;
	enum status status = queue_pause(scene->db, "b", &changed, error);

	scene->done = changed || scene->uncertain;
	return status;
}

static enum status run_resume(struct scene *scene, struct error *error)
{
	bool changed = false;
	enum status status = queue_resume(scene->db, "b", &changed, error);

	scene->done = changed || scene->uncertain;
	return status;
}

SET_UP(pause_first, must(run_pause, scene))
EFFECT(effect_resume, 1 - count_paused(scene))

static const struct verb verbs[] = {
	{ "enqueue", "enqueue", 3, NULL, run_enqueue, effect_enqueue },
	{ "enqueue, resolved", "found", 3, NULL, run_enqueue, effect_enqueue, 0, NULL,
	  "enqueue.committed=cut" },
	{ "dispatch", "dispatch", 3, put_due, scene_dispatch, count_ready },
	{ "clear_finished", "clear_finished", 3, put_finished, run_clear, count_missing },
	{ "pause", "pause", 1, NULL, run_pause, count_paused },
	{ "resume", "resume", 1, pause_first, run_resume, effect_resume },
};

const struct verbs job_verbs = VERBS(verbs);
