#include <string.h>

#include "schedule/phrase.h"

static bool is_meridian(const struct phrase *phrase, size_t further)
{
	return word_is(phrase, further, "am") || word_is(phrase, further, "pm");
}

bool phrase_time_begins(const struct phrase *phrase, size_t further)
{
	int number;
	if (word_is(phrase, further, "noon") || word_is(phrase, further, "midnight"))
		return true;
	if (word_ordinal(phrase, further, &number) > 0)
		return false;
	return word_at(phrase, further)->kind == WORD_NUMBER ||
	       word_number(phrase, further, &number) > 0;
}

/* 12am is midnight and 12pm is noon. */
static bool take_meridian(struct phrase *phrase, size_t first, int *minutes)
{
	bool afternoon = word_is(phrase, 0, "pm");
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
	return minutes <= 24 * 60 || reading_fail(phrase->reading, words_since(phrase, first),
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

/* "five", "five thirty", "five o'clock", with am or pm. */
static bool take_words(struct phrase *phrase, int *minutes)
{
	size_t first = phrase->at;
	int hour = 0;
	int minute = 0;
	phrase->at += word_number(phrase, 0, &hour);
	if (!word_take(phrase, "o'clock"))
		phrase->at += word_number(phrase, 0, &minute);
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

bool phrase_more(struct phrase *phrase, phrase_begins *begins)
{
	size_t further = 0;
	if (word_is(phrase, further, ","))
		further++;
	if (word_is(phrase, further, "and") || word_is(phrase, further, "or"))
		further++;
	if (further == 0 || !begins(phrase, further))
		return false;
	phrase->at += further;
	return true;
}

bool phrase_add(struct phrase *phrase, struct slot *slot, struct phrase_range range, size_t first)
{
	struct part part = words_since(phrase, first);
	if (slot->count == SLOT_MAXIMUM)
		return reading_fail(phrase->reading, part, "more than %d of a kind", SLOT_MAXIMUM);
	if (slot->count == 0)
		slot->part = part;
	slot->part.length = part.offset + part.length - slot->part.offset;
	slot->list[slot->count++] = range;
	return true;
}

bool phrase_times(struct phrase *phrase)
{
	do {
		size_t first = phrase->at;
		int time;
		if (!take_time(phrase, &time) ||
		    !phrase_add(phrase, &phrase->times, (struct phrase_range){ time, time, 0 },
				first))
			return false;
	} while (phrase_more(phrase, phrase_time_begins));
	return true;
}

static bool number_begins(const struct phrase *phrase, size_t further)
{
	return word_at(phrase, further)->kind == WORD_NUMBER &&
	       !word_at(phrase, further + 1)->glued;
}

/* After "minute". */
bool phrase_minutes(struct phrase *phrase)
{
	do {
		size_t first = phrase->at;
		int minute = word_at(phrase, 0)->number;
		if (!number_begins(phrase, 0))
			return word_fail(phrase);
		phrase->at++;
		if (minute > 59)
			return reading_fail(phrase->reading, words_since(phrase, first),
					    "minutes are 0 to 59");
		if (!phrase_add(phrase, &phrase->minutes,
				(struct phrase_range){ minute, minute, 0 }, first))
			return false;
	} while (phrase_more(phrase, number_begins));
	return true;
}

/* "9 to 17" after "from". */
static bool read_hours(struct phrase *phrase, size_t first)
{
	struct phrase_range range = { 0 };
	if (!take_time(phrase, &range.from))
		return false;
	if (!word_take(phrase, "to") && !word_take(phrase, "-"))
		return word_fail(phrase);
	if (!take_time(phrase, &range.to))
		return false;
	struct part part = words_since(phrase, first);
	if (range.from % 60 || range.to % 60)
		return reading_fail(phrase->reading, part,
				    "a range goes from one full hour to another");
	if (phrase->hours.count > 0)
		return reading_fail(phrase->reading, part, "a second range of hours");
	range.from /= 60;
	range.to /= 60;
	if (range.from % 24 == range.to % 24)
		return reading_fail(phrase->reading, part, "this range of hours has no end");
	return phrase_add(phrase, &phrase->hours, range, first);
}

bool phrase_from(struct phrase *phrase)
{
	size_t first = phrase->at - 1;
	int number;
	if (word_weekday(phrase, 0, &number))
		return phrase_weekdays(phrase);
	(void)word_take(phrase, "the");
	if (word_ordinal(phrase, 0, &number) > 0)
		return phrase_ordinals(phrase, first, false);
	return read_hours(phrase, first);
}
