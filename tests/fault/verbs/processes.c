/* What processes do with their own rows and those of the dead. */
#include "queue/processes/loss.h"
#include "queue/processes/shared.h"
#include "queue/settle/cancellations.h"
#include "tests/fault/scene.h"

/* register: after an unknown end the row may be there by its name, as membership.c looks */

static enum status run_register(struct scene *scene, struct error *error)
{
	struct process_row row = { .kind = "Worker",
				   .name = "newcomer",
				   .pid = 1,
				   .hostname = "test",
				   .metadata = "{\"heartbeat_interval\":5}" };
	enum status status = STATUS_NONE;

	if (scene->uncertain)
		status = process_find(scene->db, row.name, &row.id, error);
	return status == STATUS_NONE ? process_register(scene->db, &row, error) : status;
}

EFFECT(count_newcomers, scene_processes(scene, "newcomer"))

/* heartbeat */

SET_UP(claim_two, scene_claim(scene, 2, OUTCOME_RELEASED))

static enum status run_heartbeat(struct scene *scene, struct error *error)
{
	struct process_row row = { .id = scene->victim,
				   .name = "victim",
				   .metadata = "{\"beaten\":true}" };
	return process_heartbeat(scene->db, &row, error);
}

/* Its jobs were cancelled. */
static void claim_cancelled(struct scene *scene)
{
	claim_two(scene);
	scene_note_cancelled(scene);
}

EFFECT(count_beaten,
       test_query_int(scene->test->url, "SELECT count(*) FROM solid_queue_processes WHERE "
					"metadata LIKE '%beaten%'"))

