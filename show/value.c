#include "show/value.h"

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/payload/wide_json.h"

json_t *value_text(const char *text)
{
	struct text json = { 0 };

	if (!text)
		return json_null();
	json_t *value = json_string(text);
	if (value)
		return value;
	text_json(&json, text);
	value = json_loads(text_string(&json), JSON_DECODE_ANY, NULL);
	text_free(&json);
	return value ? value : json_null();
}

json_t *value_time(int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	if (instant == 0)
		return json_null();
	clock_format_iso(instant, text);
	return json_string(text);
}

json_t *value_span(int64_t microseconds)
{
	return json_real((double)microseconds / (double)CLOCK_SECOND);
}

json_t *value_json(const char *json)
{
	json_t *value = json ? wide_json_load(json, JSON_DECODE_ANY, NULL) : NULL;

	return value ? value : value_text(json);
}

json_t *value_id(int64_t id)
{
	return id == 0 ? json_null() : json_integer(id);
}
