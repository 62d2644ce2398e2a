/*
 * The role: it sleeps until the next occurrence of any task, at most a few seconds, because the
 * database's clock may step; then it gathers what is due of many tasks into a batch, and carries
 * that out.
 *
 * A batch is one transaction, and no task has advanced before it is committed: on any error it may
 * be repeated, since who has decided on an occurrence already is told so. It lasts for one tick.
 * What people change meanwhile is taken up between two batches.
 */
#include "scheduler/scheduler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/order.h"
#include "queue/processes/shared.h"
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "queue/refused/refused.h"
#include "scheduler/task.h"
#include "scheduler/tasks.h"

/* What is due at one time, of many tasks: gathered, written in one transaction, and then logged. */

#define BATCH_JOBS 500 /* a batch may hold more, because it takes all occurrences of a task */

/* A task, and the time from which it continues once the batch is done. */
struct batch_task {
	struct task *task;
	int64_t until;
};

struct batch {
	struct arena *arena;
	const struct config *config;
	struct db *db;
	int64_t now;
	struct new_job *jobs;
	size_t job_count;
	struct recurring_skipped *skipped;
	size_t skip_count;
	struct batch_task *tasks; /* concerned */
	size_t task_count;
};

struct batch_result {
	int64_t enqueued, repeated, discarded, skipped;
};

#define QUEUED_AGAIN CLOCK_SECOND /* an occurrence that waits for the job before it */
#define REFUSALS     3
#define SKIPS_TOLD   10

static void add_job(struct batch *batch, const struct new_job *job)
{
	batch->jobs =
		arena_extend(batch->arena, batch->jobs, batch->job_count, sizeof(*batch->jobs));
	batch->jobs[batch->job_count++] = *job;
}

static void add_skip(struct batch *batch, struct recurring_skipped skipped)
{
	batch->skipped = arena_extend(batch->arena, batch->skipped, batch->skip_count,
				      sizeof(*batch->skipped));
	batch->skipped[batch->skip_count++] = skipped;
}

static void add_missed(struct batch *batch, const struct task *task, const struct due *due)
{
	if (due->missed > 0)
		add_skip(batch, (struct recurring_skipped){ .key = task->config->key,
							    .at = due->missed,
							    .from = due->missed_from,
							    .count = due->missed_count,
							    .outcome = "missed" });
}

/* How many of the due occurrences may get a job, by the state of the task's other job. */
static void add_overlapped(struct batch *batch, const struct task *task, const struct due *due,
			   size_t count)
{
	add_skip(batch, (struct recurring_skipped){ .key = task->config->key,
						    .at = due->occurrences[count - 1],
						    .from = due->occurrences[0],
						    .count = (int64_t)count,
						    .outcome = "overlapped" });
}

static void add_task(struct batch *batch, struct task *task, int64_t until)
{
	batch->tasks =
		arena_extend(batch->arena, batch->tasks, batch->task_count, sizeof(*batch->tasks));
	batch->tasks[batch->task_count++] = (struct batch_task){ task, until };
}

/*
 * The job of this occurrence cannot be made or enqueued: it is tried again after growing pauses,
 * and logged once.
 */
static void put_off_task(const struct batch *batch, struct task *task, int64_t occurrence,
			 const struct error *error)
{
	if (task->failing_since == 0) {
		char at[CLOCK_TEXT_SIZE];

		task->failing_since = batch->now;
		clock_format_short(occurrence, at);
		log_event(LOG_ERROR, "recurring.failed", LOG_TEXT("task", task->config->key),
			  LOG_TEXT("at", at), LOG_TEXT("error", error->text));
	}
	task->retry_at = refused_until(task->failing_since, batch->now);
}

static void add_occurrences(struct batch *batch, struct task *task, const struct due *due,
			    size_t count)
{
	struct error error = { 0 };
	size_t before = batch->job_count;

	for (size_t i = 0; i < count; i++) {
		struct new_job job = { .run_at = due->occurrences[i] };
		if (task_job(task, batch->config, batch->arena, &job, &error) != STATUS_OK) {
			put_off_task(batch, task, due->occurrences[i], &error);
			batch->job_count = before;
			return;
		}
		add_job(batch, &job);
	}
	add_missed(batch, task, due);
	add_task(batch, task, count < due->count ? due->occurrences[count - 1] : batch->now);
}

/*
 * The job of this occurrence has been enqueued before, which decided on all occurrences before it,
 * too.
 */
static void leave_out(struct due *due, int64_t decided)
{
	while (due->count > 0 && due->occurrences[0] <= decided) {
		due->occurrences++;
		due->count--;
	}
	if (due->missed <= decided)
		due->missed = 0;
}

