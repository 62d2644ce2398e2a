#include <string.h>

#include "common/text/parse.h"
#include "schedule/phrase/phrase.h"

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
	if (!unit && phrase_ordinal_begins(phrase, 0))
		return phrase_ordinals(phrase, first, true);
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
		return phrase_on_weekdays(phrase);
	if (word_take(phrase, "day") || word_take(phrase, "days"))
		return phrase_days(phrase);
	if (word_take(phrase, "weekends"))
		return add_weekend(phrase, first);
	if (word_take(phrase, "weekdays"))
		return reading_extension(phrase->reading, words_since(phrase, first), "weekdays") &&
		       add_weekday(phrase, first);
	if (phrase_point_begins(phrase, 0))
		return phrase_points(phrase);
	if (word_is(phrase, 0, "the") && !phrase_ordinal_begins(phrase, 0) &&
	    word_unit(phrase, 1, &unit))
		return take_the(phrase, first);
	if (phrase_ordinal_begins(phrase, 0))
		return phrase_ordinals(phrase, first, false);
	return word_fail(phrase);
}

/* What stands without "every" or "on"; a range may do without "from", a time without "at". */
static bool read_bare(struct phrase *phrase)
{
	int number;
	if (word_weekday(phrase, 0, &number))
		return phrase_bare_weekdays(phrase);
	if (phrase_point_begins(phrase, 0))
		return phrase_points(phrase);
	if (phrase_time_begins(phrase, 0))
		return phrase_times(phrase);
	if (phrase_ordinal_begins(phrase, 0))
		return phrase_bare_ordinals(phrase);
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
		return phrase_point_begins(phrase, 0) ? phrase_points(phrase)
						      : phrase_times(phrase);
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
