#include "queue/shared.h"

#include <jansson.h>
#include <string.h>

/* Columns of the operation. */
enum { ADOPTED, RAILS, OTHERS, OTHER };

static const char *reason(struct arena *arena, const struct db_rows *rows)
{
	int64_t others = db_int(rows, 0, OTHERS);

	if (db_int(rows, 0, ADOPTED) != 0)
		return "Rails made them";
	if (db_int(rows, 0, RAILS) != 0)
		return "Rails keeps its table ar_internal_metadata beside them";
	if (others == 0)
		return NULL;
	const char *name = db_text(rows, 0, OTHER);
	if (others == 1)
		return arena_printf(arena, "%s is a process of other software", name);
	return arena_printf(arena, "%s and %lld more are processes of other software", name,
			    (long long)others - 1);
}

enum status shared_look(struct db *db, struct arena *arena, struct shared *shared,
			struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "shared", NULL, 0, &rows, error);

	*shared = (struct shared){ 0 };
	if (status != STATUS_OK)
		return status;
	shared->why = reason(arena, &rows);
	shared->shared = shared->why != NULL;
	shared->others = db_int(&rows, 0, OTHERS);
	return STATUS_OK;
}

bool shared_is_ours(const char *metadata)
{
	json_t *root = metadata ? json_loads(metadata, 0, NULL) : NULL;
	const char *software = json_string_value(json_object_get(root, "software"));
	bool ours = software && strncmp(software, "dray", 4) == 0;

	json_decref(root);
	return ours;
}
