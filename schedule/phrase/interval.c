/* When in its days a phrase runs: every so often, or at times. */
#include <string.h>

#include "schedule/phrase/phrase.h"

static bool warn_count_of_days(struct phrase *phrase)
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
		return warn_count_of_days(phrase);
	if (kind->period == 0 || kind->period % phrase->number == 0)
		return true;
	int first = phrase->start >= 0 ? phrase->start : kind->first;
	for (int i = first; i <= kind->highest; i += phrase->number)
		list = phrase_join(arena, list, phrase_number_text(arena, i));
	return reading_warn(phrase->reading, phrase->interval, NULL,
			    "%d %ss do not fill a%s %s: this runs at %s %s of each, where the "
			    "count starts again",
			    phrase->number, kind->name, strcmp(kind->next, "hour") == 0 ? "n" : "",
			    kind->next, kind->name, list);
}

/* Within hours the model runs every few seconds of their first minute only. */
static bool warn_seconds(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct phrase_fields whole = *fields;
	if (!fields->hour)
		return true;
	whole.minute = "*";
	whole.hour = phrase->hours.count ? whole.hour : "*";
	return reading_warn(phrase->reading, phrase->interval,
			    phrase_suggested(phrase->reading, &whole),
			    "it runs only in the first minute of %s, and not all the time",
			    phrase->hours.count ? "each hour of the range" : "the day");
}

static bool compile_seconds(struct phrase *phrase, struct phrase_fields *fields)
{
	bool days = fields->day || fields->weekday || fields->month;
	if (!phrase_refuse(phrase, &phrase->seconds, "an interval and a second: which?"))
		return false;
	if (!phrase_refuse(phrase, &phrase->minutes, "an interval and a minute: which?"))
		return false;
	fields->second = phrase_interval_text(phrase);
	fields->minute = days || phrase->hours.count ? "0" : "*";
	fields->hour = days ? "0" : NULL;
	return phrase_hours(phrase, fields, true) && warn_seconds(phrase, fields);
}

/* The model forgets the step of "every 4 hours from 6 to 18". */
static bool warn_step(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct phrase_fields stepped = *fields;
	if (phrase->number == 1)
		return true;
	stepped.hour = arena_printf(phrase->reading->arena, "%s/%d", fields->hour, phrase->number);
	return reading_warn(phrase->reading, phrase->interval,
			    phrase_suggested(phrase->reading, &stepped),
			    "with a range of hours the %d is lost: it runs every hour of the range",
			    phrase->number);
}

/* Which minutes and hours the model makes of these depends on the order of the words. */
static bool fail_minutes_of_hours(struct phrase *phrase, const struct phrase_fields *fields)
{
	return reading_fail_with(phrase->reading, phrase->minutes.part,
				 phrase_suggested(phrase->reading, fields),
				 "minutes and a range of hours: Solid Queue runs at other ones");
}

static bool compile_hours(struct phrase *phrase, struct phrase_fields *fields)
{
	uint64_t minutes = phrase_minutes_set(&phrase->minutes);
	fields->minute = minutes ? phrase_set_text(phrase->reading->arena, minutes) : "0";
	fields->hour = phrase_interval_text(phrase);
	if (phrase->hours.count == 0)
		return true;
	if (!phrase_hours(phrase, fields, true))
		return false;
	return minutes ? fail_minutes_of_hours(phrase, fields) : warn_step(phrase, fields);
}

static bool compile_minutes(struct phrase *phrase, struct phrase_fields *fields)
{
	fields->minute = phrase_interval_text(phrase);
	return phrase_refuse(phrase, &phrase->minutes, "an interval and a minute: which?") &&
	       phrase_hours(phrase, fields, false);
}

/* "every hour at 5" is once a day. */
static bool refuse_times(struct phrase *phrase)
{
	struct reading *reading = phrase->reading;
	if (phrase->times.count == 0)
		return true;
	return reading_fail_with(reading, phrase->times.part,
				 reading_replaced(reading, phrase->interval, "every day"),
				 "an interval and a time of day: which?");
}

static bool refuse_grain(struct phrase *phrase)
{
	return phrase->grain == UNIT_NONE ||
	       reading_fail(phrase->reading, phrase->grain_part, "on the %s of what?",
			    phrase_units[phrase->grain].name);
}

bool phrase_compile_interval(struct phrase *phrase, struct phrase_fields *fields)
{
	static bool (*const compile[])(struct phrase * phrase, struct phrase_fields * fields) = {
		[UNIT_SECOND] = compile_seconds,
		[UNIT_MINUTE] = compile_minutes,
		[UNIT_HOUR] = compile_hours,
	};
	return warn_uneven(phrase) && refuse_times(phrase) && refuse_grain(phrase) &&
	       compile[phrase->unit](phrase, fields) && phrase_add_cron(phrase, fields);
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
static bool add_times(struct phrase *phrase, struct phrase_fields *fields)
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
		fields->minute = phrase_set_text(arena, shared);
		fields->hour = phrase_set_text(arena, hours);
		if (phrase->reading->cron_count == 1 &&
		    !reading_extension(phrase->reading, phrase->times.part,
				       "generates multiple cron schedules"))
			return false;
		if (!phrase_add_cron(phrase, fields))
			return false;
	}
	return true;
}

/* "8am to 5pm on the minute", "on minute 10 and 30", or once an hour. */
static bool add_hours(struct phrase *phrase, struct phrase_fields *fields)
{
	uint64_t minutes = phrase_minutes_set(&phrase->minutes);
	bool often = minutes || phrase->grain == UNIT_MINUTE;
	if (minutes && !refuse_grain(phrase))
		return false;
	if (phrase->grain == UNIT_SECOND)
		return refuse_grain(phrase);
	fields->minute = "0";
	if (often)
		fields->minute = minutes ? phrase_set_text(phrase->reading->arena, minutes) : "*";
	return phrase_hours(phrase, fields, !often) && phrase_add_cron(phrase, fields);
}

bool phrase_compile_times(struct phrase *phrase, struct phrase_fields *fields)
{
	bool days = fields->day || fields->weekday || fields->month || phrase->unit == UNIT_DAY;
	if (phrase->unit != UNIT_NONE && !warn_uneven(phrase))
		return false;
	if (phrase->hours.count > 0)
		return phrase_refuse(phrase, &phrase->times,
				     "a time of day and a range of hours: which?") &&
		       add_hours(phrase, fields);
	if (!refuse_grain(phrase))
		return false;
	if (phrase->minutes.count == 0 && (days || phrase->times.count > 0))
		return add_times(phrase, fields);
	if (!phrase_refuse(phrase, &phrase->times, "a time of day and a minute: which?"))
		return false;
	fields->minute = "*";
	if (phrase->minutes.count > 0)
		fields->minute = phrase_set_text(phrase->reading->arena,
						 phrase_minutes_set(&phrase->minutes));
	return phrase_add_cron(phrase, fields);
}
