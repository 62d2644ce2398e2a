#include "queue/processes/shared.h"

#include <jansson.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"

static const char *living(struct arena *arena, const struct db_rows *rows)
{
	int64_t others = db_int(rows, 0, SHARED_OTHERS);
	const char *name = db_text(rows, 0, SHARED_OTHER);

	if (others == 1)
		return arena_printf(arena, "%s is a process of other software", name);
	return arena_printf(arena, "%s and %lld more are processes of other software", name,
			    (long long)others - 1);
}

/* The present evidence for it. */
static const char *present(struct arena *arena, const struct db_rows *rows, const char *other_class)
{
	if (db_int(rows, 0, SHARED_ADOPTED) != 0)
		return "Rails made them";
	if (db_int(rows, 0, SHARED_RAILS) != 0)
		return "Rails keeps its table ar_internal_metadata beside them";
	if (db_int(rows, 0, SHARED_OTHERS) > 0)
		return living(arena, rows);
	if (other_class)
		return arena_printf(arena, "jobs.yml leaves %s to other software (run_by: other)",
				    other_class);
	return NULL;
}

static const char *past(struct arena *arena, const struct db_rows *rows)
{
	if (!db_text(rows, 0, SHARED_PAST))
		return NULL;
	return arena_printf(arena, "%s, a process of other software, was seen at %s UTC",
			    db_text(rows, 0, SHARED_PAST),
			    clock_say(arena, db_time(rows, 0, SHARED_SEEN_AT)));
}

enum status shared_look(struct db *db, struct arena *arena, const char *other_class,
			struct shared *shared, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(shared), &rows, error);

	*shared = (struct shared){ 0 };
	if (status != STATUS_OK)
		return status;
	shared->why = present(arena, &rows, other_class);
	if (!shared->why)
		shared->why = past(arena, &rows);
	shared->shared = shared->why != NULL;
	shared->others = db_int(&rows, 0, SHARED_OTHERS);
	return STATUS_OK;
}

struct db_call shared_seen(struct db *db, struct arena *arena, const char *kind, const char *name)
{
	return db_call_keep(arena, DB_CALL(others_seen, .kind = P_TEXT(kind), .name = P_TEXT(name),
					   .now = P_TIME(db_now(db))));
}

enum status shared_remember(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(others), &rows, error);

	if (status == STATUS_OK && rows.count > 0) {
		struct db_call seen = shared_seen(db, arena, db_text(&rows, 0, OTHERS_KIND),
						  db_text(&rows, 0, OTHERS_NAME));
		status = db_run(db, arena, &seen, 1, error);
	}
	arena_free(arena);
	return status;
}

bool shared_is_ours(const char *metadata)
{
	json_t *root = metadata ? json_loads(metadata, 0, NULL) : NULL;
	const char *software = json_string_value(json_object_get(root, "software"));
	bool ours = software && strncmp(software, "dray", 4) == 0;

	json_decref(root);
	return ours;
}
