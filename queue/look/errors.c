#include "queue/look/errors.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/hash.h"
#include "db/operations.h"

static int by_count(const void *a, const void *b)
{
	const struct error_group *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	if (one->last_at != other->last_at)
		return one->last_at < other->last_at ? 1 : -1;
	return strcmp(one->name, other->name);
}

/* Groups by name: an open hash table of a power of two, never full. */
struct table {
	struct error_group **slots;
	size_t size;
};

static struct error_group *find_group(struct table *table, struct errors *errors, const char *name)
{
	size_t at = hash_text(HASH_START, name) & (table->size - 1);

	while (table->slots[at] && strcmp(table->slots[at]->name, name) != 0)
		at = (at + 1) & (table->size - 1);
	if (!table->slots[at]) {
		table->slots[at] = &errors->list[errors->count++];
		table->slots[at]->name = name;
	}
	return table->slots[at];
}

/* The newest comes first. */
static void add_failure(struct error_group *group, int64_t at, int64_t now)
{
	const int64_t ago = now / CLOCK_HOUR - at / CLOCK_HOUR;

	if (group->count++ == 0)
		group->last_at = at;
	group->first_at = at;
	if (ago < ERRORS_TREND) /* a time of the future counts as now */
		group->trend[ERRORS_TREND - 1 - (ago > 0 ? ago : 0)]++;
}

/* The hours that had ended before the first run that was read. */
static void mark_unread(struct error_group *group, int64_t from, int64_t now)
{
	const int64_t hours = now / CLOCK_HOUR - from / CLOCK_HOUR + 1;

	for (int64_t i = hours; i < ERRORS_TREND; i++)
		group->trend[ERRORS_TREND - 1 - i] = -1;
}

static size_t bounded(size_t runs)
{
	return runs < ERRORS_READ ? runs : ERRORS_READ;
}

enum status errors_read(struct db *db, struct arena *arena, int64_t since, struct errors *errors,
			struct error *error)
{
	const int64_t now = db_now(db);
	struct table table = { .size = 1 };
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(errors, .since = P_TIME(since), .limit = P_INT(ERRORS_READ + 1)),
		&rows, error);

	*errors = (struct errors){ 0 };
	if (status != STATUS_OK)
		return status;
	const size_t count = bounded(rows.count);
	while (table.size <= count * 2)
		table.size *= 2;
	table.slots = arena_array(arena, table.size, sizeof(struct error_group *));
	errors->list = arena_array(arena, count + 1, sizeof(*errors->list));
	for (size_t i = 0; i < count; i++)
		add_failure(find_group(&table, errors, db_text(&rows, i, ERRORS_ERROR_GROUP)),
			    db_time(&rows, i, ERRORS_ENDED_AT), now);
	if (rows.count > count)
		errors->read_from = db_time(&rows, count - 1, ERRORS_ENDED_AT);
	for (size_t i = 0; i < errors->count; i++) {
		errors->failures += errors->list[i].count;
		mark_unread(&errors->list[i], errors->read_from ? errors->read_from : since, now);
	}
	qsort(errors->list, errors->count, sizeof(*errors->list), by_count);
	return STATUS_OK;
}

static void add_class(struct error_group *group, const char *name)
{
	for (size_t i = 0; i < group->class_count; i++)
		if (strcmp(group->classes[i], name) == 0)
			return;
	group->classes[group->class_count++] = name;
}

static void take_runs(struct arena *arena, const struct db_rows *rows, struct error_group *group)
{
	group->runs = arena_array(arena, rows->count + 1, sizeof(*group->runs));
	group->run_count = rows->count;
	group->classes = arena_array(arena, rows->count + 1, sizeof(*group->classes));
	for (size_t i = 0; i < rows->count; i++) {
		group->runs[i] =
			(struct error_run){ .id = db_int(rows, i, ERROR_RUNS_ID),
					    .job_id = db_int(rows, i, ERROR_RUNS_JOB_ID),
					    .class_name = db_text(rows, i, ERROR_RUNS_CLASS_NAME),
					    .attempt = db_int(rows, i, ERROR_RUNS_ATTEMPT),
					    .ended_at = db_time(rows, i, ERROR_RUNS_ENDED_AT),
					    .outcome = db_text(rows, i, ERROR_RUNS_OUTCOME) };
		add_class(group, group->runs[i].class_name);
	}
}

/* All groups in two transactions: of many groups a round trip each would take longer. */
enum status errors_read_runs(struct db *db, struct arena *arena, struct error_group groups[],
			     size_t count, struct error *error)
{
	struct db_calls runs = { .arena = arena };
	struct db_calls texts = { .arena = arena };

	if (count == 0)
		return STATUS_OK;
	for (size_t i = 0; i < count; i++)
		db_calls_add(&runs, DB_CALL(error_runs, .error_group = P_TEXT(groups[i].name),
					    .limit = P_INT(ERRORS_RUNS)));
	enum status status = db_run(db, arena, runs.list, runs.count, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct error_run last = { 0 };
		take_runs(arena, &runs.list[i].rows, &groups[i]);
		if (groups[i].run_count > 0)
			last = groups[i].runs[0];
		db_calls_add(&texts, DB_CALL(error_of_run, .job_id = P_INT(last.job_id),
					     .id = P_INT(last.id)));
	}
	if (status == STATUS_OK)
		status = db_run(db, arena, texts.list, texts.count, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const struct db_rows *rows = &texts.list[i].rows;
		groups[i].error = rows->count > 0 ? db_text(rows, 0, ERROR_OF_RUN_ERROR) : NULL;
	}
	return status;
}

enum status errors_without_group(struct db *db, int64_t *jobs, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(failed_without_group, .most = P_INT(ERRORS_FAILED_MOST)), &rows,
		error);

	*jobs = status == STATUS_OK && rows.count > 0 ? db_int(&rows, 0, FAILED_WITHOUT_GROUP_JOBS)
						      : 0;
	arena_free(arena);
	return status;
}
