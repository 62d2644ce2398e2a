/* What the verbs of `dray recurring` have in common: the tasks of the file, the connection. */
#include <string.h>

#include "cli/recurring/recurring.h"
#include "common/process.h"
#include "queue/processes/shared.h"

const struct config_task *recurring_file_task(const struct cli *cli, const char *key)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;

	for (size_t i = 0; scheduler && i < scheduler->task_count; i++)
		if (strcmp(scheduler->tasks[i].key, key) == 0)
			return &scheduler->tasks[i];
	return NULL;
}

/* Without a database there is nobody to share one with. */
enum status recurring_take_zone(struct cli *cli, struct error *error)
{
	struct shared shared = { 0 };

	if (!cli->db || cli->config->process.time_zone)
		return STATUS_OK;
	enum status status =
		shared_look(cli->db, cli->arena, config_other_class(cli->config), &shared, error);
	if (shared.shared)
		cli->config = config_in_utc(cli->arena, cli->config);
	return status;
}

int recurring_connect(struct cli *cli)
{
	struct error error = { 0 };
	int code = cli_connect(cli);

	if (code == EXIT_STOPPED && recurring_take_zone(cli, &error) != STATUS_OK)
		return cli_fail(&error);
	return code;
}

int recurring_fail(struct cli *cli, const char *key, const struct error *error)
{
	const struct config_task *task = recurring_file_task(cli, key);

	if (error->status == STATUS_NONE && task) {
		cli_complain("task %s is in %s, but not in the database: a scheduler of that file "
			     "puts it there when it starts",
			     key, task->file);
		return EXIT_ERROR;
	}
	int code = cli_fail(error);
	return error->status == STATUS_NONE ? EXIT_USAGE : code;
}
