#include "queue/recurring/recurring.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/payload/wide_json.h"
#include "queue/processes/loss.h"
#include "queue/processes/servers.h"
#include "queue/processes/shared.h"
#include "queue/recurring/task.h"

/* Schedulers with different files on one database. */

void recurring_others_add(struct arena *arena, struct recurring_others *others, const char *key)
{
	others->keys = arena_extend(arena, others->keys, others->count, sizeof(*others->keys));
	others->keys[others->count++] = arena_strdup(arena, key);
}

static void add_keys(struct arena *arena, struct recurring_others *others, const json_t *list,
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *key = json_string_value(json_array_get(list, i));
		if (key)
			recurring_others_add(arena, others, key);
	}
}

/*
 * A dray scheduler reports how many entries of its list come from its file, and cuts a long list. A
 * scheduler that has reported nothing yet is just starting.
 */
static void add_server(struct arena *arena, struct recurring_others *others,
		       const struct server *server, bool dray)
{
	json_t *root = server->row.metadata ? json_loads(server->row.metadata, 0, NULL) : NULL;
	const json_t *list = json_object_get(root, "recurring_schedule");
	const json_t *number = json_object_get(root, "static_tasks");
	size_t count = json_array_size(list);
	bool ours = shared_is_ours(server->row.metadata);

	if (dray && ours) {
		size_t wanted = number ? (size_t)json_integer_value(number) : SIZE_MAX;
		others->name = server->row.name;
		others->partial |= wanted > count;
		add_keys(arena, others, list, wanted < count ? wanted : count);
	} else if (!dray && !ours) {
		add_keys(arena, others, list, count);
	}
	json_decref(root);
}

static bool is_live(const struct server *server)
{
	return strcmp(server->row.kind, "Scheduler") == 0 && !server->silent;
}

static void add_servers(struct arena *arena, struct recurring_others *others,
			const struct servers *servers, int64_t self, bool dray)
{
	for (size_t i = 0; i < servers->count; i++)
		if (is_live(&servers->list[i]) && servers->list[i].row.id != self)
			add_server(arena, others, &servers->list[i], dray);
}

enum status recurring_others_read(struct db *db, struct arena *arena, const struct prune *patience,
				  struct recurring_others *others, struct error *error)
{
	struct servers servers = { 0 };
	enum status status = servers_read(db, arena, patience, &servers, error);

	*others = (struct recurring_others){ 0 };
	if (status != STATUS_OK)
		return status;
	add_servers(arena, others, &servers, patience->self, true);
	others->ours = others->count;
	add_servers(arena, others, &servers, patience->self, false);
	return STATUS_OK;
}

enum status recurring_elsewhere(struct db *db, struct arena *arena, const struct prune *patience,
				const char *key, const char **scheduler, struct error *error)
{
	struct servers servers = { 0 };
	enum status status = servers_read(db, arena, patience, &servers, error);

	*scheduler = NULL;
	for (size_t i = 0; status == STATUS_OK && i < servers.count; i++) {
		struct recurring_others others = { 0 };
		if (is_live(&servers.list[i]))
			add_server(arena, &others, &servers.list[i], false);
		for (size_t j = 0; j < others.count; j++)
			if (strcmp(others.keys[j], key) == 0)
				*scheduler = servers.list[i].row.name;
	}
	return status;
}

/* Tasks, and what became of their occurrences. */

#define MISSING_MOST 1000
#define CLEAR_BATCH  1000

const char *recurring_in_rails(const struct recurring_task *task)
{
	if (task->own)
		return NULL;
	return task->rails ? task->rails : task->schedule;
}

static void add_task(struct db_list *list, const struct recurring_task *task)
{
	DB_ADD(list, task_row, .key = P_TEXT(task->key), .schedule = P_TEXT(task->schedule),
	       .rails = P_TEXT(recurring_in_rails(task)), .command = P_TEXT(task->command),
	       .class_name = P_TEXT(task->class_name), .arguments = P_TEXT(task->arguments),
	       .queue_name = P_TEXT(task->queue),
	       .priority = task->has_priority ? P_INT(task->priority) : P_NULL,
	       .description = P_TEXT(task->description),
	       .settings = P_TEXT(recurring_options_write(list->arena, &task->options)));
}

