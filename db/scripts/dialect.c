/*
 * From a file of db/sql to statements: sections, names, tokens, statements; then what is made of
 * them, the operations of one struct db, and an operation as people read it.
 *
 * All texts are in the program, so a file that is malformed is a bug, FATAL, and found by the test
 * that renders every one for every dialect.
 */
#include "db/scripts/dialect.h"

#include <ctype.h>
#include <string.h>

#include "common/text/text.h"
#include "db/scripts/operation.h"

/* files */

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

/* names */

/* The length of the name that begins here. */
static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static bool is_our_table(const char *word)
{
	return strncmp(word, "solid_queue_", 12) == 0 || strncmp(word, "dray_", 5) == 0 ||
	       strncmp(word, DIALECT_RAILS_MARKER, sizeof(DIALECT_RAILS_MARKER) - 1) == 0;
}

/* The length of a comment, a literal or a word: these are copied as a whole. */
static size_t piece_length(const char *at)
{
	if (at[0] == '-' && at[1] == '-')
		return strcspn(at, "\n");
	if (at[0] != '\'')
		return word_length(at);
	size_t length = strcspn(at + 1, "'") + 1;
	return at[length] == '\'' ? length + 1 : length;
}

char *dialect_quote(struct arena *arena, const char *text, char quote)
{
	char *quoted = arena_alloc(arena, 2 * strlen(text) + 3);
	char *to = quoted;

	*to++ = quote;
	for (; *text != '\0'; text++) {
		if (*text == quote)
			*to++ = quote;
		*to++ = *text;
	}
	*to = quote; /* the arena's memory is zero */
	return quoted;
}

char *dialect_qualify(struct arena *arena, const char *sql, const char *schema)
{
	struct text text = { 0 };

	schema = dialect_quote(arena, schema, '"');
	for (const char *at = sql; *at != '\0';) {
		size_t length = piece_length(at);
		if (is_our_table(at) && (at == sql || at[-1] != '.'))
			text_printf(&text, "%s.", schema);
		text_append(&text, at, length > 0 ? length : 1);
		at += length > 0 ? length : 1;
	}
	return text_take(&text, arena);
}

/* a line: its tokens and parameters */

#define MAXIMUM_PLACEHOLDERS 128

/* What a fragment is about; tokens in it are those of the place that includes the fragment. */
struct about {
	const char *text; /* NULL = nothing */
	const struct about *outer;
};

/* One rendering in progress. */
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
	const struct about *it;
	struct error *error;
};

#define MAXIMUM_DEPTH 5

/* Adds one line of SQL, with tokens and parameters replaced. */
MUST_CHECK static enum status render_line(struct render *render, const char *line, size_t length);

