/* What processes do with their own rows and those of the dead. */
#include "queue/processes/gone.h"
#include "queue/processes/shared.h"
#include "tests/fault/scene.h"

static void nothing(struct scene *scene)
{
	(void)scene;
}

/* register: after an unknown end the row is buried by its name first, as membership.c does */

static enum status run_register(struct scene *scene, struct db *db, int64_t *done,
				struct error *error)
{
	struct process_row row = { .kind = "Worker",
				   .name = "newcomer",
				   .pid = 1,
				   .hostname = "test",
				   .metadata = "{\"heartbeat_interval\":5}" };
	enum status status = STATUS_OK;
	struct loss_result result;

	if (scene->uncertain)
		status = process_bury(db, &(struct burial){ .name = row.name, .how = "" },
				      &scene_policy, &result, error);
	if (status == STATUS_OK || status == STATUS_NONE)
		status = process_register(db, &row, error);
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	*done = status == STATUS_OK;
	return status;
}

static int64_t count_newcomers(struct scene *scene)
{
	return scene_processes(scene, "newcomer");
}

/* heartbeat */

static enum status run_heartbeat(struct scene *scene, struct db *db, int64_t *done,
				 struct error *error)
{
	const struct process_row row = { .id = scene->victim,
					 .name = "victim",
					 .metadata = "{\"beaten\":true}" };
	enum status status = process_heartbeat(db, &row, error);

	*done = status == STATUS_OK;
	return status;
}

static int64_t count_beaten(struct scene *scene)
{
	struct error error = { 0 };
	struct process_row *rows;
	size_t count;
	int64_t beaten = 0;

	assert_ok(process_list(scene->test->db, scene->test->arena, &rows, &count, &error), &error);
	for (size_t i = 0; i < count; i++)
		beaten += strstr(rows[i].metadata, "beaten") != NULL;
	return beaten;
}

/* A process that goes gives two jobs back: its row and they are the units. */

static void claim_two(struct scene *scene)
{
	scene_claim(scene, 2, OUTCOME_RELEASED);
}

static int64_t count_gone_and_ready(struct scene *scene)
{
	return 1 - scene_processes(scene, "victim") + scene_count(scene, JOB_READY);
}

/* NONE after an unknown end: it was done before. */
static enum status gone(struct scene *scene, enum status status, int64_t released, int64_t *done)
{
	if (status == STATUS_OK)
		*done = 1 + released;
	else if (status == STATUS_NONE && scene->uncertain)
		*done = 3;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status run_deregister(struct scene *scene, struct db *db, int64_t *done,
				  struct error *error)
{
	int64_t released = 0;
	enum status status = process_deregister(db, scene->victim, &released, error);

