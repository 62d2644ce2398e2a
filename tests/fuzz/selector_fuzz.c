/* Lines are a worker's queues. */
#include <jansson.h>

#include "common/text/parse.h"
#include "common/text/text.h"
#include "db/driver.h"
#include "queue/claim/claim.h"
#include "tests/fuzz/fuzz.h"

#define MAXIMUM_QUEUES 16

/* What the database is given is JSON, with every entry as it was written but for its star. */
static bool json_agrees(struct arena *arena, const struct selector *selector,
			const char *const queues[], size_t count)
{
	const struct db_value rows = P_ROWS(&selector->rows);
	json_t *list = json_loads(list_bind(arena, DB_SQLITE, &rows, 1)->text,
				  JSON_REJECT_DUPLICATES, NULL);
	bool agrees = json_array_size(list) == count;

	for (size_t i = 0; i < count && agrees; i++) {
		json_t *entry = json_array_get(list, i);
		const char *name = json_string_value(json_object_get(entry, "name"));
		bool prefix = json_integer_value(json_object_get(entry, "prefix")) == 1;
		size_t length = strlen(queues[i]) - (prefix ? 1 : 0);
		agrees = name && prefix == (queues[i][length] == '*') &&
			 (!utf8_valid(queues[i], length, &(size_t){ 0 }) ||
			  (strlen(name) == length && memcmp(name, queues[i], length) == 0));
	}
	json_decref(list);
	return agrees;
}

/* Cuts the text into lines; their number. */
static size_t split(char *text, const char *queues[MAXIMUM_QUEUES])
{
	size_t count = 0;

	do {
		char *end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		queues[count++] = text;
		text = end;
	} while (text && count < MAXIMUM_QUEUES);
	return count;
}

FUZZ()
{
	const char *queues[MAXIMUM_QUEUES];
	size_t count = split(arena_strdup(arena, text), queues);
	struct selector selector;
	struct error error;

	if (selector_compile(arena, queues, count, &selector, &error) == STATUS_OK)
		require(json_agrees(arena, &selector, queues, count) &&
			strlen(selector.text) <= size);
}
