/*
 * What people do to tasks while schedulers run.
 *
 * A change reads the task, lets the caller edit it, checks it, and writes it guarded by the time of
 * the last change: the second of two begins again. Nobody is told: a scheduler looks, and the
 * transaction that would enqueue an occurrence compares it with the time of the change, so what was
 * changed holds from then on, however late a scheduler learns of it.
 */
#include "queue/recurring/task.h"

#include <string.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/limits/limits.h"

/* Add, change, remove, pause, resume. */

#define ATTEMPTS 10 /* to change a task that others are changing */

static const char *target(struct arena *arena, const char *key)
{
	return arena_printf(arena, "task %s", key);
}

static struct db_value priority_of(const struct recurring_task *task)
{
	return task->has_priority ? P_INT(task->priority) : P_NULL;
}

/* Only a process with the task's file knows more. */
static enum status not_dynamic(const struct recurring_row *row, struct error *error)
{
	if (!row->ours)
		return error_set(error, STATUS_INVALID,
				 "%s comes from the recurring.yml of a Rails application: change "
				 "it there",
				 row->task.key);
	return error_set(error, STATUS_INVALID, "%s comes from %s: change it there", row->task.key,
			 row->task.options.file ? row->task.options.file : "recurring.yml");
}

enum status recurring_changeable(const struct recurring_row *row, struct error *error)
{
	if (row->is_static)
		return not_dynamic(row, error);
	if (!row->ours)
		return error_set(error, STATUS_INVALID,
				 "%s was added by a Rails application: change it there",
				 row->task.key);
	return STATUS_OK;
}

enum status recurring_pausable(const struct recurring_row *row, struct error *error)
{
	if (row->ours)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "%s is a task of a Rails application alone, whose schedulers heed no "
			 "pause: dray can neither pause nor resume it",
			 row->task.key);
}

/* Why it is not our task: there is none of this key, or Rails has added it. */
static enum status refuse_foreign(struct db *db, struct arena *arena, const char *key,
				  struct recurring_row *row, struct error *error)
{
	enum status status = recurring_find(db, arena, key, row, error);

	return status == STATUS_OK ? recurring_pausable(row, error) : status;
}

static enum status taken(struct db *db, struct arena *arena, const char *key, struct error *error)
{
	struct recurring_row row;
	enum status status = recurring_find(db, arena, key, &row, error);

	if (status == STATUS_NONE)
		return error_set(error, STATUS_RETRY, "a task called %.255s was just removed", key);
	if (status != STATUS_OK)
		return status;
	if (row.is_static)
		return error_set(error, STATUS_CONFLICT, "there is a task called %s already, in %s",
				 row.task.key,
				 row.task.options.file ? row.task.options.file : "a recurring.yml");
	return error_set(error, STATUS_CONFLICT, "there is a task called %s already", row.task.key);
}

static enum status insert(struct db *db, struct arena *arena, const struct recurring_task *task,
			  const struct pause_note *note, struct error *error)
{
	return db_query(
		db, arena,
		DB_CALL(recurring_add, .key = P_TEXT(task->key), .schedule = P_TEXT(task->schedule),
			.rails = P_TEXT(recurring_in_rails(task)),
			.settings = P_TEXT(recurring_options_write(arena, &task->options)),
			.class_name = P_TEXT(task->class_name),
			.arguments = P_TEXT(task->arguments), .queue_name = P_TEXT(task->queue),
			.priority = priority_of(task), .description = P_TEXT(task->description),
			.target = P_TEXT(target(arena, task->key)), .reason = P_TEXT(note->reason),
			.who = P_TEXT(note->who), .host = P_TEXT(note->host),
			.now = P_TIME(db_now(db))),
		NULL, error);
}

/* Checks a task, and sets the schedule that Rails is to read. */
static enum status check(struct arena *arena, struct recurring_task *task, struct error *error)
{
	const struct recurring_reading reading = { .zones = zones_new(arena, NULL) };
	struct recurring_timing timing;
	enum status status = recurring_check(arena, &reading, task, &timing, error);

	if (status == STATUS_OK)
		recurring_rails_dynamic(arena, timing.timer, reading.zones, task);
	return status;
}

