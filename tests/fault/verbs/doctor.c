/*
 * What a doctor mends: rows are torn apart first, and two jobs are the units. Each transaction says
 * in the audit trail what it mended.
 */
#include "queue/doctor/doctor.h"
#include "tests/fault/scene.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

static enum status run_doctor(struct scene *scene, struct db *db, int64_t *done,
			      struct error *error)
{
	struct doctor doctor = { .db = db,
				 .prune = { .threshold = CLOCK_HOUR,
					    .other_threshold = CLOCK_HOUR },
				 .policy = scene_policy,
				 .mend = true,
				 .audit = scene_line(scene) };
	enum status status = doctor_examine(&doctor, error);

	/* Nothing found after an unknown end: it was mended before. */
	if (status == STATUS_OK && (doctor_found(&doctor) || scene->uncertain))
		*done = scene->unit_count;
	scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
	return status;
}

static void finish_the_ready(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
}

static int64_t count_not_ready(struct scene *scene)
{
	return scene_counted(scene, 2 - rows_of(scene->test, "ready_executions"));
}

static void leave_nowhere(struct scene *scene)
{
	scene_put(scene, 2);
	scene_begin_line(scene, "doctor");
	test_execute(scene->test->db, "DELETE FROM solid_queue_ready_executions");
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
	test_execute(scene->test->db, "INSERT INTO solid_queue_scheduled_executions"
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

const struct verb doctor_verbs[] = {
	{ .name = "mend strays",
	  .scripts = { "doctor_executions", "mend_strays", "audit_add" },
	  .units = 2,
	  .torn = true,
	  .set_up = finish_the_ready,
	  .run = run_doctor,
	  .effect = count_not_ready },
	{ .name = "mend nowhere",
	  .scripts = { "doctor_jobs", "mend_nowhere", "audit_add" },
	  .units = 2,
	  .torn = true,
	  .set_up = leave_nowhere,
	  .run = run_doctor,
	  .effect = count_somewhere },
	{ .name = "mend twice",
	  .scripts = { "doctor_jobs", "mend_twice", "audit_add" },
	  .units = 2,
	  .torn = true,
	  .set_up = schedule_the_ready,
	  .run = run_doctor,
	  .effect = count_not_scheduled },
	{ .name = "mend beyond",
	  .scripts = { "doctor_strays", "doctor_beyond", "mend_beyond", "audit_add" },
	  .units = 2,
	  .torn = true,
	  .set_up = make_too_many_ready,
	  .run = run_doctor,
	  .effect = count_moved },
	{ .name = "mend times",
	  .scripts = { "doctor_times", "mend_times", "audit_add" },
	  .units = 2,
	  .torn = true,
	  .set_up = schedule_at_no_time,
	  .run = run_doctor,
	  .effect = count_comparable },
};

const size_t doctor_verb_count = sizeof(doctor_verbs) / sizeof(doctor_verbs[0]);
