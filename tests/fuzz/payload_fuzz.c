/* Any text as arguments, payload and error: refused in one line, or stable JSON that fits. */
#include <jansson.h>

#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"
#include "tests/fuzz/fuzz.h"

static void check_json(const char *text)
{
	json_t *root = json_loads(text, JSON_DECODE_ANY, NULL);

	require(root != NULL);
	json_decref(root);
}

/* What was accepted is an array and is accepted again as it is. */
static void check_arguments(struct arena *arena, const char *text)
{
	const char *array;
	const char *again;
	struct payload read;
	struct error error;

	if (payload_arguments(arena, text, NULL, &read, &array, &error) != STATUS_OK) {
		require(!strchr(error.text, '\n'));
		return;
	}
	payload_clear(&read);
	require(array[0] == '[');
	require(payload_arguments(arena, array, NULL, &read, &again, &error) == STATUS_OK);
	payload_clear(&read);
	require(strcmp(array, again) == 0);
}

/* As a reader of its own takes it, that has no place for large numbers either: they are rounded. */
static json_t *read_plainly(const char *text)
{
	return json_loads(text, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
}

/* The counts begin anew; whatever else was said is said still, and reset again it stays. */
static void check_reset(struct arena *arena, const char *text, const char *reset)
{
	json_t *before = read_plainly(text);
	json_t *after = read_plainly(reset);
	json_t *wide = wide_json_load(reset, 0, NULL);
	struct error error;
	const char *again;

	require(wide && (!before || after));
	if (before) {
		require(json_object_set_new(before, "executions", json_real(0)) == 0);
		require(json_object_set_new(before, "exception_executions", json_object()) == 0);
		require(json_equal(before, after));
	}
	require(payload_reset(arena, reset, &again, &error) == STATUS_OK);
	require(strcmp(again, reset) == 0);
	json_decref(before);
	json_decref(after);
	json_decref(wide);
}

static void check_payload(struct arena *arena, const char *text)
{
	struct payload payload;
	const char *reset;
	struct error error;

	if (payload_parse(text, &payload, &error) != STATUS_OK)
		return;
	(void)payload_text(arena, &payload, "0");
	(void)payload_text(arena, &payload, "path");
	(void)payload_text(arena, &payload, "99999999999999999999");
	payload_clear(&payload);
	require(payload_reset(arena, text, &reset, &error) == STATUS_OK);
	check_reset(arena, text, reset);
}

FUZZ()
{

	check_arguments(arena, text);
	check_payload(arena, text);
	const char *error = payload_error(arena, text, text, text, 65535);
	check_json(error);
	check_json(payload_error(arena, text, text, text, SIZE_MAX));
	check_json(payload_error_ascii(arena, error, 65535));
	require(strlen(error) <= 65535);
}
