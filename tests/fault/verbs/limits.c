/* What is done to jobs that are limited, and to the slots themselves. */
#include "queue/limits/heal.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"

/* Three jobs of two slots: one waits, in a queue of its own. */

static const struct new_job limited = { .class_name = "Limited",
					.queue = "a",
					.concurrency_key = "k" };

static void declare_two(struct scene *scene)
{
	declare(scene->test, "Limited", 2, LIMIT_BLOCK);
}

static void put_three(struct scene *scene)
{
	struct new_job last = limited;

	declare_two(scene);
	last.queue = "b";
	scene->jobs[0] = put_job(scene->test->db, &limited);
	scene->jobs[1] = put_job(scene->test->db, &limited);
	scene->jobs[2] = put_job(scene->test->db, &last);
}

static enum status run_enqueue(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	const struct new_job jobs[] = { limited, limited, limited };
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

/* the same with two keys each */

static const char *const both_keys[] = { "k", "m", NULL };

static void declare_both(struct scene *scene)
{
	static const int slots[] = { 3, 2, 0 };

	declare_several(scene->test, "Limited", slots, LIMIT_BLOCK);
}

static enum status run_enqueue_several(struct scene *scene, struct db *db, int64_t *done,
				       struct error *error)
{
	struct new_job both = several_job("Limited", both_keys);
	struct enqueued *results = scene->enqueued;
	enum status status = STATUS_NONE;

	both.queue = "a";
	const struct new_job jobs[] = { both, both, both };
	if (scene->uncertain)
		status = enqueue_resolve(db, results, 3, error);
	if (status == STATUS_NONE)
		status = enqueue(db, jobs, 3, results, error);
	scene->uncertain = status == STATUS_UNCERTAIN;
	for (size_t i = 0; i < 3 && status == STATUS_OK; i++)
		*done += results[i].id > 0;
	return status;
}

static int64_t count_due(struct scene *scene)
{
	return scene_count(scene, JOB_READY) + scene_count(scene, JOB_BLOCKED);
}

/* dispatch: moves none in its first transaction, and all in the second */

static void put_three_due(struct scene *scene)
{
	struct new_job later = limited;

	later.delay = CLOCK_HOUR;
	for (int i = 0; i < 3; i++)
		put_job(scene->test->db, &later);
	test_execute(scene->test->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = "
				      "'2020-01-01 00:00:00'");
}

static void put_due(struct scene *scene)
{
	declare_two(scene);
	put_three_due(scene);
}

/* One gets the slot, one waits, and one goes. */
static void put_replacing(struct scene *scene)
{
	declare(scene->test, "Limited", 1, LIMIT_REPLACE);
	put_three_due(scene);
}

/* Rows that a lost transaction still holds are left out and come with the next poll. */
static enum status dispatch_until(struct scene *scene, struct db *db, int64_t wanted, int64_t *done,
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
		*done = count > 0 ? queues[0].counts[JOB_READY] + queues[0].counts[JOB_BLOCKED] : 0;
	} while (*done < wanted && clock_monotonic() < deadline);
	return STATUS_OK;
}

static enum status run_dispatch(struct scene *scene, struct db *db, int64_t *done,
				struct error *error)
{
	return dispatch_until(scene, db, 3, done, error);
}

static enum status run_replacing(struct scene *scene, struct db *db, int64_t *done,
				 struct error *error)
{
	return dispatch_until(scene, db, 2, done, error);
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
					  .error = kind == OUTCOME_FAILED ? test_failure : NULL };
	scene->outcome_count = 2;
}

/* Let in by Solid Queue, which makes no rows: they are adopted. */
static void claim_to_finish(struct scene *scene)
{
	put_three(scene);
	claim_two(scene, OUTCOME_FINISHED);
	test_execute(scene->test->db, "DELETE FROM dray_slots");
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
	scene->jobs[0] = put_job(scene->test->db, &both);
	scene->jobs[1] = put_job(scene->test->db, &both);
	both.queue = "b";
	scene->jobs[2] = put_job(scene->test->db, &both);
	claim_two(scene, OUTCOME_FINISHED);
}

static enum status run_settle(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	struct settle_request request = { .process_id = scene->victim,
					  .outcomes = scene->outcomes,
					  .outcome_count = scene->outcome_count,
					  .preserve_finished_jobs = true };
	struct claim *none;
	size_t count;
	enum status status = STATUS_OK;

	if (scene->uncertain) /* those that are settled have no claim any more */
		status = settle_resolve(db, &request, NULL, 0, error);
	if (status == STATUS_OK && (!scene->uncertain || scene->outcomes[0].claim.id != 0))
		status = settle(db, scene->test->arena, &request, &none, &count, error);
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	if (status == STATUS_OK)
		*done = scene->outcomes[0].refused ? 0 : 3;
	return status;
}

/* Those that ended, and who was admitted for them. */
static int64_t count_ended(struct scene *scene)
{
	int64_t ended = scene_count(scene, JOB_FINISHED) + scene_count(scene, JOB_FAILED);

	return ended + (ended > 0 ? scene_count(scene, JOB_READY) : 0);
}

