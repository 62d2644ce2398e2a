#include "db/scripts/dialect.h"

#include <ctype.h>
#include <string.h>

#include "db/scripts/token.h"

#define MAXIMUM_PARAMETERS 32
#define MAXIMUM_STATEMENTS 20

/* Reads "-- name(a, b) -> ..." into script->parameters. */
static enum status read_signature(struct render *render, const char *text)
{
	const char **names = arena_array(render->arena, MAXIMUM_PARAMETERS + 1, sizeof(*names));
	const char *at = text + strcspn(text, "(\n");
	unsigned count = 0;

	if (strncmp(text, "-- ", 3) != 0 || *at != '(')
		return render_malformed(render,
					"the first line must be '-- name(parameters) -> result'");
	for (at++; *at != ')' && *at != '\n' && *at != '\0';) {
		size_t length = dialect_word_length(at);
		if (length > 0 && count < MAXIMUM_PARAMETERS)
			names[count++] = arena_strndup(render->arena, at, length);
		at += length > 0 ? length : 1;
	}
	if (*at != ')')
		return render_malformed(render, "the parameter list is not closed");
	render->script->parameters = names;
	render->script->parameter_count = count;
	return STATUS_OK;
}

/* The statement ended with ";": adds it to the script. */
static enum status end_statement(struct render *render)
{
	struct script *script = render->script;

	if (script->statement_count == MAXIMUM_STATEMENTS)
		return render_malformed(render, "too many statements");
	struct statement *statement = &script->statements[script->statement_count++];
	const char *sql = arena_strndup(render->arena, render->sql.data, render->sql.length - 1);
	if (render->dialect->schema && render->dialect->kind == DB_POSTGRESQL)
		sql = dialect_qualify(render->arena, sql, render->dialect->schema);
	statement->sql = sql;
	statement->order = arena_alloc(render->arena, render->order_count + 1);
	memcpy(statement->order, render->order, render->order_count);
	statement->order_count = render->order_count;
	statement->guard = render->guard;
	statement->rows = render->rows;
	render->guard = render->rows = false;
	render->order_count = 0;
	text_clear(&render->sql);
	return STATUS_OK;
}

static void read_comment(struct render *render, const char *line, size_t length)
{
	if (length == 7 && memcmp(line, "-- read", 7) == 0)
		render->script->read = true;
	else if (length == 8 && memcmp(line, "-- guard", 8) == 0)
		render->guard = true;
	else if (length == 7 && memcmp(line, "-- rows", 7) == 0)
		render->rows = true;
}

static enum status read_line(struct render *render, const char *line, size_t length)
{
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		length--;
	if (length == 0)
		return STATUS_OK;
	if (length >= 2 && line[0] == '-' && line[1] == '-') {
		read_comment(render, line, length);
		return STATUS_OK;
	}
	if (render->sql.length > 0)
		text_add(&render->sql, "\n");
	enum status status = render_line(render, line, length);
	if (status == STATUS_OK && line[length - 1] == ';')
		status = end_statement(render);
	return status;
}

static enum status read_file(struct render *render, const char *text)
{
	enum status status = read_signature(render, text);

	while (status == STATUS_OK && *text != '\0') {
		size_t length = strcspn(text, "\n");
		status = read_line(render, text, length);
		text += length + (text[length] == '\n');
	}
	if (status == STATUS_OK && render->sql.length > 0)
		return render_malformed(render, "the last statement does not end with ';'");
	if (status == STATUS_OK && render->script->statement_count == 0)
		return render_malformed(render, "no statement");
	return status;
}

enum status dialect_render_file(struct arena *arena, const struct sql_file *file,
				const struct dialect *dialect, const struct script **out,
				struct error *error)
{
	struct script *script = arena_alloc(arena, sizeof(*script));
	script->name = arena_strdup(arena, file->name);
	script->statements = arena_array(arena, MAXIMUM_STATEMENTS, sizeof(*script->statements));
	struct render render = { .arena = arena,
				 .name = file->name,
				 .dialect = dialect,
				 .script = script,
				 .error = error };
	enum status status = read_file(&render, file->text);
	text_free(&render.sql);
	if (status == STATUS_OK)
		*out = script;
	return status;
}

enum status dialect_render(struct arena *arena, const char *name, const struct dialect *dialect,
			   const struct script **out, struct error *error)
{
	const char *text = sql_find(name, dialect->kind);

	if (!text)
		return error_set(error, STATUS_FATAL, "db/sql: no operation %s", name);
	const struct sql_file file = { .name = name, .text = text };
	return dialect_render_file(arena, &file, dialect, out, error);
}
