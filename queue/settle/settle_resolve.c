/* What became of a round trip whose commit is uncertain. */
#include <stdlib.h>
#include <string.h>

#include "db/operations.h"
#include "queue/refused/give_back.h"
#include "queue/settle/settle.h"

/* The claims that we know: of running jobs, and of outcomes that are not settled yet. */
static struct claim_name *known_claims(struct arena *arena, const struct settle_request *request,
				       const struct claim_name held[], size_t held_count)
{
	size_t total = held_count + request->outcome_count;
	struct claim_name *known = arena_array(arena, total + 1, sizeof(*known));

	if (held_count > 0)
		memcpy(known, held, held_count * sizeof(*held));
	for (size_t i = 0; i < request->outcome_count; i++)
		known[held_count + i] = request->outcomes[i].claim;
	qsort(known, total, sizeof(*known), claim_name_compare);
	return known;
}

/* One look at the claims that the database holds for us. */
struct resolving {
	struct arena *arena;
	struct db_rows rows;
	struct claim_name *present; /* sorted */
	struct claim_name *unknown; /* that the database holds for us but that we do not know */
	size_t unknown_count;
};

static void compare_with(struct resolving *resolving, const struct claim_name known[], size_t count)
{
	const struct db_rows *rows = &resolving->rows;

	resolving->present =
		arena_array(resolving->arena, rows->count + 1, sizeof(*resolving->present));
	resolving->unknown =
		arena_array(resolving->arena, rows->count + 1, sizeof(*resolving->unknown));
	for (size_t i = 0; i < rows->count; i++) {
		resolving->present[i] = claim_name_read(rows, i, 0);
		if (!claim_name_among(known, count, &resolving->present[i]))
			resolving->unknown[resolving->unknown_count++] = resolving->present[i];
	}
	qsort(resolving->present, rows->count, sizeof(*resolving->present), claim_name_compare);
}

static void forget_absent(const struct resolving *resolving, struct claim_name *claim)
{
	if (!claim_name_among(resolving->present, resolving->rows.count, claim))
		claim->id = 0;
}

enum status settle_resolve(struct db *db, struct settle_request *request, struct claim_name held[],
			   size_t held_count, struct error *error)
{
	struct resolving resolving = { .arena = arena_new() };
	int64_t released;
	enum status status = db_settled(db, error);

	/*
	 * Not certain yet: runs go on, so this acts on what can be seen, and the caller looks
	 * again.
	 */
	if (status == STATUS_OK || status == STATUS_UNCERTAIN)
		status = db_query(db, resolving.arena,
				  DB_CALL(held, .process_id = P_INT(request->process_id)),
				  &resolving.rows, error);
	if (status == STATUS_OK) {
		compare_with(&resolving, known_claims(resolving.arena, request, held, held_count),
			     held_count + request->outcome_count);
		status = claims_give_back(db, resolving.unknown, resolving.unknown_count, &released,
					  error);
	}
	for (size_t i = 0; status == STATUS_OK && i < request->outcome_count; i++)
		forget_absent(&resolving, &request->outcomes[i].claim);
	for (size_t i = 0; status == STATUS_OK && i < held_count; i++)
		forget_absent(&resolving, &held[i]);
	arena_free(resolving.arena);
	return status;
}
