#include "scheduler/scheduler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "queue/processes/shared.h"
#include "queue/recurring/recurring.h"
#include "scheduler/batch.h"
#include "scheduler/dynamic.h"
#include "scheduler/publish.h"

#define METADATA_MOST  32768 /* bytes of keys that MySQL's column holds in any case */
#define CLEAR_INTERVAL CLOCK_MINUTE
#define CLEAR_PAUSE    (100 * CLOCK_MILLISECOND)
#define LONGEST_NAP    (5 * CLOCK_SECOND) /* the database's clock may be set: look again */

struct scheduler {
	const struct config *all; /* the process's, in the zone that was chosen */
	const struct config_scheduler *config;
	struct arena *arguments; /* of the file's tasks */
	struct tasks tasks;
	struct dynamic *dynamic;
	int64_t clear_at, follow_at; /* clock_monotonic */
	int64_t tick_by;             /* the same: until then the next tick should have succeeded */
	struct publish_others others;
	struct batch_result done;
};

static void resume_tasks(struct scheduler *scheduler, struct recurring_known known[], size_t count,
			 int64_t now)
{
	if (count > 1)
		qsort(known, count, sizeof(*known), known_by_key);
	for (size_t i = 0; i < scheduler->tasks.count; i++) {
		struct task *task = &scheduler->tasks.list[i];
		const struct recurring_known wanted = { .key = task->config->key };
		const struct recurring_known *found =
			count > 0 ? bsearch(&wanted, known, count, sizeof(*known), known_by_key)
				  : NULL;
		task_resume(task, found ? found->since : now, found ? found->last : 0, now);
	}
}

static enum status make_tasks(struct scheduler *scheduler, struct error *error)
{
	struct tasks *tasks = &scheduler->tasks;
	enum status status = STATUS_OK;

	tasks->count = scheduler->config->task_count;
	tasks->list = arena_array(tasks->arena, tasks->count, sizeof(*tasks->list));
	for (size_t i = 0; i < tasks->count && status == STATUS_OK; i++) {
		struct task *task = &tasks->list[i];
		task->config = &scheduler->config->tasks[i];
		status = recurring_arguments(scheduler->arguments, task->config->args,
					     &task->arguments, error);
	}
	if (status == STATUS_OK && tasks->count > 1)
		qsort(tasks->list, tasks->count, sizeof(*tasks->list), task_by_key);
	return status;
}

static bool is_outage(enum status status)
{
	return status == STATUS_DOWN || status == STATUS_RETRY || status == STATUS_UNCERTAIN;
}

/* Logs what the database refuses besides the occurrences; that must not delay them. */
static enum status tolerate(const char *what, enum status status, const struct error *error)
{
	if (status == STATUS_OK || is_outage(status))
		return status;
	log_event(LOG_ERROR, "scheduler.upkeep_failed", LOG_TEXT("during", what),
		  LOG_TEXT("error", error->text));
	return STATUS_OK;
}

static enum status put_off(int64_t *at, const char *what, enum status status,
			   const struct error *error)
{
	if (!is_outage(status))
		*at = clock_monotonic() + CLEAR_INTERVAL;
	return tolerate(what, status, error);
}

static enum status take_up(struct role_context *context, struct error *error)
{
	struct scheduler *scheduler = context->state;
	struct db *db = context->db;
	struct arena *arena = arena_new();
	struct recurring_known *known = NULL;
	size_t count = 0;
	bool again = false; /* the first tick does so in any case */
	enum status status =
		publish_tasks(db, scheduler->all, context->process_id, &scheduler->others, error);

	if (status == STATUS_OK)
		status = tolerate("takers", publish_takers(db, scheduler->all, error), error);
	if (status == STATUS_OK)
		status = tolerate("mend", publish_mend(db, error), error);
	if (status == STATUS_OK)
		status = recurring_known(db, arena, &known, &count, error);
	if (status == STATUS_OK)
		status = make_tasks(scheduler, error);
	if (status == STATUS_OK) {
		resume_tasks(scheduler, known, count, db_now(db));
		status = dynamic_follow(scheduler->dynamic, db, &scheduler->tasks, &again, error);
	}
	arena_free(arena);
	return status;
}