/* The keys of tasks that must not be deleted. */
static struct db_value kept_keys(struct arena *arena, const struct recurring_task tasks[],
				 size_t count, const struct recurring_others *others)
{
	size_t more = others ? others->count : 0;
	const char **keys = arena_array(arena, count + more, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = tasks[i].key;
	for (size_t i = 0; i < more; i++)
		keys[count + i] = others->keys[i];
	return P_TEXTS(keys, count + more);
}

/* In as many calls as the tasks' texts need. */
enum status recurring_publish(struct db *db, const struct recurring_task tasks[], size_t count,
			      const struct recurring_others *others, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_list list = { .arena = arena };
	struct db_part part = { 0 };
	struct db_calls calls = { .arena = arena };
	int64_t now = db_now(db);
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		add_task(&list, &tasks[i]);
	if (!others || !others->partial)
		db_calls_add(&calls, DB_CALL(recurring_forget,
					     .keys = kept_keys(arena, tasks, count, others)));
	while (db_part_next(&part, &list, NULL))
		db_calls_add(&calls, DB_CALL(recurring_publish, .tasks = P_PART(&list, part),
					     .now = P_TIME(now)));
	if (calls.count > 0)
		status = db_run(db, arena, calls.list, calls.count, error);
	arena_free(arena);
	return status;
}

enum status recurring_restore(struct db *db, const struct recurring_task tasks[], size_t count,
			      struct error *error)
{
	const struct recurring_others unknown = { .partial = true };

	return recurring_publish(db, tasks, count, &unknown, error);
}

enum status recurring_missing(struct db *db, struct arena *arena, const char *const **keys,
			      size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(recurring_missing, .limit = P_INT(MISSING_MOST)), &rows, error);

	if (status != STATUS_OK)
		return status;
	const char **list = arena_array(arena, rows.count, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++)
		list[i] = db_text(&rows, i, RECURRING_MISSING_KEY);
	*keys = list;
	*count = rows.count;
	return STATUS_OK;
}

enum status recurring_known(struct db *db, struct arena *arena, struct recurring_known **list,
			    size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(recurring_known, .now = P_TIME(db_now(db))), &rows, error);

	if (status != STATUS_OK)
		return status;
	*list = arena_array(arena, rows.count, sizeof(**list));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*list)[i] =
			(struct recurring_known){ .key = db_text(&rows, i, RECURRING_KNOWN_KEY),
						  .since = db_time(&rows, i, RECURRING_KNOWN_SINCE),
						  .last = db_time(&rows, i,
								  RECURRING_KNOWN_LAST_RUN_AT) };
	return STATUS_OK;
}

static void take_busy(const struct db_rows *rows, int64_t busy[])
{
	for (size_t row = 0; row < rows->count; row++)
		busy[db_int(rows, row, RECURRING_BUSY_POSITION)] =
			db_is_null(rows, row, RECURRING_BUSY_RUN_AT)
				? RECURRING_MANUAL
				: db_time(rows, row, RECURRING_BUSY_RUN_AT);
}

enum status recurring_busy(struct db *db, const char *const keys[], size_t count, int64_t busy[],
			   struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value list = P_TEXTS(keys, count);
	struct db_call calls[] = {
		DB_CALL(recurring_busy, .keys = list, .besides = P_TEXT("")),
		DB_CALL(recurring_busy, .keys = list, .besides = P_TEXT("manual")),
	};
	enum status status = STATUS_OK;

	if (count > 0)
		status = db_run(db, arena, calls, 2, error);
	for (size_t i = 0; i < count; i++)
		busy[i] = 0;
	for (size_t i = 0; i < 2 && status == STATUS_OK; i++)
		take_busy(&calls[i].rows, busy);
	arena_free(arena);
	return status;
}

enum status recurring_skip(struct db *db, const struct recurring_skipped runs[], size_t count,
			   struct error *error)
{
	struct arena *arena = arena_new();
	struct db_list list = { .arena = arena };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		DB_ADD(&list, skipped_row, .task_key = P_TEXT(runs[i].key),
		       .run_at = P_TIME(runs[i].at), .first_at = P_TIME(runs[i].from),
		       .outcome = P_TEXT(runs[i].outcome), .occurrences = P_INT(runs[i].count));
	if (count > 0)
		status = db_query(
			db, arena,
			DB_CALL(recurring_skip, .runs = P_ROWS(&list), .now = P_TIME(db_now(db))),
			NULL, error);
	arena_free(arena);
	return status;
}

enum status recurring_clear(struct db *db, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena,
			 DB_CALL(recurring_clear, .before = P_TIME(db_now(db) - RECURRING_MEMORY),
				 .limit = P_INT(CLEAR_BATCH)),
			 &rows, error);

	*more = rows.changed >= CLEAR_BATCH;
	arena_free(arena);
	return status;
}

static void make_keywords(json_t *array)
{
	json_t *last = json_array_get(array, json_array_size(array) - 1);
	json_t *names = json_object_get(last, "_aj_symbol_keys");

	if (json_array_size(array) == 0 || !names)
		return;
	json_object_set(last, "_aj_ruby2_keywords", names);
	json_object_del(last, "_aj_symbol_keys");
}

enum status recurring_arguments(struct arena *arena, const char *stored, const char **arguments,
				struct error *error)
{
	json_error_t fault;

	*arguments = NULL;
	if (!stored)
		return STATUS_OK;
	json_t *array = wide_json_load(stored, JSON_DECODE_ANY, &fault);
	if (!json_is_array(array)) {
		json_decref(array);
		return error_set(error, STATUS_INVALID, "the arguments are not a JSON array");
	}
	make_keywords(array);
	*arguments = wide_json_text(arena, array);
	json_decref(array);
	return STATUS_OK;
}
