#include <string.h>

#include "schedule/phrase.h"

/* The fields of a cron expression as text; NULL: "*", or for seconds none. */
struct fields {
	const char *second, *minute, *hour, *day, *month, *weekday;
};

/* A list with one more in it: "1,2". */
static const char *join(struct arena *arena, const char *list, const char *item)
{
	return list ? arena_printf(arena, "%s,%s", list, item) : item;
}

static const char *number_text(struct arena *arena, int number)
{
	return arena_printf(arena, "%d", number);
}

/* The members of a set in order. */
static const char *set_text(struct arena *arena, uint64_t set)
{
	const char *list = NULL;
	for (int i = 0; i < 64; i++)
		if (set >> i & 1)
			list = join(arena, list, number_text(arena, i));
	return list;
}

static const char *day_text(struct arena *arena, int day)
{
	return day == LAST_DAY_OF_MONTH ? "L" : number_text(arena, day);
}

/* NULL when no day was named. */
static const char *days_text(const struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	const struct slot *days = &phrase->days;
	const char *list = NULL;
	size_t count = phrase->lost ? 1 : days->count;
	for (size_t i = 0; i < count; i++) {
		const struct phrase_range *range = &days->list[i];
		const char *item = day_text(arena, range->from);
		if (range->from != range->to)
			item = arena_printf(arena, "%s-%s", item, day_text(arena, range->to));
		list = join(arena, list, item);
	}
	return list;
}

/* Each day of a range by itself: 1%2,2%2. */
static const char *modulo_text(struct arena *arena, const struct phrase_range *range, int modulus)
{
	const char *list = NULL;
	int days = (range->to - range->from + 7) % 7;
	for (int i = 0; i <= days; i++)
		list = join(arena, list,
			    arena_printf(arena, "%d%%%d", (range->from + i) % 7, modulus));
	return list;
}

static const char *weekday_text(struct arena *arena, const struct phrase_range *range, int modulus)
{
	if (range->nth != 0)
		return arena_printf(arena, "%d#%d", range->from, range->nth);
	if (modulus > 1)
		return modulo_text(arena, range, modulus);
	if (range->from != range->to)
		return arena_printf(arena, "%d-%d", range->from, range->to);
	return number_text(arena, range->from);
}

/* NULL when none was named. */
static const char *weekdays_text(const struct phrase *phrase, int modulus)
{
	struct arena *arena = phrase->reading->arena;
	const char *list = NULL;
	for (size_t i = 0; i < phrase->weekdays.count; i++)
		list = join(arena, list, weekday_text(arena, &phrase->weekdays.list[i], modulus));
	return list;
}

/* "*", a step, or one from the start. */
static const char *interval_text(const struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	if (phrase->start >= 0)
		return arena_printf(arena, "%d/%d", phrase->start, phrase->number);
	return phrase->number == 1 ? "*" : arena_printf(arena, "*/%d", phrase->number);
}

static const char *fields_text(struct arena *arena, const struct fields *fields)
{
	const char *rest = arena_printf(
		arena, "%s %s %s %s %s", fields->minute, fields->hour ? fields->hour : "*",
		fields->day ? fields->day : "*", fields->month ? fields->month : "*",
		fields->weekday ? fields->weekday : "*");
	return fields->second ? arena_printf(arena, "%s %s", fields->second, rest) : rest;
}

/* The cron expression that says so, in the zone of the text. */
static const char *suggested(const struct reading *reading, const struct fields *fields)
{
	const char *cron = fields_text(reading->arena, fields);
	if (!reading->zone)
		return cron;
	return arena_printf(reading->arena, "%s %s", cron, zone_name(reading->zone));
}

static bool warn_lost(struct phrase *phrase)
{
	struct part every = { phrase->days.part.offset, strlen("every") };
	if (!phrase->lost)
		return true;
	return reading_warn(phrase->reading, phrase->days.part,
			    reading_replaced(phrase->reading, every, "on the"),
			    "after \"every\" only the first day of a list counts, and the others "
			    "are lost");
}