/* Its runs have ended: what was noted of them goes. */
static void end_cancelled(struct scene *scene)
{
	scene_claim(scene, 2, OUTCOME_FINISHED);
	scene_note_cancelled(scene);
	test_execute(scene->test->db, "DELETE FROM solid_queue_claimed_executions");
	test_execute(scene->test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
}

static enum status run_forget_notes(struct scene *scene, struct error *error)
{
	struct cancellation *list;
	size_t count;
	enum status status = cancellations_read(scene->db, scene->test->arena, scene->victim, &list,
						&count, error);

	return status == STATUS_OK
		       ? cancellations_forget(scene->db, scene->test->arena, list, count, error)
		       : status;
}

EFFECT(count_forgotten_notes,
       2 - test_query_int(scene->test->url, "SELECT count(*) FROM dray_cancellations"))

/* A process that goes gives two jobs back: its row and they are the units. */

EFFECT(count_gone_and_ready, 1 - scene_processes(scene, "victim") + scene_count(scene, JOB_READY))

/* NONE after an unknown end: it was done before. */
static enum status run_deregister(struct scene *scene, struct error *error)
{
	int64_t released = 0;
	enum status status = process_deregister(scene->db, scene->victim, &released, error);

	if (status == STATUS_OK)
		scene->done = 1 + released;
	else if (!scene->uncertain)
		scene->done = 0;
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* One job is ready again, one fails, both losses are counted, the row goes and is remembered. */

EFFECT(count_lost,
       scene_count(scene, JOB_READY) + scene_count(scene, JOB_FAILED) +
	       test_query_int(scene->test->url, "SELECT COALESCE(SUM(losses), 0) FROM dray_losses"))
EFFECT(count_remembered,
       test_query_int(scene->test->url, "SELECT count(*) FROM dray_gone WHERE name = 'dead'"))
EFFECT(count_dead, 1 - scene_processes(scene, "dead") + count_lost(scene) + count_remembered(scene))

/* NONE and nothing found after an unknown end: it was done before. */
static enum status lost(struct scene *scene, enum status status, const struct loss_result *result)
{
	int64_t jobs = result->released + result->failed;

	if (status == STATUS_OK && jobs > 0)
		scene->done = 2 * result->processes + 2 * jobs;
	else if (status == STATUS_OK && result->processes > 0)
		scene->done = 1; /* its row alone: see the verbs' `refused` */
	else if (!scene->uncertain)
		scene->done = 0;
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status run_bury(struct scene *scene, struct error *error)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result = { 0 };
	enum status status = process_bury(scene->db, &burial, &scene_policy, &result, error);

	return lost(scene, status, &result);
}

static enum status prune(struct scene *scene, struct loss_result *result, struct error *error)
{
	const struct prune prune = { .self = scene->victim,
				     .threshold = CLOCK_MINUTE,
				     .other_threshold = CLOCK_HOUR };

	*result = (struct loss_result){ 0 };
	return process_prune(scene->db, &prune, &scene_policy, result, error);
}

static enum status run_prune(struct scene *scene, struct error *error)
{
	struct loss_result result;

	return lost(scene, prune(scene, &result, error), &result);
}

/* What their classes make of the end: one job is retried, the other discarded. */

static struct loss_end end_of_scene(struct arena *arena, const char *declared, int executions)
{
	(void)arena;
	(void)executions;
	if (strcmp(declared, "retried") == 0)
		return (struct loss_end){ LOSS_RETRIES, CLOCK_HOUR, "[lost]" };
	return (struct loss_end){ LOSS_DISCARDS, 0, NULL };
}

static const struct loss_policy ending_policy = { .keep_attempts = 20, .end = end_of_scene };

static void put_dead_ending(struct scene *scene)
{
	static const struct class_policy classes[] = { { .name = "A", .lost_end = "retried" },
						       { .name = "B", .lost_end = "discarded" } };

	must(classes_publish, scene->test->db, classes, 2);
	for (size_t i = 0; i < 2; i++)
		scene->jobs[i] = put_job(scene->test->db,
					 &(struct new_job){ .class_name = classes[i].name });
	scene->other = register_worker(scene->test->db, "dead");
	take_all(scene->test, scene->other, 2);
	test_execute(scene->test->db, scene_silence);
}

static void put_ending_and_vanish(struct scene *scene)
{
	put_dead_ending(scene);
	sql_do(scene, "DELETE FROM solid_queue_processes WHERE name = 'dead'");
}

/* Each in its state and in the history. */
EFFECT(count_ended, scene_count(scene, JOB_SCHEDULED) + scene_count(scene, JOB_FINISHED) +
			    test_query_int(scene->test->url,
					   "SELECT count(*) FROM dray_attempts WHERE outcome IN "
					   "('retried', 'discarded')"))
EFFECT(count_dead_and_ended,
       1 - scene_processes(scene, "dead") + count_remembered(scene) + count_ended(scene))

static enum status run_bury_ending(struct scene *scene, struct error *error)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result = { 0 };
	enum status status = process_bury(scene->db, &burial, &ending_policy, &result, error);

	return lost(scene, status, &result);
}

static enum status run_orphans_ending(struct scene *scene, struct error *error)
{
	struct loss_result result = { 0 };
	enum status status = process_lose_orphans(scene->db, &ending_policy, &result, error);

	return lost(scene, status, &result);
}

/* Other software is remembered before its row goes, or with it, never after it. */

static void put_dead_of_others(struct scene *scene)
{
	scene_put_dead(scene);
	sql_do(scene, "UPDATE solid_queue_processes SET metadata = '{}' WHERE name = 'dead'");
}

EFFECT(count_others, test_query_int(scene->test->url, "SELECT count(*) FROM dray_others"))

static int64_t count_dead_of_others(struct scene *scene)
{
	int64_t dead = count_dead(scene);

	return dead > 0 && count_others(scene) == 0 ? scene->verb->units + 1 : dead;
}

static void see_others(struct scene *scene)
{
	scene->other = register_worker(scene->db, "dead");
	sql_do(scene, "UPDATE solid_queue_processes SET metadata = NULL WHERE name = 'dead'");
}

RUN(run_remember, shared_remember(scene->db, error))

/* a clock that was set back: a heartbeat from the future counts as made now */

static void beat_in_the_future(struct scene *scene)
{
	scene->other = register_worker(scene->db, "dead");
	test_execute(scene->db, "UPDATE solid_queue_processes SET last_heartbeat_at = "
				"'2100-01-01 00:00:00' WHERE name = 'dead'");
}

static enum status run_rewind(struct scene *scene, struct error *error)
{
	struct loss_result result;

	return prune(scene, &result, error);
}

EFFECT(count_rewound,
       1 - test_query_int(scene->test->url, "SELECT COUNT(*) FROM solid_queue_processes"
					    " WHERE last_heartbeat_at = '2100-01-01 00:00:00'"))

/* those that are long gone are forgotten */

static void bury_long_ago(struct scene *scene)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result;

	scene_put_dead(scene);
	must(process_bury, scene->db, &burial, &scene_policy, &result);
	test_execute(scene->db, "UPDATE dray_gone SET gone_at = '2020-01-01 00:00:00'");
	assert_int_equal(count_remembered(scene), 1);
}

