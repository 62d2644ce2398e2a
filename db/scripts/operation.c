#include "db/scripts/operation.h"

#include <string.h>

#include "common/text/text.h"
#include "db/scripts/dialect.h"

const char **operation_names(struct arena *arena, size_t *count)
{
	const char **names = arena_array(arena, sql_file_count + 1, sizeof(*names));

	*count = 0;
	for (size_t i = 0; i < sql_file_count; i++) {
		const char *name = sql_files[i].name;
		if (!strchr(name, '/') && (*count == 0 || strcmp(names[*count - 1], name) != 0))
			names[(*count)++] = name;
	}
	return names;
}

/* The comment that the file begins with, but for what it says to us. */
static void add_comment(struct text *out, const char *text)
{
	while (strncmp(text, "-- ", 3) == 0) {
		size_t length = strcspn(text, "\n");
		bool ours =
			strncmp(text, "-- also ", 8) == 0 || strncmp(text, "-- read\n", 8) == 0 ||
			strncmp(text, "-- rows\n", 8) == 0 || strncmp(text, "-- guard\n", 9) == 0;
		if (!ours)
			text_printf(out, "%.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void add_statement(struct text *out, const struct script *script, unsigned index)
{
	const struct statement *statement = &script->statements[index];

	text_printf(out, "\n%s;\n", statement->sql);
	for (unsigned i = 0; i < statement->order_count; i++)
		text_printf(out, "%s%u: %s", i == 0 ? "-- " : ", ", i + 1,
			    script->parameters[statement->order[i]]);
	text_add(out, statement->order_count > 0 ? "\n" : "");
}

enum status operation_text(struct arena *arena, const char *name, enum db_dialect dialect,
			   const char *schema, const char **text, struct error *error)
{
	const struct dialect how = { .kind = dialect, .schema = schema };
	const struct script *script;
	struct text out = { 0 };

	if (strchr(name, '/') || !sql_find(name, dialect))
		return error_set(error, STATUS_NONE, "there is no operation \"%s\"", name);
	enum status status = dialect_render(arena, name, &how, &script, error);
	if (status != STATUS_OK)
		return status;
	add_comment(&out, sql_find(name, dialect));
	for (unsigned i = 0; i < script->statement_count; i++)
		add_statement(&out, script, i);
	*text = arena_strdup(arena, text_string(&out));
	text_free(&out);
	return STATUS_OK;
}
