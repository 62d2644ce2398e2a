/* Enqueues a job of a recurring task at once, by hand. */
#include "common/clock.h"
#include "db/operations.h"
#include "queue/limits/limits.h"
#include "queue/recurring/task.h"

#define ATTEMPTS 5

#define COMMAND_CLASS "recurring:" /* the prefix of its name in a configuration */

struct run {
	struct db *db;
	struct arena *arena;
	const char *key;
	const struct pause_note *note;
	struct new_job job;
};

const char *recurring_class(struct arena *arena, const struct recurring_task *task)
{
	return task->class_name ? task->class_name
				: arena_printf(arena, COMMAND_CLASS "%s", task->key);
}

/* Its concurrency keys, by the limits that the database has for its class. */
static enum status add_keys(struct run *run, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(run->db, run->arena,
				      DB_CALL(limits_of, .class_name = P_TEXT(run->job.class_name)),
				      &rows, error);

	if (status != STATUS_OK || rows.count == 0)
		return status;
	struct limit *list = arena_array(run->arena, rows.count, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++)
		list[i] = (struct limit){ .class_name = run->job.class_name,
					  .key = db_text(&rows, i, LIMITS_OF_KEY_TEMPLATE),
					  .group = db_text(&rows, i, LIMITS_OF_GROUP_NAME) };
	return limit_keys(run->arena, list, rows.count, &run->job, error);
}

static enum status make_job(struct run *run, const struct recurring_row *row,
			    const struct new_job *defaults, struct error *error)
{
	const struct recurring_task *task = &row->task;
	struct new_job *job = &run->job;

	if (!row->ours && !task->class_name)
		return error_set(
			error, STATUS_INVALID,
			"%s is Ruby source of a Rails application, which dray does not run",
			task->key);
	if (defaults)
		*job = (struct new_job){ .queue = defaults->queue,
					 .has_priority = defaults->has_priority,
					 .priority = defaults->priority };
	job->class_name = recurring_class(run->arena, task);
	job->queue = recurring_queue(task, job->queue);
	job->has_priority = task->has_priority || job->has_priority;
	job->priority = task->has_priority ? task->priority : job->priority;
	job->timeout = row->options.timeout;
	job->task_key = task->key;
	job->outcome = "manual";
	enum status status =
		recurring_arguments(run->arena, task->arguments, &job->arguments, error);
	return status == STATUS_OK ? add_keys(run, error) : status;
}

/* Never a whole second: those are what schedules name. */
static int64_t time_by_hand(struct db *db)
{
	int64_t now = db_now(db);

	return now % CLOCK_SECOND == 0 ? now + 1 : now;
}

/* The task's memory of the run, and the trail. */
static void add_trail(void *data, int64_t now, struct db_calls *calls)
{
	const struct run *run = data;

	db_calls_add(calls,
		     DB_CALL(recurring_ran, .key = P_TEXT(run->key),
			     .run_at = P_TIME(run->job.run_at),
			     .target = P_TEXT(arena_printf(run->arena, "task %s", run->key)),
			     .reason = P_TEXT(run->note->reason), .who = P_TEXT(run->note->who),
			     .host = P_TEXT(run->note->host), .now = P_TIME(now)));
}

static enum status try_run(struct run *run, struct enqueued *result, struct error *error)
{
	return enqueue_with(run->db, &run->job, add_trail, run, result, error);
}

/* It was enqueued by the attempt whose commit was uncertain. */
static enum status take_earlier(const struct run *run, struct enqueued *result, struct error *error)
{
	struct recurring_run *list = NULL;
	size_t count = 0;
	const struct recurring_page page = { run->key, run->job.run_at + 1, 1 };
	enum status status = recurring_history(run->db, run->arena, &page, &list, &count, error);

	if (status == STATUS_OK && count > 0 && list[0].run_at == run->job.run_at)
		*result = (struct enqueued){ .id = list[0].job_id };
	return status;
}

/*
 * Tries with the same time until the outcome is known. If an uncertain commit has succeeded, the
 * time is taken, so no second job is enqueued.
 */
static enum status enqueue_once(struct run *run, struct enqueued *result, struct error *error)
{
	enum status status = STATUS_UNCERTAIN;
	bool uncertain = false;

	for (int i = 0; i < ATTEMPTS; i++) {
		status = try_run(run, result, error);
		uncertain |= status == STATUS_UNCERTAIN;
		if (status == STATUS_OK && result->repeated && uncertain)
			return take_earlier(run, result, error);
		if (status == STATUS_OK && result->repeated)
			run->job.run_at = time_by_hand(run->db); /* somebody else's, then */
		else if (status != STATUS_UNCERTAIN)
			return status;
	}
	return status == STATUS_OK
		       ? error_set(error, STATUS_RETRY, "others are running %.255s", run->key)
		       : status;
}

enum status recurring_run_now(struct db *db, const char *key, const struct new_job *defaults,
			      const struct pause_note *note, struct recurring_ran *ran,
			      struct error *error)
{
	struct run run = { .db = db, .arena = arena_new(), .key = key, .note = note };
	struct recurring_row row;
	enum status status = recurring_find(db, run.arena, key, &row, error);

	if (status == STATUS_OK)
		status = make_job(&run, &row, defaults, error);
	if (status == STATUS_OK) {
		run.key = row.task.key;
		run.job.run_at = time_by_hand(db);
		status = enqueue_once(&run, &ran->job, error);
		ran->run_at = run.job.run_at;
	}
	arena_free(run.arena);
	return status;
}
