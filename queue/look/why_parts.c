#include "queue/look/why_parts.h"

#include <assert.h>
#include <stdarg.h>

#include "common/clock.h"

struct why_reason *why_add(struct account *account, const char *kind, const char *format, ...)
{
	struct why *why = account->why;
	struct why_reason *reason = &why->reasons[why->count++];
	va_list args;

	assert(why->count <= WHY_REASONS);
	va_start(args, format);
	*reason = (struct why_reason){ .kind = kind,
				       .text = arena_vprintf(why->arena, format, args) };
	va_end(args);
	return reason;
}

static void add_field(struct why_reason *reason, struct why_field field)
{
	assert(reason->field_count < WHY_FIELDS);
	reason->fields[reason->field_count++] = field;
}

void why_text_field(struct why_reason *reason, const char *name, const char *text)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_TEXT, .text = text });
}

void why_number_field(struct why_reason *reason, const char *name, int64_t number)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_NUMBER, .number = number });
}

void why_time_field(struct why_reason *reason, const char *name, int64_t instant)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_TIME, .number = instant });
}

const char *why_span(const struct account *account, int64_t microseconds)
{
	char text[CLOCK_TEXT_SIZE];

	clock_span(microseconds - microseconds % CLOCK_SECOND, text);
	return arena_strdup(account->why->arena, text);
}

const char *why_time(const struct account *account, int64_t instant)
{
	int64_t now = account->facts->now;
	char text[CLOCK_TEXT_SIZE];
	bool past = instant <= now;

	clock_format_short(instant - instant % CLOCK_SECOND, text);
	return arena_printf(account->why->arena, "%s UTC (%s%s%s)", text, past ? "" : "in ",
			    why_span(account, past ? now - instant : instant - now),
			    past ? " ago" : "");
}

const char *why_plural(int64_t count)
{
	return count == 1 ? "" : "s";
}
