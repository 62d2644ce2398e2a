/* Days in a phrase: weekdays, ordinals, and days by number. */
#include <string.h>

#include "schedule/phrase/phrase.h"

static bool weekday_begins(const struct phrase *phrase, size_t further)
{
	int weekday;
	return word_weekday(phrase, further, &weekday);
}

bool phrase_ordinal_begins(const struct phrase *phrase, size_t further)
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

/* The model takes a capital after "on" for a time zone. */
bool phrase_on_weekdays(struct phrase *phrase)
{
	const struct word *word = word_at(phrase, 0);
	char initial = phrase->reading->text[word->part.offset];
	if (initial >= 'A' && initial <= 'Z' &&
	    !reading_extension(phrase->reading, word->part,
			       "a weekday with a capital after \"on\""))
		return false;
	return phrase_weekdays(phrase);
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

bool phrase_bare_weekdays(struct phrase *phrase)
{
	size_t first = phrase->at;
	size_t before = phrase->weekdays.count;
	if (!phrase_weekdays(phrase))
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
		if (range_goes_on(phrase, phrase_ordinal_begins) &&
		    !take_ordinal(phrase, &range.to))
			return false;
		if (range.from == LAST_DAY_OF_MONTH && range.to != LAST_DAY_OF_MONTH)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "the range ends before it begins");
		if (!phrase_add(phrase, slot, range, first))
			return false;
	} while (phrase_more(phrase, phrase_ordinal_begins));
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
	bool known = !day && (!every || word_is(phrase, 0, "of"));
	if (!known &&
	    !reading_extension(phrase->reading, words_since(phrase, first), "a day of the month"))
		return false;
	return need_of_the_month(phrase, first, every && day) &&
	       add_days(phrase, &ordinals, first, every);
}

bool phrase_bare_ordinals(struct phrase *phrase)
{
	size_t first = phrase->at;
	size_t before = phrase->days.count;
	if (!phrase_ordinals(phrase, first, false))
		return false;
	return is_one_range(phrase, first, phrase->days.count - before) ||
	       reading_extension(phrase->reading, words_since(phrase, first),
				 "days without \"every\" or \"on\" that are not one range");
}

/* "2 and 5" after "on day". */
bool phrase_days(struct phrase *phrase)
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
