#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/hash.h"
#include "db/postgresql/driver.h"

/* A plan may be of a time when the tables were empty. To make one takes a millisecond or so. */
#define PLANS_LAST (5 * CLOCK_SECOND)

/* "{1,2,3}" */
static const char *ids_text(struct arena *arena, const struct db_value *value)
{
	size_t size = value->count * 21 + 3;
	char *text = arena_alloc(arena, size);
	size_t at = 0;

	text[at++] = '{';
	for (size_t i = 0; i < value->count; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%" PRId64, i > 0 ? "," : "",
				       value->ids[i]);
	text[at] = '}';
	return text;
}

static const char *time_text(struct arena *arena, const struct db_value *value)
{
	char *text = arena_alloc(arena, CLOCK_TEXT_SIZE);

	clock_format(value->number, text);
	return text;
}

const char *postgresql_text(struct arena *arena, const struct db_value *value)
{
	switch (value->type) {
	case DB_INT:
		return arena_printf(arena, "%" PRId64, value->number);
	case DB_TEXT:
		return value->text;
	case DB_TIME:
		return time_text(arena, value);
	case DB_BOOL:
		return value->number ? "t" : "f";
	case DB_IDS:
		return ids_text(arena, value);
	case DB_UNSET:
	case DB_NULL:
		break;
	}
	return NULL;
}

/*
 * The name contains a hash of the text: if a pooler hands us a server connection on which another
 * process has prepared its own statement of this number, the name must not match that one.
 */
static void name_prepared(struct prepared *prepared, const struct statement *statement)
{
	uint64_t hash = hash_text(HASH_START, statement->sql);

	snprintf(prepared->name, sizeof(prepared->name), "s%u_%016" PRIx64, statement->id, hash);
}

struct prepared *postgresql_prepared(struct postgresql *pg, const struct statement *statement)
{
	if (statement->id >= pg->prepared_size) {
		unsigned size = statement->id * 2 + 64;
		struct prepared *table = arena_array(pg->arena, size, sizeof(*table));
		for (unsigned i = 0; i < pg->prepared_size; i++)
			table[i] = pg->prepared[i];
		pg->prepared = table;
		pg->prepared_size = size;
	}
	struct prepared *prepared = &pg->prepared[statement->id];
	if (!prepared->name[0])
		name_prepared(prepared, statement);
	return prepared;
}

bool postgresql_replans(struct postgresql *pg)
{
	int64_t now = clock_monotonic();

	if (!pg->one_plan || pg->unnamed || now < pg->replan_at)
		return false;
	pg->replan_at = now + PLANS_LAST;
	return true;
}

void postgresql_rows(struct arena *arena, const PGresult *result, struct db_rows *rows)
{
	int count = PQntuples(result);
	int columns = PQnfields(result);

	rows->count = (size_t)count;
	rows->columns = (size_t)columns;
	rows->cells = arena_array(arena, rows->count * rows->columns + 1, sizeof(*rows->cells));
	for (int row = 0; row < count; row++)
		for (int column = 0; column < columns; column++)
			if (!PQgetisnull(result, row, column))
				rows->cells[row * columns + column] =
					arena_strndup(arena, PQgetvalue(result, row, column),
						      (size_t)PQgetlength(result, row, column));
}
