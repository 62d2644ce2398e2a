#include "db/scripts/token.h"

#include <ctype.h>
#include <string.h>

#define MAXIMUM_DEPTH 5

enum status render_malformed(struct render *render, const char *why)
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
		return render_malformed(render, "too many placeholders");
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

/*
 * Adds the lines of a fragment, indented like the line that includes it, without comments and
 * without the last line's end.
 */
static enum status add_fragment(struct render *render, const char *text)
{
	enum status status = STATUS_OK;
	size_t tabs = indentation(&render->sql);
	bool first = true;

	while (status == STATUS_OK && *text != '\0') {
		size_t length = strcspn(text, "\n");
		if (length > 0 && strncmp(text, "--", 2) != 0) {
			text_add(&render->sql, first ? "" : "\n");
			for (size_t i = 0; i < tabs && !first; i++)
				text_add(&render->sql, "\t");
			status = render_line(render, text, length);
			first = false;
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
	size_t word = dialect_word_length(argument);
	const char *name = arena_printf(render->arena, "fragments/%.*s", (int)word, argument);
	const char *text = sql_find(name, render->dialect->kind);
	struct about *about = arena_alloc(render->arena, sizeof(*about));

	if (!text)
		return error_set(render->error, STATUS_FATAL, "db/sql/%s: no %s", render->name,
				 name);
	if (render->depth == MAXIMUM_DEPTH)
		return render_malformed(render, "fragments include each other");
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
		return render_malformed(render, "{it} has nothing to stand for");
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
	size_t length = dialect_word_length(name);
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
	size_t length = dialect_word_length(*at + 1);
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
		return render_malformed(render, "a quotation does not end on its line");
	text_append(&render->sql, *at, length);
	*at += length;
	return STATUS_OK;
}

enum status render_line(struct render *render, const char *line, size_t length)
{
	const char *end = line + length;
	enum status status = STATUS_OK;

	while (line < end && status == STATUS_OK) {
		if (*line == '\'' || *line == '"') {
			status = add_quoted(render, &line);
		} else if (*line == ':' && line[1] == ':') {
			text_append(&render->sql, line, 2);
			line += 2;
		} else if (*line == ':' && dialect_word_length(line + 1) > 0) {
			status = add_parameter(render, &line);
		} else if (*line == '{' && islower((unsigned char)line[1])) {
			status = add_token(render, &line);
		} else {
			text_append(&render->sql, line++, 1);
		}
	}
	return status;
}
