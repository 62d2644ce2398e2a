/*
 * A job as JSON. Its timeline is what the tables still know of its past, oldest first, made anew
 * from the rows each time. A run that the history tells of is not told again from the job's own
 * row.
 */
#include "show/show.h"

#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"

/* A job in a list */

static json_t *state_of(const struct job *job)
{
	return json_string(job->state == JOB_STATES ? "lost" : job_state_name(job->state));
}

json_t *show_job(const struct job *job)
{
	json_t *row = json_object();
	json_t *payload = value_json(job->payload);
	json_t *arguments = json_object_get(payload, "arguments");

	json_object_set_new(row, "id", json_integer(job->id));
	json_object_set_new(row, "class", value_text(job->class_name));
	json_object_set_new(row, "queue", value_text(job->queue));
	json_object_set_new(row, "priority", json_integer(job->priority));
	json_object_set_new(row, "state", state_of(job));
	json_object_set_new(row, "outcome", value_text(job->outcome));
	json_object_set_new(row, "active_job_id", value_text(job->active_job_id));
	json_object_set_new(row, "concurrency_key", value_text(job->concurrency_key));
	json_object_set(row, "arguments", arguments ? arguments : json_null());
	json_object_set_new(row, "created_at", value_time(job->created_at));
	json_object_set_new(row, "scheduled_at", value_time(job->scheduled_at));
	json_object_set_new(row, "finished_at", value_time(job->finished_at));
	json_object_set_new(row, "since", value_time(job->since));
	json_object_set_new(row, "process_id", value_id(job->process_id));
	json_object_set_new(row, "error", value_json(job->error));
	json_decref(payload);
	return row;
}

/* Its timeline */

#define MOST_EVENTS_OF_ROW 16 /* those that are neither runs, earlier attempts nor slots */
#define MEBIBYTE           1048576.0

struct event {
	int64_t at;
	const char *name;
	const char *detail;
};

struct timeline {
	struct arena *arena;
	const struct job *job;
	const struct job_details *details;
	struct event *events;
	size_t count;
	size_t most;
};

static void add_event(struct timeline *timeline, int64_t at, const char *name, const char *detail)
{
	if (at > 0 && timeline->count < timeline->most)
		timeline->events[timeline->count++] = (struct event){ at, name, detail };
}

