/*
 * Reading a phrase: words to slots, which say how often, on which days and at what times.
 *
 * How an element begins says what it is. A list ends where what follows does not begin a member of
 * it. What Solid Queue does not know is accepted as an extension, and refused when the request is
 * compatible.
 */
#include <string.h>

#include "schedule/phrase/phrase.h"

/* Days: weekdays, ordinals, and days by number */

static bool weekday_begins(const struct phrase *phrase, size_t further)
{
	int weekday;
	return word_weekday(phrase, further, &weekday);
}

static bool ordinal_begins(const struct phrase *phrase, size_t further)
{
	int day;
	return word_ordinal(phrase, further + (word_is(phrase, further, "the") ? 1 : 0), &day) > 0;
}

/* "to", "through" or "-" between two of a range. */
static bool is_joined(const struct phrase *phrase)
{
	return word_is(phrase, 0, "to") || word_is(phrase, 0, "through") || word_is(phrase, 0, "-");
}

static bool range_goes_on(struct phrase *phrase, phrase_begins *begins)
{
	if (!is_joined(phrase) || !begins(phrase, 1))
		return false;
	phrase->at++;
	return true;
}

static int take_weekday(struct phrase *phrase)
{
	int weekday = 0;
	(void)word_weekday(phrase, 0, &weekday);
	phrase->at++;
	return weekday;
}

/* "monday", "mon,wed and fri", "monday to friday". */
static bool read_weekdays(struct phrase *phrase)
{
	size_t first = phrase->at;
	do {
		struct phrase_range range = { 0 };
		range.from = take_weekday(phrase);
		range.to =
			range_goes_on(phrase, weekday_begins) ? take_weekday(phrase) : range.from;
		if (!phrase_add(phrase, &phrase->weekdays, range, first))
			return false;
	} while (phrase_more(phrase, weekday_begins));
	return true;
}

/* The model takes a capital after "on" for a time zone. */
static bool read_on_weekdays(struct phrase *phrase)
{
	const struct word *word = word_at(phrase, 0);
	char initial = phrase->reading->text[word->part.offset];
	if (initial >= 'A' && initial <= 'Z' &&
	    !reading_extension(phrase->reading, word->part,
			       "a weekday with a capital after \"on\""))
		return false;
	return read_weekdays(phrase);
}

/*
 * Without "every" or "on" the model knows only one range, which may be of one day ("friday to
 * friday"). added: how many ranges the words since first came to.
 */
static bool is_one_range(struct phrase *phrase, size_t first, size_t added)
{
	size_t end = phrase->at;
	bool joined = false;
	for (phrase->at = first; phrase->at < end; phrase->at++)
		joined = joined || is_joined(phrase);
	return joined && added == 1;
}

static bool read_bare_weekdays(struct phrase *phrase)
{
	size_t first = phrase->at;
	size_t before = phrase->weekdays.count;
	if (!read_weekdays(phrase))
		return false;
	return is_one_range(phrase, first, phrase->weekdays.count - before) ||
	       reading_extension(phrase->reading, words_since(phrase, first),
				 "weekdays without \"every\" or \"on\" that are not one range");
}

static bool take_ordinal(struct phrase *phrase, int *day)
{
	size_t first = phrase->at;
	(void)word_take(phrase, "the");
	phrase->at += word_ordinal(phrase, 0, day);
	return (*day >= 1 && *day <= LAST_DAY_OF_MONTH) ||
	       reading_fail(phrase->reading, words_since(phrase, first), "no month has such a day");
}

static bool take_ordinals(struct phrase *phrase, struct slot *slot, size_t first)
{
	do {
		struct phrase_range range = { 0 };
		if (!take_ordinal(phrase, &range.from))
			return false;
		range.to = range.from;
		if (range_goes_on(phrase, ordinal_begins) && !take_ordinal(phrase, &range.to))
			return false;
		if (range.from == LAST_DAY_OF_MONTH && range.to != LAST_DAY_OF_MONTH)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "the range ends before it begins");
		if (!phrase_add(phrase, slot, range, first))
			return false;
	} while (phrase_more(phrase, ordinal_begins));
	return true;
}

static bool take_of_the_month(struct phrase *phrase)
{
	if (!word_is(phrase, 0, "of"))
		return true;
	phrase->at++;
	(void)word_take(phrase, "the");
	return word_take(phrase, "month") || word_fail(phrase);
}