/* FATAL: the file is malformed. */
static enum status malformed(struct render *render, const char *why)
{
	return error_set(render->error, STATUS_FATAL, "db/sql/%s: %s", render->name, why);
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

/* The number of the parameter's placeholder; on PostgreSQL all its uses share one. */
static enum status number_placeholder(struct render *render, const char *name, size_t length,
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
 * {as_jobs}: the character set and collation of the jobs table (a collation's name begins with the
 * character set); an index is used only if they are the same. Tables that Rails made need not be
 * utf8mb4.
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

/* {in:ids}: membership in a list that is passed as one parameter. */
static enum status add_in(struct render *render, const char *argument, size_t length)
{
	unsigned number;
	enum status status = number_placeholder(render, argument, length, &number);

	if (status != STATUS_OK)
		return status;
	if (render->dialect->kind == DB_POSTGRESQL)
		text_printf(&render->sql, "= ANY ($%u::bigint[])", number);
	else
		text_add(&render->sql, "IN (SELECT value FROM json_each(?))");
	return STATUS_OK;
}

#define MAXIMUM_STATEMENTS 20

/* The statement ended with ";": adds it to the script. */
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

/* The indentation of the line that is being written. */
static size_t indentation(const struct text *sql)
{
	size_t at = sql->length;
	size_t tabs = 0;

	while (at > 0 && sql->data[at - 1] != '\n')
		at--;
	while (at + tabs < sql->length && sql->data[at + tabs] == '\t')
		tabs++;
	return tabs;
}

static void begin_line(struct text *sql, size_t tabs)
{
	text_add(sql, "\n");
	for (size_t i = 0; i < tabs; i++)
		text_add(sql, "\t");
}

/*
 * Adds the lines of a fragment, indented like the line that includes it, without comments.
 * Statements in it end as in a file; what follows the last one goes on behind the token.
 */
static enum status add_fragment(struct render *render, const char *text)
{
	enum status status = STATUS_OK;
	size_t tabs = indentation(&render->sql);
	bool first = true;

	while (status == STATUS_OK && *text != '\0') {
		size_t length = strcspn(text, "\n");
		if (strncmp(text, "--", 2) == 0) {
			read_comment(render, text, length);
		} else if (length > 0) {
			if (!first)
				begin_line(&render->sql, tabs);
			status = render_line(render, text, length);
			first = text[length - 1] == ';';
			if (status == STATUS_OK && first)
				status = end_statement(render);
		}
		text += length + (text[length] == '\n');
	}
	return status;
}

/*
 * {include:name} or {include:name about}: a fragment, which may have tokens and parameters of its
 * own, and {it} for what it is about.
 */
static enum status add_include(struct render *render, const char *argument, size_t length)
{
	size_t word = word_length(argument);
	const char *name = arena_printf(render->arena, "fragments/%.*s", (int)word, argument);
	const char *text = sql_find(name, render->dialect->kind);
	struct about *about = arena_alloc(render->arena, sizeof(*about));

	if (!text)
		return error_set(render->error, STATUS_FATAL, "db/sql/%s: no %s", render->name,
				 name);
	if (render->depth == MAXIMUM_DEPTH)
		return malformed(render, "fragments include each other");
	about->outer = render->it;
	if (word < length)
		about->text = arena_strndup(render->arena, argument + word + 1, length - word - 1);
	render->it = about;
	render->depth++;
	enum status status = add_fragment(render, text);
	render->depth--;
	render->it = about->outer;
	return status;
}

static enum status add_it(struct render *render, const char *argument, size_t length)
{
	const struct about *it = render->it;

	(void)argument;
	(void)length;
	if (!it || !it->text)
		return malformed(render, "{it} has nothing to stand for");
	render->it = it->outer;
	enum status status = render_line(render, it->text, strlen(it->text));
	render->it = it;
	return status;
}

/* {index:name}: MySQL must be given the index to use; the others find it by themselves. */
static enum status add_index(struct render *render, const char *argument, size_t length)
{
	if (render->dialect->kind == DB_MYSQL)
		text_printf(&render->sql, "FORCE INDEX (%.*s)", (int)length, argument);
	return STATUS_OK;
}

/* {name:key}: a name that is a reserved word in MySQL. */
static enum status add_name(struct render *render, const char *argument, size_t length)
{
	const char *quote = render->dialect->kind == DB_MYSQL ? "`" : "";

	text_printf(&render->sql, "%s%.*s%s", quote, (int)length, argument, quote);
	return STATUS_OK;
}

/* {join}: MySQL must be given the order of a join, which is the order of the text. */
static enum status add_join(struct render *render, const char *argument, size_t length)
{
	(void)argument;
	(void)length;
	text_add(&render->sql, render->dialect->kind == DB_MYSQL ? "STRAIGHT_JOIN" : "JOIN");
	return STATUS_OK;
}

/*
 * {newest_first}: after a column of ORDER BY; ascending in an operation whose name ends with
 * _oldest.
 */
static enum status add_newest_first(struct render *render, const char *argument, size_t length)
{
	size_t name = strlen(render->name);
	size_t end = sizeof("_oldest") - 1;

	(void)argument;
	(void)length;
	if (name < end || strcmp(render->name + name - end, "_oldest") != 0)
		text_add(&render->sql, "DESC");
	return STATUS_OK;
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
	{ "it", add_it },
	{ "index", add_index },
	{ "join", add_join },
	{ "name", add_name },
	{ "newest_first", add_newest_first },
};

/*
 * The length of the argument, which may have tokens of its own: up to the brace that ends it, or
 * the end of the line.
 */
static size_t argument_end(const char *argument)
{
	size_t open = 0;
	size_t at = 0;

	for (; argument[at] != '\0' && argument[at] != '\n'; at++) {
		if (argument[at] == '}' && open == 0)
			break;
		open += argument[at] == '{';
		open -= argument[at] == '}';
	}
	return at;
}

/* Adds "{name}" or "{name:argument}" at *at, and moves *at behind it. */
static enum status add_token(struct render *render, const char **at)
{
	const char *name = *at + 1;
	size_t length = word_length(name);
	const char *argument = name + length + (name[length] == ':');
	size_t argument_length = argument_end(argument);

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

static enum status add_parameter(struct render *render, const char **at)
{
	size_t length = word_length(*at + 1);
	unsigned number;
	enum status status = number_placeholder(render, *at + 1, length, &number);

	if (status != STATUS_OK)
		return status;
	if (render->dialect->kind == DB_POSTGRESQL)
		text_printf(&render->sql, "$%u", number);
	else
		text_add(&render->sql, "?");
	*at += 1 + length;
	return STATUS_OK;
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

static enum status render_line(struct render *render, const char *line, size_t length)
{
	const char *end = line + length;
	enum status status = STATUS_OK;

	while (line < end && status == STATUS_OK) {
		if (*line == '\'' || *line == '"') {
			status = add_quoted(render, &line);
		} else if (*line == ':' && line[1] == ':') {
			text_append(&render->sql, line, 2);
			line += 2;
		} else if (*line == ':' && word_length(line + 1) > 0) {
			status = add_parameter(render, &line);
		} else if (*line == '{' && islower((unsigned char)line[1])) {
			status = add_token(render, &line);
		} else {
			text_append(&render->sql, line++, 1);
		}
	}
	return status;
}

/* a file: its statements */

#define MAXIMUM_PARAMETERS 32

/* Reads "-- name(a, b) -> ..." into script->parameters. */
static enum status read_signature(struct render *render, const char *text)
{
	const char **names = arena_array(render->arena, MAXIMUM_PARAMETERS + 1, sizeof(*names));
	const char *at = text + strcspn(text, "(\n");
	unsigned count = 0;

	if (strncmp(text, "-- ", 3) != 0 || *at != '(')
		return malformed(render, "the first line must be '-- name(parameters) -> result'");
	for (at++; *at != ')' && *at != '\n' && *at != '\0';) {
		size_t length = word_length(at);
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
		return error_set(error, STATUS_FATAL, "db/sql: no operation %s", name);
	const struct sql_file file = { .name = name, .text = text };
	return dialect_render_file(arena, &file, dialect, out, error);
}

/* the operations of one struct db */

static void number_statements(struct scripts *scripts, const struct script *script)
{
	for (unsigned i = 0; i < script->statement_count; i++)
		script->statements[i].id = ++scripts->statements;
}

enum status scripts_find(struct scripts *scripts, const char *name, const struct script **script,
			 struct error *error)
{
	for (size_t i = 0; i < scripts->count; i++) {
		if (strcmp(scripts->list[i]->name, name) == 0) {
			*script = scripts->list[i];
			return STATUS_OK;
		}
	}
	enum status status = dialect_render(scripts->arena, name, &scripts->dialect, script, error);
	if (status != STATUS_OK)
		return status;
	number_statements(scripts, *script);
	scripts->list = arena_extend(scripts->arena, scripts->list, scripts->count,
				     sizeof(struct script *));
	scripts->list[scripts->count++] = *script;
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
		number_statements(scripts, *script);
	return status;
}

/* an operation for people */

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

static bool is_directive(const char *line)
{
	return strncmp(line, "-- also ", 8) == 0 || strncmp(line, "-- read\n", 8) == 0 ||
	       strncmp(line, "-- rows\n", 8) == 0 || strncmp(line, "-- guard\n", 9) == 0;
}

/* Adds the comment at `text`, without the lines that are directives. Returns what follows it. */
static const char *add_comment(struct text *out, const char *text)
{
	while (strncmp(text, "--", 2) == 0) {
		size_t length = strcspn(text, "\n");
		if (!is_directive(text))
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
