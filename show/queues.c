/* Queues, and the figures of the whole system. */
#include "show/show.h"

#include <inttypes.h>

const char *unserved_text(struct arena *arena, const struct unserved *one)
{
	return arena_printf(arena,
			    "Unserved on the queue %s: %" PRId64
			    " job%s of the class %s, which no worker there knows.",
			    one->queue, one->jobs, one->jobs == 1 ? "" : "s", one->class_name);
}

const char *unserved_advice(struct arena *arena, const struct config *config,
			    const char *class_name)
{
	return config_class_declared(config, class_name)
		       ? "jobs.yml has it now: run `dray reload`."
		       : arena_printf(arena,
				      "Start a worker that does, or add it to jobs.yml and run "
				      "`dray reload`; `dray discard --class %s` deletes its jobs.",
				      class_name);
}

json_t *show_unserved(const struct config *config, const struct unserveds *unserved)
{
	struct arena *arena = arena_new();
	json_t *list = json_array();

	for (size_t i = 0; i < unserved->count; i++) {
		const struct unserved *one = &unserved->list[i];
		const char *text = arena_printf(arena, "%s %s", unserved_text(arena, one),
						unserved_advice(arena, config, one->class_name));
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:I, s:o}", "queue", value_text(one->queue),
					"class", value_text(one->class_name), "jobs",
					(json_int_t)one->jobs, "text", value_text(text)));
	}
	arena_free(arena);
	return list;
}

/* How many jobs there are in each state that is counted; retrying is one of its own. */
static void add_states(json_t *row, const int64_t counts[JOB_STATES], int64_t retrying)
{
	for (int state = 0; state < JOB_STATES; state++) {
		int64_t jobs = counts[state] - (state == JOB_SCHEDULED ? retrying : 0);
		if (counts[state] >= 0)
			json_object_set_new(row, job_state_name((enum job_state)state),
					    json_integer(jobs));
		if (state == JOB_SCHEDULED)
			json_object_set_new(row, "retrying", json_integer(retrying));
	}
}

json_t *show_queue(const struct survey *survey, const struct survey_queue *entry)
{
	const struct queue_row *queue = &entry->row;
	json_t *row = json_object();

	json_object_set_new(row, "name", value_text(queue->name));
	json_object_set_new(row, "paused", json_boolean(queue->paused));
	add_states(row, queue->counts, entry->retrying);
	json_object_set_new(row, "latency", value_span(queue->latency));
	json_object_set_new(row, "finished_minute", json_integer(entry->throughput.minute));
	json_object_set_new(row, "finished_hour", json_integer(entry->throughput.hour));
	json_object_set_new(row, "estimated", json_boolean(survey->estimated));
	json_object_set_new(row, "workers", json_integer((json_int_t)entry->workers));
	json_object_set_new(row, "paused_at", value_time(queue->paused_at));
	json_object_set_new(row, "paused_until", value_time(queue->note.ends_at));
	json_object_set_new(row, "paused_by", value_text(queue->note.who));
	json_object_set_new(row, "paused_on", value_text(queue->note.host));
	json_object_set_new(row, "pause_reason", value_text(queue->note.reason));
	return row;
}

const char *show_queue_status(const struct survey_queue *queue)
{
	if (queue->row.paused)
		return "paused";
	return survey_unserved(queue) ? "unserved" : "active";
}

static json_t *figures(const struct stats *stats)
{
	const struct survey *survey = &stats->survey;
	json_t *row = json_object();

	add_states(row, stats->counts, stats->retrying);
	json_object_set_new(row, "finished_minute", json_integer(survey->total.minute));
	json_object_set_new(row, "finished_hour", json_integer(survey->total.hour));
	json_object_set_new(row, "estimated", json_boolean(survey->estimated));
	json_object_set_new(row, "oldest_queue", value_text(stats->oldest_queue));
	json_object_set_new(row, "latency", value_span(stats->latency));
	json_object_set_new(row, "queues", json_integer((json_int_t)survey->count));
	json_object_set_new(row, "paused_queues", json_integer(stats->paused));
	json_object_set_new(row, "unserved_queues", json_integer(stats->unserved));
	return row;
}

static json_t *kinds(const struct stats *stats)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < stats->kind_count; i++) {
		const struct stats_kind *kind = &stats->kinds[i];
		json_t *row = json_object();
		json_object_set_new(row, "kind", value_text(kind->kind));
		json_object_set_new(row, "alive", json_integer(kind->alive));
		json_object_set_new(row, "silent", json_integer(kind->silent));
		json_object_set_new(row, "threads", json_integer(kind->threads));
		json_object_set_new(row, "busy", json_integer(kind->busy));
		json_object_set_new(row, "leaving", json_integer(kind->leaving));
		json_object_set_new(row, "ending", json_integer(kind->ending));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* Builds an array of objects with these keys for name, number and time. */
static json_t *entries(const struct stats_entry list[], size_t count, const char *const keys[3])
{
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *row = json_object();
		json_object_set_new(row, keys[0], value_text(list[i].name));
		json_object_set_new(row, keys[1], json_integer(list[i].count));
		json_object_set_new(row, keys[2], value_time(list[i].at));
		json_array_append_new(rows, row);
	}
	return rows;
}

json_t *show_stats(const struct stats *stats)
{
	static const char *const failure_keys[] = { "class", "count", "last_at" };
	static const char *const key_keys[] = { "key", "waiting", "since" };
	json_t *all = figures(stats);

	json_object_set_new(all, "processes", kinds(stats));
	json_object_set_new(all, "failures",
			    entries(stats->failures, stats->failure_count, failure_keys));
	json_object_set_new(all, "keys", entries(stats->keys, stats->key_count, key_keys));
	return all;
}
