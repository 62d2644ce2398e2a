/*
 * Options and arguments, for the parsers of commands: numbers, durations, times as people say
 * them. A mistake ends the program. The messages of argp and getopt quote words of the command
 * line, so they are written through a stream that cleans them, too.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output/cells.h"
#include "common/clock.h"
#include "common/text/parse.h"
#include "schedule/instant.h"
#include "schedule/zone/zones.h"

/* Clean messages */

/* Errors are ignored: there is nowhere to report them. */
static ssize_t write_clean(void *cookie, const char *text, size_t size)
{
	struct arena *arena = arena_new();
	char *line = arena_strndup(arena, text, size);

	(void)cookie;
	while (*line) {
		size_t length = strcspn(line, "\n");
		bool ended = line[length] == '\n';
		line[length] = '\0';
		(void)dprintf(STDERR_FILENO, "%s%s", cell_clean(arena, line), ended ? "\n" : "");
		line += length + ended;
	}
	arena_free(arena);
	return (ssize_t)size;
}

/* getopt always writes to stderr, so stderr is replaced for a while. */
error_t arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	static const cookie_io_functions_t functions = { .write = write_clean };
	FILE *const raw = stderr;
	FILE *const clean = fopencookie(NULL, "w", functions);

	if (!clean)
		out_of_memory();
	(void)setvbuf(clean, NULL, _IOLBF, BUFSIZ);
	stderr = clean;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	error_t result = argp_parse(argp, argc, argv, flags, NULL, input);
	stderr = raw;
	(void)fclose(clean);
	return result;
}

/* Arguments, numbers, durations */

#define LIMIT_MOST 10000

void arguments_take(struct arguments *arguments, struct argp_state *state)
{
	int first = state->next - 1;
	int count = state->argc - first;

	arguments->list = state->argv + first;
	arguments->count = (size_t)count;
	state->next = state->argc;
}

void argument_error(const struct argp_state *state, const char *format, ...)
{
	struct error line = { 0 };
	va_list args;

	va_start(args, format);
	(void)error_set_va(&line, STATUS_INVALID, format, args);
	va_end(args);
	struct arena *arena = arena_new(); /* argp_error does not return */
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	argp_error(state, "%s", cell_clean(arena, line.text));
	arena_free(arena);
}

static void refuse_zero(const char *text, const char *what, const struct argp_state *state)
{
	if (leads_with_zero(text))
		argument_error(state,
			       "%s: \"%s\" has a leading zero, which elsewhere makes it octal",
			       what, text);
}

int64_t argument_number(const char *text, const char *what, int64_t minimum,
			const struct argp_state *state)
{
	int64_t value = 0;

	refuse_zero(text, what, state);
	if (parse_int(text, minimum, INT64_MAX, &value) == STATUS_OK)
		return value;
	if (minimum < 0)
		argument_error(state, "%s: \"%s\" is not a whole number", what, text);
	else
		argument_error(state, "%s: \"%s\" is not a number of at least %lld", what, text,
			       (long long)minimum);
	return value;
}

int argument_limit(const char *text, const struct argp_state *state)
{
	int64_t value = argument_number(text, "--limit", 1, state);

	if (value > LIMIT_MOST)
		argument_error(state, "--limit: at most %d", LIMIT_MOST);
	return (int)value;
}

int64_t argument_duration(const char *text, const char *what, const struct argp_state *state)
{
	int64_t value = 0;

	refuse_zero(text, what, state);
	if (parse_duration(text, &value) != STATUS_OK)
		argument_error(state, "%s: \"%s\" is not a duration such as 30, 90s, 1h30m or 2d",
			       what, text);
	return value;
}

/* Times: how one was understood is printed for people */

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
static const char *describe_time(struct arena *arena, const char *what, const char *text,
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
	const char *line = describe_time(cli->arena, what, text, zone, value);
	cli->understood =
		cli->understood ? arena_printf(cli->arena, "%s; %s", cli->understood, line) : line;
	return value;
}
