#include "schedule/schedule.h"

#include <string.h>

#include "schedule/reading.h"

/* Reading takes much more memory than what comes of it: only that goes to the caller's arena. */
static struct schedule_note keep_note(struct arena *arena, const struct schedule_note *note)
{
	struct schedule_note kept = *note;
	kept.text = arena_strdup(arena, note->text);
	if (note->suggestion)
		kept.suggestion = arena_strdup(arena, note->suggestion);
	return kept;
}

static const char *keep_cron(struct arena *arena, const struct reading *reading)
{
	if (!reading->zone)
		return arena_strdup(arena, reading->canonical);
	return arena_printf(arena, "%s %s", reading->canonical, zone_name(reading->zone));
}

static void keep_lists(struct arena *arena, const struct reading *reading,
		       struct schedule *schedule)
{
	struct cron *crons = arena_array(arena, reading->cron_count, sizeof(*crons));
	struct schedule_note *warnings =
		arena_array(arena, reading->warning_count, sizeof(*warnings));
	memcpy(crons, reading->crons, reading->cron_count * sizeof(*crons));
	for (size_t i = 0; i < reading->warning_count; i++)
		warnings[i] = keep_note(arena, &reading->warnings[i]);
	schedule->crons = crons;
	schedule->cron_count = reading->cron_count;
	schedule->warnings = warnings;
	schedule->warning_count = reading->warning_count;
}

static const struct schedule *keep(struct arena *arena, const struct reading *reading)
{
	const struct schedule_request *request = reading->request;
	const struct zone *zone = request->zone ? request->zone : zones_utc(request->zones);
	struct schedule *schedule = arena_alloc(arena, sizeof(*schedule));
	*schedule = (struct schedule){
		.text = arena_strdup(arena, reading->text),
		.cron = keep_cron(arena, reading),
		.zone = reading->zone ? reading->zone : zone,
		.zone_given = reading->zone != NULL,
		.phrase = reading->phrase,
		.random = reading->randoms > 0,
		.gap = request->compatible ? SCHEDULE_GAP_SKIP : request->gap,
		.overlap = request->compatible ? SCHEDULE_OVERLAP_BOTH : request->overlap,
	};
	keep_lists(arena, reading, schedule);
	return schedule;
}

static enum status tell(struct arena *arena, struct reading *reading, struct schedule_note *fault,
			struct error *error)
{
	struct schedule_note *found = &reading->fault;
	if (!found->suggestion)
		found->suggestion = schedule_suggest(reading);
	if (fault)
		*fault = keep_note(arena, found);
	if (found->suggestion)
		return error_set(error, STATUS_INVALID, "%s; did you mean \"%s\"?", found->text,
				 found->suggestion);
	return error_set(error, STATUS_INVALID, "%s", found->text);
}

enum status schedule_parse(struct arena *arena, const struct schedule_request *request,
			   const struct schedule **schedule, struct schedule_note *fault,
			   struct error *error)
{
	struct arena *scratch = arena_new();
	struct reading *reading = arena_alloc(scratch, sizeof(*reading));
	enum status status = STATUS_OK;
	reading->arena = scratch;
	reading->request = request;
	reading->text = request->text;
	reading->length = strlen(request->text);
	if (reading_run(reading))
		*schedule = keep(arena, reading);
	else
		status = tell(arena, reading, fault, error);
	arena_free(scratch);
	return status;
}