static void add_attempts(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;

	for (size_t i = details->attempt_count; i-- > 0;) {
		const struct job_details_attempt *attempt = &details->attempts[i];
		int64_t at = attempt->finished_at > 0 ? attempt->finished_at : attempt->created_at;
		add_event(timeline, at, "attempt",
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
	add_event(timeline, job->created_at, "enqueued", detail);
	if (job->finished_at > 0 && job->scheduled_at > job->finished_at)
		return; /* it was cancelled before */
	if (job->state == JOB_SCHEDULED || job->scheduled_at > job->created_at + CLOCK_SECOND)
		add_event(timeline, job->scheduled_at, "due", "it was scheduled for this time");
}

/* Whether the history tells of the last loss, or of the last retry by hand. */
static bool is_last_told(const struct job_details *details)
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

	/* Which also forgets the losses. */
	if (losses == 0 && details->retried && !is_last_told(details))
		add_event(timeline, details->last_lost_at, "retried",
			  "by hand; dray audit says by whom");
	for (size_t i = 0; i < details->slot_count; i++)
		add_event(
			timeline, details->slots[i].since, "slot",
			arena_printf(arena, "it got a slot of the key %s", details->slots[i].key));
	if (losses > 0 && !is_last_told(details))
		add_event(timeline, details->last_lost_at, "lost",
			  arena_printf(arena,
				       "the process that ran it was lost (%" PRId64
				       " time%s in all)",
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
static const char *cost(struct arena *arena, const struct job_details_run *run_job)
{
	const char *time = arena_printf(
		arena, ", %.3f s", (double)(run_job->ended_at - run_job->began_at) / CLOCK_SECOND);

	if (run_job->peak_memory == 0)
		return time;
	return arena_printf(arena, "%s, CPU %.3f s, memory %.1f MiB", time,
			    (double)run_job->cpu_time / CLOCK_SECOND,
			    (double)run_job->peak_memory / MEBIBYTE);
}

static void add_run(struct timeline *timeline, const struct job_details_run *run_job)
{
	struct arena *arena = timeline->arena;
	const char *process = run_job->process;
	const char *host = run_job->hostname ? run_job->hostname : "unknown";
	const char *where = process ? arena_printf(arena, " by %s on host %s", process, host) : "";

	if (strcmp(run_job->outcome, RETRIED_BY_HAND) == 0) {
		add_event(timeline, run_job->ended_at, "retried",
			  arena_printf(arena, "by %s@%s", process ? process : "unknown", host));
		return;
	}
	if (run_job->attempt == 0) { /* it ended without a run */
		add_event(timeline, run_job->ended_at, run_job->outcome,
			  failure(arena, run_job->error));
		return;
	}
	add_event(timeline, run_job->ended_at, run_job->outcome,
		  arena_printf(arena, "attempt %" PRId64 "%s%s%s%s", run_job->attempt, where,
			       cost(arena, run_job), run_job->error ? ": " : "",
			       run_job->error ? failure(arena, run_job->error) : ""));
}

static void add_runs(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;

	for (size_t i = details->run_count; i-- > 0;)
		add_run(timeline, &details->runs[i]);
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

	add_event(timeline, details->cancelled_at, "cancelling", details->cancelled);
	if (job->state == JOB_CLAIMED)
		add_event(timeline, job->since, "claimed", claimed_by(timeline));
	else if (job->state == JOB_FAILED && !is_told(timeline, "failed"))
		add_event(timeline, job->since, "failed", failure(timeline->arena, job->error));
	else if (job->state == JOB_BLOCKED)
		add_event(timeline, job->since, "blocked",
			  arena_printf(timeline->arena, "it waits for the key %s", key));
	else if (job->state == JOB_READY)
		add_event(timeline, job->since, "ready", "it waits for a worker");
	if (!is_told(timeline, "finished"))
		add_event(timeline, job->finished_at, "finished",
			  job->outcome ? ""
				       : "the log says more of the run (job.finished); so would "
					 "history: all");
}

/* A stable sort: events with equal times stay in the order in which they were added. */
static void sort_events(struct timeline *timeline)
{
	for (size_t i = 1; i < timeline->count; i++) {
		struct event event = timeline->events[i];
		size_t place = i;
		for (; place > 0 && timeline->events[place - 1].at > event.at; place--)
			timeline->events[place] = timeline->events[place - 1];
		timeline->events[place] = event;
	}
}

/* An array of `at`, `event`, `detail`. */
static json_t *timeline_json(struct arena *arena, const struct job *job,
			     const struct job_details *details)
{
	struct timeline timeline = { .arena = arena,
				     .job = job,
				     .details = details,
				     .most = MOST_EVENTS_OF_ROW + details->run_count +
					     details->attempt_count + details->slot_count };
	json_t *list = json_array();

	timeline.events = arena_array(arena, timeline.most, sizeof(*timeline.events));
	add_attempts(&timeline);
	add_beginning(&timeline);
	add_middle(&timeline);
	add_runs(&timeline);
	add_present(&timeline);
	sort_events(&timeline);
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

/* All of a job */

static json_t *more_keys(const struct job_details *details)
{
	json_t *keys = json_array();

	for (size_t i = 0; i < details->more_count; i++)
		json_array_append_new(keys, json_string(details->more_keys[i]));
	return keys;
}

json_t *show_job_whole(struct arena *arena, const struct job *job,
		       const struct job_details *details)
{
	const int64_t timeout = payload_timeout(job->payload); /* its class's is its worker's */
	json_t *row = show_job(job);

	json_object_set_new(row, "payload", value_json(job->payload));
	json_object_set_new(row, "timeline", timeline_json(arena, job, details));
	json_object_set_new(row, "losses", json_integer(job->losses));
	json_object_set_new(row, "interruptions", json_integer(details->interruptions));
	json_object_set_new(row, "group", value_text(job_error_group(job, details)));
	json_object_set_new(row, "timeout", timeout > 0 ? value_span(timeout) : json_null());
	json_object_set_new(row, "more_keys", more_keys(details));
	json_object_set_new(row, "waits_for", value_text(details->waits_for));
	return row;
}

/* Why it does not run */

static json_t *value_of(const struct why_field *field)
{
	if (field->type == WHY_TEXT)
		return value_text(field->text);
	return field->type == WHY_TIME ? value_time(field->number) : json_integer(field->number);
}

static json_t *reason_json(const struct why_reason *reason)
{
	json_t *row = json_object();

	json_object_set_new(row, "kind", json_string(reason->kind));
	json_object_set_new(row, "text", value_text(reason->text));
	for (size_t i = 0; i < reason->field_count; i++)
		json_object_set_new(row, reason->fields[i].name, value_of(&reason->fields[i]));
	return row;
}

static json_t *why_json(int64_t id, json_t *state, const struct why *why)
{
	json_t *row = json_object();
	json_t *reasons = json_array();

	for (size_t i = 0; i < why->count; i++)
		json_array_append_new(reasons, reason_json(&why->reasons[i]));
	json_object_set_new(row, "id", json_integer(id));
	json_object_set_new(row, "state", state);
	json_object_set_new(row, "running", json_boolean(why->running));
	json_object_set_new(row, "reasons", reasons);
	json_object_set_new(row, "text", value_text(why->text));
	return row;
}

json_t *show_why(const struct job *job, const struct why *why)
{
	return why_json(job->id, state_of(job), why);
}

json_t *show_left(int64_t id, const struct why *why)
{
	return why_json(id, json_string("missing"), why);
}
