/* `command` of recurring.yml as one text: Solid Queue has Ruby source there, we a program. */
#include <string.h>

#include "config/list.h"
#include "config/reader.h"

static const char blank[] = " \t\r\n";

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "Some::Thing.do" */
static bool begins_with_constant(const char *word, size_t length)
{
	return is_upper(*word) && (memchr(word, '.', length) || memmem(word, length, "::", 2));
}

/* Programs that nobody has, and statements that everybody writes. */
static bool is_statement(const char *word, size_t length)
{
	static const char *const statements[] = { "puts",  "p",  "print", "require",
						  "load",  "if", "begin", "unless",
						  "raise", "->", NULL };
	for (const char *const *statement = statements; *statement; statement++)
		if (strlen(*statement) == length && memcmp(*statement, word, length) == 0)
			return true;
	return false;
}

/* By its first word, which is a program's name or a path, and by blocks and assignments. */
static bool is_ruby(const char *text)
{
	const char *word = text + strspn(text, blank);
	size_t length = strcspn(word, blank);
	const char *rest = word + length + strspn(word + length, blank);
	if (begins_with_constant(word, length) || is_statement(word, length))
		return true;
	if (memchr(word, '/', strcspn(word, "(\"' \t\r\n")))
		return false;
	if (strcspn(word, "()[]{}@:=\"'") < length)
		return true;
	return strncmp(rest, "= ", 2) == 0 || strstr(rest, "do |") || strstr(rest, "{ ") ||
	       strstr(text, ".each");
}

static void explain(struct reader *reader, const struct node *node, const char *name)
{
	bool clearing = strstr(node->text, "clear_finished_in_batches") != NULL;
	report_warning(reader->report, node->place,
		       "%s is Ruby source, which dray does not run: the task is left out. %s", name,
		       clearing
			       ? "dray itself deletes finished jobs (clear_finished_jobs_after)"
			       : "Expected a class, or a command such as [bin/rails, runner, ...]");
}

/*
 * One word from `at` on, quotes taken off; *end is behind it. NULL: it asks for more than a list of
 * words says, or a quote is not closed.
 */
static const char *take_word(struct reader *reader, const char *at, const char **end)
{
	char *word = arena_alloc(reader->arena, strlen(at) + 1);
	size_t length = 0;
	char quote = '\0';
	for (; *at != '\0' && (quote || !strchr(blank, *at)); at++) {
		bool opens = !quote && (*at == '\'' || *at == '"');
		bool special = strchr(quote ? "$`\\" : "|&;<>$`*?\\()#~", *at) != NULL;
		if (special && quote != '\'')
			return NULL;
		if (opens)
			quote = *at;
		else if (*at == quote)
			quote = '\0';
		else
			word[length++] = *at;
	}
	*end = at;
	return quote ? NULL : word;
}

static struct node *word_node(struct reader *reader, const struct node *node, const char *text)
{
	struct node *word = arena_alloc(reader->arena, sizeof *word);
	*word = (struct node){ .kind = NODE_SCALAR, .place = node->place, .text = text };
	return word;
}

static const struct node *split(struct reader *reader, const struct node *node)
{
	struct node *list = arena_alloc(reader->arena, sizeof *list);
	*list = (struct node){ .kind = NODE_LIST, .place = node->place };
	const char *at = node->text + strspn(node->text, blank);
	while (*at != '\0') {
		const char *word = take_word(reader, at, &at);
		if (!word)
			return NULL;
		LIST_GROW(reader->arena, list->pairs, list->count, list->capacity);
		list->pairs[list->count++] =
			(struct node_pair){ NULL, word_node(reader, node, word) };
		at += strspn(at, blank);
	}
	return list;
}

const struct node *command_split(struct reader *reader, const struct node *node, const char *name,
				 bool *ruby)
{
	*ruby = is_ruby(node->text);
	if (*ruby) {
		explain(reader, node, name);
		return NULL;
	}
	const struct node *list = split(reader, node);
	if (!list)
		report_error(reader->report, node->place,
			     "%s is %s, which needs a shell, expected a list: [program, argument, "
			     "...]",
			     name, quoted(reader->arena, node->text));
	return list;
}
