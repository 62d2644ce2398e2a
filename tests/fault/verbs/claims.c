/* What a worker does: claims, settles, and resolves uncertain commits. */
#include "queue/claim/batches.h"
#include "queue/pauses/pattern.h"
#include "tests/fault/trip.h"
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

static const char *const every[] = { "*" };
static const char *const one[] = { "a" };
static const char *const several[] = { "a", "b*" };

/* claiming */

static void put_three(struct scene *scene)
{
	scene_put(scene, 3);
}

/* Solid Queue has let them in: the semaphore is used up, and no row of ours says by whom. */
static void put_three_past_the_gate(struct scene *scene)
{
	declare(scene->test, "Limited", 3, LIMIT_BLOCK);
	for (size_t i = 0; i < 3; i++)
		scene->jobs[i] = put_limited(scene->test, "Limited", "k");
	test_execute(scene->test->db, "DELETE FROM dray_slots");
}

static enum status run_claim(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	return trips(scene, db, &(struct way){ every, 1, 3, true }, done, error);
}

static enum status run_claim_queue(struct scene *scene, struct db *db, int64_t *done,
				   struct error *error)
{
	return trips(scene, db, &(struct way){ one, 1, 3, true }, done, error);
}

static enum status run_claim_eligible(struct scene *scene, struct db *db, int64_t *done,
				      struct error *error)
{
	return trips(scene, db, &(struct way){ one, 1, 3, true, true }, done, error);
}

static enum status run_claim_several(struct scene *scene, struct db *db, int64_t *done,
				     struct error *error)
{
	return trips(scene, db, &(struct way){ several, 2, 3, true }, done, error);
}

static void put_three_beside_a_pause(struct scene *scene)
{
	struct error error = { 0 };
	bool changed;

	scene_put(scene, 3);
	assert_ok(queue_pause(scene->test->db, "paused", &changed, &error), &error);
}

static void put_three_beside_a_pattern(struct scene *scene)
{
	const struct pause_note note = { .who = "alice" };
	struct error error = { 0 };
	bool changed;

	scene_put(scene, 3);
	assert_ok(pattern_pause(scene->test->db, "paused*", &note, &changed, &error), &error);
}

static enum status run_claim_past_a_few(struct scene *scene, struct db *db, int64_t *done,
					struct error *error)
{
	const struct way way = { every, 1, 3, true, .paused = CLAIM_QUEUES_PAUSED };

	return trips(scene, db, &way, done, error);
}

static enum status run_claim_in_a_window(struct scene *scene, struct db *db, int64_t *done,
					 struct error *error)
{
	const struct way way = { every, 1, 3, true, .paused = CLAIM_PATTERNS_PAUSED };

	return trips(scene, db, &way, done, error);
}

static int64_t count_claimed(struct scene *scene)
{
	return scene_count(scene, JOB_CLAIMED);
}

/* settling */

static void claim_to_finish(struct scene *scene)
{
	scene_claim(scene, 3, OUTCOME_FINISHED);
}

static void claim_to_fail(struct scene *scene)
{
	scene_claim(scene, 3, OUTCOME_FAILED);
}

static void claim_to_release(struct scene *scene)
{
	scene_claim(scene, 3, OUTCOME_RELEASED);
}

static enum status run_settle(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	return trips(scene, db, &(struct way){ .preserve = true }, done, error);
}

static enum status run_settle_and_delete(struct scene *scene, struct db *db, int64_t *done,
					 struct error *error)
{
	return trips(scene, db, &(struct way){ 0 }, done, error);
}

static int64_t count_finished(struct scene *scene)
{
	return scene_count(scene, JOB_FINISHED);
}

/* claiming, and then finishing what was claimed: a worker's whole business */

static enum status run_whole(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	const struct way claiming = { every, 1, 3, true };
	enum status status = STATUS_OK;

	if (scene->outcome_count == 0)
		status = trips(scene, db, &claiming, done, error);
	for (; status == STATUS_OK && scene->held_count > 0; scene->outcome_count++)
		scene->outcomes[scene->outcome_count] =
			(struct outcome){ .claim = scene->held[--scene->held_count],
					  .kind = OUTCOME_FINISHED };
	if (status == STATUS_OK)
		status = run_settle(scene, db, done, error);
	return status;
}

/* in a Solid Queue batch, which jobs leave as they end */

static void claim_in_a_batch(struct scene *scene)
{
	struct test_db *test = scene->test;
	struct error error = { 0 };
	bool there;

	assert_ok(batches_look(test->db, &there, &error), &error);
	if (!there)
		test_rails_batches(test);
	scene_claim(scene, 3, OUTCOME_FINISHED);
	test_execute(test->db, "DELETE FROM solid_queue_batches");
	test_execute(test->db, "INSERT INTO solid_queue_batches (created_at, updated_at) VALUES "
			       "('2026-01-01 00:00:00', '2026-01-01 00:00:00')");
	test_execute(test->db, "INSERT INTO solid_queue_batch_executions (job_id, batch_id, "
			       "created_at) SELECT j.id, b.id, '2026-01-01 00:00:00' "
			       "FROM solid_queue_jobs j CROSS JOIN solid_queue_batches b");
}

