#include "queue/processes/holds.h"

#include <inttypes.h>

#include "common/text/text.h"
#include "db/operations.h"

#define NAMED 5 /* the rest is counted */

enum status holds_read(struct db *db, struct arena *arena, const char *name, struct held **list,
		       size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(process_jobs, .name = P_TEXT(name)), &rows, error);

	if (status != STATUS_OK)
		return status;
	*count = rows.count;
	*list = arena_array(arena, rows.count + 1, sizeof(**list));
	for (size_t i = 0; i < rows.count; i++)
		(*list)[i] = (struct held){ db_int(&rows, i, PROCESS_JOBS_JOB_ID),
					    db_text(&rows, i, PROCESS_JOBS_CLASS_NAME) };
	return STATUS_OK;
}

static void add(struct text *out, const struct held *held, size_t before)
{
	if (before < NAMED)
		text_printf(out, "%sjob %" PRId64 " (%s)", before > 0 ? ", " : "", held->job,
			    held->class_name ? held->class_name : "?");
}

enum status holds_describe(struct db *db, struct arena *arena, const char *const names[],
			   size_t count, const char **text, struct error *error)
{
	struct text out = { 0 };
	enum status status = STATUS_OK;
	size_t total = 0;

	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct held *list;
		size_t held = 0;
		status = holds_read(db, arena, names[i], &list, &held, error);
		for (size_t j = 0; status == STATUS_OK && j < held; j++)
			add(&out, &list[j], total++);
	}
	if (total > NAMED)
		text_printf(&out, " and %zu more", total - NAMED);
	*text = total > 0 ? text_take(&out, arena) : NULL;
	text_free(&out);
	return status;
}