static bool warn_days(struct phrase *phrase)
{
	const char *suggestion = NULL;
	if (phrase->number == 2 && phrase->start < 0)
		suggestion = reading_replaced(phrase->reading, phrase->interval, "every other day");
	return reading_warn(phrase->reading, phrase->interval, suggestion,
			    "the count of days starts again with each month: what runs on the "
			    "last of one may run on the first of the next");
}

/* Every 45 minutes is at :00 and :45, 45 and then 15 minutes apart. */
static bool warn_uneven(struct phrase *phrase)
{
	const struct phrase_unit_kind *kind = &phrase_units[phrase->unit];
	struct arena *arena = phrase->reading->arena;
	const char *list = NULL;
	if (phrase->unit == UNIT_DAY && phrase->number > 1 && !phrase->other)
		return warn_days(phrase);
	if (kind->period == 0 || kind->period % phrase->number == 0)
		return true;
	int first = phrase->start >= 0 ? phrase->start : kind->first;
	for (int i = first; i <= kind->highest; i += phrase->number)
		list = join(arena, list, number_text(arena, i));
	return reading_warn(phrase->reading, phrase->interval, NULL,
			    "%d %ss do not fill a%s %s: this runs at %s %s of each, where the "
			    "count starts again",
			    phrase->number, kind->name, strcmp(kind->next, "hour") == 0 ? "n" : "",
			    kind->next, kind->name, list);
}

static bool refuse(struct phrase *phrase, const struct slot *slot, const char *why)
{
	return slot->count == 0 || reading_fail(phrase->reading, slot->part, "%s", why);
}

static bool read_cron(struct phrase *phrase, const struct fields *fields)
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

/* "from 9 to 17" of what runs every few minutes ends before 17:00. */
static bool exclusive_hours(struct phrase *phrase, struct fields *fields)
{
	struct arena *arena = phrase->reading->arena;
	if (phrase->hours.count == 0)
		return true;
	int from = phrase->hours.list[0].from % 24;
	int end = phrase->hours.list[0].to;
	int last = (end + 23) % 24;
	fields->hour =
		from == last ? number_text(arena, from) : arena_printf(arena, "%d-%d", from, last);
	return reading_warn(phrase->reading, phrase->hours.part, suggested(phrase->reading, fields),
			    "the range ends before %d:00, at which it does not run", end);
}

static bool compile_short(struct phrase *phrase, struct fields *fields)
{
	bool seconds = phrase->unit == UNIT_SECOND;
	if (!refuse(phrase, &phrase->minutes, "an interval and a minute: which?"))
		return false;
	fields->second = seconds ? interval_text(phrase) : NULL;
	fields->minute = seconds ? "*" : interval_text(phrase);
	return exclusive_hours(phrase, fields);
}

/* The model forgets the step of "every 4 hours from 6 to 18". */
static bool compile_hours(struct phrase *phrase, struct fields *fields)
{
	struct arena *arena = phrase->reading->arena;
	uint64_t minutes = 0;
	for (size_t i = 0; i < phrase->minutes.count; i++)
		minutes |= UINT64_C(1) << phrase->minutes.list[i].from;
	fields->minute = minutes ? set_text(arena, minutes) : "0";
	fields->hour = interval_text(phrase);
	if (phrase->hours.count == 0)
		return true;
	const struct phrase_range *range = &phrase->hours.list[0];
	fields->hour = arena_printf(arena, "%d-%d", range->from, range->to);
	if (phrase->number == 1)
		return true;
	struct fields stepped = *fields;
	stepped.hour = arena_printf(arena, "%s/%d", fields->hour, phrase->number);
	return reading_warn(phrase->reading, phrase->interval, suggested(phrase->reading, &stepped),
			    "with a range of hours the %d is lost: it runs every hour of the range",
			    phrase->number);
}

static bool compile_interval(struct phrase *phrase, struct fields *fields)
{
	if (!refuse(phrase, &phrase->times, "an interval and a time of day: which?"))
		return false;
	if (phrase->unit == UNIT_HOUR)
		return compile_hours(phrase, fields) && read_cron(phrase, fields);
	return compile_short(phrase, fields) && read_cron(phrase, fields);
}

/* The minutes of each hour at which it runs; midnight when no time was said. */
static void gather_times(const struct phrase *phrase, uint64_t minutes[25])
{
	if (phrase->times.count == 0)
		minutes[0] = 1;
	for (size_t i = 0; i < phrase->times.count; i++) {
		int time = phrase->times.list[i].from;
		minutes[time / 60] |= UINT64_C(1) << time % 60;
	}
}

