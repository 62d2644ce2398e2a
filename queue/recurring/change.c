/* Add, change, remove, pause and resume recurring tasks. */
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/recurring/task.h"

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
			 row->options.file ? row->options.file : "recurring.yml");
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
				 row.options.file ? row.options.file : "a recurring.yml");
	return error_set(error, STATUS_CONFLICT, "there is a task called %s already", row.task.key);
}

static enum status insert(struct db *db, struct arena *arena, const struct recurring_task *task,
			  const char *settings, const struct pause_note *note, struct error *error)
{
	return db_query(
		db, arena,
		DB_CALL(recurring_add, .key = P_TEXT(task->key), .schedule = P_TEXT(task->schedule),
			.rails = P_TEXT(recurring_in_rails(task)), .settings = P_TEXT(settings),
			.class_name = P_TEXT(task->class_name),
			.arguments = P_TEXT(task->arguments), .queue_name = P_TEXT(task->queue),
			.priority = priority_of(task), .description = P_TEXT(task->description),
			.target = P_TEXT(target(arena, task->key)), .reason = P_TEXT(note->reason),
			.who = P_TEXT(note->who), .host = P_TEXT(note->host),
			.now = P_TIME(db_now(db))),
		NULL, error);
}

/* Checks a task, and sets the schedule that Rails is to read. */
static enum status check(struct arena *arena, struct recurring_task *task,
			 const struct recurring_options *options, struct error *error)
{
	const struct recurring_reading reading = { .zones = zones_new(arena, NULL) };
	struct recurring_timing timing;
	enum status status = recurring_check(arena, &reading, task, options, &timing, error);

	if (status == STATUS_OK)
		recurring_rails_dynamic(arena, timing.timer, reading.zones, task);
	return status;
}

enum status recurring_add(struct db *db, const struct recurring_task *task,
			  const struct recurring_options *options, const struct pause_note *note,
			  struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_task checked = *task;
	enum status status = check(arena, &checked, options, error);

	if (status == STATUS_OK)
		status = insert(db, arena, &checked, recurring_options_write(arena, options), note,
				error);
	if (status == STATUS_CONFLICT)
		status = taken(db, arena, task->key, error);
	arena_free(arena);
	return status;
}

/* Has the schedule the same occurrences as before? Then missed ones still count. */
static bool same_occurrences(const struct recurring_row *row, const struct recurring_task *task,
			     const struct recurring_options *options)
{
	const struct recurring_options *before = &row->options;

	bool same = text_same(row->task.schedule, task->schedule) &&
		    before->disabled == options->disabled;

	for (enum task_key_id id = 0; id < TASK_KEYS && same; id++)
		same = !task_keys[id].moves || text_same(recurring_option_text(before, id),
							 recurring_option_text(options, id));
	return same;
}

/* The task after the change. */
struct plan {
	struct recurring_task task;
	struct recurring_options options;
	const struct pause_note *note;
};

static enum status update(struct db *db, struct arena *arena, const struct recurring_row *row,
			  const struct plan *plan, struct error *error)
{
	const struct recurring_task *task = &plan->task;
	const struct recurring_options *options = &plan->options;
	const struct pause_note *note = plan->note;
	int64_t now = db_now(db);
	struct db_call call = DB_CALL(
		recurring_change, .key = P_TEXT(row->task.key), .seen = P_TIME(row->updated_at),
		.since = P_TIME(same_occurrences(row, task, options) ? row->since : now),
		.schedule = P_TEXT(task->schedule), .rails = P_TEXT(recurring_in_rails(task)),
		.settings = P_TEXT(recurring_options_write(arena, options)),
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
	struct plan plan = { .task = row.task, .options = row.options, .note = change->note };
	status = change->edit(arena, &plan.task, &plan.options, change->input, error);
	plan.task.key = row.task.key;
	if (status == STATUS_OK)
		status = check(arena, &plan.task, &plan.options, error);
	if (status != STATUS_OK)
		return status;
	status = update(db, arena, &row, &plan, error);
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
