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

static bool is_ours(const char *line)
{
	return strncmp(line, "-- also ", 8) == 0 || strncmp(line, "-- read\n", 8) == 0 ||
	       strncmp(line, "-- rows\n", 8) == 0 || strncmp(line, "-- guard\n", 9) == 0;
}

/* Adds the comment at `text`, without the lines that are directives. Returns what follows it. */
static const char *add_comment(struct text *out, const char *text)
{
	while (strncmp(text, "--", 2) == 0) {
		size_t length = strcspn(text, "\n");
		if (!is_ours(text))
			text_printf(out, "%.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
	return text;
}

/* What follows the statement at `text`, after the empty lines. */
static const char *behind_statement(const char *text)
{
	const char *end = strstr(text, ";\n");

	text = end ? end + 2 : text + strlen(text);
	return text + strspn(text, "\n");
}

static void add_statement(struct text *out, const struct script *script, unsigned index)
{
	const struct statement *statement = &script->statements[index];

	text_printf(out, "%s;\n", statement->sql);
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
	const char *file = add_comment(&out, sql_find(name, dialect));
	for (unsigned i = 0; i < script->statement_count; i++) {
		text_add(&out, "\n");
		file = behind_statement(add_comment(&out, file + strspn(file, "\n")));
		add_statement(&out, script, i);
	}
	*text = text_take(&out, arena);
	return STATUS_OK;
}
