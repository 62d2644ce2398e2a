#include "schedule/zone/data.h"

const char *zone_name(const struct zone *zone)
{
	return zone->name;
}

/* How many transitions are at or before a second. */
static size_t passed(const struct zone *zone, int64_t second)
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
static struct zone_span find(const struct zone *zone, int64_t second)
{
	struct zone_span span;
	size_t index = passed(zone, second);
	int64_t from = index > 0 ? zone->transitions[index - 1] : ZONE_BEGINNING;
	if (index == zone->count && zone->rule.present) {
		zone_rule_span(&zone->rule, second, &span);
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
	struct zone_span span = find(zone, second);
	span.before = span.offset;
	if (span.from > ZONE_BEGINNING)
		span.before = find(zone, span.from - 1).offset;
	return span;
}

static struct zone *zone_new(struct arena *arena, const char *name)
{
	struct zone *zone = arena_alloc(arena, sizeof(*zone));
	zone->name = arena_strdup(arena, name);
	return zone;
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
	if (!zone_rule_parse(rule, strlen(rule), &made->rule))
		return error_set(error, STATUS_INVALID, "\"%s\" is not a time zone rule", rule);
	*zone = made;
	return STATUS_OK;
}
