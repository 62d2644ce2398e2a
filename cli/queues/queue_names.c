#include "cli/queues/queues.h"

#include <string.h>

#include "common/text/parse.h"
#include "queue/manage/manage.h"

static bool has(const struct queue_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return true;
	return false;
}

static void add(struct queue_names *names, const char *name)
{
	if (!has(names, name))
		names->list[names->count++] = name;
}

static size_t configured_count(const struct config *config)
{
	size_t count = config->class_count;

	for (size_t i = 0; i < config->worker_count; i++)
		count += config->workers[i].queue_count;
	return count;
}

static void add_configured(const struct config *config, struct queue_names *names)
{
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].queue)
			add(names, config->classes[i].queue);
	for (size_t i = 0; i < config->worker_count; i++)
		for (size_t j = 0; j < config->workers[i].queue_count; j++)
			if (!strchr(config->workers[i].queues[j], '*'))
				add(names, config->workers[i].queues[j]);
}

void queue_names_configured(struct cli *cli, struct queue_names *names)
{
	names->count = 0;
	names->list =
		arena_array(cli->arena, configured_count(cli->config) + 1, sizeof(*names->list));
	add_configured(cli->config, names);
}

enum status queue_names_read(struct cli *cli, enum queue_kind kind, struct queue_names *names,
			     struct error *error)
{
	struct queue_row *rows;
	size_t count;
	enum status status = queue_list(cli->db, cli->arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	names->count = 0;
	names->list = arena_array(cli->arena, count + configured_count(cli->config) + 1,
				  sizeof(*names->list));
	for (size_t i = 0; i < count; i++)
		if (kind == QUEUES_KNOWN || rows[i].paused)
			names->list[names->count++] = rows[i].name;
	if (kind == QUEUES_KNOWN)
		add_configured(cli->config, names);
	return STATUS_OK;
}

void queue_names_match(struct queue_names *names, const char *pattern)
{
	size_t length = strlen(pattern) - 1;
	size_t kept = 0;

	for (size_t i = 0; i < names->count; i++)
		if (strncmp(names->list[i], pattern, length) == 0)
			names->list[kept++] = names->list[i];
	names->count = kept;
}

void queue_names_warn(const struct cli *cli, const struct queue_names *known, const char *queue)
{
	/* If files have mistakes, the queue may be in a part that could not be read. */
	if (has(known, queue) || (cli->config->faulty & (NEED_CLASSES | NEED_ROLES)))
		return;
	const char *nearest = nearest_word(queue, known->list, known->count);
	if (nearest)
		cli_warn(cli, "no queue \"%s\" is known: did you mean \"%s\"?", queue, nearest);
	else
		cli_warn(cli, "no queue \"%s\" is known", queue);
}