	return gone(scene, status, released, done);
}

/*
 * One that dies loses two jobs: one is ready again, the other fails, and a loss is counted for
 * each. With its row, and the one that remembers it, these are six units.
 */

static int64_t count_lost(struct scene *scene)
{
	return scene_count(scene, JOB_READY) + scene_count(scene, JOB_FAILED) +
	       test_query_int(scene->test->url, "SELECT COALESCE(SUM(losses), 0) FROM dray_losses");
}

static int64_t count_remembered(struct scene *scene)
{
	return test_query_int(scene->test->url,
			      "SELECT count(*) FROM dray_gone WHERE name = 'dead'");
}

static int64_t count_dead(struct scene *scene)
{
	return 1 - scene_processes(scene, "dead") + count_lost(scene) + count_remembered(scene);
}

/* NONE and nothing found after an unknown end: it was done before. */
static enum status lost(struct scene *scene, enum status status, const struct loss_result *result,
			int64_t *done)
{
	int64_t jobs = result->released + result->failed;

	if (status == STATUS_OK && jobs > 0)
		*done = 2 * result->processes + 2 * jobs;
	else if (scene->uncertain)
		*done = scene->unit_count;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status run_bury(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result = { 0 };
	enum status status = process_bury(db, &burial, &scene_policy, &result, error);

	return lost(scene, status, &result, done);
}

static enum status run_prune(struct scene *scene, struct db *db, int64_t *done, struct error *error)
{
	const struct prune prune = { .self = scene->victim,
				     .threshold = CLOCK_MINUTE,
				     .other_threshold = CLOCK_HOUR };
	struct loss_result result = { 0 };
	enum status status = process_prune(db, &prune, &scene_policy, &result, error);

	return lost(scene, status, &result, done);
}

/*
 * Of other software it is remembered that it was here, before its row goes or with it: gone without
 * that is more than all.
 */

static void put_dead_of_others(struct scene *scene)
{
	scene_put_dead(scene);
	test_execute(scene->test->db,
		     "UPDATE solid_queue_processes SET metadata = '{}' WHERE name = 'dead'");
}

static int64_t count_others(struct scene *scene)
{
	return test_query_int(scene->test->url, "SELECT count(*) FROM dray_others");
}

static int64_t count_dead_of_others(struct scene *scene)
{
	int64_t dead = count_dead(scene);

	return dead > 0 && count_others(scene) == 0 ? scene->unit_count + 1 : dead;
}

static void see_others(struct scene *scene)
{
	scene->other = register_worker(scene->test->db, "dead");
	test_execute(scene->test->db,
		     "UPDATE solid_queue_processes SET metadata = NULL WHERE name = 'dead'");
}

static enum status run_remember(struct scene *scene, struct db *db, int64_t *done,
				struct error *error)
{
	enum status status = shared_remember(db, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

/* a clock that was set back: a heartbeat from the future counts as made now */

static void beat_in_the_future(struct scene *scene)
{
	scene->other = register_worker(scene->test->db, "dead");
	test_execute(scene->test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = "
				      "'2100-01-01 00:00:00' WHERE name = 'dead'");
}

static enum status run_rewind(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	const struct prune prune = { .self = scene->victim,
				     .threshold = CLOCK_MINUTE,
				     .other_threshold = CLOCK_HOUR };
	struct loss_result result = { 0 };
	enum status status = process_prune(db, &prune, &scene_policy, &result, error);

	*done = status == STATUS_OK;
	return status;
}

static int64_t count_rewound(struct scene *scene)
{
	return 1 - test_query_int(scene->test->url,
				  "SELECT COUNT(*) FROM solid_queue_processes"
				  " WHERE last_heartbeat_at = '2100-01-01 00:00:00'");
}

/* those that are long gone are forgotten */

static void bury_long_ago(struct scene *scene)
{
	const struct burial burial = { .name = "dead", .pid = 1, .how = "Killed." };
	struct loss_result result;
	struct error error = { 0 };

	scene_put_dead(scene);
	assert_ok(process_bury(scene->test->db, &burial, &scene_policy, &result, &error), &error);
	test_execute(scene->test->db, "UPDATE dray_gone SET gone_at = '2020-01-01 00:00:00'");
	assert_int_equal(count_remembered(scene), 1);
}

static enum status run_forget(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	bool more;
	enum status status = gone_clear(db, &more, error);

	(void)scene;
	*done = status == STATUS_OK;
	return status;
}

static int64_t count_forgotten(struct scene *scene)
{
	return 1 - count_remembered(scene);
}

/* claims whose process row has vanished */

static void claim_and_vanish(struct scene *scene)
{
	scene_put_dead(scene);
	test_execute(scene->test->db, "DELETE FROM solid_queue_processes WHERE name = 'dead'");
}

static enum status run_orphans(struct scene *scene, struct db *db, int64_t *done,
			       struct error *error)
{
	struct loss_result result = { 0 };
	enum status status = process_lose_orphans(db, &scene_policy, &result, error);

	return lost(scene, status, &result, done);
}

const struct verb process_verbs[] = {
	{ .name = "register",
	  .scripts = { "process_register" },
	  .units = 1,
	  .set_up = nothing,
	  .run = run_register,
	  .effect = count_newcomers },
	{ .name = "heartbeat",
	  .scripts = { "process_heartbeat" },
	  .units = 1,
	  .undone = true,
	  .set_up = nothing,
	  .run = run_heartbeat,
	  .effect = count_beaten },
	{ .name = "deregister",
	  .scripts = { "process_deregister" },
	  .units = 3,
	  .set_up = claim_two,
	  .run = run_deregister,
	  .effect = count_gone_and_ready },
	{ .name = "bury",
	  .scripts = { "process_find", "process_lose" },
	  .units = 6,
	  .set_up = scene_put_dead,
	  .run = run_bury,
	  .effect = count_dead },
	{ .name = "prune",
	  .scripts = { "process_stale", "process_lose" },
	  .units = 6,
	  .set_up = scene_put_dead,
	  .run = run_prune,
	  .effect = count_dead },
	{ .name = "prune, of other software",
	  .scripts = { "others", "others_seen", "process_stale", "process_lose" },
	  .units = 6,
	  .several = true,
	  .set_up = put_dead_of_others,
	  .run = run_prune,
	  .effect = count_dead_of_others },
	{ .name = "remember other software",
	  .scripts = { "others", "others_seen" },
	  .units = 1,
	  .set_up = see_others,
	  .run = run_remember,
	  .effect = count_others },
	{ .name = "prune, the clock set back",
	  .scripts = { "process_rewind" },
	  .units = 1,
	  .set_up = beat_in_the_future,
	  .run = run_rewind,
	  .effect = count_rewound },
	{ .name = "forget the gone",
	  .scripts = { "gone_clear" },
	  .units = 1,
	  .set_up = bury_long_ago,
	  .run = run_forget,
	  .effect = count_forgotten },
	{ .name = "orphans",
	  .scripts = { "orphans", "lose" },
	  .units = 4,
	  .set_up = claim_and_vanish,
	  .run = run_orphans,
	  .effect = count_lost },
};

const size_t process_verb_count = sizeof(process_verbs) / sizeof(process_verbs[0]);
