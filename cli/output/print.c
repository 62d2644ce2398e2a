#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "queue/payload/wide_json.h"

const char *json_pretty(struct arena *arena, const json_t *value)
{
	char *text = wide_json_dump(value, JSON_INDENT(2) | JSON_ENCODE_ANY);

	if (!text)
		out_of_memory();
	const char *copy = cell_escape(arena, text);
	free(text);
	return copy;
}

void json_print(const struct cli *cli, json_t *value)
{
	if (cli->json) {
		struct arena *arena = arena_new();
		(void)puts(json_pretty(arena, value));
		arena_free(arena);
	}
	json_decref(value);
}

void text_print(const struct cli *cli, const char *text)
{
	if (cli->json)
		return;
	struct arena *arena = arena_new();
	(void)puts(cell_clean(arena, text));
	arena_free(arena);
}

void say(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->json || cli->quiet)
		return;
	struct arena *arena = arena_new();
	va_start(args, format);
	(void)puts(cell_clean(arena, arena_vprintf(arena, format, args)));
	va_end(args);
	arena_free(arena);
}