/* "every 2nd monday" and "every third day" may be counted from one to the next, too. */
static bool need_of_the_month(struct phrase *phrase, size_t first, bool every)
{
	if (every && !word_is(phrase, 0, "of"))
		return reading_fail(phrase->reading, words_since(phrase, first),
				    "of the month, or counted from one to the next? Write "
				    "\"... of the month\" or \"every other ...\"");
	return take_of_the_month(phrase);
}

/* "the first and third monday": an extension. */
static bool take_nth(struct phrase *phrase, const struct slot *ordinals, size_t first)
{
	int weekday = take_weekday(phrase);
	if (!reading_extension(phrase->reading, words_since(phrase, first),
			       "one weekday of the month"))
		return false;
	for (size_t i = 0; i < ordinals->count; i++) {
		int nth = ordinals->list[i].from;
		bool single = nth == ordinals->list[i].to;
		if (!single || (nth > 5 && nth != LAST_DAY_OF_MONTH))
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "a weekday comes first to fifth, or last, in a month");
		struct phrase_range range = { weekday, weekday,
					      nth == LAST_DAY_OF_MONTH ? -1 : nth };
		if (!phrase_add(phrase, &phrase->weekdays, range, first))
			return false;
	}
	return true;
}

/* After "every" the model takes the first of a list. */
static bool add_days(struct phrase *phrase, const struct slot *ordinals, size_t first, bool every)
{
	struct part part = words_since(phrase, first);
	size_t count = every ? 1 : ordinals->count;
	for (size_t i = 0; i < count; i++)
		if (!phrase_add(phrase, &phrase->days, ordinals->list[i], first))
			return false;
	return count == ordinals->count ||
	       reading_warn(phrase->reading, part,
			    reading_replaced(phrase->reading,
					     (struct part){ part.offset, strlen("every") },
					     "on the"),
			    "after \"every\" only the first day of a list counts, and the others "
			    "are lost");
}

static bool read_ordinals(struct phrase *phrase, size_t first, bool every)
{
	struct slot ordinals = { 0 };
	int weekday;
	if (!take_ordinals(phrase, &ordinals, first))
		return false;
	if (word_weekday(phrase, 0, &weekday))
		return take_nth(phrase, &ordinals, first) &&
		       need_of_the_month(phrase, first, every);
	bool day = word_take(phrase, "day");
	bool known = !day && (!every || word_is(phrase, 0, "of"));
	if (!known &&
	    !reading_extension(phrase->reading, words_since(phrase, first), "a day of the month"))
		return false;
	return need_of_the_month(phrase, first, every && day) &&
	       add_days(phrase, &ordinals, first, every);
}

static bool read_bare_ordinals(struct phrase *phrase)
{
	size_t first = phrase->at;
	size_t before = phrase->days.count;
	if (!read_ordinals(phrase, first, false))
		return false;
	return is_one_range(phrase, first, phrase->days.count - before) ||
	       reading_extension(phrase->reading, words_since(phrase, first),
				 "days without \"every\" or \"on\" that are not one range");
}

/* "2 and 5" after "on day". */
static bool read_days(struct phrase *phrase)
{
	do {
		size_t first = phrase->at;
		int day = word_at(phrase, 0)->number;
		if (!phrase_number_begins(phrase, 0))
			return word_fail(phrase);
		phrase->at++;
		if (day < 1 || day > 31)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "days of the month are 1 to 31");
		if (!phrase_add(phrase, &phrase->days, (struct phrase_range){ day, day, 0 }, first))
			return false;
	} while (phrase_more(phrase, phrase_number_begins));
	return take_of_the_month(phrase);
}

/* Times: of the day, within an hour or a minute, and ranges of hours */

static bool is_meridian(const struct phrase *phrase, size_t further)
{
	return word_is(phrase, further, "am") || word_is(phrase, further, "pm");
}

/* Does a time of day begin at `further`? */
static bool time_begins(const struct phrase *phrase, size_t further)
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
	if (!time_begins(phrase, 0))
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
	return (word_is(phrase, 0, "to") || word_is(phrase, 0, "-")) && time_begins(phrase, 1);
}

/* Times of the day, or a range of hours without "from". */
static bool read_times(struct phrase *phrase)
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
	} while (phrase_more(phrase, time_begins));
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

/* Does "minute 5" or "second 10" begin there? */
static bool point_begins(const struct phrase *phrase, size_t further)
{
	return point_unit(phrase, further) != UNIT_NONE &&
	       word_at(phrase, further + 1)->kind == WORD_NUMBER;
}

