/* A doctor mends rows torn apart, two jobs as the units, and says so in the audit trail. */
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

EFFECT(count_not_ready, scene_counted(scene, 2 - rows_of(scene->test, "ready_executions")))

static void leave_nowhere(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->db, "DELETE FROM solid_queue_ready_executions");
}

/* A clock that is a little behind takes a new job for a later one. */
EFFECT(count_somewhere, scene_counted(scene, rows_of(scene->test, "ready_executions") +
						     rows_of(scene->test, "scheduled_executions")))

static void schedule_the_ready(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	sql_do(scene, "INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, "
		      "priority, scheduled_at, created_at) SELECT job_id, queue_name, priority, "
		      "created_at, created_at FROM solid_queue_ready_executions");
}

EFFECT(count_not_scheduled, scene_counted(scene, 2 - rows_of(scene->test, "scheduled_executions")))

/* Jobs for later, whose times comparing does not understand. */
static void schedule_at_no_time(struct scene *scene)
{
	struct test_db *test = scene->test;

	for (int i = 0; i < 2; i++)
		put_for_later(test->db, "A", NULL);
	scene_begin_line(scene, "doctor");
	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", 0);
}

EFFECT(count_comparable, scene_counted(scene, 2 - torn_odd_times(scene->test)))

/* Ready beyond the limit of their key, with a third that is within it. */
static void make_too_many_ready(struct scene *scene)
{
	struct test_db *test = scene->test;

	put_blocked(test, 1, 3);
	scene_begin_line(scene, "doctor");
	unblock(test->db);
}

EFFECT(count_moved, scene_counted(scene, rows_of(scene->test, "scheduled_executions")))

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
