#include "scheduler/publish.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/order.h"
#include "common/text/parse.h"
#include "policy/policy.h"
#include "queue/processes/absent.h"
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "schedule/schedule.h"

/* NULL for the default, which the database does not name. */
static const char *said(const char *const words[], size_t chosen)
{
	return chosen > 0 ? words[chosen] : NULL;
}

/* Settings for which Solid Queue has no column; people and commands on other hosts read them. */
static const char *settings(struct arena *arena, const struct config_task *task)
{
	const struct recurring_options options = {
		.file = task->file,
		.disabled = !task->enabled,
		.time_zone = zone_name(task->timer->zone),
		.dst_gap = said(task_gaps, (size_t)task->dst.gap),
		.dst_overlap = said(task_twices, (size_t)task->dst.overlap),
		.misfire = task_misfires[task->misfire],
		.misfire_limit = task->misfire_limit,
		.misfire_window = task->misfire_window,
		.overlap = task_overlaps[task->overlap],
		.jitter = task->jitter,
		.timeout = task->timeout,
		.start_at = task->start_at,
		.end_at = task->end_at,
	};

	return recurring_options_write(arena, &options);
}

static struct recurring_task row(struct arena *arena, struct zones *zones,
				 const struct config_task *task)
{
	struct recurring_task published = {
		.key = task->key,
		.schedule = task->schedule,
		.command = task->command ? words_join(arena, task->command, task->command_count)
					 : NULL,
		.class_name = task->command ? NULL : task->class,
		.arguments = task->args,
		.queue = task->queue,
		.description = task->description,
		.has_priority = task->has_priority,
		.priority = task->priority,
		.settings = settings(arena, task),
	};

	recurring_rails(arena, task->timer, zones, &published);
	return published;
}

/* How many tasks of other schedulers' files are not in ours? */
static size_t count_foreign(struct arena *arena, const struct config_scheduler *config,
			    const struct recurring_others *others)
{
	const char **keys = arena_array(arena, config->task_count, sizeof(*keys));
	size_t foreign = 0;

	for (size_t i = 0; i < config->task_count; i++)
		keys[i] = config->tasks[i].key;
	if (config->task_count > 1)
		qsort(keys, config->task_count, sizeof(*keys), order_texts);
	for (size_t i = 0; i < others->ours; i++)
		if (config->task_count == 0 || !bsearch(&others->keys[i], keys, config->task_count,
							sizeof(*keys), order_texts))
			foreign++;
	return foreign;
}

static void note_others(struct arena *arena, const struct config_scheduler *config,
			const struct recurring_others *others, struct publish_others *known)
{
	size_t foreign = count_foreign(arena, config, others);

	if (foreign > 0 && known->foreign == 0)
		log_event(LOG_WARN, "recurring.differs", LOG_TEXT("scheduler", others->name),
			  LOG_INT("tasks", foreign),
			  LOG_TEXT("reason", "they are not in this scheduler's file, and stay "
					     "while one that lives has them"));
	known->foreign = foreign;
	known->differ = foreign > 0 || others->partial;
}

enum status publish_tasks(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error)
{
	const struct config_scheduler *scheduler = config->scheduler;
	const struct prune silence = policy_silence(config, process_id);
	struct arena *arena = arena_new();
	struct recurring_task *rows = arena_array(arena, scheduler->task_count, sizeof(*rows));
	struct zones *zones = zones_new(arena, NULL);
	struct recurring_others others = { 0 };
	enum status status = recurring_others_read(db, arena, &silence, &others, error);

	for (size_t i = 0; i < scheduler->task_count; i++)
		rows[i] = row(arena, zones, &scheduler->tasks[i]);
	if (status == STATUS_OK)
		status = recurring_publish(db, rows, scheduler->task_count, &others, error);
	if (status == STATUS_OK)
		note_others(arena, scheduler, &others, known);
	arena_free(arena);
	return status;
}

enum status publish_mend(struct db *db, struct error *error)
{
	size_t mended = 0;
	enum status status = recurring_mend(db, &mended, error);

	if (status == STATUS_OK && mended > 0)
		log_event(LOG_WARN, "recurring.mended", LOG_INT("tasks", mended),
			  LOG_TEXT("reason", "Rails could not read their schedules"));
	return status;
}

enum status publish_again(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error)
{
	const struct config_scheduler *scheduler = config->scheduler;
	const struct prune silence = policy_silence(config, process_id);
	struct arena *arena = arena_new();
	struct recurring_others others = { 0 };
	enum status status = recurring_others_read(db, arena, &silence, &others, error);

	for (size_t i = 0; i < scheduler->task_count && status == STATUS_OK; i++)
		recurring_others_add(arena, &others, scheduler->tasks[i].key);
	if (status == STATUS_OK)
		status = recurring_publish(db, NULL, 0, &others, error);
	if (status == STATUS_OK)
		note_others(arena, scheduler, &others, known);
	arena_free(arena);
	return status;
}

static enum status restore(struct db *db, const struct config_scheduler *config,
			   const char *const keys[], size_t count, struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_task *rows = arena_array(arena, config->task_count, sizeof(*rows));
	struct zones *zones = zones_new(arena, NULL);
	const char **sorted = arena_array(arena, count, sizeof(*sorted));
	size_t ours = 0;

	memcpy(sorted, keys, count * sizeof(*sorted)); /* the database has another order */
	qsort(sorted, count, sizeof(*sorted), order_texts);
	for (size_t i = 0; i < config->task_count; i++)
		if (bsearch(&config->tasks[i].key, sorted, count, sizeof(*sorted), order_texts))
			rows[ours++] = row(arena, zones, &config->tasks[i]);
	enum status status = recurring_restore(db, rows, ours, error);
	if (status == STATUS_OK && ours > 0)
		log_event(LOG_WARN, "recurring.restored", LOG_INT("tasks", ours),
			  LOG_TEXT("reason", "their rows had been deleted"));
	arena_free(arena);
	return status;
}

enum status publish_missing(struct db *db, const struct config_scheduler *config,
			    struct error *error)
{
	struct arena *arena = arena_new();
	const char *const *keys = NULL;
	size_t count = 0;
	enum status status = recurring_missing(db, arena, &keys, &count, error);

	if (status == STATUS_OK && count > 0)
		status = restore(db, config, keys, count, error);
	arena_free(arena);
	return status;
}

enum status publish_takers(struct db *db, const struct config *config, struct error *error)
{
	const struct prune silence = policy_silence(config, 0);
	const struct config_class *class = config_class_find(config, RECURRING_COMMAND_CLASS);
	struct takers takers = { .of_class = class ? class->queue : NULL };
	struct arena *arena = arena_new();
	enum status status = takers_read(db, arena, &silence, &takers, error);

	for (size_t i = 0; status == STATUS_OK && i < takers.count; i++)
		log_event(LOG_WARN, "recurring.queue_taken",
			  LOG_TEXT("queue", takers.list[i].queue),
			  LOG_TEXT("worker", takers.list[i].name),
			  LOG_INT("workers", takers.list[i].count),
			  LOG_TEXT("reason", takers.list[i].text));
	arena_free(arena);
	return status;
}
