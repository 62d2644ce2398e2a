#include "schedule/cron/item.h"

#include <string.h>

#include "common/hash.h"
#include "schedule/plain.h"

/* "a-b/step" and what is short for it. */
struct range {
	int from, to;
	int step;  /* 0 = none written */
	bool star; /* all there is */
	bool open; /* only `from` was written */
};

/* A number that depends on the task's key and on which ~ of the schedule it is (FNV-1a). */
static uint64_t key_hash(const struct reading *reading)
{
	const char *key = reading->request->key;
	uint64_t hash = hash_number(hash_text(HASH_START, key ? key : ""), reading->randoms);
	hash ^= hash >> 33;
	hash *= UINT64_C(0xff51afd7ed558ccd);
	return hash ^ hash >> 33;
}

/* The numbers of a range in order; at most as many as a field has. */
static size_t expand(const struct cron_cursor *cursor, const struct range *range, int values[64])
{
	int low = cursor->kind->low;
	int last = cursor->kind->last;
	int step = range->step > 0 ? range->step : 1;
	bool again = range->from > last; /* hour 24, weekday 7: the lowest by another name */
	int from = again ? low : range->from;
	int to = again && range->to == range->from ? low : range->to;
	int span = to >= from ? to - from : last - from + 1 + to - low;
	size_t count = 0;
	for (int i = 0; i <= span && count < 64; i += step) {
		int value = from + i;
		if (value > last)
			value = low + (value - last - 1);
		values[count++] = value;
	}
	return count;
}

static bool check_range(struct cron_cursor *cursor, const struct range *range)
{
	struct reading *reading = cursor->reading;
	if (range->from > 0 && range->to < 0)
		return reading_fail(reading, cron_part(cursor),
				    "a range from a day of the month can end with L, but not with "
				    "another day from the end");
	if (range->from < 0 && range->to > 0)
		return reading_fail(reading, cron_part(cursor),
				    "a range cannot begin with a day from the end of the month and "
				    "end with one from its start");
	if (range->from < 0 && range->from > range->to)
		return reading_fail(reading, cron_part(cursor),
				    "days from the end run towards it: -7-L");
	return true;
}

/* A step that is longer than what it steps through runs once, and looks as if it ran more often. */
static bool check_step(struct cron_cursor *cursor, const struct range *range, size_t count,
		       int first)
{
	if (cursor->fields->made || range->step < 2 || count > 1 || range->from == range->to)
		return true;
	return reading_warn(cursor->reading, cron_part(cursor), NULL,
			    "a step of %d is longer than its range: it means %s %d and no other",
			    range->step, cursor->kind->name, first);
}

static void add_values(struct cron_cursor *cursor, const int *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_add(cursor->out, ",");
		cron_add_value(cursor, values[i]);
	}
}

static void add_range(struct cron_cursor *cursor, const struct range *range, const int *values,
		      size_t count)
{
	bool stepped = range->step > 1;
	bool wrapped = range->from > range->to && range->to != -1;
	/* Of weekdays only a bare star restricts none: the 1 of the step is not nothing. */
	bool kept = cursor->field == CRON_WEEKDAY && range->step == 1;
	if (range->star && (stepped || kept)) {
		text_printf(cursor->out, "*/%d", range->step);
	} else if (range->star) {
		text_add(cursor->out, "*");
	} else if (range->open && !range->step) {
		cron_add_value(cursor, range->from);
	} else if (stepped || range->open || wrapped) {
		add_values(cursor, values, count);
	} else {
		cron_add_value(cursor, range->from);
		text_add(cursor->out, "-");
		cron_add_value(cursor, range->to);
	}
}

/* 25-L is 25 to 31: a month ends where it ends. */
static bool use_range(struct cron_cursor *cursor, struct range *range)
{
	int values[64] = { 0 };
	struct range real = *range;
	if (real.from > 0 && real.to == -1)
		real.to = cursor->kind->last;
	if (!check_range(cursor, &real))
		return false;
	size_t count = expand(cursor, &real, values);
	if (!check_step(cursor, &real, count, values[0]))
		return false;
	add_range(cursor, range, values, count);
	if (cursor->field == CRON_WEEKDAY && range->star && range->step == 0) {
		cursor->cron->any_weekday = true;
		return true;
	}
	bool whole = real.from == cursor->kind->low && real.to == cursor->kind->last;
	if (cursor->field == CRON_DAY && whole && range->step <= 1)
		cursor->cron->any_day = true;
	for (size_t i = 0; i < count; i++)
		cron_set(cursor, values[i]);
	return true;
}

