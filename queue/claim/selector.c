#include <string.h>

#include "common/text/text.h"
#include "db/operations.h"
#include "queue/claim/claim.h"

static enum status compile_entry(const char *queue, struct selector_entry *entry,
				 struct error *error)
{
	size_t length = strlen(queue);
	size_t star = strcspn(queue, "*");

	if (length == 0)
		return error_set(error, STATUS_INVALID, "queues: an empty name");
	if (star + 1 < length)
		return error_set(error, STATUS_INVALID,
				 "queues: '%s': '*' may only stand at the end", queue);
	entry->name = queue;
	entry->length = star;
	entry->prefix = star < length;
	return STATUS_OK;
}

enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error)
{
	struct text text = { 0 };
	enum status status = STATUS_OK;

	*selector = (struct selector){ .count = count, .rows = { .arena = arena } };
	selector->entries = arena_array(arena, count + 1, sizeof(*selector->entries));
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct selector_entry *entry = &selector->entries[i];
		status = compile_entry(arena_strdup(arena, queues[i]), entry, error);
		selector->all = selector->all || (entry->prefix && entry->length == 0);
		DB_ADD(&selector->rows, selector_row, .position = P_INT(i),
		       .name = P_TEXT(arena_strndup(arena, entry->name, entry->length)),
		       .prefix = P_INT(entry->prefix));
		text_printf(&text, "%s%s", i > 0 ? "," : "", queues[i]);
	}
	if (count == 0) {
		selector->all = true;
		text_add(&text, "*");
	}
	selector->text = text_take(&text, arena);
	return status;
}
