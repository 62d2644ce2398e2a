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

void why_pause(struct account *account, const char *kind, const char *what,
	       const struct pause_row *pause)
{
	struct arena *arena = account->why->arena;
	const struct pause_note *note = &pause->note;
	const char *who = note->who ? note->who : "other software";

	if (pause->since == 0)
		return;
	struct why_reason *reason =
		why_add(account, kind, "%s has been paused since %s by %s%s%s%s%s.", what,
			why_time(account, pause->since), who, note->host ? " on host " : "",
			note->host ? note->host : "",
			note->ends_at > 0 ? arena_printf(arena, ", until %s",
							 why_time(account, note->ends_at))
					  : "",
			note->reason ? arena_printf(arena, ", because: \"%s\"", note->reason) : "");
	why_time_field(reason, "since", pause->since);
	why_time_field(reason, "until", note->ends_at);
	why_text_field(reason, "by", note->who);
	why_text_field(reason, "host", note->host);
	why_text_field(reason, "reason", note->reason);
}

bool why_refused(struct account *account)
{
	const struct pause_row *refused = &account->facts->refused;
	const char *until = why_time(account, refused->note.ends_at);

	if (refused->since == 0 || account->facts->job->state == JOB_FINISHED)
		return false;
	struct why_reason *reason = why_add(
		account, "refused",
		"The database has refused to change it since %s: \"%s\". It is tried again at %s.",
		why_time(account, refused->since), refused->note.reason, until);
	why_time_field(reason, "since", refused->since);
	why_time_field(reason, "until", refused->note.ends_at);
	why_text_field(reason, "reason", refused->note.reason);
	return true;
}
