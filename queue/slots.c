#include "queue/slots.h"

#include <string.h>

#include "common/text.h"

static void add_key(struct text *json, const char *key, const char *class_name, int position)
{
	text_add(json, json->length > 0 ? "," : "[");
	text_add(json, "{\"key\":");
	text_json(json, key);
	text_add(json, ",\"class_name\":");
	text_json(json, class_name);
	text_printf(json, ",\"position\":%d}", position);
}

static void take_keys(struct slots *slots, struct text *json, size_t count)
{
	text_add(json, "]");
	slots->key_count = count;
	slots->keys = arena_strdup(slots->arena, text_string(json));
	text_free(json);
}

enum status slots_find(struct slots *slots, const int64_t jobs[], size_t count, struct error *error)
{
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, count) };
	struct db_rows rows = { 0 };
	struct text json = { 0 };

	slots->jobs = jobs;
	slots->job_count = count;
	slots->key_count = 0;
	if (count == 0)
		return STATUS_OK;
	enum status status = db_query(slots->db, slots->arena, "slots_of", values, 1, &rows, error);
	if (status != STATUS_OK || rows.count == 0)
		return status;
	for (size_t i = 0; i < rows.count; i++)
		add_key(&json, db_text(&rows, i, 0), db_text(&rows, i, 1),
			(int)db_int(&rows, i, 2));
	take_keys(slots, &json, rows.count);
	return STATUS_OK;
}

static bool same_key(const struct new_job *a, const struct new_job *b)
{
	return a->concurrency_key && b->concurrency_key &&
	       strcmp(a->concurrency_key, b->concurrency_key) == 0 &&
	       strcmp(a->class_name, b->class_name) == 0;
}

void slots_find_new(struct slots *slots, const struct new_job jobs[], size_t count)
{
	struct text json = { 0 };
	size_t keys = 0;

	for (size_t i = 0; i < count; i++) {
		if (!jobs[i].concurrency_key || (i > 0 && same_key(&jobs[i], &jobs[i - 1])))
			continue;
		add_key(&json, jobs[i].concurrency_key, jobs[i].class_name, 0);
		keys++;
	}
	if (keys > 0)
		take_keys(slots, &json, keys);
}

/* A call about the keys, or about the jobs, at the time `now`. */
static struct db_call make_call(const struct slots *slots, const char *operation, bool of_jobs,
				int64_t now)
{
	struct db_value *values = arena_array(slots->arena, 2, sizeof(*values));

	if (of_jobs)
		values[0] = (struct db_value)DB_P_IDS("jobs", slots->jobs, slots->job_count);
	else
		values[0] = (struct db_value)DB_P_TEXT("keys", slots->keys);
	values[1] = (struct db_value)DB_P_TIME("now", now);
	return (struct db_call){ .operation = operation, .values = values, .count = 2 };
}

static void add_call(const struct slots *slots, const char *operation, bool of_jobs,
		     struct slots_calls *calls)
{
	calls->list[calls->count++] = make_call(slots, operation, of_jobs, db_now(slots->db));
}

void slots_before(const struct slots *slots, struct slots_calls *calls)
{
	if (slots->key_count == 0)
		return;
	add_call(slots, "slots_lock", false, calls);
	if (slots->job_count > 0)
		add_call(slots, "slots_adopt", true, calls);
}

void slots_after(const struct slots *slots, struct slots_calls *calls)
{
	if (slots->key_count == 0)
		return;
	if (slots->job_count > 0)
		add_call(slots, "slots_free", true, calls);
	add_call(slots, "slots_admit", false, calls);
}

void slots_conflict(const struct slots *slots, int64_t now, struct slots_calls *calls)
{
	if (slots->key_count > 0)
		calls->list[calls->count++] = make_call(slots, "slots_conflict", false, now);
}
