/*
 * A time zone: the transitions of a TZif file, the rule after them, and both as spans.
 *
 * Up to the last transition the file decides, afterwards the rule in its footer, for ever: POSIX TZ
 * with the extension of RFC 9636 (changes from -167 to 167 hours). Nothing in a file is trusted:
 * counts are bounded before they multiply, offsets and order are checked, and a file that counts
 * leap seconds is refused, because the database's clock does not.
 */
#include <string.h>

#include "common/clock.h"
#include "common/text/byte.h"
#include "schedule/zone/zone.h"

enum rule_day {
	RULE_JULIAN,  /* Jn: 1..365, 29 February is never counted */
	RULE_OF_YEAR, /* n: 0..365 */
	RULE_WEEKDAY, /* Mm.w.d: week 5 = last */
};

struct rule_change {
	enum rule_day kind;
	int month, week, day;
	int time; /* seconds after midnight of that day, in the time before the change */
};

struct rule_half {
	int offset;
	char abbreviation[ZONE_ABBREVIATION_SIZE];
};

struct zone_rule {
	bool present;
	bool changes; /* is there daylight saving at all? */
	struct rule_half standard, daylight;
	struct rule_change start, end; /* of daylight saving */
};

struct zone_kind {
	int offset;
	bool daylight;
	const char *abbreviation;
};

struct zone {
	const char *name;
	int64_t *transitions; /* ascending */
	unsigned char *kind;  /* what begins at each; before the first it is kind 0 */
	size_t count;
	struct zone_kind *kinds; /* none only where there is a rule and no transition */
	struct zone_rule rule;   /* from the last transition on */
};

/* The rule */

#define DAY 86400

/* What is left to read. */
struct input {
	const char *at, *end;
};

