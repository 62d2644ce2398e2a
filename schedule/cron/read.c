/*
 * Reading cron expressions: text to sets of numbers, and the canonical text, which can be read
 * again and means the same.
 *
 * A field is a list of items ("*", "5", "10-50/20", "mon#1"), an item is made of values. The order
 * of this file is the other way round. What Solid Queue's parser takes for something else than it
 * says is accepted with a warning, and refused when the request is strict; a date that never comes
 * is refused, so that a search ends.
 */
#include <string.h>

#include "common/clock.h"
#include "common/hash.h"
#include "common/text/byte.h"
#include "common/text/parse.h"
#include "schedule/reading.h"

enum cron_field {
	CRON_SECOND,
	CRON_MINUTE,
	CRON_HOUR,
	CRON_DAY,
	CRON_MONTH,
	CRON_WEEKDAY,
	CRON_FIELDS,
};

struct cron_kind {
	const char *name;
	int low, high;            /* what may be written */
	int last;                 /* where ranges wrap and open steps end */
	const char *const *names; /* of `low` and on, three letters each */
	size_t name_count;
};

/* Where the reading of one field stands. */
struct cron_cursor {
	struct reading *reading;
	const struct cron_fields *fields;
	enum cron_field field;
	const struct cron_kind *kind;
	size_t at, end, item; /* in the text of fields; item: where the present one began */
	struct cron *cron;
	struct text *out; /* canonical */
};

/* Values */

static const char *const months[] = { "jan", "feb", "mar", "apr", "may", "jun",
				      "jul", "aug", "sep", "oct", "nov", "dec" };
static const char *const weekdays[] = { "sun", "mon", "tue", "wed", "thu", "fri", "sat" };

static const struct cron_kind cron_kinds[CRON_FIELDS] = {
	[CRON_SECOND] = { "second", 0, 59, 59, NULL, 0 },
	[CRON_MINUTE] = { "minute", 0, 59, 59, NULL, 0 },
	[CRON_HOUR] = { "hour", 0, 24, 23, NULL, 0 },
	[CRON_DAY] = { "day of the month", 1, 31, 31, NULL, 0 },
	[CRON_MONTH] = { "month", 1, 12, 12, months, 12 },
	[CRON_WEEKDAY] = { "weekday", 0, 7, 6, weekdays, 7 },
};

