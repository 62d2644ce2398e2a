/* Options that take a time: as people say it, and how it was understood. */
#include <string.h>

#include "cli/cli.h"
#include "common/clock.h"
#include "schedule/instant.h"
#include "schedule/zone/zones.h"

/* What follows the last blank, when that is a zone; `text` then ends before it. */
static const struct zone *take_zone(struct zones *zones, char *text)
{
	const struct zone *zone = NULL;
	char *blank = strrchr(text, ' ');

	if (!blank || zones_find(zones, blank + 1, &zone, NULL) != STATUS_OK)
		return NULL;
	*blank = '\0';
	return zone;
}

/* A day and hour of the host's are what people mean; a date without a zone is UTC's, as ever. */
static enum status read_time(struct zones *zones, char *text, enum instant_side side,
			     const struct zone **zone, int64_t *value)
{
	*zone = zones_utc(zones);
	if (clock_parse(text, value) == STATUS_OK)
		return STATUS_OK;
	const struct zone *named = take_zone(zones, text);
	if (named)
		*zone = named;
	else if (!instant_is_dated(text) && zones_system(zones, zone, NULL) != STATUS_OK)
		*zone = zones_utc(zones);
	return instant_parse(text, clock_wall(), *zone, side, value);
}

/* "dray: --at tomorrow 9am: 2026-11-23T08:00:00Z (2026-11-23 09:00:00 CET)" */
static const char *describe(struct arena *arena, const char *what, const char *text,
			    const struct zone *zone, int64_t value)
{
	char utc[CLOCK_TEXT_SIZE], local[CLOCK_TEXT_SIZE];
	struct zone_span span = zone_span(zone, value / CLOCK_SECOND);

	clock_format(value, utc);
	clock_format(value + span.offset * CLOCK_SECOND, local);
	const char *shown = arena_printf(arena, "%s %s: %.10sT%.8sZ", what, text, utc, utc + 11);
	return span.offset == 0 && strcmp(zone_name(zone), "UTC") == 0
		       ? shown
		       : arena_printf(arena, "%s (%.19s %s)", shown, local, span.abbreviation);
}

static bool is_exact(const char *text)
{
	size_t length = strlen(text);

	return length > 0 && text[length - 1] == 'Z';
}

int64_t argument_time(const char *text, const char *what, enum instant_side side,
		      const struct argp_state *state)
{
	struct cli *cli = state->child_inputs[0]; /* of every command: the global options' */
	struct zones *zones = zones_new(cli->arena, NULL);
	const struct zone *zone;
	int64_t value = 0;

	if (read_time(zones, arena_strdup(cli->arena, text), side, &zone, &value) != STATUS_OK)
		argument_error(state,
			       "%s: \"%s\" is not a time such as 2026-12-24T18:00:00Z, 1h, 18:00, "
			       "\"%s\" or \"18:00 Europe/Madrid\"",
			       what, text, side == INSTANT_PAST ? "yesterday 9am" : "tomorrow 9am");
	if (is_exact(text))
		return value;
	const char *line = describe(cli->arena, what, text, zone, value);
	cli->understood =
		cli->understood ? arena_printf(cli->arena, "%s; %s", cli->understood, line) : line;
	return value;
}
