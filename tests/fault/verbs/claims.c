/* What a worker does: claims, settles, and resolves uncertain commits. */
#include "queue/pauses/pause.h"
#include "tests/fault/trip.h"
#include "tests/support/limited.h"

static const char *const every[] = { "*" };
static const char *const one[] = { "a" };
static const char *const several[] = { "a", "b*" };

static const struct way any = { every, 1, 3, true };
static const struct way of_queue = { one, 1, 3, true };
static const struct way of_known = { one, 1, 3, true, .known = true };
static const struct way putting_back = { one, 1, 3, true, .puts_back = true };
static const struct way of_several = { several, 2, 3, true };
static const struct way past_a_few = { every, 1, 3, true, .paused = CLAIM_QUEUES_PAUSED };
static const struct way in_a_window = { every, 1, 3, true, .paused = CLAIM_PATTERNS_PAUSED };
static const struct way settling = { .preserve = true };
static const struct way deleting = { 0 };
static const struct way in_a_batch = { .preserve = true, .batches = true };
static const struct way one_more = { one, 1, 1, true };

RUN(run, trips(scene, scene->verb->way, error))

/* claiming */

SET_UP(put_three, scene_put(scene, 3))

static void put_three_behind_an_unknown_one(struct scene *scene)
{
	(void)put_job(scene->db, &(struct new_job){ .class_name = "New", .queue = "a" });
	scene_put(scene, 3);
}

/* Solid Queue has let them in: the semaphore is used up, and no row of ours says by whom. */
static void put_three_past_the_gate(struct scene *scene)
{
	declare(scene->test, "Limited", 3, LIMIT_BLOCK);
	for (size_t i = 0; i < 3; i++)
		scene->jobs[i] = put_limited(scene->test, "Limited", "k");
	test_execute(scene->db, "DELETE FROM dray_slots");
}

static void put_three_beside_a_pause(struct scene *scene)
{
	bool changed;

	scene_put(scene, 3);
	must(queue_pause, scene->db, "paused", &changed);
}

static void put_three_beside_a_pattern(struct scene *scene)
{
	const struct pause_note note = { .who = "alice" };
	bool changed;

	scene_put(scene, 3);
	must(pattern_pause, scene->db, "paused*", &note, &changed);
}

EFFECT(count_claimed, scene_count(scene, JOB_CLAIMED))

/* Of the three alone. */
static int64_t count_known_claimed(struct scene *scene)
{
	int64_t count = 0;

	for (size_t i = 0; i < 3; i++)
		count += state_of(scene->test, scene->jobs[i]) == JOB_CLAIMED;
	return count;
}

/* settling */

#define CLAIM_TO(name, kind) SET_UP(claim_to_##name, scene_claim(scene, 3, OUTCOME_##kind))
CLAIM_TO(finish, FINISHED)
CLAIM_TO(finish_recorded, RECORDED)
CLAIM_TO(fail, FAILED)

EFFECT(count_retried, scene_count(scene, JOB_SCHEDULED))

CLAIM_TO(retry, RETRIED)
CLAIM_TO(discard, DISCARDED)
CLAIM_TO(cancel, CANCELLED)

/* Their worker does not know it yet. */
static void claim_to_retry_cancelled(struct scene *scene)
{
	scene_claim(scene, 3, OUTCOME_RETRIED);
	scene_note_cancelled(scene);
}

CLAIM_TO(interrupt, INTERRUPTED)
CLAIM_TO(snooze, SNOOZED)
CLAIM_TO(release, RELEASED)

/* The same; the last of the three was not cancelled. */
static void claim_with_two_cancelled(struct scene *scene, enum outcome_kind kind)
{
	scene_claim(scene, 3, kind);
	scene_note_cancelled(scene);
	test_execute(scene->test->db, "DELETE FROM dray_cancellations WHERE job_id = "
				      "(SELECT max(id) FROM solid_queue_jobs)");
}

SET_UP(claim_to_interrupt_cancelled, claim_with_two_cancelled(scene, OUTCOME_INTERRUPTED))
SET_UP(claim_to_release_cancelled, claim_with_two_cancelled(scene, OUTCOME_RELEASED))

/* Two are finished, with one line of their history each, and one waits again: all or none. */
static int64_t count_two_cancelled(struct scene *scene)
{
	int64_t finished = count_finished(scene);
	int64_t ready = count_ready(scene);
	int64_t lines = test_query_int(scene->test->url, "SELECT count(*) FROM dray_attempts "
							 "WHERE outcome = 'cancelled'");

	if (lines != finished || finished != 2 * ready)
		return SCENE_UNITS + 1;
	return finished + ready;
}

/* claiming, and then finishing what was claimed: a worker's whole business */

static enum status run_whole(struct scene *scene, struct error *error)
{
	enum status status = STATUS_OK;

