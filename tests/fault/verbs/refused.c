/* Jobs that the database refuses are set aside, and others are moved by their numbers. */
#include "queue/refused/refused.h"
#include "db/operations.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"

/* For later: what is ready is finished in the end. */
static void put_one(struct scene *scene)
{
	scene->jobs[0] = put_for_later(scene->db, "Test", NULL);
}

static enum status run_refuse(struct scene *scene, struct error *error)
{
	const struct error why = { .text = "not this one" };
	struct refused refused = { .job = scene->jobs[0], .doing = "claim", .why = &why };

	return refused_job(scene->db, &refused, error);
}

static int64_t count_kind(struct scene *scene, const char *kind)
{
	return test_query_int(scene->test->url,
			      arena_printf(scene->test->arena,
					   "SELECT count(*) FROM dray_pauses WHERE kind = '%s'",
					   kind));
}

EFFECT(count_refused, count_kind(scene, "refused"))

static void put_refused(struct scene *scene)
{
	put_one(scene);
	must(run_refuse, scene);
	test_execute(scene->db, "UPDATE dray_pauses SET ends_at = '2026-01-01 00:00:00'");
}

static enum status run_end(struct scene *scene, struct error *error)
{
	const char *name = arena_printf(scene->test->arena, "%" PRId64, scene->jobs[0]);

	return db_query(scene->db, scene->test->arena, DB_CALL(refused_end, .name = P_TEXT(name)),
			NULL, error);
}

EFFECT(count_ended, 1 - count_refused(scene))
RUN(run_sweep, refused_sweep(scene->db, error))

static void put_waiting(struct scene *scene)
{
	declare(scene->test, "Limited", 1, LIMIT_BLOCK);
	put_limited(scene->test, "Limited", "k");
	scene->jobs[0] = put_limited(scene->test, "Limited", "k");
}

static enum status run_aside(struct scene *scene, struct error *error)
{
	struct db_rows rows;
	const enum status status =
		db_query(scene->db, scene->test->arena,
			 DB_CALL(blocked_aside, .job_id = P_INT(scene->jobs[0]),
				 .scheduled_at = P_TIME(db_now(scene->db) + CLOCK_HOUR),
				 .now = P_TIME(db_now(scene->db))),
			 &rows, error);

	return status == STATUS_NONE ? STATUS_OK : status;
}

EFFECT(count_scheduled, scene_count(scene, JOB_SCHEDULED))

static void put_due(struct scene *scene)
{
	scene_put_due(scene, &(struct new_job){ .class_name = "Test", .queue = "a" });
}

static enum status run_dispatch(struct scene *scene, struct error *error)
{
	struct dispatching how = { .apart_until = CLOCK_NEVER };
	int64_t moved;

	return dispatch(scene->db, &how, 10, &moved, error);
}

static enum status run_forget(struct scene *scene, struct error *error)
{
	enum status status = process_forget(scene->db, scene->other, 0, error);

	return status == STATUS_NONE ? STATUS_OK : status;
}

SET_UP(put_finished, scene_end(scene, 3, OUTCOME_FINISHED))

/* As clearing does where the database has refused a batch. */
static enum status run_clear(struct scene *scene, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(scene->db, scene->test->arena,
			 DB_CALL(clear_next, .before = P_TIME(db_now(scene->db) + CLOCK_DAY),
				 .class_name = P_NULL, .queue = P_NULL, .limit = P_INT(3)),
			 &rows, error);

	if (status != STATUS_OK)
		return status;
	return db_query(scene->db, scene->test->arena,
			DB_CALL(clear_jobs, .jobs = P_IDS(scene->jobs, 3), .audit = P_NULL), NULL,
			error);
}

EFFECT(count_forgotten, 1 - scene_processes(scene, "dead"))

static const struct verb verbs[] = {
	{ "set a job aside", "refuse", 1, put_one, run_refuse, count_refused, 0, NULL, NULL },
	{ "refuse it no more", "refused_end", 1, put_refused, run_end, count_ended, 0, NULL, NULL },
	{ "let it be tried", "refused_over", 1, put_refused, run_sweep, count_ended, 0, NULL,
	  NULL },
	{ "leave a blocked job", "blocked_aside", 1, put_waiting, run_aside, count_scheduled, 0,
	  NULL, NULL },
	{ "dispatch by number", "dispatch_jobs", 3, put_due, run_dispatch, count_ready, 0, NULL,
	  NULL },
	{ "clear by number", "clear_next clear_jobs", 3, put_finished, run_clear, count_missing,
	  SEVERAL, NULL, NULL },
	{ "forget a process", "process_forget", 1, scene_put_dead, run_forget, count_forgotten,
	  TORN, NULL, NULL },
};

const struct verbs refused_verbs = VERBS(verbs);
