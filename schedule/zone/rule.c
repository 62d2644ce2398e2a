#include "schedule/zone/rule.h"

#include <string.h>

#include "common/calendar.h"

#define DAY 86400

/* What is left to read. */
struct input {
	const char *at, *end;
};

static bool take(struct input *input, char byte)
{
	if (input->at == input->end || *input->at != byte)
		return false;
	input->at++;
	return true;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* At most three digits: nothing here has more. */
static bool take_number(struct input *input, int low, int high, int *number)
{
	int digits = 0;
	int value = 0;
	for (; input->at < input->end && is_digit(*input->at) && digits < 4; input->at++, digits++)
		value = value * 10 + (*input->at - '0');
	*number = value;
	return digits >= 1 && digits <= 3 && value >= low && value <= high;
}

/* "EST", or "<-03>" where digits and signs belong to the name. */
static bool take_name(struct input *input, char name[ZONE_ABBREVIATION_SIZE])
{
	bool quoted = take(input, '<');
	size_t length = 0;
	for (; input->at < input->end; input->at++) {
		char byte = *input->at;
		bool sign = byte == '+' || byte == '-';
		if (!is_letter(byte) && !(quoted && (is_digit(byte) || sign)))
			break;
		if (length + 1 == ZONE_ABBREVIATION_SIZE)
			return false;
		name[length++] = byte;
	}
	name[length] = '\0';
	return length >= 3 && (!quoted || take(input, '>'));
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool take_time(struct input *input, int hours_maximum, int *seconds)
{
	int hour;
	int minute = 0;
	int second = 0;
	bool negative = take(input, '-');
	if (!negative)
		(void)take(input, '+');
	if (!take_number(input, 0, hours_maximum, &hour))
		return false;
	if (take(input, ':')) {
		if (!take_number(input, 0, 59, &minute))
			return false;
		if (take(input, ':') && !take_number(input, 0, 59, &second))
			return false;
	}
	*seconds = (hour * 3600 + minute * 60 + second) * (negative ? -1 : 1);
	return true;
}

static bool take_weekday(struct input *input, struct rule_change *change)
{
	change->kind = RULE_WEEKDAY;
	return take_number(input, 1, 12, &change->month) && take(input, '.') &&
	       take_number(input, 1, 5, &change->week) && take(input, '.') &&
	       take_number(input, 0, 6, &change->day);
}

static bool take_day(struct input *input, struct rule_change *change)
{
	if (take(input, 'M'))
		return take_weekday(input, change);
	if (take(input, 'J')) {
		change->kind = RULE_JULIAN;
		return take_number(input, 1, 365, &change->day);
	}
	change->kind = RULE_OF_YEAR;
	return take_number(input, 0, 365, &change->day);
}

static bool take_change(struct input *input, struct rule_change *change)
{
	change->time = 2 * 3600;
	if (!take(input, ',') || !take_day(input, change))
		return false;
	return !take(input, '/') || take_time(input, 167, &change->time);
}

/* POSIX counts west of Greenwich as positive. */
static bool take_half(struct input *input, struct rule_half *half)
{
	int west;
	if (!take_name(input, half->abbreviation) || !take_time(input, 24, &west))
		return false;
	half->offset = -west;
	return true;
}

static bool take_daylight(struct input *input, struct zone_rule *rule)
{
	int west;
	rule->changes = true;
	rule->daylight.offset = rule->standard.offset + 3600;
	if (!take_name(input, rule->daylight.abbreviation))
		return false;
	if (input->at < input->end && *input->at != ',') {
		if (!take_time(input, 24, &west))
			return false;
		rule->daylight.offset = -west;
	}
	return take_change(input, &rule->start) && take_change(input, &rule->end);
}

bool zone_rule_parse(const char *text, size_t length, struct zone_rule *rule)
{
	struct input input = { text, text + length };
	*rule = (struct zone_rule){ .present = true };
	if (!take_half(&input, &rule->standard))
		return false;
	if (input.at < input.end && !take_daylight(&input, rule))
		return false;
	return input.at == input.end;
}

/* The day of a change in a year, since 1970. */
static int64_t change_day(const struct rule_change *change, int64_t year)
{
	int64_t first = calendar_day((struct date){ year, 1, 1 });
	bool leap = calendar_month_length(year, 2) == 29;
	if (change->kind == RULE_OF_YEAR)
		return first + change->day;
	if (change->kind == RULE_JULIAN)
		return first + change->day - (leap && change->day >= 60 ? 0 : 1);
	int64_t month = calendar_day((struct date){ year, change->month, 1 });
	int length = calendar_month_length(year, change->month);
	int day = (change->day - calendar_weekday(month) + 7) % 7 + (change->week - 1) * 7;
	return month + (day < length ? day : day - 7);
}

/* When, in UTC: the change is stated in the time it ends. */
static int64_t change_instant(const struct rule_change *change, int64_t year, int offset)
{
	return change_day(change, year) * DAY + change->time - offset;
}

struct event {
	int64_t at;
	bool daylight; /* begins */
};

/*
 * A rule's events of three years in order. Where one year's end and the next one's start fall
 * together ("all year daylight saving") the start counts.
 */
#define EVENTS 6

static void list_events(const struct zone_rule *rule, int64_t year, struct event events[EVENTS])
{
	for (size_t i = 0; i < EVENTS / 2; i++) {
		int64_t of = year - 1 + (int64_t)i;
		events[i * 2] =
			(struct event){ change_instant(&rule->start, of, rule->standard.offset),
					true };
		events[i * 2 + 1] =
			(struct event){ change_instant(&rule->end, of, rule->daylight.offset),
					false };
	}
	for (int i = 1; i < EVENTS; i++) {
		struct event event = events[i];
		int j = i;
		for (; j > 0 && (events[j - 1].at > event.at ||
				 (events[j - 1].at == event.at && events[j - 1].daylight));
		     j--)
			events[j] = events[j - 1];
		events[j] = event;
	}
}

void zone_rule_span(const struct zone_rule *rule, int64_t second, struct zone_span *span)
{
	struct event events[EVENTS];
	const struct rule_half *half = &rule->standard;

	span->from = ZONE_BEGINNING;
	span->until = ZONE_END;
	span->daylight = false;
	if (rule->changes) {
		int64_t local = second + rule->standard.offset;
		list_events(rule, calendar_date(floor_divide(local, DAY)).year, events);
		int next = 0;
		while (next < EVENTS && events[next].at <= second)
			next++;
		if (next > 0) {
			span->from = events[next - 1].at;
			span->daylight = events[next - 1].daylight;
		}
		if (next < EVENTS)
			span->until = events[next].at;
		half = span->daylight ? &rule->daylight : &rule->standard;
	}
	span->offset = half->offset;
	span->abbreviation = half->abbreviation;
}
