#include <string.h>

#include "cli/recurring.h"
#include "common/parse.h"
#include "common/process.h"
#include "queue/recurring.h"

/* When did it run last? null when nobody has published it, or nothing is remembered. */
static json_t *last_run(const struct recurring_known known[], size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i].key, key) == 0)
			return value_time(known[i].last);
	return json_null();
}

static json_t *next_run(const struct config_task *task, int64_t now)
{
	struct schedule_moment moment;
	int64_t after = task->starts > now ? task->starts - 1 : now;
	bool runs = task->enabled && schedule_next(task->timer, after, &moment) &&
		    moment.instant <= task->ends;

	return runs ? value_time(moment.instant) : json_null();
}

static json_t *task_json(struct cli *cli, const struct config_task *task, json_t *last)
{
	json_t *row = json_object();

	json_object_set_new(row, "key", value_text(task->key));
	json_object_set_new(row, "schedule", value_text(task->schedule));
	json_object_set_new(row, "words", value_text(schedule_words(cli->arena, task->timer)));
	json_object_set_new(row, "zone", value_text(zone_name(task->timer->zone)));
	json_object_set_new(row, "class", value_text(task->class));
	json_object_set_new(row, "queue", task->queue ? value_text(task->queue) : json_null());
	json_object_set_new(row, "enabled", json_boolean(task->enabled));
	json_object_set_new(row, "last_run_at", last);
	json_object_set_new(row, "next_run_at", next_run(task, db_now(cli->db)));
	return row;
}

int recurring_list(struct cli *cli, const struct recurring_request *request)
{
	static const struct column columns[] = {
		{ "key", "TASK", CELL_TEXT },         { "words", "RUNS", CELL_TEXT },
		{ "zone", "ZONE", CELL_TEXT },        { "class", "CLASS", CELL_TEXT },
		{ "enabled", "ENABLED", CELL_BOOL },  { "last_run_at", "LAST", CELL_TIME },
		{ "next_run_at", "NEXT", CELL_TIME }, { 0 },
	};
	struct recurring_known *known = NULL;
	struct error error = { 0 };
	size_t count = 0;
	int code = cli_connect(cli);

	(void)request;
	if (code != EXIT_STOPPED)
		return code;
	if (recurring_known(cli->db, cli->arena, &known, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	const struct config_scheduler *scheduler = cli->config->scheduler;
	json_t *rows = json_array();
	for (size_t i = 0; scheduler && i < scheduler->task_count; i++) {
		const struct config_task *task = &scheduler->tasks[i];
		json_array_append_new(rows,
				      task_json(cli, task, last_run(known, count, task->key)));
	}
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

static const struct config_task *find(const struct config_scheduler *scheduler, const char *key)
{
	for (size_t i = 0; scheduler && i < scheduler->task_count; i++)
		if (strcmp(scheduler->tasks[i].key, key) == 0)
			return &scheduler->tasks[i];
	return NULL;
}

static int unknown(struct cli *cli, const char *key)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	size_t count = scheduler ? scheduler->task_count : 0;
	const char **keys = arena_array(cli->arena, count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = scheduler->tasks[i].key;
	const char *nearest = nearest_word(key, keys, count);
	if (nearest)
		cli_complain("no task is called %s: did you mean %s?", key, nearest);
	else
		cli_complain("no task is called %s", key);
	return EXIT_USAGE;
}

int recurring_next(struct cli *cli, const struct recurring_request *request)
{
	int code = cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	const struct config_task *task = find(cli->config->scheduler, request->subject);
	if (!task)
		return unknown(cli, request->subject);
	if (!task->enabled)
		cli_warn(cli, "%s is not enabled", task->key);
	struct recurring_request within = *request;
	if (task->starts > request->after)
		within.after = task->starts - 1;
	within.until = task->ends;
	recurring_print_runs(cli, recurring_runs(task->timer, &within));
	return EXIT_STOPPED;
}
