#include "queue/limits/slots.h"

#include <string.h>

#include "common/text/text.h"
#include "db/operations.h"

/*
 * How many of the jobs that wait for a key are looked at, and one more for each job that may return
 * a slot.
 */
#define AROUND      4
#define AROUND_MOST 50

/* Of the jobs that wait for a free key: usually the first few decide, and then none is left. */
#define NEXT_FEW  16
#define NEXT_MORE 200

/* After this many further transactions the rest is left to healing. */
#define ROUNDS 16

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
	slots->keys = text_take(json, slots->arena);
}

/* Of slots_around, or of slots_of, which has more. */
static void take_rows(struct slots *slots, struct text *json, const struct db_rows *rows,
		      size_t before)
{
	for (size_t i = 0; i < rows->count; i++)
		add_key(json, db_text(rows, i, SLOT_KEY_CONCURRENCY_KEY),
			db_text(rows, i, SLOT_KEY_CLASS_NAME),
			(int)db_int(rows, i, SLOT_KEY_POSITION));
	take_keys(slots, json, before + rows->count);
}

/*
 * Adds the other keys of the jobs that wait for the known ones: a job that needs a slot of each can
 * be admitted only under the locks of all.
 */
static enum status look_around(struct slots *slots, struct error *error)
{
	struct db_rows rows = { 0 };
	struct text json = { 0 };
	enum status status = db_query(
		slots->db, slots->arena,
		DB_CALL(slots_around, .keys = P_TEXT(slots->keys),
			.limit = P_INT(AROUND + (slots->job_count < AROUND_MOST ? slots->job_count
										: AROUND_MOST))),
		&rows, error);

	if (status != STATUS_OK || rows.count == 0)
		return status;
	text_append(&json, slots->keys, strlen(slots->keys) - 1);
	take_rows(slots, &json, &rows, slots->key_count);
	return STATUS_OK;
}

enum status slots_find(struct slots *slots, const int64_t jobs[], size_t count, struct error *error)
{
	struct db_rows rows = { 0 };
	struct text json = { 0 };

	slots->jobs = jobs;
	slots->job_count = count;
	slots->key_count = 0;
	if (count == 0)
		return STATUS_OK;
	enum status status = db_query(slots->db, slots->arena,
				      DB_CALL(slots_of, .jobs = P_IDS(jobs, count)), &rows, error);
	if (status != STATUS_OK || rows.count == 0)
		return status;
	for (size_t i = 0; i < rows.count; i++)
		slots->cancels = slots->cancels || db_int(&rows, i, SLOTS_OF_CANCELS) != 0;
	take_rows(slots, &json, &rows, 0);
	slots->several = db_int(&rows, 0, SLOTS_OF_SEVERAL) != 0;
	return slots->several ? look_around(slots, error) : STATUS_OK;
}

bool slots_differ(const struct new_job *job, size_t more)
{
	bool differs = strcmp(job->more_keys[more], job->concurrency_key) != 0;

	for (size_t i = 0; i < more && differs; i++)
		differs = strcmp(job->more_keys[more], job->more_keys[i]) != 0;
	return differs;
}

static bool same_key(const struct new_job *a, const struct new_job *b)
{
	return a->concurrency_key && b->concurrency_key && a->more_count == 0 &&
	       b->more_count == 0 && strcmp(a->concurrency_key, b->concurrency_key) == 0 &&
	       strcmp(a->class_name, b->class_name) == 0;
}

/* It asks for its slot when it is due, and may be moved or discarded before then. */
static bool is_for_later(const struct new_job *job, int64_t now)
{
	return job->at > 0 ? job->at > now : job->delay > 0;
}

void slots_find_new(struct slots *slots, const struct new_job jobs[], size_t count, int64_t now)
{
	const struct new_job *before = NULL;
	struct text json = { 0 };
	size_t keys = 0; /* at least */

	for (size_t i = 0; i < count; i++) {
		const struct new_job *job = &jobs[i];
		if (!job->concurrency_key || is_for_later(job, now) ||
		    (before && same_key(job, before)))
			continue;
		before = job;
		add_key(&json, job->concurrency_key, job->class_name, 0);
		for (size_t k = 0; k < job->more_count; k++)
			if (slots_differ(job, k))
				add_key(&json, job->more_keys[k], job->class_name, (int)k + 1);
		keys++;
		slots->several = slots->several || job->more_count > 0;
		slots->cancels = slots->cancels || !job->cancels_none;
	}
	if (keys > 0)
		take_keys(slots, &json, keys);
}

