/*
 * A second configuration out of one that has been read: with other classes, or with schedules in
 * UTC. No file is read, and it borrows what does not differ. Its texts and schedules have been
 * accepted before, by another process or in another zone.
 */
#include <string.h>

#include "config/config.h"
#include "config/files/reader.h"
#include "schedule/schedule.h"

void config_texts(const struct config *config, struct config_text texts[CONFIG_TEXTS])
{
	texts[CONFIG_JOBS_TEXT] = config->files[1].content;
	texts[CONFIG_RECURRING_TEXT] = config->files[2].content;
}

/* One that says nothing is as good as none. */
static struct node *parse_text(struct reader *reader, const struct config_file *file,
			       const struct config_text *text)
{
	if (!text->text || strspn(text->text, " \t\r\n") == text->length)
		return NULL;
	return reader_parse(reader, file->path, text->text, text->length);
}

static enum status first_mistake(struct report *report, struct error *error)
{
	struct config_problems problems;

	report_list(report, ~0U, &problems);
	for (size_t i = 0; i < problems.count; i++)
		if (!problems.list[i].warning)
			return error_set(error, STATUS_INVALID, "%s", problems.list[i].text);
	return STATUS_OK;
}

enum status config_again(struct config **config, const struct config *base,
			 const struct config_text texts[CONFIG_TEXTS], struct error *error)
{
	struct arena *arena = arena_new();
	struct config *again = arena_alloc(arena, sizeof(*again));
	struct reader reader = {
		.arena = arena, .report = report_new(arena), .config = again, .only_classes = true
	};

	*again = *base;
	again->arena = arena;
	again->classes = NULL;
	again->class_count = 0;
	again->scheduler = NULL;
	again->origins = arena_alloc(arena, sizeof(*again->origins));
	jobs_read(&reader, parse_text(&reader, &base->files[1], &texts[CONFIG_JOBS_TEXT]));
	recurring_read(&reader,
		       parse_text(&reader, &base->files[2], &texts[CONFIG_RECURRING_TEXT]));
	enum status status = first_mistake(reader.report, error);
	if (status == STATUS_OK)
		*config = again;
	else
		config_free(again);
	return status;
}

/*
 * A schedule that was accepted in one zone is accepted in any. NULL all the same: it stays as it
 * is.
 */
static const struct schedule *read_again(struct arena *arena, struct zones *zones,
					 const struct config_task *task, const struct zone *zone)
{
	const struct schedule_request request = {
		.text = task->schedule,
		.key = task->key,
		.zones = zones,
		.zone = zone,
		.gap = (enum schedule_gap)task->dst.gap,
		.overlap = (enum schedule_overlap)task->dst.overlap,
	};
	const struct schedule *timer = NULL;

	return schedule_parse(arena, &request, &timer, NULL, NULL) == STATUS_OK ? timer : NULL;
}

static struct config_scheduler *scheduler_in_zone(struct arena *arena,
						  const struct config_scheduler *scheduler,
						  const struct zone *zone, struct zones *zones)
{
	struct config_scheduler *own = arena_alloc(arena, sizeof(*own));

	*own = *scheduler;
	own->tasks = arena_array(arena, scheduler->task_count + 1, sizeof(*own->tasks));
	for (size_t i = 0; i < scheduler->task_count; i++) {
		struct config_task *task = &own->tasks[i];
		*task = scheduler->tasks[i];
		if (task->time_zone || !task->timer || task->timer->zone_given)
			continue;
		const struct schedule *timer = read_again(arena, zones, task, zone);
		task->timer = timer ? timer : task->timer;
	}
	return own;
}

struct config *config_in_utc(struct arena *arena, const struct config *config)
{
	struct config *own = arena_alloc(arena, sizeof(*own));
	struct zones *zones = zones_new(arena, NULL);

	*own = *config;
	own->process.time_zone = "UTC";
	if (config->scheduler)
		own->scheduler =
			scheduler_in_zone(arena, config->scheduler, zones_utc(zones), zones);
	return own;
}
