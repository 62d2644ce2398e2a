#include "scheduler/batch.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/order.h"
#include "queue/refused/refused.h"

#define QUEUED_AGAIN CLOCK_SECOND /* an occurrence that waits for the job before it */
#define REFUSALS     3
#define SKIPS_TOLD   10

static void add_job(struct batch *batch, const struct new_job *job)
{
	batch->jobs =
		arena_extend(batch->arena, batch->jobs, batch->job_count, sizeof(*batch->jobs));
	batch->jobs[batch->job_count++] = *job;
}

static void add_skip(struct batch *batch, const struct recurring_skipped *skipped)
{
	batch->skipped = arena_extend(batch->arena, batch->skipped, batch->skip_count,
				      sizeof(*batch->skipped));
	batch->skipped[batch->skip_count++] = *skipped;
}

static void add_missed(struct batch *batch, const struct task *task, const struct due *due)
{
	const struct recurring_skipped skipped = { .key = task->config->key,
						   .at = due->missed,
						   .from = due->missed_from,
						   .count = due->missed_count,
						   .outcome = "missed" };

	if (due->missed > 0)
		add_skip(batch, &skipped);
}

/* How many of the due occurrences may get a job, by the state of the task's other job. */
static void add_overlapped(struct batch *batch, const struct task *task, const struct due *due,
			   size_t count)
{
	const struct recurring_skipped skipped = { .key = task->config->key,
						   .at = due->occurrences[count - 1],
						   .from = due->occurrences[0],
						   .count = (int64_t)count,
						   .outcome = "overlapped" };

	add_skip(batch, &skipped);
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
static void put_off(const struct batch *batch, struct task *task, int64_t occurrence,
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
			put_off(batch, task, due->occurrences[i], &error);
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

enum status batch_gather(struct batch *batch, struct task tasks[], size_t count, bool *full,
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
		if (!refused_status(status))
			return status;
		put_off(batch, task, batch->jobs[i].run_at, error);
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
	if (refused_status(status))
		return run_one_by_one(batch, result, error);
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

enum status batch_run(struct batch *batch, struct batch_result *result, struct error *error)
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
