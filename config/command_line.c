/* `command` of recurring.yml as one text: Solid Queue has Ruby source there, we a program. */
#include <string.h>

#include "config/list.h"
#include "config/reader.h"

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "Some::Thing.do" */
static bool begins_with_constant(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_:";
	size_t length = strspn(text, letters);

	return is_upper(*text) && text[length] == '.' && !strchr("/ ", text[length + 1]);
}

static bool is_ruby(const char *text)
{
	static const char *const signs[] = { ".perform_later", ".perform_now", "Rails.",
					     " do |",          "::",           ".each",
					     "puts ",          " { |" };
	text += strspn(text, " \t\r\n");
	if (begins_with_constant(text))
		return true;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strstr(text, signs[i]))
			return true;
	size_t word = strcspn(text, " \t(/");
	return word > 0 && text[word] == '(';
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

static struct node *word_node(struct reader *reader, const struct node *node, const char *at,
			      size_t length)
{
	struct node *word = arena_alloc(reader->arena, sizeof *word);
	*word = (struct node){ .kind = NODE_SCALAR,
			       .place = node->place,
			       .text = arena_strndup(reader->arena, at, length) };
	return word;
}

const struct node *command_split(struct reader *reader, const struct node *node, const char *name,
				 bool *ruby)
{
	static const char space[] = " \t\r\n";
	*ruby = is_ruby(node->text);
	if (*ruby) {
		explain(reader, node, name);
		return NULL;
	}
	if (strpbrk(node->text, "|&;<>$`*?'\"\\()#~")) {
		report_error(reader->report, node->place,
			     "%s is %s, which needs a shell, expected a list: [program, argument, "
			     "...]",
			     name, quoted(reader->arena, node->text));
		return NULL;
	}
	struct node *list = arena_alloc(reader->arena, sizeof *list);
	*list = (struct node){ .kind = NODE_LIST, .place = node->place };
	for (const char *at = node->text + strspn(node->text, space); *at != '\0';) {
		size_t length = strcspn(at, space);
		LIST_GROW(reader->arena, list->pairs, list->count, list->capacity);
		list->pairs[list->count++] =
			(struct node_pair){ NULL, word_node(reader, node, at, length) };
		at += length + strspn(at + length, space);
	}
	return list;
}
