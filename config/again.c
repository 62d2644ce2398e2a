/* The classes of texts that have been read and checked before, by another process. */
#include <string.h>

#include "config/files/reader.h"

void config_texts(const struct config *config, struct config_text texts[CONFIG_TEXTS])
{
	texts[CONFIG_JOBS_TEXT] = config->files[1].content;
	texts[CONFIG_RECURRING_TEXT] = config->files[2].content;
}

/* One that says nothing is as good as none. */
static struct node *parse(struct reader *reader, const struct config_file *file,
			  const struct config_text *text)
{
	if (!text->text || strspn(text->text, " \t\r\n") == text->length)
		return NULL;
	return reader_parse(reader, file->path, text->text, text->length);
}

static enum status first_mistake(struct report *report, struct error *error)
{
	struct config_problems problems;

	report_list(report, ~0U, &problems);
	for (size_t i = 0; i < problems.count; i++)
		if (!problems.list[i].warning)
			return error_set(error, STATUS_INVALID, "%s", problems.list[i].text);
	return STATUS_OK;
}

enum status config_again(struct config **config, const struct config *base,
			 const struct config_text texts[CONFIG_TEXTS], struct error *error)
{
	struct arena *arena = arena_new();
	struct config *again = arena_alloc(arena, sizeof(*again));
	struct reader reader = {
		.arena = arena, .report = report_new(arena), .config = again, .only_classes = true
	};

	*again = *base;
	again->arena = arena;
	again->classes = NULL;
	again->class_count = 0;
	again->scheduler = NULL;
	again->origins = arena_alloc(arena, sizeof(*again->origins));
	jobs_read(&reader, parse(&reader, &base->files[1], &texts[CONFIG_JOBS_TEXT]));
	recurring_read(&reader, parse(&reader, &base->files[2], &texts[CONFIG_RECURRING_TEXT]));
	enum status status = first_mistake(reader.report, error);
	if (status == STATUS_OK)
		*config = again;
	else
		config_free(again);
	return status;
}
