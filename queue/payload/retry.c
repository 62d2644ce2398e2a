/* What a retry changes of a payload: Active Job's two counters. */
#include <jansson.h>
#include <string.h>

#include "common/error.h"
#include "common/text/text.h"
#include "common/text/utf8.h"
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"

static void count(json_t *object, const char *key)
{
	json_int_t before = json_integer_value(json_object_get(object, key));

	before = before > 0 && before < INT32_MAX ? before : 0;
	if (json_object_set_new(object, key, json_integer(before + 1)) != 0)
		out_of_memory();
}

/* Jobs from before Active Job 6 have no counters of rules. */
static json_t *rules_of(json_t *root)
{
	json_t *rules = json_object_get(root, "exception_executions");

	if (json_is_object(rules))
		return rules;
	rules = json_object();
	if (json_object_set_new(root, "exception_executions", rules) != 0)
		out_of_memory();
	return rules;
}

enum status payload_count_execution(struct arena *arena, const char *text, const char *rule,
				    const char **out, struct error *error)
{
	struct payload payload;
	enum status status = payload_parse(text, &payload, error);

	if (status != STATUS_OK)
		return status;
	count(payload.root, "executions");
	count(rules_of(payload.root), rule);
	*out = wide_json_text(arena, payload.root);
	payload_clear(&payload);
	return STATUS_OK;
}

/* Only JSON's strings have such characters. */
const char *payload_ascii(struct arena *arena, const char *text, size_t maximum)
{
	struct text ascii = { 0 };

	for (size_t length = strlen(text); length > 0;) {
		size_t size = utf8_sequence(text, length);
		uint32_t character = size > 0 ? utf8_character(text, size) : 0xfffd;
		size = size > 0 ? size : 1;
		if (character < 0x80)
			text_append(&ascii, text, size);
		else if (character < 0x10000)
			text_printf(&ascii, "\\u%04x", character);
		else
			text_printf(&ascii, "\\u%04x\\u%04x",
				    0xd800 + ((character - 0x10000) >> 10),
				    0xdc00 + ((character - 0x10000) & 0x3ff));
		text += size;
		length -= size;
	}
	if (ascii.length <= maximum)
		return text_take(&ascii, arena);
	text_free(&ascii);
	return NULL;
}