	if (scene->outcome_count == 0)
		status = trips(scene, &any, error);
	for (; status == STATUS_OK && scene->held_count > 0; scene->outcome_count++)
		scene->outcomes[scene->outcome_count] =
			(struct outcome){ .claim = scene->held[--scene->held_count],
					  .kind = OUTCOME_FINISHED };
	if (status == STATUS_OK)
		status = trips(scene, &settling, error);
	return status;
}

/* in a Solid Queue batch, which jobs leave as they end */

static void claim_in_a_batch(struct scene *scene)
{
	scene_claim(scene, 3, OUTCOME_FINISHED);
	scene_batch(scene);
}

/* Only those that have finished have left: anything else is too much. */
static int64_t count_left(struct scene *scene)
{
	int64_t finished = scene_count(scene, JOB_FINISHED);

	return finished + rows_of(scene->test, "batch_executions") == 3 ? finished
									: SCENE_UNITS + 1;
}

/* everything in one transaction: one finishes, one fails, one is claimed */

static void claim_for_a_round_trip(struct scene *scene)
{
	scene_claim(scene, 2, OUTCOME_FINISHED);
	scene->outcomes[1].kind = OUTCOME_FAILED;
	scene->outcomes[1].error = test_failure;
	put(scene->db, "a", 0);
}

static int64_t effect_round_trip(struct scene *scene)
{
	int64_t claimed = scene_count(scene, JOB_CLAIMED);
	int64_t settled = count_finished(scene) + count_failed(scene);

	/* Before it two are claimed, after it one. */
	return settled + (settled > 0 || claimed > 2 ? claimed : 0);
}

static const struct verb verbs[] = {
	{ "claim", "waiting claim", 3, put_three, run, count_claimed, UNDONE, &any },
	{ "claim beside a pause", "window_end_paused claim_window", 3, put_three_beside_a_pause,
	  run, count_claimed, UNDONE, &past_a_few },
	{ "claim beside a paused pattern", "window_end claim_window", 3, put_three_beside_a_pattern,
	  run, count_claimed, UNDONE, &in_a_window },
	{ "claim of one queue", "waiting_in claim_queue", 3, put_three, run, count_claimed, UNDONE,
	  &of_queue },
	{ "claim of known classes", "first_eligible claim_eligible", 3, put_three, run,
	  count_claimed, UNDONE, &of_known },
	{ "claim of several queues", "claimable_queues claim_queue", 3, put_three, run,
	  count_claimed, UNDONE, &of_several },
	{ "claim and put back", "claim_queue release", 3, put_three_behind_an_unknown_one, run,
	  count_known_claimed, UNDONE | SEVERAL, &putting_back },
	{ "claim past the gate", "slots_missing slots_gate", 3, put_three_past_the_gate, run,
	  count_claimed, UNDONE | SEVERAL, &any },
	{ "claim, resolved", "held release", 3, put_three, run, count_claimed, UNDONE, &any,
	  "claim.committed=cut" },
	{ "finish", "finish", 3, claim_to_finish, run, count_finished, 0, &settling },
	{ "claim and finish", "claim finish", 3, put_three, run_whole, count_finished, SEVERAL },
	{ "finish, resolved", "held", 3, claim_to_finish, run, count_finished, 0, &settling,
	  "finish.committed=cut" },
	{ "finish and delete", "finish_and_delete", 3, claim_to_finish, run, count_missing, 0,
	  &deleting },
	{ "finish in a batch", "finish batches_leave", 3, claim_in_a_batch, run, count_left, 0,
	  &in_a_batch },
	{ "finish, recorded", "finish_recorded", 3, claim_to_finish_recorded, run, count_finished,
	  0, &settling },
	{ "fail", "fail", 3, claim_to_fail, run, count_failed, 0, &settling },
	{ "retry later", "retry_later", 3, claim_to_retry, run, count_retried, 0, &settling },
	{ "cancel a run", "cancel_run", 3, claim_to_cancel, run, count_finished, 0, &settling },
	{ "retry a cancelled run", "cancel_told", 3, claim_to_retry_cancelled, run, count_finished,
	  0, &settling },
	{ "discard a run", "discard_run", 3, claim_to_discard, run, count_finished, 0, &settling },
	{ "interrupt", "interrupt", 3, claim_to_interrupt, run, count_ready, 0, &settling },
	{ "interrupt two cancelled runs", "cancel_told interrupt", 3, claim_to_interrupt_cancelled,
	  run, count_two_cancelled, 0, &settling },
	{ "snooze", "snooze", 3, claim_to_snooze, run, count_retried, 0, &settling },
	{ "release", "release", 3, claim_to_release, run, count_ready, 0, &settling },
	{ "release two cancelled runs", "cancel_told release", 3, claim_to_release_cancelled, run,
	  count_two_cancelled, 0, &settling },
	{ "round trip", "finish fail claim_queue", 3, claim_for_a_round_trip, run,
	  effect_round_trip, UNDONE, &one_more },
};

const struct verbs claim_verbs = VERBS(verbs);
