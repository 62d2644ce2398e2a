#include "scheduler/entry.h"

#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/text.h"

const char *entry_print(struct arena *arena, const struct recurring_dynamic *row)
{
	const struct recurring_task *task = &row->task;
	const char *const texts[] = { task->schedule, task->class_name, task->arguments,
				      task->queue, task->settings };
	struct text text = { 0 };

	text_printf(&text, "%lld %d %d", (long long)row->since, task->has_priority, task->priority);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_add(&text, texts[i] ? " " : "-");
		if (texts[i])
			text_json(&text, texts[i]);
	}
	return text_take(&text, arena);
}

static const char *copy(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

/* What recurring_check has found in order. */
static void take_settings(struct entry *entry, const struct recurring_options *options)
{
	struct config_task *config = &entry->config;

	config->misfire = (enum task_misfire)task_word(TASK_MISFIRE, options->misfire);
	config->misfire_limit = options->misfire_limit > 0 ? options->misfire_limit
							   : (int)task_usual(TASK_MISFIRE_LIMIT);
	config->misfire_window = options->misfire_window > 0 ? options->misfire_window
							     : task_usual(TASK_MISFIRE_WINDOW);
	config->overlap = (enum task_overlap)task_word(TASK_OVERLAP, options->overlap);
	config->jitter = options->jitter;
	config->timeout = options->timeout;
	config->enabled = !options->disabled;
}

static enum status read_entry(const struct entry_zones *zones, struct entry *entry,
			      const struct recurring_dynamic *row, struct error *error)
{
	struct recurring_options options = { .time_zone = zones->fallback };
	const struct recurring_reading reading = { .zones = zones->zones };
	struct recurring_timing timing = { 0 };
	struct recurring_task task = row->task;
	struct config_task *config = &entry->config;
	enum status status = STATUS_OK;

	if (!task.class_name)
		return error_set(error, STATUS_INVALID,
				 "it has no class: dray does not run Ruby source");
	if (task.settings)
		status = recurring_options_read(entry->arena, task.settings, &options, error);
	task.key = entry->key;
	if (status == STATUS_OK)
		status = recurring_check(entry->arena, &reading, &task, &options, &timing, error);
	if (status == STATUS_OK)
		status =
			recurring_arguments(entry->arena, task.arguments, &entry->arguments, error);
	if (status != STATUS_OK)
		return status;
	*config = (struct config_task){ .key = entry->key,
					.schedule = timing.timer->text,
					.class = copy(entry->arena, task.class_name),
					.queue = copy(entry->arena, task.queue),
					.has_priority = task.has_priority,
					.priority = task.priority,
					.starts = timing.starts,
					.ends = timing.ends,
					.timer = timing.timer };
	take_settings(entry, &options);
	return STATUS_OK;
}

struct entry *entry_new(const struct entry_zones *zones, const struct recurring_dynamic *row,
			const char *print)
{
	struct arena *arena = arena_new();
	struct entry *entry = arena_alloc(arena, sizeof(*entry));
	struct error error = { 0 };

	*entry = (struct entry){ .arena = arena,
				 .key = arena_strdup(arena, row->task.key),
				 .print = arena_strdup(arena, print),
				 .since = row->since };
	entry->faulty = read_entry(zones, entry, row, &error) != STATUS_OK;
	if (entry->faulty)
		log_event(LOG_ERROR, "recurring.failed", LOG_TEXT("task", entry->key),
			  LOG_TEXT("error", error.text));
	return entry;
}

void entry_free(struct entry *entry)
{
	arena_free(entry->arena);
}
