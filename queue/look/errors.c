#include "queue/look/errors.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/hash.h"

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
	const struct db_value values[] = { DB_P_TIME("since", since),
					   DB_P_INT("limit", ERRORS_READ + 1) };
	const int64_t now = db_now(db);
	struct table table = { .size = 1 };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "errors", values, 2, &rows, error);

	*errors = (struct errors){ 0 };
	if (status != STATUS_OK)
		return status;
	const size_t count = bounded(rows.count);
	while (table.size <= count * 2)
		table.size *= 2;
	table.slots = arena_array(arena, table.size, sizeof(struct error_group *));
	errors->list = arena_array(arena, count + 1, sizeof(*errors->list));
	for (size_t i = 0; i < count; i++)
		if (!db_is_null(&rows, i, 0))
			add_failure(find_group(&table, errors, db_text(&rows, i, 0)),
				    db_time(&rows, i, 1), now);
	if (rows.count > count)
		errors->read_from = db_time(&rows, count - 1, 1);
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
		group->runs[i] = (struct error_run){ .id = db_int(rows, i, 0),
						     .job_id = db_int(rows, i, 1),
						     .class_name = db_text(rows, i, 2),
						     .attempt = db_int(rows, i, 3),
						     .ended_at = db_time(rows, i, 4),
						     .outcome = db_text(rows, i, 5) };
		add_class(group, group->runs[i].class_name);
	}
}

static struct db_call runs_of(struct arena *arena, const struct error_group *group)
{
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("error_group", group->name);
	values[1] = (struct db_value)DB_P_INT("limit", ERRORS_RUNS);
	return (struct db_call){ .operation = "error_runs", .values = values, .count = 2 };
}

static struct db_call error_of(struct arena *arena, const struct error_group *group)
{
	const struct error_run last =
		group->run_count > 0 ? group->runs[0] : (struct error_run){ 0 };
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_INT("job_id", last.job_id);
	values[1] = (struct db_value)DB_P_INT("id", last.id);
	return (struct db_call){ .operation = "error_of_run", .values = values, .count = 2 };
}

/* All groups in two transactions: of many groups a round trip each would take longer. */
enum status errors_read_runs(struct db *db, struct arena *arena, struct error_group groups[],
			     size_t count, struct error *error)
{
	struct db_call *calls = arena_array(arena, count + 1, sizeof(*calls));

	if (count == 0)
		return STATUS_OK;
	for (size_t i = 0; i < count; i++)
		calls[i] = runs_of(arena, &groups[i]);
	enum status status = db_run(db, arena, calls, count, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		take_runs(arena, &calls[i].rows, &groups[i]);
		calls[i] = error_of(arena, &groups[i]);
	}
	if (status == STATUS_OK)
		status = db_run(db, arena, calls, count, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		groups[i].error = calls[i].rows.count > 0 ? db_text(&calls[i].rows, 0, 0) : NULL;
	return status;
}

enum status errors_without_group(struct db *db, int64_t *jobs, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("most", ERRORS_FAILED_MOST) };
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "failed_without_group", values, 1, &rows, error);

	*jobs = status == STATUS_OK && rows.count > 0 ? db_int(&rows, 0, 0) : 0;
	arena_free(arena);
	return status;
}