/* The model drops the step of "1/2". */
static bool warn_weekday_step(struct cron_cursor *cursor, struct range *range)
{
	struct reading *reading = cursor->reading;
	struct part part = { cursor->item, cursor->at - cursor->item };
	const char *stepped = arena_printf(reading->arena, "%d-6/%d", range->from % 7, range->step);
	range->to = range->from;
	return reading_warn(
		reading, part, reading_replaced(reading, part, stepped),
		"a step after a single weekday is lost: it means weekday %d and no other",
		range->from);
}

/* From one on to the highest. */
static bool open_step(struct cron_cursor *cursor, struct range *range)
{
	if (cursor->field == CRON_WEEKDAY)
		return warn_weekday_step(cursor, range);
	if (range->from > cursor->kind->last)
		return reading_fail(cursor->reading, cron_part(cursor),
				    "a step cannot begin at hour 24: write 0/%d", range->step);
	range->to = range->from < 0 ? -1 : cursor->kind->last;
	return range->from > 0 || cursor->kind->low < 1 ||
	       reading_extension(cursor->reading, cron_part(cursor),
				 "a step from a day from the end of the month on");
}

static bool take_step(struct cron_cursor *cursor, struct range *range)
{
	if (!cron_take(cursor, '/'))
		return true;
	return cron_take_number(cursor, 1, 99, "a step", &range->step);
}

static bool read_star(struct cron_cursor *cursor)
{
	struct range range = { cursor->kind->low, cursor->kind->last, 0, true, false };
	return take_step(cursor, &range) && use_range(cursor, &range);
}

/*
 * "~", "10~", "~20", "10~20", each with a step: one value of the range, decided by the task's key.
 * With a step and no end it lies in the first step; a day without an end comes in every month.
 */
static bool read_random(struct cron_cursor *cursor, int from)
{
	struct range range = { from, cursor->kind->last, 0, false, true };
	int end = cursor->field == CRON_DAY && from <= 28 ? 28 : cursor->kind->last;
	bool closed = cursor->at < cursor->end && !strchr(",/&", cursor->fields->text[cursor->at]);
	if (closed && !cron_take_value(cursor, &end))
		return false;
	if (!take_step(cursor, &range))
		return false;
	if (!closed && range.step > 0 && from + range.step - 1 < end)
		end = from + range.step - 1;
	if (from < 0 || end < from)
		return reading_fail(cursor->reading, cron_part(cursor),
				    "a ~ stands between a lower and a higher %s",
				    cursor->kind->name);
	cursor->reading->randoms++;
	uint64_t width = (uint64_t)(end - from) + 1;
	range.from = from + (int)(key_hash(cursor->reading) % width);
	range.to = range.step > 0 ? cursor->kind->last : range.from;
	if (range.to < range.from)
		range.to = range.from;
	return use_range(cursor, &range);
}

/* "15W", "LW". */
static bool read_near(struct cron_cursor *cursor, int day)
{
	struct part part = cron_part(cursor);
	if (day < -1)
		return reading_fail(cursor->reading, part, "W follows a day of the month or L");
	if (!reading_extension(cursor->reading, part, "W, the nearest weekday"))
		return false;
	cursor->cron->near |= UINT32_C(1) << (day < 0 ? 0 : day);
	cron_add_value(cursor, day);
	text_add(cursor->out, "W");
	return true;
}

/* "#2", "#-1", "#L" after a weekday. */
static bool read_nth(struct cron_cursor *cursor, int weekday)
{
	int number = 1;
	bool last = cron_take(cursor, 'l');
	bool back = last || cron_take(cursor, '-');
	if (last && cron_take(cursor, 'a') && !(cron_take(cursor, 's') && cron_take(cursor, 't')))
		return reading_fail(cursor->reading, cron_part(cursor), "L or last follows #");
	if (!last && !cron_take_number(cursor, 1, 5, "what follows #", &number))
		return false;
	uint32_t bit = UINT32_C(1) << number;
	weekday %= 7;
	if (back)
		cursor->cron->nth_back[weekday] |= bit;
	else
		cursor->cron->nth[weekday] |= bit;
	text_printf(cursor->out, "%d#%s%d", weekday, back ? "-" : "", number);
	return true;
}

