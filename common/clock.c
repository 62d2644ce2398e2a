/*
 * Times in microseconds, as texts and back, and the Gregorian calendar under them. The calendar is
 * computed here and not by gmtime_r and timegm, because those take the C library's time zone lock,
 * which a child forked from a threaded process may find locked for ever.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/text/byte.h"

/* The calendar */

#define DAYS_TO_EPOCH 719468 /* from 0000-03-01 to 1970-01-01 */

int64_t floor_divide(int64_t number, int64_t by)
{
	return number / by - (number % by < 0 ? 1 : 0);
}

/*
 * Years begin in March here, so that the leap day is the last day of a year and months follow a
 * formula.
 */
struct date calendar_date(int64_t day)
{
	int64_t days = day + DAYS_TO_EPOCH;
	int64_t era = floor_divide(days, CALENDAR_CYCLE);
	int64_t of_era = days - era * CALENDAR_CYCLE;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* 0 = March */
	struct date date = {
		.day = (int)(of_year - (153 * month + 2) / 5 + 1),
		.month = (int)(month < 10 ? month + 3 : month - 9),
	};
	date.year = year + era * 400 + (date.month <= 2 ? 1 : 0);
	return date;
}

int64_t calendar_day(struct date date)
{
	int64_t year = date.year - (date.month <= 2 ? 1 : 0);
	int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;
	int64_t era = floor_divide(year, 400);
	int64_t of_era = year - era * 400;
	int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
	return era * CALENDAR_CYCLE + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
	       DAYS_TO_EPOCH;
}