RUN(run_forget, gone_clear(scene->db, &(bool){ 0 }, error))
EFFECT(count_forgotten, 1 - count_remembered(scene))

static void bury_one(struct scene *scene)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result;

	scene_put_dead(scene);
	must(process_bury, scene->db, &burial, &scene_policy, &result);
}

/* NONE after an unknown end: it was done before. */
static enum status run_forget_host(struct scene *scene, struct error *error)
{
	const struct pause_note note = { .who = "alice" };
	enum status status = gone_forget(scene->db, "test", &note, error);

	return status == STATUS_NONE ? STATUS_OK : status;
}

static int64_t count_forgotten_host(struct scene *scene)
{
	const int64_t lines = test_query_int(
		scene->test->url,
		"SELECT count(*) FROM dray_audit WHERE action = 'forget host' AND who = 'alice'");

	assert_int_equal(lines, 1 - count_remembered(scene));
	return lines;
}

/* claims whose process row has vanished */

static void claim_and_vanish(struct scene *scene)
{
	scene_put_dead(scene);
	test_execute(scene->db, "DELETE FROM solid_queue_processes WHERE name = 'dead'");
}

static enum status run_orphans(struct scene *scene, struct error *error)
{
	struct loss_result result = { 0 };
	enum status status = process_lose_orphans(scene->db, &scene_policy, &result, error);

	return lost(scene, status, &result);
}

/* What the database refuses of a burial is done without it: the row goes, the jobs are orphans. */
static const struct verb verbs[] = {
	{ "register", "process_register", 1, NULL, run_register, count_newcomers },
	{ "heartbeat", "process_heartbeat", 1, NULL, run_heartbeat, count_beaten, UNDONE },
	{ "heartbeat, with cancelled jobs", "process_heartbeat_told", 1, claim_cancelled,
	  run_heartbeat, count_beaten, UNDONE },
	{ "forget notes", "cancellations_forget", 2, end_cancelled, run_forget_notes,
	  count_forgotten_notes, UNDONE },
	{ "deregister", "process_goodbye process_deregister", 3, claim_two, run_deregister,
	  count_gone_and_ready },
	{ "bury", "process_find process_lose", 6, scene_put_dead, run_bury, count_dead,
	  .refused = 1 },
	{ "bury, retried and discarded", "process_lose", 6, put_dead_ending, run_bury_ending,
	  count_dead_and_ended, .refused = 1 },
	{ "prune", "process_stale process_lose", 6, scene_put_dead, run_prune, count_dead,
	  .refused = 1 },
	{ "prune, of other software", "others others_seen process_stale process_lose", 6,
	  put_dead_of_others, run_prune, count_dead_of_others, SEVERAL, .refused = 1 },
	{ "remember other software", "others others_seen", 1, see_others, run_remember,
	  count_others },
	{ "prune, the clock set back", "process_rewind", 1, beat_in_the_future, run_rewind,
	  count_rewound },
	{ "forget the gone", "gone_clear", 1, bury_long_ago, run_forget, count_forgotten },
	{ "forget a host", "gone_forget", 1, bury_one, run_forget_host, count_forgotten_host },
	{ "orphans", "orphans lose", 4, claim_and_vanish, run_orphans, count_lost },
	{ "orphans, retried and discarded", "lose", 4, put_ending_and_vanish, run_orphans_ending,
	  count_ended },
};

const struct verbs process_verbs = VERBS(verbs);