static bool take_byte(struct input *input, char byte)
{
	if (input->at == input->end || *input->at != byte)
		return false;
	input->at++;
	return true;
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
	bool quoted = take_byte(input, '<');
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
	return length >= 3 && (!quoted || take_byte(input, '>'));
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool take_time(struct input *input, int hours_maximum, int *seconds)
{
	int hour;
	int minute = 0;
	int second = 0;
	bool negative = take_byte(input, '-');
	if (!negative)
		(void)take_byte(input, '+');
	if (!take_number(input, 0, hours_maximum, &hour))
		return false;
	if (take_byte(input, ':')) {
		if (!take_number(input, 0, 59, &minute))
			return false;
		if (take_byte(input, ':') && !take_number(input, 0, 59, &second))
			return false;
	}
	*seconds = (hour * 3600 + minute * 60 + second) * (negative ? -1 : 1);
	return true;
}

static bool take_weekday(struct input *input, struct rule_change *change)
{
	change->kind = RULE_WEEKDAY;
	return take_number(input, 1, 12, &change->month) && take_byte(input, '.') &&
	       take_number(input, 1, 5, &change->week) && take_byte(input, '.') &&
	       take_number(input, 0, 6, &change->day);
}

static bool take_day(struct input *input, struct rule_change *change)
{
	if (take_byte(input, 'M'))
		return take_weekday(input, change);
	if (take_byte(input, 'J')) {
		change->kind = RULE_JULIAN;
		return take_number(input, 1, 365, &change->day);
	}
	change->kind = RULE_OF_YEAR;
	return take_number(input, 0, 365, &change->day);
}

static bool take_change(struct input *input, struct rule_change *change)
{
	change->time = 2 * 3600;
	if (!take_byte(input, ',') || !take_day(input, change))
		return false;
	return !take_byte(input, '/') || take_time(input, 167, &change->time);
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

/* Reads all of text[0..length). false: it is no rule. */
static bool parse_rule(const char *text, size_t length, struct zone_rule *rule)
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

/* What the rule says at a second, as if it had held for ever; `before` is left alone. */
static void rule_span(const struct zone_rule *rule, int64_t second, struct zone_span *span)
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

/* The file */

#define HEADER_SIZE   44
#define KIND_SIZE     6
#define KINDS_MAXIMUM 256
#define TRANSITIONS   4000 /* the system's largest has 240 */

/* The six counts of a header, in their order. */
enum count { UT_FLAGS, STANDARD_FLAGS, LEAPS, TIMES, KINDS, CHARACTERS, COUNTS };

/* One of the file's two blocks. */
struct block {
	const unsigned char *data; /* after the header */
	size_t counts[COUNTS];
	size_t time_size;
	size_t length;
};

static uint32_t load32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t load_time(const unsigned char *at, size_t size)
{
	if (size == 4)
		return (int32_t)load32(at);
	return (int64_t)((uint64_t)load32(at) << 32 | load32(at + 4));
}

static size_t block_length(const struct block *block)
{
	const size_t *counts = block->counts;
	return counts[TIMES] * (block->time_size + 1) + counts[KINDS] * KIND_SIZE +
	       counts[CHARACTERS] + counts[LEAPS] * (block->time_size + 4) +
	       counts[STANDARD_FLAGS] + counts[UT_FLAGS];
}

/* The block that begins at data; NULL or what is wrong. Counts are small before they multiply. */
static const char *open_block(const unsigned char *data, size_t length, size_t time_size,
			      struct block *block)
{
	if (length < HEADER_SIZE || memcmp(data, "TZif", 4) != 0)
		return "is not a time zone file";
	block->data = data + HEADER_SIZE;
	block->time_size = time_size;
	for (int i = 0; i < COUNTS; i++) {
		block->counts[i] = load32(data + 20 + 4 * (size_t)i);
		if (block->counts[i] > ZONE_FILE_MAXIMUM)
			return "has too large a count";
	}
	block->length = block_length(block);
	return block->length <= length - HEADER_SIZE ? NULL : "is cut off";
}

static const char *check_counts(const struct block *block)
{
	const size_t *counts = block->counts;
	if (counts[LEAPS] > 0)
		return "counts leap seconds, which the database's clock does not";
	if (counts[KINDS] < 1 || counts[KINDS] > KINDS_MAXIMUM || counts[CHARACTERS] < 1)
		return "has no kinds of time, or too many";
	return counts[TIMES] <= TRANSITIONS ? NULL : "has too many transitions";
}

static const char *read_transitions(struct arena *arena, const struct block *block,
				    struct zone *zone)
{
	size_t count = block->counts[TIMES];
	const unsigned char *kinds = block->data + count * block->time_size;
	zone->transitions = arena_array(arena, count, sizeof(*zone->transitions));
	zone->kind = arena_array(arena, count, sizeof(*zone->kind));
	zone->count = count;
	for (size_t i = 0; i < count; i++) {
		int64_t at = load_time(block->data + i * block->time_size, block->time_size);
		if (at < ZONE_BEGINNING || at >= ZONE_END ||
		    (i > 0 && at <= zone->transitions[i - 1]))
			return "has transitions out of order";
		if (kinds[i] >= block->counts[KINDS])
			return "refers to a kind of time that it does not have";
		zone->transitions[i] = at;
		zone->kind[i] = kinds[i];
	}
	return NULL;
}

static const char *read_kinds(struct arena *arena, const struct block *block, struct zone *zone)
{
	size_t count = block->counts[KINDS];
	size_t characters = block->counts[CHARACTERS];
	const unsigned char *at = block->data + block->counts[TIMES] * (block->time_size + 1);
	const char *names = (const char *)at + count * KIND_SIZE;
	if (names[characters - 1] != '\0')
		return "has an abbreviation without an end";
	char *copy = arena_alloc(arena, characters);
	memcpy(copy, names, characters);
	zone->kinds = arena_array(arena, count, sizeof(*zone->kinds));
	for (size_t i = 0; i < count; i++, at += KIND_SIZE) {
		int offset = (int)load32(at);
		if (offset < ZONE_OFFSET_MINIMUM || offset > ZONE_OFFSET_MAXIMUM)
			return "has an offset of more than a day";
		if (at[4] > 1 || at[5] >= characters)
			return "has a malformed kind of time";
		zone->kinds[i] = (struct zone_kind){ offset, at[4] == 1, copy + at[5] };
	}
	return NULL;
}

/* "\n" rule "\n"; the rule may be empty. */
static const char *read_footer(const struct block *block, const unsigned char *end,
			       struct zone *zone)
{
	const char *footer = (const char *)block->data + block->length;
	size_t left = (size_t)((const char *)end - footer);
	const char *close = left > 1 ? memchr(footer + 1, '\n', left - 1) : NULL;
	if (!close || footer[0] != '\n')
		return "has no footer";
	size_t length = (size_t)(close - footer) - 1;
	if (length > 0 && !parse_rule(footer + 1, length, &zone->rule))
		return "has a malformed rule in its footer";
	return NULL;
}

static const char *read_zone(struct arena *arena, const unsigned char *data, size_t length,
			     struct zone *zone)
{
	struct block block;
	const char *fault = open_block(data, length, 4, &block);
	bool second = !fault && data[4] >= '2';
	if (second) { /* the first block is for readers of 32 bits */
		const unsigned char *from = block.data + block.length;
		fault = open_block(from, (size_t)(data + length - from), 8, &block);
	}
	if (!fault)
		fault = check_counts(&block);
	if (!fault)
		fault = read_transitions(arena, &block, zone);
	if (!fault)
		fault = read_kinds(arena, &block, zone);
	if (!fault && second)
		fault = read_footer(&block, data + length, zone);
	return fault;
}

static struct zone *zone_new(struct arena *arena, const char *name)
{
	struct zone *zone = arena_alloc(arena, sizeof(*zone));
	zone->name = arena_strdup(arena, name);
	return zone;
}

enum status zone_read(struct arena *arena, const char *name, const void *data, size_t length,
		      struct zone **zone, struct error *error)
{
	struct zone *made = zone_new(arena, name);
	const char *fault = read_zone(arena, data, length, made);
	if (fault)
		return error_set(error, STATUS_INVALID, "the data of time zone %s %s", name, fault);
	*zone = made;
	return STATUS_OK;
}

/* Spans */

const char *zone_name(const struct zone *zone)
{
	return zone->name;
}

/* How many transitions are at or before a second. */
static size_t count_passed(const struct zone *zone, int64_t second)
{
	size_t low = 0;
	size_t high = zone->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (zone->transitions[middle] <= second)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Without `before`. */
static struct zone_span find_span(const struct zone *zone, int64_t second)
{
	struct zone_span span;
	size_t index = count_passed(zone, second);
	int64_t from = index > 0 ? zone->transitions[index - 1] : ZONE_BEGINNING;
	if (index == zone->count && zone->rule.present) {
		rule_span(&zone->rule, second, &span);
		if (span.from < from)
			span.from = from;
		return span;
	}
	const struct zone_kind *kind = &zone->kinds[index > 0 ? zone->kind[index - 1] : 0];
	return (struct zone_span){
		.from = from,
		.until = index < zone->count ? zone->transitions[index] : ZONE_END,
		.offset = kind->offset,
		.daylight = kind->daylight,
		.abbreviation = kind->abbreviation,
	};
}

struct zone_span zone_span(const struct zone *zone, int64_t second)
{
	struct zone_span span = find_span(zone, second);
	span.before = span.offset;
	if (span.from > ZONE_BEGINNING)
		span.before = find_span(zone, span.from - 1).offset;
	return span;
}

struct zone *zone_fixed(struct arena *arena, const char *name, int offset)
{
	struct zone *zone = zone_new(arena, name);
	zone->kinds = arena_alloc(arena, sizeof(*zone->kinds));
	zone->kinds->offset = offset;
	zone->kinds->abbreviation = zone->name;
	return zone;
}

enum status zone_posix(struct arena *arena, const char *name, const char *rule, struct zone **zone,
		       struct error *error)
{
	struct zone *made = zone_new(arena, name);
	if (!parse_rule(rule, strlen(rule), &made->rule))
		return error_set(error, STATUS_INVALID, "\"%s\" is not a time zone rule", rule);
	*zone = made;
	return STATUS_OK;
}
