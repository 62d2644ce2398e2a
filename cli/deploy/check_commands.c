#include "cli/deploy/check_commands.h"

#include <string.h>

#include "common/text/text.h"
#include "policy/policy.h"
#include "queue/processes/shared.h"
#include "queue/recurring/task.h"

static bool is_commanded(const struct config_task *task)
{
	return task->command && task->enabled;
}

/* The queues of the commands in recurring.yml, possibly with repetitions. */
static const char **file_queues(const struct cli *cli, size_t *count)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	size_t tasks = scheduler ? scheduler->task_count : 0;
	const char **list = arena_array(cli->arena, tasks + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < tasks; i++)
		if (is_commanded(&scheduler->tasks[i]))
			list[(*count)++] = scheduler->tasks[i].queue;
	return list;
}

enum status commands_takers(struct cli *cli, struct takers *takers, struct error *error)
{
	const struct prune patience = policy_silence(cli->config, 0);
	const struct config_class *class = config_class_find(cli->config, RECURRING_COMMAND_CLASS);

	*takers = (struct takers){ .of_class = class ? class->queue : NULL };
	takers->queues = file_queues(cli, &takers->queue_count);
	return takers_read(cli->db, cli->arena, &patience, takers, error);
}

/* Whether a configured worker would serve the queue. */
static bool worker_serves(const struct cli *cli, const struct config_worker *worker,
			  const char *queue)
{
	struct text names = { 0 };

	for (size_t i = 0; i < worker->queue_count; i++)
		text_printf(&names, "%s%s", i > 0 ? "," : "", worker->queues[i]);
	const struct server server = { .queues = text_string(&names) };
	bool serves = server_serves(cli->db, &server, queue);
	text_free(&names);
	return serves;
}

static bool is_served(const struct cli *cli, const struct servers *servers, const char *queue)
{
	const struct config *config = cli->config;

	for (size_t i = 0; i < config->worker_count; i++)
		if (worker_serves(cli, &config->workers[i], queue))
			return true;
	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (server_is_here(server) && shared_is_ours(server->row.metadata) &&
		    server_serves(cli->db, server, queue))
			return true;
	}
	return false;
}

/* A configuration without any worker is one of several hosts', and is not warned of. */
static size_t warn_of_unserved(const struct cli *cli, const struct servers *servers,
			       const char **warnings)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	size_t count = 0;

	for (size_t i = 0; scheduler && i < scheduler->task_count; i++) {
		const struct config_task *task = &scheduler->tasks[i];
		if (cli->config->worker_count == 0 || !is_commanded(task) ||
		    is_served(cli, servers, task->queue))
			continue;
		warnings[count++] =
			arena_printf(cli->arena,
				     "no worker serves the queue %s, where the jobs of the command "
				     "recurring.%s go: add it under workers in queue.yml, or "
				     "choose another queue for the task",
				     task->queue, task->key);
	}
	return count;
}

enum status check_commands(struct cli *cli, const char ***warnings, struct error *error)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	const struct prune patience = policy_silence(cli->config, 0);
	size_t tasks = scheduler ? scheduler->task_count : 0;
	struct servers servers = { 0 };
	struct takers takers = { 0 };
	enum status status = STATUS_OK;

	if (cli->db)
		status = servers_read(cli->db, cli->arena, &patience, &servers, error);
	if (status == STATUS_OK && cli->db)
		status = commands_takers(cli, &takers, error);
	if (status != STATUS_OK)
		return status;
	*warnings = arena_array(cli->arena, tasks + takers.count + 1, sizeof(**warnings));
	size_t count = warn_of_unserved(cli, &servers, *warnings);
	for (size_t i = 0; i < takers.count; i++)
		(*warnings)[count++] = takers.list[i].text;
	return STATUS_OK;
}
