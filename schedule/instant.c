#include "schedule/instant.h"

#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"

#define DAY_SECONDS  INT64_C(86400)
#define HOUR_SECONDS INT64_C(3600)
#define SPAN_SIZE    64 /* of the text of a span: no sensible one is near */
#define DATE_LENGTH  10

/* Takes the word when it stands there, with the blanks that part it from the next. */
static bool take_word(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncasecmp(*at, word, length) != 0 || ((*at)[length] && (*at)[length] != ' '))
		return false;
	*at += length + strspn(*at + length, " ");
	return true;
}

/* At least this many digits and at most two. */
static bool take_digits(const char **at, size_t least, int most, int *number)
{
	size_t digits = strspn(*at, "0123456789");

	if (digits < least || digits > 2)
		return false;
	for (*number = 0; digits > 0; digits--)
		*number = *number * 10 + (*(*at)++ - '0');
	return *number <= most;
}

/* ":30", when there is one. */
static bool take_sixtieth(const char **at, int *number)
{
	if (**at != ':')
		return true;
	(*at)++;
	return take_digits(at, 2, 59, number);
}

/* "am" and "pm" make one of 24 hours out of one of 12. */
static bool take_half(const char **at, int *hour)
{
	const char *half = *at + strspn(*at, " ");
	bool afternoon = take_word(&half, "pm");

	if (!afternoon && !take_word(&half, "am"))
		return false;
	*at = half;
	if (*hour < 1 || *hour > 12)
		return false;
	*hour = *hour % 12 + (afternoon ? 12 : 0);
	return true;
}

/* What ends the text: "18:00", "18:00:30", "9am", "9:30 pm", noon, midnight. */
static bool take_hour(const char *at, int64_t *second)
{
	int hour = 12, minute = 0, rest = 0;
	bool noon = take_word(&at, "noon");

	if (!noon && take_word(&at, "midnight")) {
		hour = 0;
	} else if (!noon) {
		if (!take_digits(&at, 1, 23, &hour))
			return false;
		bool alone = *at != ':'; /* "9" might be anything */
		if (!take_sixtieth(&at, &minute) || !take_sixtieth(&at, &rest))
			return false;
		if (*at != '\0' ? !take_half(&at, &hour) : alone)
			return false;
	}
	*second = hour * HOUR_SECONDS + minute * INT64_C(60) + rest;
	return *at == '\0';
}

static bool take_date(const char **at, int64_t *day)
{
	char date[DATE_LENGTH + 1];
	int64_t instant;

	if (strlen(*at) < DATE_LENGTH)
		return false;
	memcpy(date, *at, DATE_LENGTH);
	date[DATE_LENGTH] = '\0';
	const char *end = *at + DATE_LENGTH;
	/* Of that length only a date alone is a time. */
	if (clock_parse(date, &instant) != STATUS_OK || (*end && *end != ' ' && *end != 'T'))
		return false;
	*at = *end == 'T' ? end + 1 : end + strspn(end, " ");
	*day = floor_divide(instant, CLOCK_DAY);
	return *end != 'T' || **at;
}

static bool take_day(const char **at, int64_t today, int64_t *day)
{
	*day = today;
	if (take_word(at, "today"))
		return true;
	*day = today - 1;
	if (take_word(at, "yesterday"))
		return true;
	*day = today + 1;
	return take_word(at, "tomorrow") || take_date(at, day);
}

/* The first instant that the zone's clocks show as `local`, or where they go on past it. */
static int64_t from_local(const struct zone *zone, int64_t local)
{
	struct zone_span span = zone_span(zone, local - ZONE_OFFSET_MAXIMUM);

	while (local - span.offset >= span.until)
		span = zone_span(zone, span.until);
	return local - span.offset > span.from ? local - span.offset : span.from;
}

static bool read_local(const char *at, int64_t now, const struct zone *zone, enum instant_side side,
		       int64_t *instant)
{
	int64_t second = floor_divide(now, CLOCK_SECOND), hour = 0, day;
	int64_t today = floor_divide(second + zone_span(zone, second).offset, DAY_SECONDS);
	bool dated = take_day(&at, today, &day);

	if (!dated)
		day = today;
	if ((!dated || *at) && !take_hour(at, &hour))
		return false;
	int64_t found = from_local(zone, day * DAY_SECONDS + hour) * CLOCK_SECOND;
	if (!dated && side == INSTANT_PAST && found > now)
		found = from_local(zone, (day - 1) * DAY_SECONDS + hour) * CLOCK_SECOND;
	if (!dated && side == INSTANT_FUTURE && found <= now)
		found = from_local(zone, (day + 1) * DAY_SECONDS + hour) * CLOCK_SECOND;
	*instant = found;
	return true;
}

/* Without a unit it might be seconds, an hour or a year. */
static bool read_span(const char *text, size_t length, int64_t *span)
{
	char copy[SPAN_SIZE];

	if (length == 0 || length >= sizeof(copy) || strcspn(text, "dhms") >= length)
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return parse_duration(copy, span) == STATUS_OK;
}

static bool read_relative(const char *at, int64_t now, enum instant_side side, int64_t *instant)
{
	static const char ago[] = " ago";
	size_t length = strlen(at);
	int64_t span = 0;

	if (take_word(&at, "in")) {
		side = INSTANT_FUTURE;
		length = strlen(at);
	} else if (length >= strlen(ago) && strcasecmp(at + length - strlen(ago), ago) == 0) {
		side = INSTANT_PAST;
		length -= strlen(ago);
	}
	if (strcasecmp(at, "now") != 0 && !read_span(at, length, &span))
		return false;
	*instant = side == INSTANT_PAST ? now - span : now + span;
	return true;
}

enum status instant_parse(const char *text, int64_t now, const struct zone *zone,
			  enum instant_side side, int64_t *instant)
{
	int64_t found;

	if (!read_relative(text, now, side, &found) && !read_local(text, now, zone, side, &found))
		return STATUS_INVALID;
	if (found < CALENDAR_FIRST_DAY * CLOCK_DAY || found > CLOCK_LAST)
		return STATUS_INVALID;
	*instant = found;
	return STATUS_OK;
}

bool instant_is_dated(const char *text)
{
	int64_t day;

	return take_date(&text, &day);
}
