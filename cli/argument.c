/* Values of options and arguments, for the parsers of commands: a mistake ends the program. */
#include <stdarg.h>

#include "cli/cli.h"
#include "cli/output/cells.h"
#include "common/text/parse.h"

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

int64_t argument_number(const char *text, const char *what, int64_t minimum,
			const struct argp_state *state)
{
	int64_t value = 0;

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

	if (parse_duration(text, &value) != STATUS_OK)
		argument_error(state, "%s: \"%s\" is not a duration such as 30, 90s, 1h30m or 2d",
			       what, text);
	return value;
}
