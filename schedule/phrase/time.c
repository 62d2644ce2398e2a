#include <string.h>

#include "schedule/phrase/phrase.h"

static bool is_meridian(const struct phrase *phrase, size_t further)
{
	return word_is(phrase, further, "am") || word_is(phrase, further, "pm");
}

bool phrase_time_begins(const struct phrase *phrase, size_t further)
{
	int number;
	if (word_is(phrase, further, "noon") || word_is(phrase, further, "midnight") ||
	    word_is(phrase, further, "oh"))
		return true;
	if (word_ordinal(phrase, further, &number) > 0)
		return false;
	return word_at(phrase, further)->kind == WORD_NUMBER ||
	       word_number(phrase, further, &number) > 0;
}

/* "12 noon", "12 midnight": the latter is the end of the day. */
static bool take_name_of_12(struct phrase *phrase, size_t first, int *minutes)
{
	bool midnight = word_is(phrase, 0, "midnight");
	phrase->at++;
	if (*minutes / 60 != 12)
		return reading_fail(phrase->reading, words_since(phrase, first),
				    "only 12 is noon or midnight");
	*minutes += midnight ? 12 * 60 : 0;
	return true;
}

/* 12am is midnight and 12pm is noon. */
static bool take_meridian(struct phrase *phrase, size_t first, int *minutes)
{
	bool afternoon = word_is(phrase, 0, "pm");
	if (word_is(phrase, 0, "noon") || word_is(phrase, 0, "midday") ||
	    word_is(phrase, 0, "midnight"))
		return take_name_of_12(phrase, first, minutes);
	if (!is_meridian(phrase, 0))
		return true;
	phrase->at++;
	int hour = *minutes / 60;
	if (hour < 1 || hour > 12)
		return reading_fail(phrase->reading, words_since(phrase, first),
				    "hours of am and pm are 1 to 12");
	*minutes = (hour % 12 + (afternoon ? 12 : 0)) * 60 + *minutes % 60;
	return true;
}

static bool check_time(struct phrase *phrase, size_t first, int minutes)
{
	return minutes / 60 <= 24 || reading_fail(phrase->reading, words_since(phrase, first),
						  "a day has the hours 0 to 24");
}

/* "9", "09:30", with am or pm. */
static bool take_digits(struct phrase *phrase, int *minutes)
{
	size_t first = phrase->at;
	int hour = word_at(phrase, 0)->number;
	int minute = 0;
	phrase->at++;
	if (word_is(phrase, 0, ":") && word_at(phrase, 0)->glued) {
		const struct word *word = word_at(phrase, 1);
		phrase->at++;
		if (word->kind != WORD_NUMBER || word->part.length != 2 || word->number > 59)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "minutes have two digits, 00 to 59");
		minute = word->number;
		phrase->at++;
	}
	*minutes = (hour < 100 ? hour : 99) * 60 + minute;
	return take_meridian(phrase, first, minutes) && check_time(phrase, first, *minutes);
}

/* "five", "five thirty", "five o'clock", "oh dark thirty", with am or pm. */
static bool take_words(struct phrase *phrase, int *minutes)
{
	size_t first = phrase->at;
	int hour = 0;
	int minute = 0;
	size_t words = 0;
	if (!word_take(phrase, "oh"))
		phrase->at += word_number(phrase, 0, &hour);
	(void)word_take(phrase, "dark");
	if (!word_take(phrase, "o'clock") && !word_take(phrase, "hundred"))
		words = word_number(phrase, 0, &minute);
	phrase->at += words;
	if (words > 1 && !reading_extension(phrase->reading, words_since(phrase, first),
					    "such a number in words"))
		return false;
	*minutes = hour * 60 + minute;
	return take_meridian(phrase, first, minutes) && check_time(phrase, first, *minutes);
}

/* "9", "9am", "9:30pm", "noon", "five thirty", in minutes of the day. */
static bool take_time(struct phrase *phrase, int *minutes)
{
	*minutes = 0;
	if (word_take(phrase, "midnight"))
		return true;
	if (word_take(phrase, "noon")) {
		*minutes = 12 * 60;
		return true;
	}
	if (!phrase_time_begins(phrase, 0))
		return word_fail(phrase);
	return word_at(phrase, 0)->kind == WORD_NUMBER ? take_digits(phrase, minutes)
						       : take_words(phrase, minutes);
}

static bool check_hours(struct phrase *phrase, struct phrase_range *range, size_t first)
{
	struct part part = words_since(phrase, first);
	if (range->from % 60 || range->to % 60)
		return reading_fail(phrase->reading, part,
				    "a range goes from one full hour to another");
	if (phrase->hours.count > 0)
		return reading_fail(phrase->reading, part, "a second range of hours");
	range->from /= 60;
	range->to /= 60;
	bool day = range->from == 0 && range->to == 24;
	if (range->from % 24 == range->to % 24 && !day)
		return reading_fail(phrase->reading, part, "this range of hours has no end");
	return true;
}