enum status recurring_add(struct db *db, const struct recurring_task *task,
			  const struct pause_note *note, struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_task checked = *task;
	enum status status = check(arena, &checked, error);

	if (status == STATUS_OK)
		status = insert(db, arena, &checked, note, error);
	if (status == STATUS_CONFLICT)
		status = taken(db, arena, task->key, error);
	arena_free(arena);
	return status;
}

/* Has the schedule the same occurrences as before? Then missed ones still count. */
static bool same_occurrences(const struct recurring_task *before,
			     const struct recurring_task *after)
{
	bool same = text_same(before->schedule, after->schedule) &&
		    before->options.disabled == after->options.disabled;

	for (enum task_key_id id = 0; id < TASK_KEYS && same; id++)
		same = !task_keys[id].moves ||
		       text_same(recurring_option_text(&before->options, id),
				 recurring_option_text(&after->options, id));
	return same;
}

static enum status update(struct db *db, struct arena *arena, const struct recurring_row *row,
			  const struct recurring_task *task, const struct pause_note *note,
			  struct error *error)
{
	int64_t now = db_now(db);
	struct db_call call = DB_CALL(
		recurring_change, .key = P_TEXT(row->task.key), .seen = P_TIME(row->updated_at),
		.since = P_TIME(same_occurrences(&row->task, task) ? row->since : now),
		.schedule = P_TEXT(task->schedule), .rails = P_TEXT(recurring_in_rails(task)),
		.settings = P_TEXT(recurring_options_write(arena, &task->options)),
		.class_name = P_TEXT(task->class_name), .arguments = P_TEXT(task->arguments),
		.queue_name = P_TEXT(task->queue), .priority = priority_of(task),
		.description = P_TEXT(task->description),
		.target = P_TEXT(target(arena, row->task.key)), .reason = P_TEXT(note->reason),
		.who = P_TEXT(note->who), .host = P_TEXT(note->host), .now = P_TIME(now));

	if (row->task.own)
		call.operation = DB_LIKE(recurring_change_own, recurring_change);
	return db_query(db, arena, call, NULL, error);
}

struct change {
	const char *key;
	recurring_edit *edit;
	void *input;
	const struct pause_note *note;
};

/* NONE with *again: the task was changed by others meanwhile. */
static enum status try_change(struct db *db, struct arena *arena, const struct change *change,
			      bool *again, struct error *error)
{
	struct recurring_row row;
	enum status status = recurring_find(db, arena, change->key, &row, error);

	*again = false;
	if (status == STATUS_OK)
		status = recurring_changeable(&row, error);
	if (status != STATUS_OK)
		return status;
	struct recurring_task task = row.task;
	if (change->edit)
		status = change->edit(arena, &task, change->input, error);
	task.key = row.task.key;
	if (status == STATUS_OK)
		status = check(arena, &task, error);
	if (status != STATUS_OK)
		return status;
	status = update(db, arena, &row, &task, change->note, error);
	*again = status == STATUS_NONE;
	return status;
}

enum status recurring_change(struct db *db, const char *key, recurring_edit *edit, void *input,
			     const struct pause_note *note, struct error *error)
{
	const struct change change = { .key = key, .edit = edit, .input = input, .note = note };
	struct arena *arena = arena_new();
	enum status status = STATUS_NONE;
	bool again = true;

	for (int i = 0; i < ATTEMPTS && again; i++) {
		arena_clear(arena);
		status = try_change(db, arena, &change, &again, error);
	}
	arena_free(arena);
	return again ? error_set(error, STATUS_RETRY, "others are changing %.255s", key) : status;
}

/* An operation that needs only the task's key. */
struct act {
	const char *operation;
	const char *key;
	const struct pause_note *note;
};

static enum status act(struct db *db, struct arena *arena, struct act act, struct db_rows *rows,
		       struct error *error)
{
	struct db_call call = DB_CALL(
		recurring_remove, .key = P_TEXT(act.key), .target = P_TEXT(target(arena, act.key)),
		.reason = P_TEXT(act.note->reason), .who = P_TEXT(act.note->who),
		.host = P_TEXT(act.note->host), .now = P_TIME(db_now(db)));

	call.operation = act.operation;
	return db_query(db, arena, call, rows, error);
}