static enum status run_settle_in_a_batch(struct scene *scene, struct db *db, int64_t *done,
					 struct error *error)
{
	return trips(scene, db, &(struct way){ .preserve = true, .batches = true }, done, error);
}

/* Only those that have finished have left: anything else is too much. */
static int64_t count_left(struct scene *scene)
{
	int64_t finished = scene_count(scene, JOB_FINISHED);

	return finished + rows_of(scene->test, "batch_executions") == 3 ? finished
									: SCENE_UNITS + 1;
}

static int64_t count_failed(struct scene *scene)
{
	return scene_count(scene, JOB_FAILED);
}

static int64_t count_ready(struct scene *scene)
{
	return scene_count(scene, JOB_READY);
}

static int64_t count_deleted(struct scene *scene)
{
	int64_t deleted = 0;

	for (size_t i = 0; i < 3; i++)
		deleted += state_of(scene->test, scene->jobs[i]) == JOB_STATES;
	return deleted;
}

/* everything in one transaction: one finishes, one fails, one is claimed */

static void claim_for_a_round_trip(struct scene *scene)
{
	scene_claim(scene, 2, OUTCOME_FINISHED);
	scene->outcomes[1].kind = OUTCOME_FAILED;
	scene->outcomes[1].error = test_failure;
	put(scene->test->db, "a", 0);
}

static enum status run_round_trip(struct scene *scene, struct db *db, int64_t *done,
				  struct error *error)
{
	return trips(scene, db, &(struct way){ one, 1, 1, true }, done, error);
}

static int64_t effect_round_trip(struct scene *scene)
{
	int64_t claimed = scene_count(scene, JOB_CLAIMED);
	int64_t settled = count_finished(scene) + count_failed(scene);

	/* Before it two are claimed, after it one. */
	return settled + (settled > 0 || claimed > 2 ? claimed : 0);
}

const struct verb claim_verbs[] = {
	{ .name = "claim",
	  .scripts = { "waiting", "claim" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three,
	  .run = run_claim,
	  .effect = count_claimed },
	{ .name = "claim beside a pause",
	  .scripts = { "window_end_paused", "claim_window" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three_beside_a_pause,
	  .run = run_claim_past_a_few,
	  .effect = count_claimed },
	{ .name = "claim beside a paused pattern",
	  .scripts = { "window_end", "claim_window" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three_beside_a_pattern,
	  .run = run_claim_in_a_window,
	  .effect = count_claimed },
	{ .name = "claim of one queue",
	  .scripts = { "waiting_in", "claim_queue" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three,
	  .run = run_claim_queue,
	  .effect = count_claimed },
	{ .name = "claim of known classes",
	  .scripts = { "first_eligible", "claim_eligible" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three,
	  .run = run_claim_eligible,
	  .effect = count_claimed },
	{ .name = "claim of several queues",
	  .scripts = { "claimable_queues", "claim_queue" },
	  .units = 3,
	  .undone = true,
	  .set_up = put_three,
	  .run = run_claim_several,
	  .effect = count_claimed },
	{ .name = "claim past the gate",
	  .scripts = { "slots_missing", "slots_gate" },
	  .units = 3,
	  .undone = true,
	  .several = true,
	  .set_up = put_three_past_the_gate,
	  .run = run_claim,
	  .effect = count_claimed },
	{ .name = "claim, resolved",
	  .scripts = { "held", "release" },
	  .also = "claim.committed=cut",
	  .units = 3,
	  .undone = true,
	  .set_up = put_three,
	  .run = run_claim,
	  .effect = count_claimed },
	{ .name = "finish",
	  .scripts = { "finish" },
	  .units = 3,
	  .set_up = claim_to_finish,
	  .run = run_settle,
	  .effect = count_finished },
	{ .name = "claim and finish",
	  .scripts = { "claim", "finish" },
	  .units = 3,
	  .several = true,
	  .set_up = put_three,
	  .run = run_whole,
	  .effect = count_finished },
	{ .name = "finish, resolved",
	  .scripts = { "held" },
	  .also = "finish.committed=cut",
	  .units = 3,
	  .set_up = claim_to_finish,
	  .run = run_settle,
	  .effect = count_finished },
	{ .name = "finish and delete",
	  .scripts = { "finish_and_delete" },
	  .units = 3,
	  .set_up = claim_to_finish,
	  .run = run_settle_and_delete,
	  .effect = count_deleted },
	{ .name = "finish in a batch",
	  .scripts = { "finish", "batches_leave" },
	  .units = 3,
	  .set_up = claim_in_a_batch,
	  .run = run_settle_in_a_batch,
	  .effect = count_left },
	{ .name = "fail",
	  .scripts = { "fail" },
	  .units = 3,
	  .set_up = claim_to_fail,
	  .run = run_settle,
	  .effect = count_failed },
	{ .name = "release",
	  .scripts = { "release" },
	  .units = 3,
	  .set_up = claim_to_release,
	  .run = run_settle,
	  .effect = count_ready },
	{ .name = "round trip",
	  .scripts = { "finish", "fail", "claim_queue" },
	  .units = 3,
	  .undone = true,
	  .set_up = claim_for_a_round_trip,
	  .run = run_round_trip,
	  .effect = effect_round_trip },
};

const size_t claim_verb_count = sizeof(claim_verbs) / sizeof(claim_verbs[0]);
