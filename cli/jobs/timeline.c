#include "cli/jobs/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/table.h"
#include "common/clock.h"
#include "queue/payload/cause.h"

#define MOST_EVENTS 64
#define MEBIBYTE    1048576.0

struct event {
	int64_t at;
	const char *name;
	const char *detail;
};

struct timeline {
	struct arena *arena;
	const struct job *job;
	const struct job_details *details;
	struct event events[MOST_EVENTS];
	size_t count;
};

static void add(struct timeline *timeline, int64_t at, const char *name, const char *detail)
{
	if (at > 0 && timeline->count < MOST_EVENTS)
		timeline->events[timeline->count++] = (struct event){ at, name, detail };
}

static void add_attempts(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;

	for (size_t i = details->attempt_count; i-- > 0;) {
		const struct job_details_attempt *attempt = &details->attempts[i];
		int64_t at = attempt->finished_at > 0 ? attempt->finished_at : attempt->created_at;
		add(timeline, at, "attempt",
		    arena_printf(timeline->arena, "as job %" PRId64 ", which %s", attempt->id,
				 attempt->finished_at > 0 ? "ended at this time"
							  : "was enqueued at this time"));
	}
}

/* Does the history have runs, and not only that the job was cancelled? */
static bool has_runs(const struct job_details *details)
{
	for (size_t i = 0; i < details->run_count; i++)
		if (details->runs[i].attempt > 0)
			return true;
	return false;
}

static void add_beginning(struct timeline *timeline)
{
	const struct job *job = timeline->job;
	int executions = timeline->details->executions;
	const char *detail = arena_printf(timeline->arena, "on queue %s with priority %d",
					  job->queue, job->priority);

	if (executions > 0 && !has_runs(timeline->details)) /* else they say so */
		detail = arena_printf(timeline->arena, "%s, after %d execution%s by Active Job",
				      detail, executions, executions > 1 ? "s" : "");
	add(timeline, job->created_at, "enqueued", detail);
	if (job->finished_at > 0 && job->scheduled_at > job->finished_at)
		return; /* it was cancelled before */
	if (job->state == JOB_SCHEDULED || job->scheduled_at > job->created_at + CLOCK_SECOND)
		add(timeline, job->scheduled_at, "due", "it was scheduled for this time");
}

/* Whether the history tells of the last loss. */
static bool is_lost_told(const struct job_details *details)
{
	for (size_t i = 0; i < details->run_count; i++)
		if (details->runs[i].ended_at == details->last_lost_at)
			return true;
	return false;
}

static void add_middle(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;
	struct arena *arena = timeline->arena;
	int64_t losses = timeline->job->losses;

	for (size_t i = 0; i < details->slot_count; i++)
		add(timeline, details->slots[i].since, "slot",
		    arena_printf(arena, "it got a slot of the key %s", details->slots[i].key));
	if (losses > 0 && !is_lost_told(details))
		add(timeline, details->last_lost_at, "lost",
		    arena_printf(arena,
				 "the process that ran it was lost (%" PRId64 " time%s in all)",
				 losses, losses > 1 ? "s" : ""));
}

static const char *failure(struct arena *arena, const char *error)
{
	const struct cause cause = cause_of(arena, error);

	if (!cause.brief)
		return "with an error that cannot be read";
	if (!cause.line)
		return cause.brief;
	return arena_printf(arena, "%s: %s: %s", cause.error_class, cause.message, cause.line);
}

/* Such as ", 2.104 s, CPU 0.030 s, memory 12.5 MiB" */
static const char *cost(struct arena *arena, const struct job_details_run *run)
{
	const char *time = arena_printf(arena, ", %.3f s",
					(double)(run->ended_at - run->began_at) / CLOCK_SECOND);

	if (run->peak_memory == 0)
		return time;
	return arena_printf(arena, "%s, CPU %.3f s, memory %.1f MiB", time,
			    (double)run->cpu_time / CLOCK_SECOND,
			    (double)run->peak_memory / MEBIBYTE);
}

