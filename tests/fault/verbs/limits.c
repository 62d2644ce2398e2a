/* What is done to jobs that are limited, and to the slots themselves. */
#include "queue/limits/heal.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"

/* Three jobs of two slots: one waits, in a queue of its own. */

static const struct new_job limited = { .class_name = "Limited",
					.queue = "a",
					.concurrency_key = "k" };

SET_UP(declare_two, declare(scene->test, "Limited", 2, LIMIT_BLOCK))

static void put_three(struct scene *scene)
{
	struct new_job last = limited;

	declare_two(scene);
	last.queue = "b";
	scene->jobs[0] = put_job(scene->db, &limited);
	scene->jobs[1] = put_job(scene->db, &limited);
	scene->jobs[2] = put_job(scene->db, &last);
}

static enum status run_enqueue(struct scene *scene, struct error *error)
{
	return scene_enqueue(scene, (struct new_job[]){ limited, limited, limited }, error);
}

/* the same with two keys each */

static const char *const both_keys[] = { "k", "m", NULL };

static void declare_both(struct scene *scene)
{
	static const int slots[] = { 3, 2, 0 };

	declare_several(scene->test, "Limited", slots, LIMIT_BLOCK);
}

static enum status run_enqueue_several(struct scene *scene, struct error *error)
{
	struct new_job both = several_job("Limited", both_keys);

	both.queue = "a";
	return scene_enqueue(scene, (struct new_job[]){ both, both, both }, error);
}

EFFECT(count_due, scene_count(scene, JOB_READY) + scene_count(scene, JOB_BLOCKED))

/* dispatch: moves none in its first transaction, and all in the second */

static void put_due(struct scene *scene)
{
	declare_two(scene);
	scene_put_due(scene, &limited);
}

/* One gets the slot, one waits, and one goes. */
static void put_replacing(struct scene *scene)
{
	declare(scene->test, "Limited", 1, LIMIT_REPLACE);
	scene_put_due(scene, &limited);
}

/* One gets the slot, and makes room for the last. */
static void put_cancelling(struct scene *scene)
{
	declare(scene->test, "Limited", 1, LIMIT_CANCEL);
	scene_put_due(scene, &limited);
}

static void put_cancelling_in_a_batch(struct scene *scene)
{
	put_cancelling(scene);
	scene_batch(scene);
}

/* Who has ended has left its batch. */
static int64_t count_due_in_a_batch(struct scene *scene)
{
	int64_t left = rows_of(scene->test, "batch_executions");

	return left + scene_count(scene, JOB_FINISHED) == 3 ? count_due(scene) : SCENE_UNITS + 1;
}

/* Two that hold a slot end, one way or another, and the third is admitted. */

static void claim_two(struct scene *scene, enum outcome_kind kind)
{
	const struct claim *claims = take_all(scene->test, scene->victim, 2);
	for (size_t i = 0; i < 2; i++)
		scene->outcomes[i] =
			(struct outcome){ .claim = claim_name(&claims[i]),
					  .limited = true,
					  .kind = kind,
					  .error = outcome_rules[kind].in_history ? test_failure
										  : NULL };
	scene->outcome_count = 2;
}

/* Let in by Solid Queue, which makes no rows: they are adopted. */
static void claim_to_finish(struct scene *scene)
{
	put_three(scene);
	claim_two(scene, OUTCOME_FINISHED);
	test_execute(scene->db, "DELETE FROM dray_slots");
}

static void claim_to_fail(struct scene *scene)
{
	put_three(scene);
	claim_two(scene, OUTCOME_FAILED);
}

/* The third one waits under the second of its keys. */
static void claim_several(struct scene *scene)
{
	struct new_job both = several_job("Limited", both_keys);

	declare_both(scene);
	both.queue = "a";
	scene->jobs[0] = put_job(scene->db, &both);
	scene->jobs[1] = put_job(scene->db, &both);
	both.queue = "b";
	scene->jobs[2] = put_job(scene->db, &both);
	claim_two(scene, OUTCOME_FINISHED);
}

static enum status run_settle(struct scene *scene, struct error *error)
{
	struct settle_request request = { .process_id = scene->victim,
					  .outcomes = scene->outcomes,
					  .outcome_count = scene->outcome_count,
					  .preserve_finished_jobs = true };
	struct claim *none;
	size_t count;
	enum status status = STATUS_OK;

	if (scene->uncertain) /* those that are settled have no claim any more */
		status = settle_resolve(scene->db, &request, NULL, 0, error);
	if (status == STATUS_OK && (!scene->uncertain || scene->outcomes[0].claim.id != 0))
		status = settle(scene->db, scene->test->arena, &request, &none, &count, error);
	if (status == STATUS_OK)
		scene->done = scene->outcomes[0].refused ? 0 : 3;
	return status;
}

