#include "db/scripts/scripts.h"

#include <string.h>

static void number(struct scripts *scripts, const struct script *script)
{
	for (unsigned i = 0; i < script->statement_count; i++)
		script->statements[i].id = ++scripts->statements;
}

static void keep(struct scripts *scripts, const struct script *script)
{
	scripts->list =
		arena_extend(scripts->arena, scripts->list, scripts->count, sizeof(*scripts->list));
	scripts->list[scripts->count++].script = script;
}

enum status scripts_find(struct scripts *scripts, const char *name, const struct script **script,
			 struct error *error)
{
	for (size_t i = 0; i < scripts->count; i++) {
		if (strcmp(scripts->list[i].script->name, name) == 0) {
			*script = scripts->list[i].script;
			return STATUS_OK;
		}
	}
	enum status status = dialect_render(scripts->arena, name, &scripts->dialect, script, error);
	if (status != STATUS_OK)
		return status;
	number(scripts, *script);
	keep(scripts, *script);
	return STATUS_OK;
}

enum status scripts_ask(struct scripts *scripts, const char *sql, const struct script **script,
			struct error *error)
{
	const struct sql_file file = {
		.name = "ask",
		.text = arena_printf(scripts->arena, "-- ask()\n-- read\n-- rows\n%s\n", sql),
	};
	enum status status =
		dialect_render_file(scripts->arena, &file, &scripts->dialect, script, error);

	if (status == STATUS_OK)
		number(scripts, *script);
	return status;
}