enum status recurring_remove(struct db *db, const char *key, const struct pause_note *note,
			     struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_row row;
	enum status status =
		act(db, arena, (struct act){ "recurring_remove", key, note }, NULL, error);

	if (status == STATUS_NONE)
		status = act(
			db, arena,
			(struct act){ DB_LIKE(recurring_remove_own, recurring_remove), key, note },
			NULL, error);
	if (status == STATUS_NONE)
		status = recurring_find(db, arena, key, &row, error) == STATUS_OK
				 ? not_dynamic(&row, error)
				 : STATUS_NONE;
	arena_free(arena);
	return status;
}

enum status recurring_pause(struct db *db, const char *key, const struct pause_note *note,
			    bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_row row;
	struct db_rows rows = { 0 };
	enum status status = act(
		db, arena, (struct act){ DB_LIKE(recurring_pause, recurring_remove), key, note },
		&rows, error);

	if (status == STATUS_OK)
		*changed = db_int(&rows, 0, RECURRING_PAUSE_CHANGED) != 0;
	if (status == STATUS_NONE) {
		status = refuse_foreign(db, arena, key, &row, error);
		if (status == STATUS_OK)
			status = error_set(error, STATUS_RETRY, "%.255s was just added", key);
	}
	arena_free(arena);
	return status;
}

enum status recurring_resume(struct db *db, const char *key, const struct pause_note *note,
			     bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_row row;
	enum status status = act(
		db, arena, (struct act){ DB_LIKE(recurring_resume, recurring_remove), key, note },
		NULL, error);

	*changed = status == STATUS_OK;
	if (status == STATUS_NONE)
		status = refuse_foreign(db, arena, key, &row, error);
	arena_free(arena);
	return status;
}

/* Run by hand. */

#define RUN_ATTEMPTS 5

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
	return limit_keys(run->arena, list, rows.count, &run->job, NULL, error);
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
	job->timeout = row->task.options.timeout;
	job->task_key = task->key;
	job->outcome = "manual";
	enum status status = recurring_arguments(run->arena, task->arguments, &job->array, error);
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

	for (int i = 0; i < RUN_ATTEMPTS; i++) {
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

/* Tasks whose row for Rails is not as dray writes it: somebody has changed it in Rails. */

/* Is the row for Rails as this version writes it? A task that dray cannot read is left alone. */
static bool is_right(struct arena *arena, struct zones *zones, const struct recurring_task *task)
{
	const struct recurring_reading reading = { .zones = zones };
	struct recurring_task wanted = *task;
	struct recurring_timing timing;

	if (recurring_options_read(arena, task->settings, &wanted.options, NULL) != STATUS_OK ||
	    recurring_check(arena, &reading, &wanted, &timing, NULL) != STATUS_OK)
		return true;
	recurring_rails_dynamic(arena, timing.timer, zones, &wanted);
	if (wanted.own || task->own)
		return wanted.own == task->own;
	return strcmp(wanted.rails, task->rails) == 0;
}

/* Others may have removed it, or taken it over, meanwhile. */
static enum status mend(struct db *db, const char *key, const struct pause_note *note,
			size_t *mended, struct error *error)
{
	enum status status = recurring_change(db, key, NULL, NULL, note, error);

	if (status == STATUS_OK)
		++*mended;
	return status == STATUS_NONE || status == STATUS_INVALID ? STATUS_OK : status;
}

enum status recurring_mend(struct db *db, size_t *mended, struct error *error)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	struct pause_note note;
	struct arena *arena = arena_new();
	struct zones *zones = zones_new(arena, NULL);
	struct recurring_changes changes;
	enum status status = recurring_changes(db, arena, true, &changes, error);

	*mended = 0;
	pause_note_init(&note, who, host);
	note.reason = "what Rails reads of it was not what dray writes";
	for (size_t i = 0; status == STATUS_OK && i < changes.dynamic_count; i++) {
		const struct recurring_row *dynamic = &changes.dynamic[i];
		if (dynamic->since > 0 && !is_right(arena, zones, &dynamic->task))
			status = mend(db, dynamic->task.key, &note, mended, error);
	}
	arena_free(arena);
	return status;
}
