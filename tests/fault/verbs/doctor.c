/*
 * What a doctor mends: rows are torn apart first, and two jobs are the units. Each transaction says
 * in the audit trail what it mended.
 */
#include "tests/fault/scene.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

static enum status run_doctor(struct scene *scene, struct error *error)
{
	struct doctor doctor = { .db = scene->db,
				 .prune = { .threshold = CLOCK_HOUR,
					    .other_threshold = CLOCK_HOUR },
				 .policy = scene_policy,
				 .mend = true,
				 .audit = scene_line(scene) };
	enum status status = doctor_examine(&doctor, error);

	/* Nothing found after an unknown end: it was mended before. */
	if (!doctor_found(&doctor) && !scene->uncertain)
		scene->done = 0;
	return status;
}

static void finish_the_ready(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
}

static int64_t count_not_ready(struct scene *scene)
{
	return scene_counted(scene, 2 - rows_of(scene->test, "ready_executions"));
}

static void leave_nowhere(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->db, "DELETE FROM solid_queue_ready_executions");
}

/* A clock that is a little behind takes a new job for a later one. */
static int64_t count_somewhere(struct scene *scene)
{
	return scene_counted(scene, rows_of(scene->test, "ready_executions") +
					    rows_of(scene->test, "scheduled_executions"));
}

static void schedule_the_ready(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->db, "INSERT INTO solid_queue_scheduled_executions"
				" (job_id, queue_name, priority, scheduled_at, created_at)"
				" SELECT job_id, queue_name, priority, created_at, created_at"
				" FROM solid_queue_ready_executions");
}

static int64_t count_not_scheduled(struct scene *scene)
{
	return scene_counted(scene, 2 - rows_of(scene->test, "scheduled_executions"));
}

/* Jobs for later, whose times comparing does not understand. */
static void schedule_at_no_time(struct scene *scene)
{
	struct test_db *test = scene->test;
	const struct new_job later = { .class_name = "A", .delay = CLOCK_HOUR };

	for (int i = 0; i < 2; i++)
		put_job(test->db, &later);
	scene_begin_line(scene, "doctor");
	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", 0);
}

static int64_t count_comparable(struct scene *scene)
{
	return scene_counted(scene, 2 - torn_odd_times(scene->test));
}

/* Ready beyond the limit of their key, with a third that is within it. */
static void make_too_many_ready(struct scene *scene)
{
	struct test_db *test = scene->test;

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 3; i++)
		(void)put_limited(test, "Limited", "k");
	scene_begin_line(scene, "doctor");
	test_execute(test->db,
		     "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT job_id, queue_name, priority, created_at "
		     "FROM solid_queue_blocked_executions;"
		     "DELETE FROM solid_queue_blocked_executions;");
}

static int64_t count_moved(struct scene *scene)
{
	return scene_counted(scene, rows_of(scene->test, "scheduled_executions"));
}

static const struct verb verbs[] = {
	{ "mend strays", "doctor_executions mend_strays audit_add", 2, finish_the_ready, run_doctor,
	  count_not_ready, TORN },
	{ "mend nowhere", "doctor_jobs mend_nowhere audit_add", 2, leave_nowhere, run_doctor,
	  count_somewhere, TORN },
	{ "mend twice", "doctor_jobs mend_twice audit_add", 2, schedule_the_ready, run_doctor,
	  count_not_scheduled, TORN },
	{ "mend beyond", "doctor_strays doctor_beyond mend_beyond audit_add", 2,
	  make_too_many_ready, run_doctor, count_moved, TORN },
	{ "mend times", "doctor_times mend_times audit_add", 2, schedule_at_no_time, run_doctor,
	  count_comparable, TORN },
};

const struct verbs doctor_verbs = VERBS(verbs);