static char lower(char byte)
{
	return (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

static bool is_letter(char byte)
{
	return lower(byte) >= 'a' && lower(byte) <= 'z';
}

static char next_byte(const struct cron_cursor *cursor)
{
	return (char)(cursor->at < cursor->end ? cursor->fields->text[cursor->at] : '\0');
}

/* Steps over one byte if it comes next, letters in any case. */
static bool take_byte(struct cron_cursor *cursor, char byte)
{
	if (lower(next_byte(cursor)) != byte)
		return false;
	cursor->at++;
	return true;
}

/* Of the present item, from its beginning to the cursor or a byte further. */
static struct part part_since(const struct cron_cursor *cursor)
{
	size_t end = cursor->at < cursor->end ? cursor->at + 1 : cursor->end;
	if (cursor->fields->made)
		return *cursor->fields->made;
	return (struct part){ cursor->item, end > cursor->item ? end - cursor->item : 1 };
}

static bool fail_range(struct cron_cursor *cursor, const char *digits, size_t length)
{
	const struct cron_kind *kind = cursor->kind;
	return reading_fail(cursor->reading, part_since(cursor), "%.*s is no %s: %d to %d",
			    (int)length, digits, kind->name, kind->low, kind->high);
}

/* One or two digits (three for a modulus) between low and high; `what` for the message. */
static bool take_number(struct cron_cursor *cursor, int low, int high, const char *what,
			int *number)
{
	const char *text = cursor->fields->text;
	size_t start = cursor->at;
	int value = 0;
	while (is_digit(next_byte(cursor))) {
		value = value < 10000 ? value * 10 + (text[cursor->at] - '0') : value;
		cursor->at++;
	}
	size_t length = cursor->at - start;
	if (length == 0)
		return reading_fail(cursor->reading, part_since(cursor), "%s is missing", what);
	if (length > 3 || value < low || value > high)
		return reading_fail(cursor->reading, part_since(cursor), "%s is %d to %d, not %.*s",
				    what, low, high, (int)length, text + start);
	*number = value;
	return true;
}

static bool take_digits(struct cron_cursor *cursor, int *value)
{
	const char *text = cursor->fields->text;
	size_t start = cursor->at;
	int number = 0;
	for (; is_digit(next_byte(cursor)); cursor->at++)
		number = number < 1000 ? number * 10 + (text[cursor->at] - '0') : number;
	if (number < cursor->kind->low || number > cursor->kind->high || cursor->at - start > 2)
		return fail_range(cursor, text + start, cursor->at - start);
	*value = number;
	return true;
}

static bool fail_word(struct cron_cursor *cursor, const char *word)
{
	const struct cron_kind *kind = cursor->kind;
	struct part part = part_since(cursor);
	const char *start = arena_strndup(cursor->reading->arena, word, strnlen(word, 3));
	const char *nearest = nearest_word(start, kind->names, kind->name_count);
	for (size_t i = 0; i < kind->name_count; i++)
		if (strcmp(kind->names[i], start) == 0)
			nearest = kind->names[i];
	if (nearest)
		return reading_fail(cursor->reading, part, "\"%s\" is no %s: did you mean \"%s\"?",
				    word, kind->name, nearest);
	return reading_fail(cursor->reading, part, "\"%s\" is no %s", word, kind->name);
}

/* The word at the cursor in lower case; stays there. */
static const char *peek_word(const struct cron_cursor *cursor)
{
	size_t end = cursor->at;
	while (end < cursor->end && is_letter(cursor->fields->text[end]))
		end++;
	char *word = arena_strndup(cursor->reading->arena, cursor->fields->text + cursor->at,
				   end - cursor->at);
	for (char *byte = word; *byte; byte++)
		*byte = lower(*byte);
	return word;
}

static bool take_name(struct cron_cursor *cursor, int *value)
{
	const char *word = peek_word(cursor);
	for (size_t i = 0; i < cursor->kind->name_count; i++)
		if (strcmp(word, cursor->kind->names[i]) == 0) {
			cursor->at += 3;
			*value = (int)i + cursor->kind->low;
			return true;
		}
	return fail_word(cursor, word);
}

/* "L", "last", "LW": leaves the W. */
static bool take_last(struct cron_cursor *cursor, int *value)
{
	const char *word = peek_word(cursor);
	bool whole = strcmp(word, "last") == 0;
	if (!whole && strcmp(word, "l") != 0 && strcmp(word, "lw") != 0)
		return fail_word(cursor, word);
	cursor->at += whole ? 4 : 1;
	*value = -1;
	return true;
}

static bool take_unusual(struct cron_cursor *cursor)
{
	char byte = next_byte(cursor);
	const char *name = cursor->kind->name;
	if (byte == '\0' || byte == ',')
		return reading_fail(cursor->reading, part_since(cursor), "a %s is missing", name);
	if ((unsigned char)byte < 0x21 || (unsigned char)byte > 0x7e)
		return reading_fail(cursor->reading, part_since(cursor), "no %s begins like this",
				    name);
	return reading_fail(cursor->reading, part_since(cursor), "no %s begins with \"%c\"", name,
			    byte);
}

/* A number, a name, L, or a day from the end; fails at anything else. */
static bool take_value(struct cron_cursor *cursor, int *value)
{
	bool day = cursor->field == CRON_DAY;
	if (is_digit(next_byte(cursor)))
		return take_digits(cursor, value);
	if (is_letter(next_byte(cursor)))
		return day ? take_last(cursor, value) : take_name(cursor, value);
	if (!day || !take_byte(cursor, '-'))
		return take_unusual(cursor);
	if (!is_digit(next_byte(cursor)))
		return take_unusual(cursor);
	if (!take_digits(cursor, value))
		return false;
	*value = -*value;
	return true;
}

/* A value as it is written: L for the last day. */
static void add_value(struct cron_cursor *cursor, int value)
{
	if (cursor->field == CRON_DAY && value == -1)
		text_add(cursor->out, "L");
	else
		text_printf(cursor->out, "%d", value);
}

/* Sets the member that a value stands for. */
static void set_value(struct cron_cursor *cursor, int value)
{
	struct cron *cron = cursor->cron;
	switch (cursor->field) {
	case CRON_SECOND:
		cron->seconds |= UINT64_C(1) << value;
		break;
	case CRON_MINUTE:
		cron->minutes |= UINT64_C(1) << value;
		break;
	case CRON_HOUR:
		cron->hours |= UINT32_C(1) << value % 24;
		break;
	case CRON_DAY:
		if (value > 0)
			cron->days |= UINT32_C(1) << value;
		else
			cron->days_back |= UINT32_C(1) << -value;
		break;
	case CRON_MONTH:
		cron->months |= UINT32_C(1) << value;
		break;
	case CRON_WEEKDAY:
	case CRON_FIELDS:
		cron->weekdays |= UINT32_C(1) << value % 7;
		break;
	}
}

/* Items */

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
static size_t expand_range(const struct cron_cursor *cursor, const struct range *range,
			   int values[64])
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
		return reading_fail(reading, part_since(cursor),
				    "a range from a day of the month can end with L, but not with "
				    "another day from the end");
	if (range->from < 0 && range->to > 0)
		return reading_fail(reading, part_since(cursor),
				    "a range cannot begin with a day from the end of the month and "
				    "end with one from its start");
	if (range->from < 0 && range->from > range->to)
		return reading_fail(reading, part_since(cursor),
				    "days from the end run towards it: -7-L");
	return true;
}

/* A step that is longer than what it steps through runs once, and looks as if it ran more often. */
static bool check_step(struct cron_cursor *cursor, const struct range *range, size_t count,
		       int first)
{
	if (cursor->fields->made || range->step < 2 || count > 1 || range->from == range->to)
		return true;
	return reading_warn(cursor->reading, part_since(cursor), NULL,
			    "a step of %d is longer than its range: it means %s %d and no other",
			    range->step, cursor->kind->name, first);
}

static void add_values(struct cron_cursor *cursor, const int *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_add(cursor->out, ",");
		add_value(cursor, values[i]);
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
		add_value(cursor, range->from);
	} else if (stepped || range->open || wrapped) {
		add_values(cursor, values, count);
	} else {
		add_value(cursor, range->from);
		text_add(cursor->out, "-");
		add_value(cursor, range->to);
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
	size_t count = expand_range(cursor, &real, values);
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
		set_value(cursor, values[i]);
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
		return reading_fail(cursor->reading, part_since(cursor),
				    "a step cannot begin at hour 24: write 0/%d", range->step);
	range->to = range->from < 0 ? -1 : cursor->kind->last;
	return range->from > 0 || cursor->kind->low < 1 ||
	       reading_extension(cursor->reading, part_since(cursor),
				 "a step from a day from the end of the month on");
}

static bool take_step(struct cron_cursor *cursor, struct range *range)
{
	if (!take_byte(cursor, '/'))
		return true;
	return take_number(cursor, 1, 99, "a step", &range->step);
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
	if (closed && !take_value(cursor, &end))
		return false;
	if (!take_step(cursor, &range))
		return false;
	if (!closed && range.step > 0 && from + range.step - 1 < end)
		end = from + range.step - 1;
	if (from < 0 || end < from)
		return reading_fail(cursor->reading, part_since(cursor),
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
	struct part part = part_since(cursor);
	if (day < -1)
		return reading_fail(cursor->reading, part, "W follows a day of the month or L");
	if (!reading_extension(cursor->reading, part, "W, the nearest weekday"))
		return false;
	cursor->cron->near |= UINT32_C(1) << (day < 0 ? 0 : day);
	add_value(cursor, day);
	text_add(cursor->out, "W");
	return true;
}

/* "#2", "#-1", "#L" after a weekday. */
static bool read_nth(struct cron_cursor *cursor, int weekday)
{
	int number = 1;
	bool last = take_byte(cursor, 'l');
	bool back = last || take_byte(cursor, '-');
	if (last && take_byte(cursor, 'a') && !(take_byte(cursor, 's') && take_byte(cursor, 't')))
		return reading_fail(cursor->reading, part_since(cursor), "L or last follows #");
	if (!last && !take_number(cursor, 1, 5, "what follows #", &number))
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
	if (!take_number(cursor, 1, CRON_MODULUS, "what follows %", &by))
		return false;
	if (take_byte(cursor, '+') &&
	    !take_number(cursor, 0, CRON_MODULUS, "what follows +", &rest))
		return false;
	if (cron->modulo_count == CRON_MODULOS)
		return reading_fail(cursor->reading, part_since(cursor), "more than %d moduli",
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
	if (!take_value(cursor, &range.from))
		return false;
	range.to = range.from;
	if (weekday && take_byte(cursor, '#'))
		return read_nth(cursor, range.from);
	if (weekday && take_byte(cursor, '%'))
		return read_modulo(cursor, range.from % 7);
	if (cursor->field == CRON_DAY && take_byte(cursor, 'w'))
		return read_near(cursor, range.from);
	if (take_byte(cursor, '~'))
		return read_random(cursor, range.from);
	if (take_byte(cursor, '-')) {
		range.open = false;
		if (!take_value(cursor, &range.to))
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
	struct part part = part_since(cursor);
	bool day = cursor->field == CRON_DAY;
	if (!day || !take_byte(cursor, '%'))
		return read_star(cursor);
	return reading_extension(cursor->reading, part, "a modulus of days") &&
	       read_modulo(cursor, CRON_ANY_DAY);
}

/* Quartz writes ? where * says as much. */
static bool read_question(struct cron_cursor *cursor)
{
	if (cursor->field != CRON_DAY && cursor->field != CRON_WEEKDAY)
		return reading_fail(cursor->reading, part_since(cursor),
				    "? stands only for a day or a weekday: write *");
	return reading_extension(cursor->reading, part_since(cursor), "?") && read_star(cursor);
}

static bool read_what(struct cron_cursor *cursor)
{
	if (take_byte(cursor, '*'))
		return read_stars(cursor);
	if (take_byte(cursor, '?'))
		return read_question(cursor);
	if (take_byte(cursor, '~'))
		return read_random(cursor, cursor->kind->low);
	if (cursor->at < cursor->end && cursor->fields->text[cursor->at] == '/')
		return read_star(cursor);
	return read_value(cursor);
}

/* One item of a list, up to its comma or the field's end, '&' included. */
static bool read_item(struct cron_cursor *cursor)
{
	bool days = cursor->field == CRON_DAY || cursor->field == CRON_WEEKDAY;
	cursor->item = cursor->at;
	if (!read_what(cursor))
		return false;
	if (days && take_byte(cursor, '&')) {
		cursor->cron->both = true;
		text_add(cursor->out, "&");
	}
	if (cursor->at == cursor->end || cursor->fields->text[cursor->at] == ',')
		return true;
	const char *item = text_plain(cursor->reading->arena, cursor->fields->text + cursor->item,
				      cursor->end - cursor->item);
	return reading_fail(cursor->reading, part_since(cursor), "\"%s\" is not understood", item);
}

/* Fields and expressions */

#define DAY         86400
#define EVERY_MONTH UINT32_C(0x1ffe)
#define CYCLE_START INT64_C(10957) /* 2000-01-01 */

struct cron_fields cron_split(const char *text, struct part part, const struct part *made)
{
	struct cron_fields fields = { .text = text, .made = made };
	size_t end = part.offset + part.length;
	size_t at = part.offset;
	for (;;) {
		while (at < end && is_blank(text[at]))
			at++;
		if (at == end)
			return fields;
		size_t start = at;
		while (at < end && !is_blank(text[at]))
			at++;
		if (fields.count < CRON_CHUNKS)
			fields.chunks[fields.count] = (struct part){ start, at - start };
		fields.count++;
	}
}

static bool names_weekdays(const struct cron *cron)
{
	uint32_t any = cron->weekdays;
	for (int i = 0; i < 7; i++)
		any |= cron->nth[i] | cron->nth_back[i];
	for (size_t i = 0; i < cron->modulo_count; i++)
		any |= cron->modulos[i].what != CRON_ANY_DAY;
	return any != 0;
}

/* The model forgets a star beside other weekdays. */
static bool check_weekdays(struct cron_cursor *cursor)
{
	struct cron *cron = cursor->cron;
	if (!cron->any_weekday)
		return true;
	cron->any_weekday = !names_weekdays(cron);
	return cron->any_weekday ||
	       reading_warn(cursor->reading, part_since(cursor), NULL,
			    "beside other weekdays a star is lost: it runs on those only");
}

/* Ends at the first comma that begins no item: superfluous ones are tolerated. */
static bool read_field(struct cron_cursor *cursor)
{
	bool any = false;
	size_t start = cursor->at;
	cursor->item = start;
	while (cursor->at < cursor->end) {
		if (take_byte(cursor, ','))
			continue;
		if (any)
			text_add(cursor->out, ",");
		if (!read_item(cursor))
			return false;
		any = true;
	}
	if (!any)
		return reading_fail(cursor->reading, part_since(cursor), "a %s is missing",
				    cursor->kind->name);
	cursor->item = start;
	return cursor->field == CRON_WEEKDAY ? check_weekdays(cursor) : true;
}

static bool read_fields(struct reading *reading, const struct cron_fields *fields,
			struct cron *cron, struct text *out)
{
	size_t first = fields->count == CRON_FIELDS ? CRON_SECOND : CRON_MINUTE;
	for (size_t i = 0; i < fields->count; i++) {
		struct cron_cursor cursor = {
			.reading = reading,
			.fields = fields,
			.field = (enum cron_field)(first + i),
			.kind = &cron_kinds[first + i],
			.at = fields->chunks[i].offset,
			.end = fields->chunks[i].offset + fields->chunks[i].length,
			.cron = cron,
			.out = out,
		};
		if (i > 0)
			text_add(out, " ");
		if (!read_field(&cursor))
			return false;
	}
	return true;
}

static struct part part_of_chunks(const struct cron_fields *fields, size_t first, size_t count)
{
	struct part last = fields->chunks[first + count - 1];
	if (fields->made)
		return *fields->made;
	return (struct part){ fields->chunks[first].offset,
			      last.offset + last.length - fields->chunks[first].offset };
}

/* Does one of the days come in one of the months, be it in a leap year? */
static bool has_date(const struct cron *cron)
{
	for (int month = 1; month <= 12; month++)
		if (cron->months >> month & 1 &&
		    cron->days & ((UINT32_C(2) << calendar_month_length(2000, month)) - 1))
			return true;
	return false;
}

/*
 * What names every day of the month restricts none. To the model that is true of * and 1-31 alone:
 * "18-17" restricts, so that a weekday beside it is another way to match and not a condition.
 */
static void find_any_day(const struct reading *reading, struct cron *cron)
{
	if (!reading->request->compatible)
		cron->any_day |= cron->days == UINT32_MAX - 1;
}

/* Where months are named the model leaves out such ones, weekdays and all. */
static bool prune_months(struct reading *reading, struct part part, struct cron *cron)
{
	uint32_t left = cron->months;
	for (int month = 1; month <= 12; month++) {
		uint32_t all = (UINT32_C(2) << calendar_month_length(2000, month)) - 1;
		if (!(cron->days & all))
			left &= ~(UINT32_C(1) << month);
	}
	if (cron->any_weekday || cron->both || cron->months == EVERY_MONTH || left == cron->months)
		return true;
	cron->months = left;
	return reading_warn(reading, part, NULL,
			    "in months that have none of these days it does not run on the "
			    "weekdays either");
}

/* The calendar repeats after 400 years: what does not run in them is a mistake. */
static bool check_dates(struct reading *reading, const struct cron_fields *fields,
			struct cron *cron)
{
	struct part part = part_of_chunks(fields, fields->count - 3, 3);
	bool only_dates = !cron->any_day && !cron->days_back && !cron->near && cron->days;
	int64_t start = CYCLE_START * DAY;
	int64_t end = (CYCLE_START + CALENDAR_CYCLE) * DAY;
	if (only_dates && !has_date(cron))
		return reading_fail(reading, part, "no such month has such a day: it never runs");
	if (only_dates && !prune_months(reading, part, cron))
		return false;
	if (cron_first(cron, start, end) == end)
		return reading_fail(reading, part, "no such day comes in 400 years: it never runs");
	return true;
}

bool cron_read_fields(struct reading *reading, const struct cron_fields *fields,
		      struct text *canonical)
{
	struct part whole = { 0, reading->length };
	if (fields->count != 5 && fields->count != 6)
		return reading_fail(reading, fields->made ? *fields->made : whole,
				    "%zu fields: a cron expression has five (minute, hour, day, "
				    "month, weekday), or six with the second before them",
				    fields->count);
	if (reading->cron_count == READING_CRONS)
		return reading_fail(reading, whole, "more than %d cron expressions", READING_CRONS);
	struct cron *cron = &reading->crons[reading->cron_count];
	*cron = (struct cron){ .seconds = fields->count == 5 ? 1 : 0 };
	if (!read_fields(reading, fields, cron, canonical))
		return false;
	find_any_day(reading, cron);
	if (!check_dates(reading, fields, cron))
		return false;
	reading->cron_count++;
	return true;
}

/* "europe/madrid" is none, and is best told so as a zone. */
static bool is_path(const char *at)
{
	size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyz");
	return letters > 3 && at[letters] == '/';
}

/* A capital begins a zone unless it begins a weekday; a sign does so with two digits. */
static bool is_zone(const char *text, struct part part)
{
	static const char names[] = "SUNMONTUEWEDTHUFRISAT";
	const char *at = text + part.offset;
	if (*at == '+' || (*at == '-' && part.length > 2) || is_path(at))
		return true;
	if (*at < 'A' || *at > 'Z' || part.length < 2)
		return false;
	for (size_t i = 0; i + 1 < sizeof(names); i += 3)
		if (part.length >= 3 && strncasecmp(at, names + i, 3) == 0)
			return part.length > 3 && !strchr("#%,-/&", at[3]);
	return true;
}

/* One expression; the last of the text may have the zone. */
static bool read_one(struct reading *reading, struct part part, bool last, struct text *canonical)
{
	struct cron_fields fields = cron_split(reading->text, part, NULL);
	size_t count = fields.count;
	if (last && count > 5 && count <= CRON_CHUNKS &&
	    is_zone(fields.text, fields.chunks[count - 1])) {
		fields.count--;
		return cron_read_fields(reading, &fields, canonical) &&
		       reading_zone(reading, fields.chunks[count - 1]);
	}
	return cron_read_fields(reading, &fields, canonical);
}

static bool read_all(struct reading *reading, struct text *canonical)
{
	size_t start = 0;
	for (;;) {
		const char *bar = memchr(reading->text + start, '|', reading->length - start);
		size_t end = bar ? (size_t)(bar - reading->text) : reading->length;
		if (!read_one(reading, (struct part){ start, end - start }, !bar, canonical))
			return false;
		if (!bar)
			return true;
		if (!reading_extension(reading, (struct part){ end, 1 }, "several expressions"))
			return false;
		text_add(canonical, " | ");
		start = end + 1;
	}
}

struct shortcut {
	const char *name, *cron;
};

static const struct shortcut shortcuts[] = {
	{ "@yearly", "0 0 1 1 *" }, { "@annually", "0 0 1 1 *" }, { "@monthly", "0 0 1 * *" },
	{ "@weekly", "0 0 * * 0" }, { "@daily", "0 0 * * *" },    { "@midnight", "0 0 * * *" },
	{ "@noon", "0 12 * * *" },  { "@hourly", "0 * * * *" },
};
#define SHORTCUTS (sizeof(shortcuts) / sizeof(shortcuts[0]))

static bool unknown_shortcut(struct reading *reading, struct part part, const char *name)
{
	const char *names[SHORTCUTS];
	if (strcmp(name, "@reboot") == 0)
		return reading_fail(reading, part, "@reboot names no occurrence");
	for (size_t i = 0; i < SHORTCUTS; i++)
		names[i] = shortcuts[i].name;
	const char *nearest = nearest_word(name, names, SHORTCUTS);
	if (nearest)
		return reading_fail_with(reading, part, nearest, "\"%s\" is no shortcut",
					 reading_quote(reading, part));
	return reading_fail(reading, part, "\"%s\" is no shortcut such as @daily",
			    reading_quote(reading, part));
}

static bool read_shortcut(struct reading *reading, struct text *canonical)
{
	struct part whole = { 0, reading->length };
	struct cron_fields words = cron_split(reading->text, whole, NULL);
	const char *name = reading_copy(reading, words.chunks[0]);
	if (words.count > 2)
		return reading_fail(reading, words.chunks[2], "only a time zone follows %s",
				    reading_quote(reading, words.chunks[0]));
	for (size_t i = 0; i < SHORTCUTS; i++) {
		if (strcmp(shortcuts[i].name, name) != 0)
			continue;
		const char *cron = shortcuts[i].cron;
		struct cron_fields fields =
			cron_split(cron, (struct part){ 0, strlen(cron) }, &words.chunks[0]);
		return cron_read_fields(reading, &fields, canonical) &&
		       (words.count < 2 || reading_zone(reading, words.chunks[1]));
	}
	return unknown_shortcut(reading, words.chunks[0], name);
}

bool cron_read(struct reading *reading)
{
	struct text canonical = { 0 };
	size_t start = 0;
	while (is_blank(reading->text[start]))
		start++;
	bool read = reading->text[start] == '@' ? read_shortcut(reading, &canonical)
						: read_all(reading, &canonical);
	reading->canonical = text_take(&canonical, reading->arena);
	return read;
}