/* "5, 10 and minute 12": the name may be said again. */
static bool point_goes_on(const struct phrase *phrase, size_t further)
{
	return phrase_number_begins(phrase, further) || point_begins(phrase, further);
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

static bool read_points(struct phrase *phrase)
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

static bool read_from(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	if (word_weekday(phrase, 0, &number))
		return read_weekdays(phrase);
	if (word_is(phrase, 0, "the") || word_ordinal(phrase, 0, &number) > 0)
		return ordinal_begins(phrase, 0) ? read_ordinals(phrase, first, false)
						 : word_fail(phrase);
	if (!take_time(phrase, &number))
		return false;
	return hours_go_on(phrase) ? take_hours_end(phrase, number, first) : word_fail(phrase);
}

/* The phrase */

static bool add_weekday(struct phrase *phrase, size_t first)
{
	phrase->weekday = true;
	return phrase_add(phrase, &phrase->weekdays, (struct phrase_range){ 1, 5, 0 }, first);
}

static bool add_weekend(struct phrase *phrase, size_t first)
{
	return reading_extension(phrase->reading, words_since(phrase, first), "weekend") &&
	       phrase_add(phrase, &phrase->weekdays, (struct phrase_range){ 6, 6, 0 }, first) &&
	       phrase_add(phrase, &phrase->weekdays, (struct phrase_range){ 0, 0, 0 }, first);
}

static bool check_number(struct phrase *phrase, size_t first, bool counted)
{
	struct part part = words_since(phrase, first);
	if (phrase->number < 1 || phrase->number > 99)
		return reading_fail(phrase->reading, part, "an interval is 1 to 99 of its unit");
	bool several = counted && phrase->number > 1;
	if (phrase->unit == UNIT_YEAR && several)
		return reading_fail(phrase->reading, part, "no schedule counts years");
	if (phrase->unit == UNIT_WEEK && several)
		return reading_extension(phrase->reading, part, "an interval of weeks");
	return true;
}

/* "starting at minute 2", "from minute 2", of the interval's own unit. */
static bool take_start(struct phrase *phrase)
{
	const struct phrase_unit_kind *kind = &phrase_units[phrase->unit];
	enum phrase_unit unit;
	size_t first = phrase->at;
	bool from = word_is(phrase, 0, "from") && word_unit(phrase, 1, &unit) &&
		    word_at(phrase, 2)->kind == WORD_NUMBER;
	if (!from && !word_is(phrase, 0, "starting"))
		return true;
	phrase->at++;
	if (!from && !word_take(phrase, "at") && !word_take(phrase, "from"))
		return word_fail(phrase);
	if (!word_unit(phrase, 0, &unit) || kind->highest == 0)
		return word_fail(phrase);
	if (unit != phrase->unit)
		return reading_fail(phrase->reading, words_since(phrase, first),
				    "an interval of %ss starts \"at %s ...\"", kind->name,
				    kind->name);
	phrase->at++;
	if (word_at(phrase, 0)->kind != WORD_NUMBER)
		return word_fail(phrase);
	phrase->start = word_at(phrase, 0)->number;
	phrase->at++;
	if (phrase->start < kind->first || phrase->start > kind->highest)
		return reading_fail(phrase->reading, words_since(phrase, first), "a %s is %d to %d",
				    kind->name, kind->first, kind->highest);
	return true;
}

/* At "day", "5 minutes", "5m". */
static bool take_interval(struct phrase *phrase, size_t first)
{
	bool counted = word_at(phrase, 0)->kind == WORD_NUMBER;
	if (phrase->unit != UNIT_NONE)
		return reading_fail(phrase->reading, words_since(phrase, first),
				    "a second interval");
	phrase->number = counted ? word_at(phrase, 0)->number : 1;
	phrase->at += counted ? 1 : 0;
	if (!word_unit(phrase, 0, &phrase->unit))
		return word_fail(phrase);
	phrase->at++;
	if (word_at(phrase, 0)->glued)
		return word_fail(phrase);
	phrase->interval = words_since(phrase, first);
	return check_number(phrase, first, counted) && take_start(phrase);
}

/* "every other day", "every other monday": an extension. */
static bool take_other(struct phrase *phrase, size_t first)
{
	int weekday;
	phrase->other = true;
	if (word_weekday(phrase, 0, &weekday)) {
		if (!read_weekdays(phrase))
			return false;
	} else {
		bool counted = word_at(phrase, 0)->kind == WORD_NUMBER;
		if (counted || !take_interval(phrase, first))
			return word_fail(phrase);
		phrase->number = 2;
		if (phrase->unit == UNIT_YEAR)
			return check_number(phrase, first, true);
	}
	return reading_extension(phrase->reading, words_since(phrase, first), "every other");
}

/* "every second monday" is no second of each monday. */
static bool fail_second(struct phrase *phrase)
{
	struct part part = word_at(phrase, 0)->part;
	return reading_fail_with(phrase->reading, part,
				 reading_replaced(phrase->reading, part, "other"),
				 "every second what?");
}

static bool read_every(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	if (word_take(phrase, "other"))
		return take_other(phrase, first);
	if (word_take(phrase, "weekday"))
		return add_weekday(phrase, first);
	if (word_take(phrase, "weekend"))
		return add_weekend(phrase, first);
	if (word_weekday(phrase, 0, &number))
		return read_weekdays(phrase);
	if (word_is(phrase, 0, "second") && word_weekday(phrase, 1, &number))
		return fail_second(phrase);
	bool unit = word_is(phrase, 0, "second") && !word_is(phrase, 1, "of");
	if (!unit && ordinal_begins(phrase, 0))
		return read_ordinals(phrase, first, true);
	return take_interval(phrase, first);
}

/* "on the hour", "on the minute": of a range of hours. */
static bool take_the(struct phrase *phrase, size_t first)
{
	phrase->at++;
	if (!word_unit(phrase, 0, &phrase->grain) || phrase->grain > UNIT_HOUR)
		return word_fail(phrase);
	phrase->at++;
	phrase->grain_part = words_since(phrase, first);
	return true;
}

static bool read_on(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	enum phrase_unit unit;
	if (word_weekday(phrase, 0, &number))
		return read_on_weekdays(phrase);
	if (word_take(phrase, "day") || word_take(phrase, "days"))
		return read_days(phrase);
	if (word_take(phrase, "weekends"))
		return add_weekend(phrase, first);
	if (word_take(phrase, "weekdays"))
		return reading_extension(phrase->reading, words_since(phrase, first), "weekdays") &&
		       add_weekday(phrase, first);
	if (point_begins(phrase, 0))
		return read_points(phrase);
	if (word_is(phrase, 0, "the") && !ordinal_begins(phrase, 0) && word_unit(phrase, 1, &unit))
		return take_the(phrase, first);
	if (ordinal_begins(phrase, 0))
		return read_ordinals(phrase, first, false);
	return word_fail(phrase);
}

/* What stands without "every" or "on"; a range may do without "from", a time without "at". */
static bool read_bare(struct phrase *phrase)
{
	int number;
	if (word_weekday(phrase, 0, &number))
		return read_bare_weekdays(phrase);
	if (point_begins(phrase, 0))
		return read_points(phrase);
	if (time_begins(phrase, 0))
		return read_times(phrase);
	if (ordinal_begins(phrase, 0))
		return read_bare_ordinals(phrase);
	return word_fail(phrase);
}

static bool read_zone(struct phrase *phrase)
{
	struct part part = word_at(phrase, 0)->part;
	phrase->at++;
	return reading_zone(phrase->reading, part);
}

static bool read_element(struct phrase *phrase)
{
	bool before_zone = word_at(phrase, 1)->kind == WORD_ZONE;
	if (before_zone && !word_take(phrase, "in"))
		(void)word_take(phrase, "on");
	if (word_at(phrase, 0)->kind == WORD_ZONE)
		return read_zone(phrase);
	if (word_take(phrase, "every"))
		return read_every(phrase);
	if (word_take(phrase, "on"))
		return read_on(phrase);
	if (word_take(phrase, "at"))
		return point_begins(phrase, 0) ? read_points(phrase) : read_times(phrase);
	if (word_take(phrase, "from"))
		return read_from(phrase);
	return read_bare(phrase);
}

bool phrase_read(struct reading *reading)
{
	struct phrase phrase = { .reading = reading, .start = -1 };
	reading->phrase = true;
	phrase.words = phrase_words(reading);
	while (word_at(&phrase, 0)->kind != WORD_END) {
		if (word_take(&phrase, ","))
			continue;
		if (!read_element(&phrase))
			return false;
	}
	return phrase_compile(&phrase);
}