int calendar_month_length(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

int calendar_weekday(int64_t day)
{
	int64_t shifted = day + 4; /* 1970-01-01 was a Thursday */
	return (int)(shifted - floor_divide(shifted, 7) * 7);
}

/* Clocks, instants and spans */

struct date_time {
	struct date date;
	int hour, minute, second, microsecond;
};

static int64_t read_clock(clockid_t id)
{
	struct timespec now;
	(void)clock_gettime(id, &now);
	return now.tv_sec * CLOCK_SECOND + now.tv_nsec / 1000;
}

int64_t clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t clock_monotonic(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

void clock_sleep(int64_t microseconds)
{
	if (microseconds <= 0)
		return;
	struct timespec left = {
		.tv_sec = microseconds / CLOCK_SECOND,
		.tv_nsec = (long)(microseconds % CLOCK_SECOND) * 1000,
	};
	int result;
	do {
		result = clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left);
	} while (result == EINTR);
}

static struct date_time split(int64_t instant)
{
	struct date_time parts;
	int64_t days = floor_divide(instant, CLOCK_DAY);
	int64_t rest = instant % CLOCK_DAY;
	if (rest < 0)
		rest += CLOCK_DAY;
	parts.date = calendar_date(days);
	parts.hour = (int)(rest / CLOCK_HOUR);
	parts.minute = (int)(rest % CLOCK_HOUR / CLOCK_MINUTE);
	parts.second = (int)(rest % CLOCK_MINUTE / CLOCK_SECOND);
	parts.microsecond = (int)(rest % CLOCK_SECOND);
	return parts;
}

/* Writes "date<separator>time" and returns its length. */
static size_t print_date_time(const struct date_time *parts, char separator,
			      char text[CLOCK_TEXT_SIZE])
{
	int length = snprintf(text, CLOCK_TEXT_SIZE, "%04" PRId64 "-%02d-%02d%c%02d:%02d:%02d",
			      parts->date.year, parts->date.month, parts->date.day, separator,
			      parts->hour, parts->minute, parts->second);
	return (size_t)length;
}

void clock_format(int64_t instant, char text[CLOCK_TEXT_SIZE])
{
	struct date_time parts = split(instant);
	size_t length = print_date_time(&parts, ' ', text);
	(void)snprintf(text + length, CLOCK_TEXT_SIZE - length, ".%06d", parts.microsecond);
}

void clock_format_short(int64_t instant, char text[CLOCK_TEXT_SIZE])
{
	struct date_time parts = split(instant);
	size_t length = print_date_time(&parts, ' ', text);
	if (parts.microsecond != 0)
		(void)snprintf(text + length, CLOCK_TEXT_SIZE - length, ".%06d", parts.microsecond);
}

void clock_format_iso(int64_t instant, char text[CLOCK_TEXT_SIZE])
{
	struct date_time parts = split(instant);
	size_t length = print_date_time(&parts, 'T', text);
	(void)snprintf(text + length, CLOCK_TEXT_SIZE - length, ".%06d000Z", parts.microsecond);
}

/* Reads exactly `digits` digits and advances; the number must be within [low, high]. */
static bool take_number(const char **at, int digits, int low, int high, int *number)
{
	int value = 0;
	for (int i = 0; i < digits; i++) {
		if (!is_digit((*at)[i]))
			return false;
		value = value * 10 + ((*at)[i] - '0');
	}
	*at += digits;
	*number = value;
	return value >= low && value <= high;
}

static bool take_byte(const char **at, char byte)
{
	if (**at != byte)
		return false;
	(*at)++;
	return true;
}

static bool take_date(const char **at, struct date_time *parts)
{
	int year;
	if (!take_number(at, 4, 1, 9999, &year) || !take_byte(at, '-') ||
	    !take_number(at, 2, 1, 12, &parts->date.month) || !take_byte(at, '-') ||
	    !take_number(at, 2, 1, 31, &parts->date.day))
		return false;
	parts->date.year = year;
	return parts->date.day <= calendar_month_length(year, parts->date.month);
}

/* After the point: one to nine digits, of which six are used. */
static bool take_fraction(const char **at, int *microsecond)
{
	int digits = 0;
	*microsecond = 0;
	for (; is_digit(**at); (*at)++, digits++)
		if (digits < 6)
			*microsecond = *microsecond * 10 + (**at - '0');
	for (int i = digits; i < 6; i++)
		*microsecond *= 10;
	return digits >= 1 && digits <= 9;
}

/* Second 60 is refused: no database stores it. */
static bool take_time(const char **at, struct date_time *parts)
{
	if (!take_number(at, 2, 0, 23, &parts->hour) || !take_byte(at, ':') ||
	    !take_number(at, 2, 0, 59, &parts->minute))
		return false;
	if (!take_byte(at, ':'))
		return true;
	if (!take_number(at, 2, 0, 59, &parts->second))
		return false;
	return !take_byte(at, '.') || take_fraction(at, &parts->microsecond);
}

/* Nothing, Z, +hh or +hh:mm, to microseconds east of UTC. */
static bool take_zone(const char **at, int64_t *offset)
{
	int hours;
	int minutes = 0;
	char sign = **at;
	*offset = 0;
	if (sign == '\0' || take_byte(at, 'Z'))
		return true;
	if (!take_byte(at, '+') && !take_byte(at, '-'))
		return false;
	if (!take_number(at, 2, 0, 23, &hours))
		return false;
	if (take_byte(at, ':') && !take_number(at, 2, 0, 59, &minutes))
		return false;
	*offset = (hours * CLOCK_HOUR + minutes * CLOCK_MINUTE) * (sign == '-' ? -1 : 1);
	return true;
}

static bool take_all(const char *at, struct date_time *parts, int64_t *offset)
{
	*offset = 0;
	if (!take_date(&at, parts))
		return false;
	if (*at == '\0')
		return true;
	if (!take_byte(&at, ' ') && !take_byte(&at, 'T'))
		return false;
	return take_time(&at, parts) && take_zone(&at, offset) && *at == '\0';
}

enum status clock_parse(const char *text, int64_t *instant)
{
	struct date_time parts = { 0 };
	int64_t offset;
	if (!take_all(text, &parts, &offset))
		return STATUS_INVALID;
	int64_t value = calendar_day(parts.date) * CLOCK_DAY + parts.hour * CLOCK_HOUR +
			parts.minute * CLOCK_MINUTE + parts.second * CLOCK_SECOND +
			parts.microsecond - offset;
	/* A zone's offset can lead out of the years that have a text form. */
	if (value < CALENDAR_FIRST_DAY * CLOCK_DAY || value >= (CALENDAR_LAST_DAY + 1) * CLOCK_DAY)
		return STATUS_INVALID;
	*instant = value;
	return STATUS_OK;
}

struct span_unit {
	int64_t size, smaller;
	const char *name, *smaller_name;
};

static const struct span_unit span_units[] = {
	{ CLOCK_DAY, CLOCK_HOUR, "d", "h" },
	{ CLOCK_HOUR, CLOCK_MINUTE, "h", "m" },
	{ CLOCK_MINUTE, CLOCK_SECOND, "m", "s" },
};

static void print_short_span(int64_t span, char *text, size_t size)
{
	int64_t tenths = span % CLOCK_SECOND / (CLOCK_SECOND / 10);
	if (span > 0 && span < CLOCK_MILLISECOND)
		(void)snprintf(text, size, "%" PRId64 "us", span);
	else if (span > 0 && span < CLOCK_SECOND)
		(void)snprintf(text, size, "%" PRId64 "ms", span / CLOCK_MILLISECOND);
	else if (tenths == 0)
		(void)snprintf(text, size, "%" PRId64 "s", span / CLOCK_SECOND);
	else
		(void)snprintf(text, size, "%" PRId64 ".%" PRId64 "s", span / CLOCK_SECOND, tenths);
}

static void print_span(int64_t span, char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(span_units) / sizeof(span_units[0]); i++) {
		const struct span_unit *unit = &span_units[i];
		if (span < unit->size)
			continue;
		int64_t rest = span % unit->size / unit->smaller;
		if (rest == 0)
			(void)snprintf(text, size, "%" PRId64 "%s", span / unit->size, unit->name);
		else
			(void)snprintf(text, size, "%" PRId64 "%s %" PRId64 "%s", span / unit->size,
				       unit->name, rest, unit->smaller_name);
		return;
	}
	print_short_span(span, text, size);
}

void clock_span(int64_t microseconds, char text[CLOCK_TEXT_SIZE])
{
	if (microseconds == CLOCK_NEVER) {
		(void)snprintf(text, CLOCK_TEXT_SIZE, "never");
		return;
	}
	size_t sign = microseconds < 0 ? 1 : 0;
	text[0] = '-';
	if (microseconds < 0)
		microseconds = microseconds == INT64_MIN ? INT64_MAX : -microseconds;
	print_span(microseconds, text + sign, CLOCK_TEXT_SIZE - sign);
}

const char *clock_say(struct arena *arena, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_short(clock_whole(instant), text);
	return arena_strdup(arena, text);
}

const char *clock_say_span(struct arena *arena, int64_t microseconds)
{
	char text[CLOCK_TEXT_SIZE];

	clock_span(microseconds, text);
	return arena_strdup(arena, text);
}