/* busy: the occurrence whose job is not done; 0 = all are done. */
static void add_due(struct batch *batch, struct task *task, int64_t busy)
{
	struct due due = task_due(task, batch->arena, batch->now);
	enum task_overlap overlap = task->config->overlap;

	leave_out(&due, busy);
	if (busy && overlap == OVERLAP_QUEUE && due.count > 0) {
		task->retry_at = batch->now + QUEUED_AGAIN;
		return;
	}
	if (busy && due.count > 0) {
		add_overlapped(batch, task, &due, due.count);
		add_missed(batch, task, &due);
		add_task(batch, task, batch->now);
		return;
	}
	if (overlap == OVERLAP_SKIP && due.count > 1) {
		/* One job at a time: that of the latest occurrence. */
		add_overlapped(batch, task, &due, due.count - 1);
		due.occurrences += due.count - 1;
		due.count = 1;
	}
	add_occurrences(batch, task, &due,
			overlap == OVERLAP_QUEUE && due.count > 1 ? 1 : due.count);
}

/* For due tasks whose jobs must not overlap, reads whether their last job is done. */
static enum status ask_busy(struct batch *batch, struct task *const due[], size_t count,
			    int64_t busy[], struct error *error)
{
	const char **keys = arena_array(batch->arena, count, sizeof(*keys));
	int64_t *answers = arena_array(batch->arena, count, sizeof(*answers));
	size_t asked = 0;

	for (size_t i = 0; i < count; i++)
		if (due[i]->config->overlap != OVERLAP_ALLOW)
			keys[asked++] = due[i]->config->key;
	enum status status = recurring_busy(batch->db, keys, asked, answers, error);
	asked = 0;
	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		if (due[i]->config->overlap != OVERLAP_ALLOW)
			busy[i] = answers[asked++];
	return status;
}

/* Gathers from tasks that are due; full if there may be more. */
static enum status batch_gather(struct batch *batch, struct task tasks[], size_t count, bool *full,
				struct error *error)
{
	struct task **due = arena_array(batch->arena, BATCH_JOBS, sizeof(void *));
	int64_t *busy = arena_array(batch->arena, BATCH_JOBS, sizeof(*busy));
	size_t due_count = 0;

	for (size_t i = 0; i < count && due_count < BATCH_JOBS; i++)
		if (task_wakes(&tasks[i]) <= batch->now)
			due[due_count++] = &tasks[i];
	*full = due_count == BATCH_JOBS;
	enum status status = ask_busy(batch, due, due_count, busy, error);
	for (size_t i = 0; i < due_count && status == STATUS_OK; i++)
		add_due(batch, due[i], busy[i]);
	return status;
}

/* The same order in every scheduler, so that two of them do not deadlock. */
static int by_occurrence(const void *a, const void *b)
{
	const struct new_job *left = a;
	const struct new_job *right = b;
	int order = strcmp(left->task_key, right->task_key);

	return order ? order : order_numbers(left->run_at, right->run_at);
}

static void tell(const struct new_job *job, const struct enqueued *done,
		 struct batch_result *result)
{
	char at[CLOCK_TEXT_SIZE];

	clock_format_short(job->run_at, at);
	result->repeated += done->repeated;
	result->discarded += done->discarded;
	result->enqueued += !done->repeated && !done->discarded;
	log_event(LOG_DEBUG, done->repeated ? "recurring.skipped" : "recurring.enqueued",
		  LOG_TEXT("task", job->task_key), LOG_TEXT("at", at),
		  done->id > 0 ? LOG_INT("job", done->id) : LOG_TEXT("job", NULL),
		  LOG_TEXT("reason",
			   done->repeated
				   ? "already handled, or the task was changed, paused or removed"
			   : done->discarded ? "its limit discarded it"
					     : NULL));
}

static struct task *task_of(const struct batch *batch, const char *key)
{
	for (size_t i = 0; i < batch->task_count; i++)
		if (strcmp(batch->tasks[i].task->config->key, key) == 0)
			return batch->tasks[i].task;
	return NULL;
}

/*
 * One wrong job must not keep the others from being enqueued. If none of the first few can be
 * enqueued, the cause is not the jobs.
 */
static enum status run_one_by_one(struct batch *batch, struct batch_result *result,
				  struct error *error)
{
	size_t refused = 0;
	size_t done = 0;

	for (size_t i = 0; i < batch->job_count; i++) {
		struct task *task = task_of(batch, batch->jobs[i].task_key);
		struct enqueued enqueued;
		if (task->retry_at > batch->now)
			continue;
		enum status status = enqueue(batch->db, &batch->jobs[i], 1, &enqueued, error);
		if (status == STATUS_OK) {
			tell(&batch->jobs[i], &enqueued, result);
			done++;
			continue;
		}
		if (!refused_row(status, error))
			return status;
		put_off_task(batch, task, batch->jobs[i].run_at, error);
		if (status != STATUS_INVALID && ++refused == REFUSALS && done == 0)
			return status;
	}
	return STATUS_OK;
}

