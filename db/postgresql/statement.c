#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/hash.h"
#include "db/postgresql/driver.h"

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
