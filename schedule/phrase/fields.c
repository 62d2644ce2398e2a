/* The fields of a cron expression, as texts. */
#include <string.h>

#include "schedule/phrase/phrase.h"

/* A list with one more in it: "1,2". */
const char *phrase_join(struct arena *arena, const char *list, const char *item)
{
	return list ? arena_printf(arena, "%s,%s", list, item) : item;
}

const char *phrase_number_text(struct arena *arena, int number)
{
	return arena_printf(arena, "%d", number);
}

/* The members of a set in order. */
const char *phrase_set_text(struct arena *arena, uint64_t set)
{
	const char *list = NULL;
	for (int i = 0; i < 64; i++)
		if (set >> i & 1)
			list = phrase_join(arena, list, phrase_number_text(arena, i));
	return list;
}

/* "*", a step, or one from the start. */
const char *phrase_interval_text(const struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	if (phrase->start >= 0)
		return arena_printf(arena, "%d/%d", phrase->start, phrase->number);
	return phrase->number == 1 ? "*" : arena_printf(arena, "*/%d", phrase->number);
}

static const char *fields_text(struct arena *arena, const struct phrase_fields *fields)
{
	const char *rest = arena_printf(
		arena, "%s %s %s %s %s", fields->minute, fields->hour ? fields->hour : "*",
		fields->day ? fields->day : "*", fields->month ? fields->month : "*",
		fields->weekday ? fields->weekday : "*");
	return fields->second ? arena_printf(arena, "%s %s", fields->second, rest) : rest;
}

/* The cron expression that says so, in the zone of the text. */
const char *phrase_suggested(const struct reading *reading, const struct phrase_fields *fields)
{
	const char *cron = fields_text(reading->arena, fields);
	if (!reading->zone)
		return cron;
	return arena_printf(reading->arena, "%s %s", cron, zone_name(reading->zone));
}

bool phrase_refuse(struct phrase *phrase, const struct slot *slot, const char *why)
{
	return slot->count == 0 || reading_fail(phrase->reading, slot->part, "%s", why);
}

bool phrase_add_cron(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct reading *reading = phrase->reading;
	struct part whole = { 0, reading->length };
	const char *text = fields_text(reading->arena, fields);
	struct text scratch = { 0 };
	struct cron_fields chunks = cron_split(text, (struct part){ 0, strlen(text) }, &whole);
	bool read = cron_read_fields(reading, &chunks, &scratch);
	text_free(&scratch);
	reading->canonical = reading->canonical ? arena_printf(reading->arena, "%s | %s",
							       reading->canonical, text)
						: text;
	return read;
}

static const char *hours_text(struct arena *arena, int from, int to)
{
	return from == to ? phrase_number_text(arena, from)
			  : arena_printf(arena, "%d-%d", from, to);
}

bool phrase_hours(struct phrase *phrase, struct phrase_fields *fields, bool with_end)
{
	struct arena *arena = phrase->reading->arena;
	const struct phrase_range *range = &phrase->hours.list[0];
	int from = range->from % 24;
	if (phrase->hours.count == 0)
		return true;
	fields->hour = with_end ? hours_text(arena, range->from, range->to)
				: hours_text(arena, from, (range->to + 23) % 24);
	return with_end ||
	       reading_warn(phrase->reading, phrase->hours.part,
			    phrase_suggested(phrase->reading, fields),
			    "the range ends before %d:00, at which it does not run", range->to);
}

uint64_t phrase_minutes_set(const struct slot *slot)
{
	uint64_t set = 0;
	for (size_t i = 0; i < slot->count; i++)
		set |= UINT64_C(1) << slot->list[i].from;
	return set;
}