/* Hours that share their minutes make one expression. Several are an extension. */
static bool compile_times(struct phrase *phrase, struct fields *fields)
{
	struct arena *arena = phrase->reading->arena;
	uint64_t minutes[25] = { 0 };
	gather_times(phrase, minutes);
	for (int hour = 0; hour < 25; hour++) {
		uint64_t hours = 0;
		uint64_t shared = minutes[hour];
		for (int i = hour; i < 25 && shared; i++)
			if (minutes[i] == shared) {
				hours |= UINT64_C(1) << i;
				minutes[i] = 0;
			}
		if (!shared)
			continue;
		fields->minute = set_text(arena, shared);
		fields->hour = set_text(arena, hours);
		if (phrase->reading->cron_count == 1 &&
		    !reading_extension(phrase->reading, phrase->times.part,
				       "generates multiple cron schedules"))
			return false;
		if (!read_cron(phrase, fields))
			return false;
	}
	return true;
}

/* What the unit says of days, months and weekdays where nothing else does. */
static void add_unit(const struct phrase *phrase, struct fields *fields)
{
	struct arena *arena = phrase->reading->arena;
	int number = phrase->number;
	switch (phrase->unit) {
	case UNIT_DAY:
		if (number > 1)
			fields->day = phrase->other ? "*%2" : interval_text(phrase);
		break;
	case UNIT_WEEK:
		if (!fields->weekday)
			fields->weekday = number > 1 ? arena_printf(arena, "0%%%d", number) : "0";
		break;
	case UNIT_MONTH:
	case UNIT_YEAR:
		fields->month = phrase->unit == UNIT_YEAR ? "1" : interval_text(phrase);
		fields->day = fields->day ? fields->day : "1";
		break;
	case UNIT_NONE:
	case UNIT_SECOND:
	case UNIT_MINUTE:
	case UNIT_HOUR:
	case UNITS:
		break;
	}
}

static bool compile_days(struct phrase *phrase, struct fields *fields)
{
	bool monthly = phrase->unit == UNIT_MONTH || phrase->unit == UNIT_YEAR;
	if (!refuse(phrase, &phrase->minutes, "a minute of which hour?") ||
	    !refuse(phrase, &phrase->hours,
		    "how often in these hours? Write \"every hour from ... to ...\""))
		return false;
	if (phrase->number > 1 && phrase->unit == UNIT_DAY &&
	    !refuse(phrase, &phrase->days, "an interval of days and days of the month: which?"))
		return false;
	if (monthly && !refuse(phrase, &phrase->weekdays, "which of these days in the month?"))
		return false;
	add_unit(phrase, fields);
	return compile_times(phrase, fields);
}

static bool check_days(struct phrase *phrase)
{
	bool days = phrase->days.count > 0 || (phrase->unit == UNIT_DAY && phrase->number > 1);
	if (phrase->unit == UNIT_NONE && phrase->days.count == 0 && phrase->weekdays.count == 0)
		return reading_fail(phrase->reading, (struct part){ 0, phrase->reading->length },
				    "on which days? Write \"every day ...\"");
	if (!days)
		return true;
	return refuse(phrase, &phrase->weekdays,
		      "days of the month and weekdays: a schedule has one or the other");
}

static int week_modulus(const struct phrase *phrase)
{
	if (phrase->unit == UNIT_WEEK)
		return phrase->number;
	return phrase->other && phrase->unit == UNIT_NONE ? 2 : 1;
}

bool phrase_compile(struct phrase *phrase)
{
	bool interval = phrase->unit >= UNIT_SECOND && phrase->unit <= UNIT_HOUR;
	struct fields fields = { 0 };
	if (!check_days(phrase) || !warn_lost(phrase))
		return false;
	if (phrase->unit != UNIT_NONE && !warn_uneven(phrase))
		return false;
	fields.day = days_text(phrase);
	fields.weekday = weekdays_text(phrase, week_modulus(phrase));
	return interval ? compile_interval(phrase, &fields) : compile_days(phrase, &fields);
}
