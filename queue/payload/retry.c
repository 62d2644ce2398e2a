/* What a retry changes of a payload: Active Job's two counters. */
#include <jansson.h>

#include "common/error.h"
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
