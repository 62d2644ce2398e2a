#include <string.h>

#include "common/parse.h"
#include "schedule/phrase.h"

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

/* "to" or "-" between two of a range. */
static bool range_goes_on(struct phrase *phrase, phrase_begins *begins)
{
	bool joined = word_is(phrase, 0, "to") || word_is(phrase, 0, "-");
	if (!joined || !begins(phrase, 1))
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
bool phrase_weekdays(struct phrase *phrase)
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
		if (range.from > range.to)
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

/* At an ordinal, with "the" before it or not. The model takes the first of a list after "every". */
bool phrase_ordinals(struct phrase *phrase, size_t first, bool every)
{
	struct slot ordinals = { 0 };
	int weekday;
	if (!take_ordinals(phrase, &ordinals, first))
		return false;
	if (word_weekday(phrase, 0, &weekday))
		return take_nth(phrase, &ordinals, first) &&
		       need_of_the_month(phrase, first, every);
	bool day = word_take(phrase, "day");
	if (day &&
	    !reading_extension(phrase->reading, words_since(phrase, first), "a day of the month"))
		return false;
	if (!need_of_the_month(phrase, first, every && day))
		return false;
	for (size_t i = 0; i < ordinals.count; i++)
		if (!phrase_add(phrase, &phrase->days, ordinals.list[i], first))
			return false;
	phrase->lost = phrase->lost || (every && ordinals.count > 1);
	return true;
}

static bool add_weekday(struct phrase *phrase, size_t first)
{
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
	if (phrase->unit == UNIT_YEAR && counted)
		return reading_fail(phrase->reading, part, "no schedule counts years");
	if (phrase->unit == UNIT_WEEK && counted)
		return reading_extension(phrase->reading, part, "an interval of weeks");
	return true;
}

/* "starting at minute 2", of the interval's own unit. */
static bool take_start(struct phrase *phrase)
{
	const struct phrase_unit_kind *kind = &phrase_units[phrase->unit];
	enum phrase_unit unit;
	size_t first = phrase->at;
	if (!word_take(phrase, "starting"))
		return true;
	if (!word_take(phrase, "at") && !word_take(phrase, "from"))
		return word_fail(phrase);
	if (!word_unit(phrase, 0, &unit) || unit != phrase->unit || kind->highest == 0)
		return word_fail(phrase);
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
		if (!phrase_weekdays(phrase))
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
		return phrase_weekdays(phrase);
	if (word_is(phrase, 0, "second") && word_weekday(phrase, 1, &number))
		return fail_second(phrase);
	bool unit = word_is(phrase, 0, "second") && !word_is(phrase, 1, "of");
	if (!unit && ordinal_begins(phrase, 0))
		return phrase_ordinals(phrase, first, true);
	return take_interval(phrase, first);
}

static bool plain_number_begins(const struct phrase *phrase, size_t further)
{
	return word_at(phrase, further)->kind == WORD_NUMBER &&
	       !word_at(phrase, further + 1)->glued;
}

/* "day 2 and 5" after "on". */
static bool take_days(struct phrase *phrase)
{
	do {
		size_t first = phrase->at;
		int day = word_at(phrase, 0)->number;
		if (!plain_number_begins(phrase, 0))
			return word_fail(phrase);
		phrase->at++;
		if (day < 1 || day > 31)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "days of the month are 1 to 31");
		if (!phrase_add(phrase, &phrase->days, (struct phrase_range){ day, day, 0 }, first))
			return false;
	} while (phrase_more(phrase, plain_number_begins));
	return take_of_the_month(phrase);
}

static bool read_on(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	if (word_weekday(phrase, 0, &number))
		return phrase_weekdays(phrase);
	if (word_take(phrase, "day") || word_take(phrase, "days"))
		return take_days(phrase);
	if (word_take(phrase, "weekends"))
		return add_weekend(phrase, first);
	if (word_take(phrase, "weekdays"))
		return reading_extension(phrase->reading, words_since(phrase, first), "weekdays") &&
		       add_weekday(phrase, first);
	if (word_take(phrase, "minute") || word_take(phrase, "minutes"))
		return phrase_minutes(phrase);
	if (ordinal_begins(phrase, 0))
		return phrase_ordinals(phrase, first, false);
	return word_fail(phrase);
}

static bool read_at(struct phrase *phrase)
{
	if (word_take(phrase, "minute") || word_take(phrase, "minutes"))
		return phrase_minutes(phrase);
	return phrase_times(phrase);
}

/* What stands without "every", "on" or "at". */
static bool read_bare(struct phrase *phrase)
{
	int number;
	size_t first = phrase->at;
	if (word_weekday(phrase, 0, &number))
		return phrase_weekdays(phrase);
	if (phrase_time_begins(phrase, 0))
		return phrase_times(phrase);
	if (!ordinal_begins(phrase, 0))
		return word_fail(phrase);
	return phrase_ordinals(phrase, first, false) &&
	       reading_extension(phrase->reading, words_since(phrase, first),
				 "a day without \"every\" or \"on\"");
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
		return read_at(phrase);
	if (word_take(phrase, "from"))
		return phrase_from(phrase);
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