static void scheduler_close(struct role_context *context)
{
	struct scheduler *scheduler = context->state;

	if (scheduler) {
		dynamic_free(scheduler->dynamic);
		arena_free(scheduler->tasks.arena);
		arena_free(scheduler->arguments);
	}
	free(scheduler);
	context->state = NULL;
}

/*
 * Rails reads a schedule without a zone in the zone of the application, by default UTC. Otherwise a
 * recurring.yml that both use would give two jobs a day.
 */
static enum status choose_zone(struct role_context *context, struct error *error)
{
	struct scheduler *scheduler = context->state;
	struct shared shared = { 0 };
	enum status status = STATUS_OK;

	scheduler->all = context->config;
	if (!context->config->process.time_zone)
		status = shared_look(context->db, scheduler->arguments,
				     config_other_class(context->config), &shared, error);
	if (shared.shared) {
		scheduler->all = config_in_utc(scheduler->arguments, context->config);
		log_event(LOG_INFO, "scheduler.time_zone", LOG_TEXT("taken", "UTC"),
			  LOG_TEXT("reason", arena_printf(scheduler->arguments,
							  "tables are shared: %s", shared.why)));
	}
	scheduler->config = scheduler->all->scheduler;
	return status;
}

static enum status scheduler_start(struct role_context *context, struct error *error)
{
	struct scheduler *scheduler = calloc(1, sizeof(*scheduler));

	if (!scheduler)
		out_of_memory();
	scheduler->arguments = arena_new();
	scheduler->tasks.arena = arena_new();
	context->state = scheduler;
	scheduler->tick_by = CLOCK_NEVER; /* the first tick sets it */
	enum status status = choose_zone(context, error);
	if (status == STATUS_OK) {
		scheduler->dynamic = dynamic_new(scheduler->all);
		status = take_up(context, error);
	}
	if (status != STATUS_OK)
		scheduler_close(context);
	return status;
}

static enum status fire(struct role_context *context, int64_t now, bool *full, struct error *error)
{
	struct scheduler *scheduler = context->state;
	struct batch batch = {
		.arena = arena_new(), .config = context->config, .db = context->db, .now = now
	};
	enum status status =
		batch_gather(&batch, scheduler->tasks.list, scheduler->tasks.count, full, error);

	if (status == STATUS_OK)
		status = batch_run(&batch, &scheduler->done, error);
	arena_free(batch.arena);
	return status;
}

/* Once a minute: deletes old occurrences, and tasks that no scheduler's file has any more. */
static enum status tidy(struct role_context *context, struct error *error)
{
	struct scheduler *scheduler = context->state;
	enum status status = STATUS_OK;
	bool more = false;

	if (clock_monotonic() < scheduler->clear_at)
		return STATUS_OK;
	if (scheduler->others.differ)
		status = publish_again(context->db, scheduler->all, context->process_id,
				       &scheduler->others, error);
	if (status == STATUS_OK)
		status = recurring_clear(context->db, &more, error);
	if (status != STATUS_OK)
		return put_off(&scheduler->clear_at, "clear", status, error);
	scheduler->clear_at = clock_monotonic() + (more ? CLEAR_PAUSE : CLEAR_INTERVAL);
	return STATUS_OK;
}

/* Applies what people and other software have changed meanwhile. */
static enum status follow(struct scheduler *scheduler, struct db *db, struct error *error)
{
	int64_t now = clock_monotonic();
	bool again = false;

	if (now < scheduler->follow_at)
		return STATUS_OK;
	enum status status =
		dynamic_follow(scheduler->dynamic, db, &scheduler->tasks, &again, error);
	if (status == STATUS_OK)
		status = publish_missing(db, scheduler->config, error);
	if (status != STATUS_OK)
		return put_off(&scheduler->follow_at, "follow", status, error);
	scheduler->follow_at = again ? now : now + scheduler->config->polling_interval;
	return STATUS_OK;
}

static int64_t nap(const struct scheduler *scheduler, int64_t now)
{
	int64_t wait = LONGEST_NAP;
	int64_t clock = clock_monotonic();

	for (size_t i = 0; i < scheduler->tasks.count; i++) {
		int64_t wakes = task_wakes(&scheduler->tasks.list[i]);
		if (wakes - now < wait)
			wait = wakes - now;
	}
	if (scheduler->clear_at - clock < wait)
		wait = scheduler->clear_at - clock;
	if (scheduler->follow_at - clock < wait)
		wait = scheduler->follow_at - clock;
	return wait > 0 ? wait : 0;
}

