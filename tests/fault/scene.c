#include "tests/fault/scene.h"

#include "queue/manage/audit.h"
#include "queue/settle/settle.h"
#include "tests/support/sites/rails.h"

const struct loss_policy scene_policy = { .max_losses = 3, .keep_attempts = 20 };

const char scene_silence[] = "UPDATE solid_queue_processes SET last_heartbeat_at = "
			     "'2020-01-01 00:00:00' WHERE name = 'dead'";

enum status scene_enqueue(struct scene *scene, const struct new_job jobs[3], struct error *error)
{
	enum status status = STATUS_NONE;

	if (scene->uncertain)
		status = enqueue_resolve(scene->db, scene->enqueued, 3, error);
	if (status == STATUS_NONE)
		status = enqueue(scene->db, jobs, 3, scene->enqueued, error);
	scene->uncertain = status == STATUS_UNCERTAIN;
	scene->done = 0;
	for (size_t i = 0; i < 3; i++)
		scene->done += scene->enqueued[i].id > 0;
	return status;
}

void scene_put_due(struct scene *scene, const struct new_job *job)
{
	struct new_job later = *job;

	later.delay = CLOCK_HOUR;
	for (int i = 0; i < 3; i++)
		put_job(scene->db, &later);
	test_execute(scene->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = "
				"'2020-01-01 00:00:00'");
}

/* Rows that a lost transaction still holds are left out and come with the next poll. */
enum status scene_dispatch(struct scene *scene, struct error *error)
{
	int64_t deadline = clock_monotonic() + scene->patience;
	struct queue_row *queues;
	size_t count;

	do {
		int64_t moved;
		enum status status =
			dispatch(scene->db, &(struct dispatching){ 0 }, 10, &moved, error);
		if (status == STATUS_OK)
			status = queue_list(scene->db, scene->test->arena, &queues, &count, error);
		if (status != STATUS_OK)
			return status;
		scene->done =
			count > 0 ? queues[0].counts[JOB_READY] + queues[0].counts[JOB_BLOCKED] : 0;
	} while (scene->done < scene->verb->units && clock_monotonic() < deadline);
	return STATUS_OK;
}

void scene_end(struct scene *scene, size_t count, enum outcome_kind kind)
{
	scene_put(scene, count);
	const struct claim *claims = take_all(scene->test, scene->victim, count);
	for (size_t i = 0; i < count; i++)
		assert_true(settle_one(scene->db, &claims[i], kind));
}

void scene_put(struct scene *scene, size_t count)
{
	const struct new_job job = { .class_name = "Test", .queue = "a" };
	const struct new_job jobs[SCENE_UNITS] = { job, job, job, job };
	struct enqueued results[SCENE_UNITS];

	must(enqueue, scene->test->db, jobs, count, results);
	for (size_t i = 0; i < count; i++)
		scene->jobs[i] = results[i].id;
}

void scene_claim(struct scene *scene, size_t count, enum outcome_kind kind)
{
	scene_put(scene, count);
	const struct claim *claims = take_all(scene->test, scene->victim, count);
	for (size_t i = 0; i < count; i++)
		scene->outcomes[i] =
			(struct outcome){ .claim = claim_name(&claims[i]),
					  .kind = kind,
					  .error = outcome_rules[kind].in_history ? test_failure
										  : NULL };
	scene->outcome_count = count;
}

void scene_note_cancelled(struct scene *scene)
{
	sql_do(scene->test, "INSERT INTO dray_cancellations (job_id, claim_id, process_id, "
			    "requested_at, requested_by) SELECT job_id, id, process_id, "
			    "created_at, 'ann@web' FROM solid_queue_claimed_executions");
}

void scene_put_dead(struct scene *scene)
{
	struct db *db = scene->test->db;

	declare_losses(db, "Brittle", 0);
	scene->jobs[0] = put(db, "a", 0);
	scene->jobs[1] = put_job(db, &(struct new_job){ .class_name = "Brittle", .queue = "a" });
	scene->other = register_worker(db, "dead");
	take_all(scene->test, scene->other, 2);
	test_execute(db, scene_silence);
}

int64_t scene_count(struct scene *scene, enum job_state state)
{
	const struct job_filter filter = { .has_state = true, .state = state };
	struct job *jobs;
	size_t count;

	must(job_list, scene->test->db, scene->test->arena, &filter, &jobs, &count);
	return (int64_t)count;
}

int64_t count_ready(struct scene *scene)
{
	return scene_count(scene, JOB_READY);
}

int64_t count_finished(struct scene *scene)
{
	return scene_count(scene, JOB_FINISHED);
}

int64_t count_failed(struct scene *scene)
{
	return scene_count(scene, JOB_FAILED);
}

int64_t count_missing(struct scene *scene)
{
	int64_t missing = 0;

	for (size_t i = 0; i < SCENE_UNITS && scene->jobs[i] > 0; i++)
		missing += state_of(scene->test, scene->jobs[i]) == JOB_STATES;
	return missing;
}

int64_t scene_processes(struct scene *scene, const char *name)
{
	struct process_row *rows;
	size_t count;
	int64_t found = 0;

	must(process_list, scene->test->db, scene->test->arena, &rows, &count);
	for (size_t i = 0; i < count; i++)
		found += strcmp(rows[i].name, name) == 0;
	return found;
}

void scene_begin_line(struct scene *scene, const char *action)
{
	struct audit line = { .action = action, .target = "jobs", .who = "alice" };

	must(audit_begin, scene->test->db, &line);
}

int64_t scene_line(struct scene *scene)
{
	return test_query_int(scene->test->url, "SELECT max(id) FROM dray_audit");
}

int64_t scene_line_count(struct scene *scene)
{
	return test_query_int(scene->test->url, "SELECT max(count) FROM dray_audit");
}

int64_t scene_counted(struct scene *scene, int64_t there)
{
	assert_int_equal(scene_line_count(scene), there);
	return there;
}

void scene_batch(struct scene *scene)
{
	struct test_db *test = scene->test;
	bool there;

	must(batches_look, test->db, &there);
	if (!there)
		test_rails_batches(test);
	test_execute(test->db, "DELETE FROM solid_queue_batches");
	test_rails_batch(test);
}
