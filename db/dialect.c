#include "db/dialect.h"

#include <ctype.h>
#include <string.h>

#include "common/text.h"

#define MAXIMUM_PARAMETERS   32
#define MAXIMUM_STATEMENTS   16
#define MAXIMUM_PLACEHOLDERS 64
#define MAXIMUM_DEPTH        4

/* One rendering under way. */
struct render {
	struct arena *arena;
	const char *name;
	const struct dialect *dialect;
	struct script *script;
	struct text sql; /* the statement being built */
	unsigned char order[MAXIMUM_PLACEHOLDERS];
	unsigned order_count;
	bool guard;
	bool rows;
	unsigned depth; /* of fragments in fragments */
	struct error *error;
};

const char *sql_find(const char *name, enum db_dialect dialect)
{
	const char *common = NULL;

	for (size_t i = 0; i < sql_file_count; i++) {
		if (strcmp(sql_files[i].name, name) != 0)
			continue;
		if (sql_files[i].dialect == dialect)
			return sql_files[i].text;
		if (sql_files[i].dialect == DB_DIALECTS)
			common = sql_files[i].text;
	}
	return common;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static enum status malformed(struct render *render, const char *why)
{
	return error_set(render->error, STATUS_FATAL, "db/sql/%s: %s", render->name, why);
}

/* Reads "-- name(a, b) -> ..." into script->parameters. */
static enum status read_signature(struct render *render, const char *text)
{
	const char **names = arena_array(render->arena, MAXIMUM_PARAMETERS + 1, sizeof(*names));
	const char *at = text + strcspn(text, "(\n");
	unsigned count = 0;

	if (strncmp(text, "-- ", 3) != 0 || *at != '(')
		return malformed(render, "the first line must be '-- name(parameters) -> result'");
	for (at++; *at != ')' && *at != '\n' && *at != '\0';) {
		size_t length = dialect_word_length(at);
		if (length > 0 && count < MAXIMUM_PARAMETERS)
			names[count++] = arena_strndup(render->arena, at, length);
		at += length > 0 ? length : 1;
	}
	if (*at != ')')
		return malformed(render, "the parameter list is not closed");
	render->script->parameters = names;
	render->script->parameter_count = count;
	return STATUS_OK;
}

static enum status find_parameter(struct render *render, const char *name, size_t length,
				  unsigned char *index)
{
	const struct script *script = render->script;

	for (unsigned i = 0; i < script->parameter_count; i++) {
		if (strlen(script->parameters[i]) == length &&
		    memcmp(script->parameters[i], name, length) == 0) {
			*index = (unsigned char)i;
			return STATUS_OK;
		}
	}
	return error_set(render->error, STATUS_FATAL, "db/sql/%s: unknown parameter :%.*s",
			 render->name, (int)length, name);
}

/* The number of the parameter's placeholder; PostgreSQL uses one for all its uses. */
static enum status add_placeholder(struct render *render, const char *name, size_t length,
				   unsigned *number)
{
	unsigned char index = 0;
	enum status status = find_parameter(render, name, length, &index);

	if (status != STATUS_OK)
		return status;
	if (render->dialect->kind == DB_POSTGRESQL)
		for (*number = 1; *number <= render->order_count; ++*number)
			if (render->order[*number - 1] == index)
				return STATUS_OK;
	if (render->order_count == MAXIMUM_PLACEHOLDERS)
		return malformed(render, "too many placeholders");
	render->order[render->order_count++] = index;
	*number = render->order_count;
	return STATUS_OK;
}

static enum status add_parameter(struct render *render, const char **at)
{
	size_t length = dialect_word_length(*at + 1);
	unsigned number;
	enum status status = add_placeholder(render, *at + 1, length, &number);

	if (status != STATUS_OK)
		return status;
	if (render->dialect->kind == DB_POSTGRESQL)
		text_printf(&render->sql, "$%u", number);
	else
		text_add(&render->sql, "?");
	*at += 1 + length;
	return STATUS_OK;
}

/* {skip_locked}: SQLite has one writer at a time and no row locks. */
static enum status add_skip_locked(struct render *render, const char *argument, size_t length)
{
	(void)argument;
	(void)length;
	if (render->dialect->kind != DB_SQLITE)
		text_add(&render->sql,
			 render->dialect->no_skip_locked ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED");
	return STATUS_OK;
}

/*
 * {as_jobs}: the character set and collation of the jobs table, which a collation's name begins
 * with; only of the same is an index of use. Tables that Rails made need not be utf8mb4.
 */
static enum status add_as_jobs(struct render *render, const char *argument, size_t length)
{
	const char *collation = render->dialect->collation;

	(void)argument;
	(void)length;
	if (collation && *collation != '\0')
		text_printf(&render->sql, "CHARACTER SET %.*s COLLATE %s",
			    (int)strcspn(collation, "_"), collation, collation);
	else
		text_add(&render->sql, "CHARACTER SET utf8mb4");
	return STATUS_OK;
}

/* {in:ids}: membership in a list that travels as one parameter. */
static enum status add_in(struct render *render, const char *argument, size_t length)
{
	unsigned number;
	enum status status = add_placeholder(render, argument, length, &number);

	if (status != STATUS_OK)
		return status;
	if (render->dialect->kind == DB_POSTGRESQL)
		text_printf(&render->sql, "= ANY ($%u::bigint[])", number);
	else
		text_add(&render->sql, "IN (SELECT value FROM json_each(?))");
	return STATUS_OK;
}

static enum status add_line(struct render *render, const char *line, size_t length);

/* The lines of a fragment, but for comments and the end of the last line. */
static enum status add_fragment(struct render *render, const char *text)
{
	enum status status = STATUS_OK;
	bool first = true;

	while (status == STATUS_OK && *text != '\0') {
		size_t length = strcspn(text, "\n");
		if (length > 0 && strncmp(text, "--", 2) != 0) {
			text_add(&render->sql, first ? "" : "\n");
			status = add_line(render, text, length);
			first = false;
		}
		text += length + (text[length] == '\n');
	}
	return status;
}

/* {include:name}: db/sql/fragments/name, which may have tokens and parameters of its own. */
static enum status add_include(struct render *render, const char *argument, size_t length)
{
	const char *name = arena_printf(render->arena, "fragments/%.*s", (int)length, argument);
	const char *text = sql_find(name, render->dialect->kind);

	if (!text)
		return error_set(render->error, STATUS_FATAL, "db/sql/%s: no db/sql/%s.sql",
				 render->name, name);
	if (render->depth == MAXIMUM_DEPTH)
		return malformed(render, "fragments include each other");
	render->depth++;
	enum status status = add_fragment(render, text);
	render->depth--;
	return status;
}

struct token {
	const char *name;
	enum status (*add)(struct render *render, const char *argument, size_t length);
};

static const struct token tokens[] = {
	{ "skip_locked", add_skip_locked },
	{ "as_jobs", add_as_jobs },
	{ "in", add_in },
	{ "include", add_include },
};

/* "{name}" or "{name:argument}" at *at. */
static enum status add_token(struct render *render, const char **at)
{
	const char *name = *at + 1;
	size_t length = dialect_word_length(name);
	const char *argument = name + length + (name[length] == ':');
	size_t argument_length = dialect_word_length(argument);

	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		if (strlen(tokens[i].name) != length || memcmp(tokens[i].name, name, length) != 0)
			continue;
		if (argument[argument_length] != '}')
			break;
		*at = argument + argument_length + 1;
		return tokens[i].add(render, argument, argument_length);
	}
	return error_set(render->error, STATUS_FATAL, "db/sql/%s: unknown token {%.*s}",
			 render->name, (int)length, name);
}

static enum status add_quoted(struct render *render, const char **at)
{
	const char ends[] = { **at, '\n', '\0' };
	size_t length = strcspn(*at + 1, ends) + 2;

	if ((*at)[length - 1] != **at)
		return malformed(render, "a quotation does not end on its line");
	text_append(&render->sql, *at, length);
	*at += length;
	return STATUS_OK;
}

/* Adds one line of SQL, replacing what has to be replaced. */
static enum status add_line(struct render *render, const char *line, size_t length)
{
	const char *end = line + length;
	enum status status = STATUS_OK;

	while (line < end && status == STATUS_OK) {
		if (*line == '\'' || *line == '"') {
			status = add_quoted(render, &line);
		} else if (*line == ':' && line[1] == ':') {
			text_append(&render->sql, line, 2);
			line += 2;
		} else if (*line == ':' && is_word(line[1])) {
			status = add_parameter(render, &line);
		} else if (*line == '{' && islower((unsigned char)line[1])) {
			status = add_token(render, &line);
		} else {
			text_append(&render->sql, line++, 1);
		}
	}
	return status;
}

/* The statement ended with ";": move it into the script. */
static enum status end_statement(struct render *render)
{
	struct script *script = render->script;

	if (script->statement_count == MAXIMUM_STATEMENTS)
		return malformed(render, "too many statements");
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
	enum status status = add_line(render, line, length);
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
		return malformed(render, "the last statement does not end with ';'");
	if (status == STATUS_OK && render->script->statement_count == 0)
		return malformed(render, "no statement");
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
		return error_set(error, STATUS_FATAL, "db/sql/%s.sql: no such operation", name);
	const struct sql_file file = { .name = name, .text = text };
	return dialect_render_file(arena, &file, dialect, out, error);
}