static enum status work(struct role_context *context, bool *full, struct error *error)
{
	struct scheduler *scheduler = context->state;
	int64_t now = db_now(context->db);

	FAULT_POINT("scheduler.polling");
	for (size_t i = 0; i < scheduler->tasks.count; i++)
		task_follow_clock(&scheduler->tasks.list[i], now);
	/*
	 * First what is due by the tasks as they were known: a change does not undo what was due
	 * before it.
	 */
	enum status status = fire(context, now, full, error);
	if (status == STATUS_OK)
		status = follow(scheduler, context->db, error);
	if (status == STATUS_OK && !*full)
		status = tidy(context, error);
	return status;
}

static enum status scheduler_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	struct scheduler *scheduler = context->state;
	int64_t patience = context->config->process.process_alive_threshold;
	bool full = false;

	if (context->stopping || context->quiet) {
		*wait = CLOCK_NEVER;
		scheduler->tick_by = CLOCK_NEVER;
		return STATUS_OK;
	}
	enum status status = work(context, &full, error);
	*wait = full ? 0 : nap(scheduler, db_now(context->db));
	if (status == STATUS_OK)
		scheduler->tick_by = clock_monotonic() + *wait + patience;
	else if (is_outage(status) || scheduler->tick_by == CLOCK_NEVER)
		scheduler->tick_by = clock_monotonic() + LONGEST_NAP + patience;
	return status;
}

/* Its timers advance, or only the database is unavailable. */
static bool scheduler_advances(const struct role_context *context)
{
	const struct scheduler *scheduler = context->state;

	return context->quiet || context->stopping || clock_monotonic() < scheduler->tick_by;
}

/* SC3: the file's tasks first, in its order. */
static size_t list_keys(const struct role_context *context, struct text *metadata)
{
	const struct config_scheduler *config = context->config->scheduler;
	const struct scheduler *scheduler = context->state;
	size_t count = 0;

	for (size_t i = 0; i < config->task_count && metadata->length < METADATA_MOST; i++) {
		text_add(metadata, count++ > 0 ? "," : "\"recurring_schedule\":[");
		text_json(metadata, config->tasks[i].key);
	}
	for (size_t i = 0; scheduler && i < scheduler->tasks.count; i++) {
		if (!scheduler->tasks.list[i].dynamic || metadata->length >= METADATA_MOST)
			continue;
		text_add(metadata, count++ > 0 ? "," : "\"recurring_schedule\":[");
		text_json(metadata, scheduler->tasks.list[i].config->key);
	}
	text_add(metadata, count > 0 ? "]," : "");
	text_printf(metadata, "\"static_tasks\":%zu", config->task_count);
	return scheduler ? scheduler->tasks.count : config->task_count;
}

static void scheduler_describe(const struct role_context *context, struct text *metadata,
			       struct text *title)
{
	const struct scheduler *scheduler = context->state;
	size_t count = list_keys(context, metadata);

	text_printf(title, "scheduler of %zu %s, %" PRId64 " enqueued", count,
		    count == 1 ? "task" : "tasks", scheduler ? scheduler->done.enqueued : 0);
}

static void scheduler_dump(const struct role_context *context)
{
	const struct scheduler *scheduler = context->state;
	int64_t now = db_now(context->db);

	log_event(LOG_INFO, "scheduler.state", LOG_INT("tasks", scheduler->tasks.count),
		  LOG_INT("enqueued", scheduler->done.enqueued),
		  LOG_INT("repeated", scheduler->done.repeated),
		  LOG_INT("discarded", scheduler->done.discarded),
		  LOG_INT("skipped", scheduler->done.skipped),
		  log_ms("next_ms", now, now + nap(scheduler, now)));
}

const struct role scheduler_role = {
	.kind = "Scheduler",
	.word = "scheduler",
	.parts = PART_COMMON | PART_DATABASE,
	.start = scheduler_start,
	.tick = scheduler_tick,
	.advances = scheduler_advances,
	.close = scheduler_close,
	.describe = scheduler_describe,
	.dump = scheduler_dump,
};
