/* Random phrases, each with what it says set down as the fields of a model. */
#include <stdio.h>
#include <string.h>

#include "tests/support/model/cron_model.h"

static const char *const weekdays[] = { "sunday",   "monday", "tuesday", "wednesday",
					"thursday", "friday", "saturday" };

struct phrase_maker {
	struct cron_model *model;
	uint64_t seed;
	size_t used;
};

static int pick(struct phrase_maker *maker, int low, int high)
{
	return low + (int)cron_model_pick(&maker->seed, (unsigned)(high - low + 1));
}

#define SAY(maker, ...)                                                                            \
	((maker)->used +=                                                                          \
	 (size_t)snprintf((maker)->model->text + (maker)->used,                                    \
			  sizeof((maker)->model->text) - (maker)->used, __VA_ARGS__))

/* In place of the star that every field has at first. */
static void say(struct phrase_maker *maker, int field, struct cron_item item)
{
	maker->model->fields[field].items[0] = item;
	maker->model->fields[field].count = 1;
}

static void say_also(struct phrase_maker *maker, int field, struct cron_item item)
{
	struct cron_model_field *into = &maker->model->fields[field];

	into->items[into->count++] = item;
}

static struct cron_item one(int value)
{
	return (struct cron_item){ ITEM_ONE, value, 0, 0, 0 };
}

static struct cron_item range(int from, int to)
{
	return (struct cron_item){ ITEM_RANGE, from, to, 0, 0 };
}

static struct cron_item each(int step)
{
	return (struct cron_item){ ITEM_STAR, 0, 0, step > 1 ? step : 0, 0 };
}

static void say_ordinal(struct phrase_maker *maker, int day)
{
	static const char *const suffixes[] = { "th", "st", "nd", "rd" };

	SAY(maker, "%d%s", day, day % 10 < 4 && day / 10 != 1 ? suffixes[day % 10] : "th");
}

static void every_weekday(struct phrase_maker *maker)
{
	SAY(maker, "every weekday");
	say(maker, MODEL_WEEKDAY, range(1, 5));
}

static void every_weekend(struct phrase_maker *maker)
{
	SAY(maker, "every weekend");
	say(maker, MODEL_WEEKDAY, one(6));
	say_also(maker, MODEL_WEEKDAY, one(0));
}

static void two_weekdays(struct phrase_maker *maker)
{
	int first = pick(maker, 0, 6);
	int second = pick(maker, 0, 6);

	SAY(maker, "every %s and %.3s", weekdays[first], weekdays[second]);
	say(maker, MODEL_WEEKDAY, one(first));
	say_also(maker, MODEL_WEEKDAY, one(second));
}

static void two_days(struct phrase_maker *maker)
{
	int first = pick(maker, 1, 31);
	int second = pick(maker, 1, 31);

	SAY(maker, "on the ");
	say_ordinal(maker, first);
	SAY(maker, " and ");
	say_ordinal(maker, second);
	say(maker, MODEL_DAY, one(first));
	say_also(maker, MODEL_DAY, one(second));
}

static void last_day(struct phrase_maker *maker)
{
	SAY(maker, "every last of the month");
	say(maker, MODEL_DAY, one(-1));
}

static void day_range(struct phrase_maker *maker)
{
	int from = pick(maker, 1, 31);
	int to = pick(maker, 1, 31);

	SAY(maker, "from the ");
	say_ordinal(maker, from);
	SAY(maker, " to the ");
	say_ordinal(maker, to);
	say(maker, MODEL_DAY, from == to ? one(from) : range(from, to));
}

static void months(struct phrase_maker *maker)
{
	int step = pick(maker, 1, 12);

	SAY(maker, "every %d months", step);
	say(maker, MODEL_MONTH, each(step));
	say(maker, MODEL_DAY, one(1));
}

static void year(struct phrase_maker *maker)
{
	SAY(maker, "every year");
	say(maker, MODEL_MONTH, one(1));
	say(maker, MODEL_DAY, one(1));
}