static int64_t slots_now(const struct slots *slots)
{
	return slots->now > 0 ? slots->now : db_now(slots->db);
}

static void add_lock(const struct slots *slots, struct db_calls *calls)
{
	db_calls_add(calls, DB_CALL(slots_lock, .keys = P_TEXT(slots->keys),
				    .now = P_TIME(slots_now(slots))));
}

void slots_before(const struct slots *slots, struct db_calls *calls)
{
	const struct db_value jobs = P_IDS(slots->jobs, slots->job_count);

	if (slots->key_count == 0)
		return;
	add_lock(slots, calls);
	if (slots->job_count == 0 || slots->ungated)
		return;
	db_calls_add(calls, DB_CALL(slots_adopt, .jobs = jobs, .now = P_TIME(slots_now(slots))));
	if (slots->several)
		db_calls_add(calls, DB_CALL(slots_adopt_several, .jobs = jobs,
					    .now = P_TIME(slots_now(slots))));
}

static size_t add_admission_several(const struct slots *slots, int64_t more, struct db_calls *calls)
{
	return db_calls_add(calls, DB_CALL(slots_admit_several, .keys = P_TEXT(slots->keys),
					   .now = P_TIME(slots_now(slots)), .more = P_INT(more)));
}

/*
 * The second call is for jobs that lost to a more urgent one and must now wait for the key that is
 * full, and for those after the first few; it does nothing where no key is free any more.
 */
static void add_admission(struct slots *slots, struct db_calls *calls)
{
	if (slots->several) {
		add_admission_several(slots, NEXT_FEW, calls);
		slots->last = add_admission_several(slots, NEXT_MORE, calls);
	} else {
		slots->last = db_calls_add(calls, DB_CALL(slots_admit, .keys = P_TEXT(slots->keys),
							  .now = P_TIME(slots_now(slots))));
	}
}

void slots_after(struct slots *slots, struct db_calls *calls)
{
	if (slots->key_count == 0)
		return;
	if (slots->job_count > 0)
		db_calls_add(calls,
			     DB_CALL(slots_free, .jobs = P_IDS(slots->jobs, slots->job_count),
				     .now = P_TIME(slots_now(slots))));
	add_admission(slots, calls);
}

void slots_gate(struct slots *slots, int64_t process_id, struct db_calls *calls)
{
	add_lock(slots, calls);
	db_calls_add(calls,
		     DB_CALL(slots_gate, .jobs = P_IDS(slots->jobs, slots->job_count),
			     .process_id = P_INT(process_id), .now = P_TIME(slots_now(slots))));
	add_admission(slots, calls);
}

/* The rows of either admission. */
DB_ALIKE(slots_admit, slots_admit_several);

static bool is_undecided(const struct db_rows *admitted)
{
	return admitted->count > 0 && db_int(admitted, 0, SLOTS_ADMIT_UNDECIDED) > 0;
}

enum status slots_admit_again(struct slots *slots, bool *undecided, struct error *error)
{
	struct db_calls calls = { .arena = slots->arena };
	enum status status = slots->several ? look_around(slots, error) : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	add_lock(slots, &calls);
	add_admission(slots, &calls);
	status = db_run(slots->db, slots->arena, calls.list, calls.count, error);
	*undecided = status == STATUS_OK && is_undecided(&calls.list[slots->last].rows);
	return status;
}

void slots_follow_rows(struct slots *slots, const struct db_rows *admitted)
{
	bool undecided = is_undecided(admitted);
	struct error error;

	slots->several = true;
	for (int round = 0; undecided && round < ROUNDS; round++)
		if (slots_admit_again(slots, &undecided, &error) != STATUS_OK)
			return;
}

void slots_follow(struct slots *slots, const struct db_calls *calls)
{
	if (slots->key_count > 0)
		slots_follow_rows(slots, &calls->list[slots->last].rows);
}
