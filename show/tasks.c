/*
 * Recurring tasks: one may be in recurring.yml, in the database, or in both. The file says what is
 * meant, the database what happened.
 */
#include "show/show.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "common/text/parse.h"
#include "schedule/schedule.h"

/* "2026-11-21T09:00:00Z": occurrences have whole seconds. */
static json_t *whole_second(int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];
	char iso[CLOCK_TEXT_SIZE + 1];

	clock_format_short(instant, text);
	(void)snprintf(iso, sizeof(iso), "%.10sT%sZ", text, text + 11);
	return json_string(iso);
}

/* "Sat 2026-11-21 10:00:00". */
static json_t *local_time(const struct schedule_occurrence *occurrence)
{
	static const char *const days[] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
	int64_t local = occurrence->instant + occurrence->offset * CLOCK_SECOND;
	int64_t day = local / CLOCK_DAY - (local % CLOCK_DAY < 0 ? 1 : 0);
	char text[CLOCK_TEXT_SIZE];
	char whole[CLOCK_TEXT_SIZE + 8];

	clock_format_short(local, text);
	(void)snprintf(whole, sizeof(whole), "%s %s", days[(day % 7 + 7) % 7], text);
	return json_string(whole);
}

static json_t *run_json(const struct schedule_occurrence *occurrence)
{
	return json_pack("{s:o, s:o, s:i, s:s, s:s?}", "at", whole_second(occurrence->instant),
			 "local", local_time(occurrence), "offset", occurrence->offset,
			 "abbreviation", occurrence->abbreviation, "mark",
			 schedule_mark_name(occurrence->mark));
}

json_t *show_runs(const struct recurring_timing *timing, int64_t after, int64_t number)
{
	struct schedule_occurrence occurrence = { .instant = after };
	json_t *runs = json_array();

	for (int64_t i = 0; i < number && recurring_next(timing, occurrence.instant, &occurrence);
	     i++)
		json_array_append_new(runs, run_json(&occurrence));
	return runs;
}

static json_t *next_run(const struct task_shown *shown, int64_t now)
{
	struct schedule_occurrence occurrence;
	bool paused = shown->row && shown->row->paused_at > 0;
	bool runs = shown->enabled && !paused && shown->timing.timer &&
		    recurring_next(&shown->timing, now, &occurrence);

	return runs ? value_time(occurrence.instant) : json_null();
}

static void add_known(json_t *json, const struct recurring_row *row)
{
	const struct recurring_row none = { 0 };
	const struct recurring_row *known = row ? row : &none;
	const struct recurring_run *last = &known->last;

	json_object_set_new(json, "paused", json_boolean(known->paused_at > 0));
	json_object_set_new(json, "paused_at", value_time(known->paused_at));
	json_object_set_new(json, "paused_by",
			    value_text(known->paused_at > 0 ? known->note.who : NULL));
	json_object_set_new(json, "pause_reason",
			    value_text(known->paused_at > 0 ? known->note.reason : NULL));
	json_object_set_new(json, "last_run_at", value_time(last->run_at));
	json_object_set_new(json, "last_outcome",
			    value_text(last->state ? last->state : last->outcome));
	json_object_set_new(json, "last_job_id", value_id(last->job_id));
}

static const char *file_command(struct arena *arena, const struct config_task *task)
{
	return task->command ? words_join(arena, task->command, task->command_count) : NULL;
}

static json_t *task_json(struct arena *arena, const struct task_shown *shown, int64_t now)
{
	const char *key = shown->task ? shown->task->key : shown->row->task.key;
	const char *text = shown->task ? shown->task->schedule : shown->row->task.schedule;
	const struct schedule *timer = shown->timing.timer;
	const char *command = shown->task ? file_command(arena, shown->task)
					  : recurring_command_line(arena, &shown->row->task);
	json_t *json = json_object();

	json_object_set_new(json, "key", value_text(key));
	json_object_set_new(json, "schedule", value_text(text));
	json_object_set_new(json, "words", value_text(timer ? schedule_words(arena, timer) : NULL));
	json_object_set_new(json, "zone", value_text(timer ? zone_name(timer->zone) : NULL));
	json_object_set_new(json, "class", value_text(shown->class_name));
	json_object_set_new(json, "command", value_text(command));
	json_object_set_new(json, "queue", value_text(shown->queue));
	json_object_set_new(json, "enabled", json_boolean(shown->enabled));
	json_object_set_new(json, "from", value_text(shown->from));
	json_object_set_new(json, "late_after", value_span(shown->late_after));
	json_object_set_new(json, "failures_after", value_id(shown->failures_after));
	add_known(json, shown->row);
	json_object_set_new(json, "next_run_at", next_run(shown, now));
	return json;
}

