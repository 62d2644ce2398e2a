#include <string.h>

#include "config/config.h"
#include "schedule/schedule.h"

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
