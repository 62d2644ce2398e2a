/* Enqueues a job of a recurring task at once, by hand. */
#include "common/clock.h"
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
	const struct db_value values[] = { DB_P_TEXT("class_name", run->job.class_name) };
	struct db_rows rows = { 0 };
	enum status status = db_query(run->db, run->arena, "limits_of", values, 1, &rows, error);

	if (status != STATUS_OK || rows.count == 0)
		return status;
	struct limit *list = arena_array(run->arena, rows.count, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++)
		list[i] = (struct limit){ .class_name = run->job.class_name,
					  .key = db_text(&rows, i, 0),
					  .group = db_text(&rows, i, 1) };
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

static enum status try_run(struct run *run, struct enqueued *result, struct error *error)
{
	const struct db_value values[] = {
		DB_P_TEXT("key", run->key),
		DB_P_TIME("run_at", run->job.run_at),
		DB_P_TEXT("target", arena_printf(run->arena, "task %s", run->key)),
		DB_P_TEXT("reason", run->note->reason),
		DB_P_TEXT("who", run->note->who),
		DB_P_TEXT("host", run->note->host),
	};
	const struct db_call trail = { .operation = "recurring_ran", .values = values, .count = 6 };

	return enqueue_with(run->db, &run->job, &trail, result, error);
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