/* "%2", "%2+1" after a weekday or a star of days. */
static bool read_modulo(struct cron_cursor *cursor, int what)
{
	struct cron *cron = cursor->cron;
	int by;
	int rest = 0;
	if (!cron_take_number(cursor, 1, CRON_MODULUS, "what follows %", &by))
		return false;
	if (cron_take(cursor, '+') &&
	    !cron_take_number(cursor, 0, CRON_MODULUS, "what follows +", &rest))
		return false;
	if (cron->modulo_count == CRON_MODULOS)
		return reading_fail(cursor->reading, cron_part(cursor), "more than %d moduli",
				    CRON_MODULOS);
	cron->modulos[cron->modulo_count++] = (struct cron_modulo){ what, by, rest % by };
	if (what == CRON_ANY_DAY)
		text_add(cursor->out, "*");
	else
		text_printf(cursor->out, "%d", what);
	text_printf(cursor->out, "%%%d", by);
	if (rest % by > 0)
		text_printf(cursor->out, "+%d", rest % by);
	return true;
}

static bool read_value(struct cron_cursor *cursor)
{
	struct range range = { .open = true };
	bool weekday = cursor->field == CRON_WEEKDAY;
	if (!cron_take_value(cursor, &range.from))
		return false;
	range.to = range.from;
	if (weekday && cron_take(cursor, '#'))
		return read_nth(cursor, range.from);
	if (weekday && cron_take(cursor, '%'))
		return read_modulo(cursor, range.from % 7);
	if (cursor->field == CRON_DAY && cron_take(cursor, 'w'))
		return read_near(cursor, range.from);
	if (cron_take(cursor, '~'))
		return read_random(cursor, range.from);
	if (cron_take(cursor, '-')) {
		range.open = false;
		if (!cron_take_value(cursor, &range.to))
			return false;
	}
	if (!take_step(cursor, &range))
		return false;
	if (range.open && range.step > 0 && !open_step(cursor, &range))
		return false;
	return use_range(cursor, &range);
}

static bool read_stars(struct cron_cursor *cursor)
{
	struct part part = cron_part(cursor);
	bool day = cursor->field == CRON_DAY;
	if (!day || !cron_take(cursor, '%'))
		return read_star(cursor);
	return reading_extension(cursor->reading, part, "a modulus of days") &&
	       read_modulo(cursor, CRON_ANY_DAY);
}

/* Quartz writes ? where * says as much. */
static bool read_question(struct cron_cursor *cursor)
{
	if (cursor->field != CRON_DAY && cursor->field != CRON_WEEKDAY)
		return reading_fail(cursor->reading, cron_part(cursor),
				    "? stands only for a day or a weekday: write *");
	return reading_extension(cursor->reading, cron_part(cursor), "?") && read_star(cursor);
}

static bool read_what(struct cron_cursor *cursor)
{
	if (cron_take(cursor, '*'))
		return read_stars(cursor);
	if (cron_take(cursor, '?'))
		return read_question(cursor);
	if (cron_take(cursor, '~'))
		return read_random(cursor, cursor->kind->low);
	if (cursor->at < cursor->end && cursor->fields->text[cursor->at] == '/')
		return read_star(cursor);
	return read_value(cursor);
}

bool cron_read_item(struct cron_cursor *cursor)
{
	bool days = cursor->field == CRON_DAY || cursor->field == CRON_WEEKDAY;
	cursor->item = cursor->at;
	if (!read_what(cursor))
		return false;
	if (days && cron_take(cursor, '&')) {
		cursor->cron->both = true;
		text_add(cursor->out, "&");
	}
	if (cursor->at == cursor->end || cursor->fields->text[cursor->at] == ',')
		return true;
	const char *item = plain_text(cursor->reading->arena, cursor->fields->text + cursor->item,
				      cursor->end - cursor->item);
	return reading_fail(cursor->reading, cron_part(cursor), "\"%s\" is not understood", item);
}
