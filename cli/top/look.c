/* top's figures: reads them again, and keeps the selection. */
#include <string.h>

#include "cli/top/top.h"

#define JOBS 200

static enum status look_at_jobs(struct top *top, struct arena *arena, struct error *error)
{
	bool failures = top->page == TOP_FAILURES;
	const struct job_filter filter = { .has_state = failures,
					   .state = JOB_FAILED,
					   .queue = failures ? NULL : top->queue,
					   .limit = JOBS };

	top->job_count = 0;
	if (!failures && (top->page != TOP_JOBS || !top->queue))
		return STATUS_OK;
	return job_list(top->cli->db, arena, &filter, &top->jobs, &top->job_count, error);
}

enum status top_look(struct top *top, struct error *error)
{
	struct arena *arena = arena_new();
	struct stats stats;
	enum status status = stats_read(top->cli->db, arena, &top->patience, &stats, error);

	if (status == STATUS_OK)
		status = look_at_jobs(top, arena, error);
	if (status != STATUS_OK) {
		arena_free(arena);
		return status;
	}
	top_order(&stats.survey, top->sort, top->reverse);
	arena_free(top->arena);
	top->arena = arena;
	top->stats = stats;
	return STATUS_OK;
}

const struct survey_queue *top_selected(const struct top *top)
{
	const struct survey *survey = &top->stats.survey;

	for (size_t i = 0; i < survey->count && top->queue; i++)
		if (strcmp(survey->queues[i].row.name, top->queue) == 0)
			return &survey->queues[i];
	return NULL;
}