static enum status run_jobs(struct batch *batch, struct batch_result *result, struct error *error)
{
	struct enqueued *done = arena_array(batch->arena, batch->job_count, sizeof(*done));

	if (batch->job_count > 1)
		qsort(batch->jobs, batch->job_count, sizeof(*batch->jobs), by_occurrence);
	enum status status = enqueue(batch->db, batch->jobs, batch->job_count, done, error);
	if (refused_row(status, error)) {
		const int64_t patience = refused_hurry(batch->db);
		status = run_one_by_one(batch, result, error);
		(void)db_set_retry_for(batch->db, patience);
		return status;
	}
	for (size_t i = 0; i < batch->job_count && status == STATUS_OK; i++)
		tell(&batch->jobs[i], &done[i], result);
	return status;
}

/* After an outage there may be thousands: one line for all, with the first of them. */
static void tell_skipped(const struct batch *batch)
{
	size_t lines = batch->skip_count > SKIPS_TOLD ? 1 : batch->skip_count;
	char at[CLOCK_TEXT_SIZE], from[CLOCK_TEXT_SIZE];

	for (size_t i = 0; i < lines; i++) {
		const struct recurring_skipped *skipped = &batch->skipped[i];
		clock_format_short(skipped->at, at);
		clock_format_short(skipped->from, from);
		log_event(LOG_WARN, "recurring.skipped", LOG_TEXT("task", skipped->key),
			  LOG_TEXT("at", at), LOG_TEXT("reason", skipped->outcome),
			  LOG_INT("occurrences", skipped->count),
			  LOG_TEXT("since", skipped->count > 1 ? from : NULL),
			  lines < batch->skip_count ? LOG_INT("others", batch->skip_count - 1)
						    : LOG_TEXT("others", NULL));
	}
}

/* Carries out the batch. On any error no task has advanced, and the batch may be repeated. */
MUST_CHECK static enum status batch_run(struct batch *batch, struct batch_result *result,
					struct error *error)
{
	enum status status = STATUS_OK;

	if (batch->job_count > 0) {
		FAULT_POINT("scheduler.due");
		status = run_jobs(batch, result, error);
		FAULT_POINT("scheduler.enqueued");
	}
	if (status == STATUS_OK && batch->skip_count > 0)
		status = recurring_skip(batch->db, batch->skipped, batch->skip_count, error);
	if (status != STATUS_OK)
		return status;
	result->skipped += (int64_t)batch->skip_count;
	tell_skipped(batch);
	for (size_t i = 0; i < batch->task_count; i++)
		if (batch->tasks[i].task->retry_at <= batch->now) {
			batch->tasks[i].task->failing_since = 0;
			task_continue(batch->tasks[i].task, batch->tasks[i].until);
		}
	return STATUS_OK;
}

/* The role. */

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
	order_by_text(known, count, sizeof(*known));
	for (size_t i = 0; i < scheduler->tasks.count; i++) {
		struct task *task = &scheduler->tasks.list[i];
		const struct recurring_known *found =
			order_find(task->config->key, known, count, sizeof(*known));
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
	enum status status = publish_tasks(db, scheduler->all, context->process_id, true,
					   &scheduler->others, error);

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
		status = publish_tasks(context->db, scheduler->all, context->process_id, false,
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

static enum status scheduler_waits(struct db *db, struct arena *arena, const char **what,
				   struct error *error)
{
	struct recurring_row *rows;
	size_t count = 0;
	size_t tasks = 0; /* that are enabled and not paused */
	enum status status = recurring_rows(db, arena, &rows, &count, error);

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		tasks += !rows[i].task.options.disabled && rows[i].paused_at == 0;
	*what = tasks == 0 ? NULL
			   : arena_printf(arena, "there %s %zu recurring %s",
					  tasks == 1 ? "is" : "are", tasks,
					  tasks == 1 ? "task" : "tasks");
	return status;
}

const struct role scheduler_role = {
	.kind = "Scheduler",
	.word = "scheduler",
	.section = "scheduler",
	.also = "recurring.",
	.tier = TIER_FEEDERS,
	.needed = config_has_tasks,
	.waits = scheduler_waits,
	.parts = PART_COMMON | PART_DATABASE,
	.start = scheduler_start,
	.tick = scheduler_tick,
	.advances = scheduler_advances,
	.close = scheduler_close,
	.describe = scheduler_describe,
	.dump = scheduler_dump,
};
