/* `command` of recurring.yml as one text: in Solid Queue it is Ruby source, in dray a program. */
#include <string.h>

#include "common/text/words.h"
#include "config/files/reader.h"

static void explain(struct reader *reader, const struct node *node, const char *name)
{
	bool clearing = strstr(node->text, "clear_finished_in_batches") != NULL;
	report_warning(reader->report, node->place,
		       "%s is Ruby source, which dray does not run: the task is left out. %s", name,
		       clearing
			       ? "dray deletes finished jobs itself (clear_finished_jobs_after)"
			       : "Expected a class, or a command such as [bin/rails, runner, ...]");
}

static struct node *word_node(struct reader *reader, const struct node *node, const char *text)
{
	struct node *word = arena_alloc(reader->arena, sizeof(*word));
	*word = (struct node){ .kind = NODE_SCALAR, .place = node->place, .text = text };
	return word;
}

static const struct node *make_list(struct reader *reader, const struct node *node,
				    const char *const words[], size_t count)
{
	struct node *list = arena_alloc(reader->arena, sizeof(*list));
	*list = (struct node){ .kind = NODE_LIST, .place = node->place };
	for (size_t i = 0; i < count; i++) {
		list->pairs =
			arena_extend(reader->arena, list->pairs, list->count, sizeof(*list->pairs));
		list->pairs[list->count++] =
			(struct node_pair){ NULL, word_node(reader, node, words[i]) };
	}
	return list;
}

const struct node *command_split(struct reader *reader, const struct node *node, const char *name,
				 bool *ruby)
{
	const char **words = NULL;
	size_t count = 0;
	*ruby = words_are_ruby(node->text);
	if (*ruby) {
		explain(reader, node, name);
		return NULL;
	}
	if (words_split(reader->arena, node->text, &words, &count))
		return make_list(reader, node, words, count);
	report_error(reader->report, node->place,
		     "%s is %s, which needs a shell, expected a list: [program, argument, ...]",
		     name, quoted(reader->arena, node->text));
	return NULL;
}