struct task_shown task_of_file(const struct config_task *task, const struct recurring_row *row)
{
	return (struct task_shown){ .task = task,
				    .row = row,
				    .timing = { task->timer, task->starts, task->ends },
				    .class_name = task->class,
				    .queue = task->queue,
				    .from = task->file,
				    .late_after = task->late_after,
				    .failures_after =
					    task->failures_after > 0 ? task->failures_after : 0,
				    .enabled = task->enabled };
}

static const char *queue_of(struct arena *arena, const struct config *config,
			    const struct recurring_row *row)
{
	const char *name = row->task.class_name;
	const struct config_class *class = name ? config_class_find(config, name) : NULL;

	return row->ours && recurring_command_line(arena, &row->task)
		       ? recurring_queue(&row->task, class ? class->queue : NULL)
		       : row->task.queue;
}

bool task_is_commanded(const struct config_task *task)
{
	return task->command && task->enabled;
}

struct task_shown task_of_row(struct arena *arena, struct zones *zones, const struct config *config,
			      const struct recurring_row *row)
{
	const char *file = row->task.options.file;
	struct recurring_task task = row->task;
	const struct recurring_reading reading = { .zones = zones };
	const struct recurring_options *options = &row->task.options;
	struct task_shown shown = { .row = row,
				    .queue = queue_of(arena, config, row),
				    .late_after = options->late_after > 0
							  ? options->late_after
							  : task_usual(TASK_LATE_AFTER),
				    .failures_after = options->failures_after,
				    .enabled = !options->disabled };

	task.class_name = recurring_class(arena, &task);
	shown.class_name = task.class_name;
	shown.from = !row->ours ? "Rails" : row->is_static ? file : "added";
	if (recurring_check(arena, &reading, &task, &shown.timing, NULL) != STATUS_OK)
		shown.timing.timer = NULL;
	return shown;
}

static bool is_in_file(const struct config_scheduler *scheduler, const char *key)
{
	for (size_t i = 0; scheduler && i < scheduler->task_count; i++)
		if (strcmp(scheduler->tasks[i].key, key) == 0)
			return true;
	return false;
}

json_t *show_tasks(struct arena *arena, const struct config *config, struct recurring_row rows[],
		   size_t count, int64_t now)
{
	const struct config_scheduler *scheduler = config->scheduler;
	struct zones *zones = zones_new(arena, NULL);
	json_t *tasks = json_array();

	order_by_text(rows, count, sizeof(*rows));
	for (size_t i = 0; scheduler && i < scheduler->task_count; i++) {
		const struct config_task *task = &scheduler->tasks[i];
		const struct task_shown shown =
			task_of_file(task, order_find(task->key, rows, count, sizeof(*rows)));
		json_array_append_new(tasks, task_json(arena, &shown, now));
	}
	for (size_t i = 0; i < count; i++) {
		if (is_in_file(scheduler, rows[i].task.key))
			continue;
		const struct task_shown shown = task_of_row(arena, zones, config, &rows[i]);
		json_array_append_new(tasks, task_json(arena, &shown, now));
	}
	return tasks;
}

static json_t *past_run_json(const struct recurring_run *run)
{
	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "run_at", value_time(run->run_at),
			 "occurrences", (json_int_t)run->occurrences, "first_at",
			 value_time(run->first_at), "outcome", value_text(run->outcome), "job_id",
			 value_id(run->job_id), "state", value_text(run->state), "decided_at",
			 value_time(run->decided_at));
}

json_t *show_history(const struct recurring_run runs[], size_t count)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, past_run_json(&runs[i]));
	return rows;
}