/* "to 17", after the hour that the range begins with. */
static bool take_hours_end(struct phrase *phrase, int from, size_t first)
{
	struct phrase_range range = { .from = from };
	phrase->at++;
	return take_time(phrase, &range.to) && check_hours(phrase, &range, first) &&
	       phrase_add(phrase, &phrase->hours, range, first);
}

static bool hours_go_on(const struct phrase *phrase)
{
	return (word_is(phrase, 0, "to") || word_is(phrase, 0, "-")) &&
	       phrase_time_begins(phrase, 1);
}

bool phrase_times(struct phrase *phrase)
{
	do {
		size_t first = phrase->at;
		int time;
		if (!take_time(phrase, &time))
			return false;
		if (hours_go_on(phrase))
			return take_hours_end(phrase, time, first);
		if (!phrase_add(phrase, &phrase->times, (struct phrase_range){ time, time, 0 },
				first))
			return false;
	} while (phrase_more(phrase, phrase_time_begins));
	return true;
}

static const struct {
	const char *name;
	enum phrase_unit unit;
} points[] = {
	{ "minute", UNIT_MINUTE }, { "minutes", UNIT_MINUTE }, { "min", UNIT_MINUTE },
	{ "mins", UNIT_MINUTE },   { "second", UNIT_SECOND },  { "seconds", UNIT_SECOND },
	{ "sec", UNIT_SECOND },    { "secs", UNIT_SECOND },    { "hour", UNIT_HOUR },
	{ "hours", UNIT_HOUR },
};

static enum phrase_unit point_unit(const struct phrase *phrase, size_t further)
{
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		if (word_is(phrase, further, points[i].name))
			return points[i].unit;
	return UNIT_NONE;
}

bool phrase_point_begins(const struct phrase *phrase, size_t further)
{
	return point_unit(phrase, further) != UNIT_NONE &&
	       word_at(phrase, further + 1)->kind == WORD_NUMBER;
}

/* "5, 10 and minute 12": the name may be said again. */
static bool point_goes_on(const struct phrase *phrase, size_t further)
{
	return phrase_number_begins(phrase, further) || phrase_point_begins(phrase, further);
}

/* The model reads "at hour 5" and drops it. */
static bool fail_hour(struct phrase *phrase, size_t number)
{
	struct part part = words_since(phrase, number - 1);
	return reading_fail_with(
		phrase->reading, part,
		reading_replaced(phrase->reading, part, phrase->words[number].text),
		"an hour that is said so is forgotten by Solid Queue: leave out the word");
}

static bool take_point(struct phrase *phrase, enum phrase_unit unit)
{
	size_t first = phrase->at;
	struct slot *slot = unit == UNIT_MINUTE ? &phrase->minutes : &phrase->seconds;
	int number = word_at(phrase, 0)->number;
	if (!phrase_number_begins(phrase, 0))
		return word_fail(phrase);
	phrase->at++;
	if (unit == UNIT_HOUR)
		return fail_hour(phrase, first);
	if (number > 59)
		return reading_fail(phrase->reading, words_since(phrase, first), "%ss are 0 to 59",
				    phrase_units[unit].name);
	return phrase_add(phrase, slot, (struct phrase_range){ number, number, 0 }, first);
}

bool phrase_points(struct phrase *phrase)
{
	enum phrase_unit unit = UNIT_NONE;
	bool seconds = point_unit(phrase, 0) == UNIT_SECOND;
	if (!phrase_refuse(phrase, seconds ? &phrase->seconds : &phrase->minutes,
			   "and the same a second time: which?"))
		return false;
	do {
		enum phrase_unit named = point_unit(phrase, 0);
		unit = named != UNIT_NONE ? named : unit;
		phrase->at += named != UNIT_NONE ? 1 : 0;
		if (!take_point(phrase, unit))
			return false;
	} while (phrase_more(phrase, point_goes_on));
	return true;
}

bool phrase_from(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	if (word_weekday(phrase, 0, &number))
		return phrase_weekdays(phrase);
	if (word_is(phrase, 0, "the") || word_ordinal(phrase, 0, &number) > 0)
		return phrase_ordinal_begins(phrase, 0) ? phrase_ordinals(phrase, first, false)
							: word_fail(phrase);
	if (!take_time(phrase, &number))
		return false;
	return hours_go_on(phrase) ? take_hours_end(phrase, number, first) : word_fail(phrase);
}