/* Those that ended, and who was admitted for them. */
static int64_t count_ended(struct scene *scene)
{
	int64_t ended = scene_count(scene, JOB_FINISHED) + scene_count(scene, JOB_FAILED);

	return ended + (ended > 0 ? scene_count(scene, JOB_READY) : 0);
}

static enum status run_discard(struct scene *scene, struct error *error)
{
	const struct job_filter filter = { .has_state = true, .state = JOB_READY, .queue = "a" };
	int64_t count = 0;
	enum status status = job_discard_all(scene->db, &filter, &count, error);

	if (status == STATUS_OK)
		scene->done = scene->uncertain ? 2 : count;
	return status;
}

/* The dead held both slots; the second job of them fails, and the third comes in. */

static void put_dead(struct scene *scene)
{
	put_three(scene);
	scene->other = register_worker(scene->db, "dead");
	take_all(scene->test, scene->other, 2);
	test_execute(scene->db, scene_silence);
}

static enum status run_bury(struct scene *scene, struct error *error)
{
	static const struct loss_policy policy = { .max_losses = 0 };
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result = { 0 };
	enum status status = process_bury(scene->db, &burial, &policy, &result, error);

	if (status == STATUS_NONE && !scene->uncertain)
		scene->done = 0;
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* healing: both holders vanished with their slots; two looks */

static void lose_slots(struct scene *scene)
{
	put_three(scene);
	lose_ready(scene->test);
}

static enum status run_heal(struct scene *scene, struct error *error)
{
	struct heal heals = { 0 };
	enum status status = heal(scene->db, &heals, error);

	if (status == STATUS_OK)
		status = heal(scene->db, &heals, error);
	if (status == STATUS_OK) /* a key that failed is no error of the whole */
		status = heals.failed > 0 ? STATUS_RETRY : STATUS_OK;
	if (status == STATUS_OK) /* nothing to do after an unknown end: it was done before */
		scene->done = 1;
	heal_clear(&heals);

	return status;
}

/* publishing */

static enum status run_publish(struct scene *scene, struct error *error)
{
	const struct limit limit = { .slots = 7, .duration = CLOCK_MINUTE };
	const struct class_policy class = { "Limited", JOB_NO_BOUND, &limit, 1 };

	return classes_publish(scene->db, &class, 1, error);
}

static enum status run_introduce(struct scene *scene, struct error *error)
{
	const struct limit limit = { .slots = 7, .duration = CLOCK_MINUTE };
	const struct class_policy class = { "New", JOB_NO_BOUND, &limit, 1 };

	return classes_introduce(scene->db, &class, 1, error);
}

EFFECT(count_published,
       test_query_int(scene->test->url, "SELECT count(*) FROM dray_classes WHERE slots = 7"))

static const struct verb verbs[] = {
	{ "enqueue, limited", "slots_lock enqueue_limited slots_admit", 3, declare_two, run_enqueue,
	  count_due },
	{ "enqueue, several keys", "enqueue_keys slots_admit_several", 3, declare_both,
	  run_enqueue_several, count_due },
	{ "finish, several keys", "slots_adopt_several slots_admit_several", 3, claim_several,
	  run_settle, count_ended },
	{ "dispatch, limited", "slots_lock dispatch_limited slots_admit", 3, put_due,
	  scene_dispatch, count_due },
	/* Where conflicts cannot be looked at, nothing is replaced. */
	{ "dispatch, replacing", "slots_conflict", 2, put_replacing, scene_dispatch, count_due,
	  .refused = 3 },
	/* Its slot comes back in a transaction that follows; else it is healed. */
	{ "dispatch, cancelling", "slots_cancel", 1, put_cancelling, scene_dispatch, count_due,
	  TORN, .refused = 3 },
	{ "dispatch, cancelling in a batch", "slots_cancel batches_leave_cancelled", 1,
	  put_cancelling_in_a_batch, scene_dispatch, count_due_in_a_batch, TORN, .refused = 3 },
	{ "finish, limited", "slots_lock slots_adopt finish slots_free slots_admit", 3,
	  claim_to_finish, run_settle, count_ended },
	{ "fail, limited", "fail slots_free", 3, claim_to_fail, run_settle, count_ended },
	{ "discard, limited", "discard slots_free", 2, put_three, run_discard, count_missing },
	{ "bury, limited", "process_lose slots_free slots_admit", 3, put_dead, run_bury,
	  count_ended },
	{ "heal", "slots_lock slots_find_holders slots_repair slots_admit", 1, lose_slots, run_heal,
	  count_ready, TORN },
	{ "publish classes", "classes_publish", 1, declare_two, run_publish, count_published },
	{ "introduce classes", "classes_introduce", 1, declare_two, run_introduce,
	  count_published },
};

const struct verbs limit_verbs = VERBS(verbs);