static void nth_weekday(struct phrase_maker *maker)
{
	int weekday = pick(maker, 0, 6);
	int nth = pick(maker, 1, 5);

	SAY(maker, "on the ");
	say_ordinal(maker, nth);
	SAY(maker, " %s of the month", weekdays[weekday]);
	say(maker, MODEL_WEEKDAY, (struct cron_item){ ITEM_NTH, weekday, nth, 0, 0 });
}

static void some_weeks(struct phrase_maker *maker)
{
	int weekday = pick(maker, 0, 6);
	int weeks = pick(maker, 2, 5);

	SAY(maker, "every %d weeks on %s", weeks, weekdays[weekday]);
	say(maker, MODEL_WEEKDAY, (struct cron_item){ ITEM_MODULO, weekday, 0, weeks, 0 });
}

static void every_day(struct phrase_maker *maker)
{
	SAY(maker, "every day");
}

static void days(struct phrase_maker *maker)
{
	static void (*const kinds[])(struct phrase_maker * maker) = {
		every_day, every_weekday, every_weekend, two_weekdays, two_days,   last_day,
		day_range, months,        year,          nth_weekday,  some_weeks,
	};

	kinds[pick(maker, 0, (int)(sizeof(kinds) / sizeof(kinds[0])) - 1)](maker);
}

/* "from 9 to 17": with the hour at the end or without. */
static void hours(struct phrase_maker *maker, bool with_end)
{
	int from = pick(maker, 0, 23);
	int to = (from + pick(maker, 1, 23)) % 24;
	int last = with_end ? to : (to + 23) % 24;

	SAY(maker, " from %d to %d", from, to);
	say(maker, MODEL_HOUR, from == last ? one(from) : range(from, last));
}

/* At midnight, at one time, at two that share the minute, or on the hours. */
static void times(struct phrase_maker *maker)
{
	int kind = pick(maker, 0, 3);
	int minute = kind == 1 || kind == 2 ? pick(maker, 0, 59) : 0;
	int hour = kind == 1 || kind == 2 ? pick(maker, 0, 23) : 0;

	say(maker, MODEL_MINUTE, one(minute));
	say(maker, MODEL_HOUR, one(hour));
	if (kind == 1)
		SAY(maker, " at %d:%02d%s", hour % 12 == 0 ? 12 : hour % 12, minute,
		    hour < 12 ? "am" : " pm");
	if (kind == 2) {
		int other = pick(maker, 0, 23);
		SAY(maker, " at %02d:%02d and %d:%02d", hour, minute, other, minute);
		say_also(maker, MODEL_HOUR, one(other));
	}
	if (kind == 3)
		hours(maker, true);
}

static void interval(struct phrase_maker *maker)
{
	int step = pick(maker, 1, 70);

	if (pick(maker, 0, 1)) {
		SAY(maker, "every %d minutes", step);
		say(maker, MODEL_MINUTE, each(step));
		if (pick(maker, 0, 1))
			hours(maker, false);
	} else {
		int minute = pick(maker, 0, 59);
		SAY(maker, "every %d hours at minute %d", step % 30 + 1, minute);
		say(maker, MODEL_MINUTE, one(minute));
		say(maker, MODEL_HOUR, each(step % 30 + 1));
	}
	if (pick(maker, 0, 1)) {
		int weekday = pick(maker, 0, 6);
		SAY(maker, " on %s", weekdays[weekday]);
		say(maker, MODEL_WEEKDAY, one(weekday));
	}
}

void cron_model_phrase(struct cron_model *model, uint64_t *seed)
{
	struct phrase_maker maker = { .model = model, .seed = *seed };

	memset(model, 0, sizeof(*model));
	for (int i = 0; i < MODEL_FIELDS; i++)
		say(&maker, i, each(1));
	if (pick(&maker, 0, 3) == 0) {
		interval(&maker);
	} else {
		days(&maker);
		times(&maker);
	}
	*seed = maker.seed;
}