static enum status run_discard(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	const struct job_filter filter = { .has_state = true, .state = JOB_READY, .queue = "a" };
	int64_t count = 0;
	enum status status = job_discard_all(db, &filter, &count, error);

	if (status == STATUS_OK)
		*done = scene->uncertain ? 2 : count;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

static int64_t count_missing(struct scene *scene)
{
	int64_t missing = 0;

	for (size_t i = 0; i < 2; i++)
		missing += state_of(scene->test, scene->jobs[i]) == JOB_STATES;
	return missing;
}

/* The dead held both slots; the second job of them fails, and the third comes in. */

static void put_dead(struct scene *scene)
{
	put_three(scene);
	scene->other = register_worker(scene->test->db, "dead");
	take_all(scene->test, scene->other, 2);
	test_execute(scene->test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = "
				      "'2020-01-01 00:00:00' WHERE name = 'dead'");
}

static enum status run_bury(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	static const struct loss_policy policy = { .max_losses = 0, .classes = "[]" };
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result = { 0 };
	enum status status = process_bury(db, &burial, &policy, &result, error);

	if (status == STATUS_OK || (status == STATUS_NONE && scene->uncertain))
		*done = 3;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* healing: both holders vanished with their slots; two looks */

static void lose_slots(struct scene *scene)
{
	put_three(scene);
	test_execute(scene->test->db, "DELETE FROM solid_queue_jobs WHERE id IN"
				      " (SELECT job_id FROM solid_queue_ready_executions)");
}

static enum status run_heal(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	struct heal heals = { 0 };
	enum status status = heal(db, &heals, error);

	if (status == STATUS_OK)
		status = heal(db, &heals, error);
	if (status == STATUS_OK) /* a key that failed is no error of the whole */
		status = heals.failed > 0 ? STATUS_RETRY : STATUS_OK;
	if (status == STATUS_OK) /* nothing to do after an unknown end: it was done before */
		*done = 1;
	heal_clear(&heals);
	(void)scene;
	return status;
}

/* publishing */

static enum status run_publish(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	static const char *const name = "Limited";
	const struct limit limit = { .class_name = name, .slots = 7, .duration = CLOCK_MINUTE };
	const struct limits limits = { &limit, 1, &name, 1 };
	enum status status = limits_publish(db, &limits, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static enum status run_introduce(struct scene *scene, struct db *db, int64_t *done,
				 struct error *error)
{
	const struct limit limit = { .class_name = "New", .slots = 7, .duration = CLOCK_MINUTE };
	enum status status = limits_introduce(db, &(struct limits){ &limit, 1, NULL, 0 }, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t count_published(struct scene *scene)
{
	return test_query_int(scene->test->url, "SELECT count(*) FROM dray_limits WHERE slots = 7");
}

static int64_t count_ready(struct scene *scene)
{
	return scene_count(scene, JOB_READY);
}

const struct verb limit_verbs[] = {
	{ .name = "enqueue, limited",
	  .scripts = { "slots_lock", "enqueue_limited", "slots_admit" },
	  .units = 3,
	  .set_up = declare_two,
	  .run = run_enqueue,
	  .effect = count_due },
	{ .name = "enqueue, several keys",
	  .scripts = { "enqueue_keys", "slots_admit_several" },
	  .units = 3,
	  .set_up = declare_both,
	  .run = run_enqueue_several,
	  .effect = count_due },
	{ .name = "finish, several keys",
	  .scripts = { "slots_adopt_several", "slots_admit_several" },
	  .units = 3,
	  .set_up = claim_several,
	  .run = run_settle,
	  .effect = count_ended },
	{ .name = "dispatch, limited",
	  .scripts = { "slots_lock", "dispatch_limited", "slots_admit" },
	  .units = 3,
	  .set_up = put_due,
	  .run = run_dispatch,
	  .effect = count_due },
	{ .name = "dispatch, replacing",
	  .scripts = { "slots_conflict" },
	  .units = 2,
	  .set_up = put_replacing,
	  .run = run_replacing,
	  .effect = count_due },
	{ .name = "finish, limited",
	  .scripts = { "slots_lock", "slots_adopt", "finish", "slots_free", "slots_admit" },
	  .units = 3,
	  .set_up = claim_to_finish,
	  .run = run_settle,
	  .effect = count_ended },
	{ .name = "fail, limited",
	  .scripts = { "fail", "slots_free" },
	  .units = 3,
	  .set_up = claim_to_fail,
	  .run = run_settle,
	  .effect = count_ended },
	{ .name = "discard, limited",
	  .scripts = { "discard", "slots_free" },
	  .units = 2,
	  .set_up = put_three,
	  .run = run_discard,
	  .effect = count_missing },
	{ .name = "bury, limited",
	  .scripts = { "process_lose", "slots_free", "slots_admit" },
	  .units = 3,
	  .set_up = put_dead,
	  .run = run_bury,
	  .effect = count_ended },
	{ .name = "heal",
	  .scripts = { "slots_lock", "slots_find_holders", "slots_repair", "slots_admit" },
	  .units = 1,
	  .torn = true,
	  .set_up = lose_slots,
	  .run = run_heal,
	  .effect = count_ready },
	{ .name = "publish limits",
	  .scripts = { "limits_publish" },
	  .units = 1,
	  .set_up = declare_two,
	  .run = run_publish,
	  .effect = count_published },
	{ .name = "introduce limits",
	  .scripts = { "limits_introduce" },
	  .units = 1,
	  .set_up = declare_two,
	  .run = run_introduce,
	  .effect = count_published },
};

const size_t limit_verb_count = sizeof(limit_verbs) / sizeof(limit_verbs[0]);
