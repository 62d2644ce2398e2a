#include <string.h>

#include "common/text/parse.h"
#include "schedule/cron/item.h"

static const char *const months[] = { "jan", "feb", "mar", "apr", "may", "jun",
				      "jul", "aug", "sep", "oct", "nov", "dec" };
static const char *const weekdays[] = { "sun", "mon", "tue", "wed", "thu", "fri", "sat" };

const struct cron_kind cron_kinds[CRON_FIELDS] = {
	[CRON_SECOND] = { "second", 0, 59, 59, NULL, 0 },
	[CRON_MINUTE] = { "minute", 0, 59, 59, NULL, 0 },
	[CRON_HOUR] = { "hour", 0, 24, 23, NULL, 0 },
	[CRON_DAY] = { "day of the month", 1, 31, 31, NULL, 0 },
	[CRON_MONTH] = { "month", 1, 12, 12, months, 12 },
	[CRON_WEEKDAY] = { "weekday", 0, 7, 6, weekdays, 7 },
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static char lower(char byte)
{
	return (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

static bool is_letter(char byte)
{
	return lower(byte) >= 'a' && lower(byte) <= 'z';
}

static char next(const struct cron_cursor *cursor)
{
	return (char)(cursor->at < cursor->end ? cursor->fields->text[cursor->at] : '\0');
}

bool cron_take(struct cron_cursor *cursor, char byte)
{
	if (lower(next(cursor)) != byte)
		return false;
	cursor->at++;
	return true;
}

struct part cron_part(const struct cron_cursor *cursor)
{
	size_t end = cursor->at < cursor->end ? cursor->at + 1 : cursor->end;
	if (cursor->fields->made)
		return *cursor->fields->made;
	return (struct part){ cursor->item, end > cursor->item ? end - cursor->item : 1 };
}

static bool fail_range(struct cron_cursor *cursor, const char *digits, size_t length)
{
	const struct cron_kind *kind = cursor->kind;
	return reading_fail(cursor->reading, cron_part(cursor), "%.*s is no %s: %d to %d",
			    (int)length, digits, kind->name, kind->low, kind->high);
}

bool cron_take_number(struct cron_cursor *cursor, int low, int high, const char *what, int *number)
{
	const char *text = cursor->fields->text;
	size_t start = cursor->at;
	int value = 0;
	while (is_digit(next(cursor))) {
		value = value < 10000 ? value * 10 + (text[cursor->at] - '0') : value;
		cursor->at++;
	}
	size_t length = cursor->at - start;
	if (length == 0)
		return reading_fail(cursor->reading, cron_part(cursor), "%s is missing", what);
	if (length > 3 || value < low || value > high)
		return reading_fail(cursor->reading, cron_part(cursor), "%s is %d to %d, not %.*s",
				    what, low, high, (int)length, text + start);
	*number = value;
	return true;
}

static bool take_digits(struct cron_cursor *cursor, int *value)
{
	const char *text = cursor->fields->text;
	size_t start = cursor->at;
	int number = 0;
	for (; is_digit(next(cursor)); cursor->at++)
		number = number < 1000 ? number * 10 + (text[cursor->at] - '0') : number;
	if (number < cursor->kind->low || number > cursor->kind->high || cursor->at - start > 2)
		return fail_range(cursor, text + start, cursor->at - start);
	*value = number;
	return true;
}

static bool fail_word(struct cron_cursor *cursor, const char *word)
{
	const struct cron_kind *kind = cursor->kind;
	struct part part = cron_part(cursor);
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
	char byte = next(cursor);
	const char *name = cursor->kind->name;
	if (byte == '\0' || byte == ',')
		return reading_fail(cursor->reading, cron_part(cursor), "a %s is missing", name);
	if ((unsigned char)byte < 0x21 || (unsigned char)byte > 0x7e)
		return reading_fail(cursor->reading, cron_part(cursor), "no %s begins like this",
				    name);
	return reading_fail(cursor->reading, cron_part(cursor), "no %s begins with \"%c\"", name,
			    byte);
}

bool cron_take_value(struct cron_cursor *cursor, int *value)
{
	bool day = cursor->field == CRON_DAY;
	if (is_digit(next(cursor)))
		return take_digits(cursor, value);
	if (is_letter(next(cursor)))
		return day ? take_last(cursor, value) : take_name(cursor, value);
	if (!day || !cron_take(cursor, '-'))
		return take_unusual(cursor);
	if (!is_digit(next(cursor)))
		return take_unusual(cursor);
	if (!take_digits(cursor, value))
		return false;
	*value = -*value;
	return true;
}

void cron_add_value(struct cron_cursor *cursor, int value)
{
	if (cursor->field == CRON_DAY && value == -1)
		text_add(cursor->out, "L");
	else
		text_printf(cursor->out, "%d", value);
}

void cron_set(struct cron_cursor *cursor, int value)
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
