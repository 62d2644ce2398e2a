#include <string.h>

#include "common/text/text.h"
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

static const char *list_json(struct arena *arena, const struct selector *selector)
{
	struct text json = { 0 };

	text_add(&json, "[");
	for (size_t i = 0; i < selector->count; i++) {
		const struct selector_entry *entry = &selector->entries[i];
		text_printf(&json, "%s{\"position\":%zu,\"prefix\":%d,\"name\":", i > 0 ? "," : "",
			    i, entry->prefix);
		text_json_part(&json, entry->name, entry->length, SIZE_MAX);
		text_add(&json, "}");
	}
	text_add(&json, selector->count > 0 ? "]" : "{\"position\":0,\"prefix\":1,\"name\":\"\"}]");
	return text_take(&json, arena);
}

enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error)
{
	struct text text = { 0 };
	enum status status = STATUS_OK;

	*selector = (struct selector){ .count = count };
	selector->entries = arena_array(arena, count + 1, sizeof(*selector->entries));
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct selector_entry *entry = &selector->entries[i];
		status = compile_entry(arena_strdup(arena, queues[i]), entry, error);
		selector->all = selector->all || (entry->prefix && entry->length == 0);
		text_printf(&text, "%s%s", i > 0 ? "," : "", queues[i]);
	}
	if (count == 0) {
		selector->all = true;
		text_add(&text, "*");
	}
	selector->text = text_take(&text, arena);
	if (status == STATUS_OK)
		selector->json = list_json(arena, selector);
	return status;
}