static void add_runs(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;
	struct arena *arena = timeline->arena;

	for (size_t i = details->run_count; i-- > 0;) {
		const struct job_details_run *run = &details->runs[i];
		const char *where =
			run->process ? arena_printf(arena, " by %s on host %s", run->process,
						    run->hostname ? run->hostname : "unknown")
				     : "";
		if (run->attempt == 0) { /* it ended without a run */
			add(timeline, run->ended_at, run->outcome, failure(arena, run->error));
			continue;
		}
		add(timeline, run->ended_at, run->outcome,
		    arena_printf(arena, "attempt %" PRId64 "%s%s%s%s", run->attempt, where,
				 cost(arena, run), run->error ? ": " : "",
				 run->error ? failure(arena, run->error) : ""));
	}
}

/* Whether the history tells of the end that the job has come to. */
static bool is_told(const struct timeline *timeline, const char *outcome)
{
	const struct job_details *details = timeline->details;

	return details->run_count > 0 && strcmp(details->runs[0].outcome, outcome) == 0 &&
	       text_same(details->runs[0].error, timeline->job->error);
}

static const char *claimed_by(const struct timeline *timeline)
{
	const struct process_row *process = &timeline->details->process;

	if (process->id == 0)
		return arena_printf(timeline->arena, "by process %" PRId64 ", which is gone",
				    timeline->job->process_id);
	return arena_printf(timeline->arena, "by %s on host %s, pid %d", process->name,
			    process->hostname ? process->hostname : "unknown", process->pid);
}

/* Adds the current state. */
static void add_present(struct timeline *timeline)
{
	const struct job *job = timeline->job;
	const struct job_details *details = timeline->details;
	const char *key = details->waits_for ? details->waits_for : "";

	add(timeline, details->cancelled_at, "cancelling", details->cancelled);
	if (job->state == JOB_CLAIMED)
		add(timeline, job->since, "claimed", claimed_by(timeline));
	else if (job->state == JOB_FAILED && !is_told(timeline, "failed"))
		add(timeline, job->since, "failed", failure(timeline->arena, job->error));
	else if (job->state == JOB_BLOCKED)
		add(timeline, job->since, "blocked",
		    arena_printf(timeline->arena, "it waits for the key %s", key));
	else if (job->state == JOB_READY)
		add(timeline, job->since, "ready", "it waits for a worker");
	if (!is_told(timeline, "finished"))
		add(timeline, job->finished_at, "finished", "");
}

/* A stable sort: events with equal times stay in the order in which they were added. */
static void sort(struct timeline *timeline)
{
	for (size_t i = 1; i < timeline->count; i++) {
		struct event event = timeline->events[i];
		size_t place = i;
		for (; place > 0 && timeline->events[place - 1].at > event.at; place--)
			timeline->events[place] = timeline->events[place - 1];
		timeline->events[place] = event;
	}
}

json_t *timeline_json(struct arena *arena, const struct job *job, const struct job_details *details)
{
	struct timeline timeline = { .arena = arena, .job = job, .details = details };
	json_t *list = json_array();

	add_attempts(&timeline);
	add_beginning(&timeline);
	add_middle(&timeline);
	add_runs(&timeline);
	add_present(&timeline);
	sort(&timeline);
	for (size_t i = 0; i < timeline.count; i++) {
		const struct event *event = &timeline.events[i];
		json_t *row = json_object();
		json_object_set_new(row, "at", value_time(event->at));
		json_object_set_new(row, "event", json_string(event->name));
		json_object_set_new(row, "detail", value_text(event->detail));
		json_array_append_new(list, row);
	}
	return list;
}

void timeline_print(const struct cli *cli, json_t *timeline)
{
	static const struct column columns[] = {
		{ "at", "TIMELINE", CELL_TIME },
		{ "event", "EVENT", CELL_STATE },
		{ "detail", "DETAIL", CELL_STORY },
		{ 0 },
	};

	(void)putchar('\n');
	table_print(cli, columns, timeline);
}
