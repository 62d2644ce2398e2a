#include "schedule/schedule.h"

#include <string.h>

#include "schedule/reading.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Fields of minutes and hours have no letters, and phrases begin with little else. */
static bool is_cron(const struct reading *reading)
{
	const char *at = reading->text + strspn(reading->text, " \t\r\n");
	if (*at == '@')
		return true;
	for (int chunk = 0; chunk < 2; chunk++) {
		size_t length = strspn(at, "0123456789*/,~-?");
		bool blank = at[length] == '\0' || is_blank(at[length]);
		if (!blank || (length == 0 && chunk == 0))
			return false;
		at += length;
		at += strspn(at, " \t\r\n");
	}
	return true;
}

static bool check_text(struct reading *reading)
{
	struct part whole = { 0, reading->length };
	if (reading->length > SCHEDULE_TEXT_MAXIMUM)
		return reading_fail(reading, whole, "a schedule has at most %d bytes, not %zu",
				    SCHEDULE_TEXT_MAXIMUM, reading->length);
	if (strspn(reading->text, " \t\r\n") == reading->length)
		return reading_fail(reading, whole, "a schedule is missing");
	return true;
}

bool reading_run(struct reading *reading)
{
	if (!check_text(reading))
		return false;
	return is_cron(reading) ? cron_read(reading) : phrase_read(reading);
}

static const struct schedule *make(struct reading *reading)
{
	const struct schedule_request *request = reading->request;
	struct arena *arena = reading->arena;
	struct schedule *schedule = arena_alloc(arena, sizeof(*schedule));
	struct cron *crons = arena_array(arena, reading->cron_count, sizeof(*crons));
	struct schedule_note *warnings =
		arena_array(arena, reading->warning_count, sizeof(*warnings));
	const struct zone *zone = request->zone ? request->zone : zones_utc(request->zones);
	memcpy(crons, reading->crons, reading->cron_count * sizeof(*crons));
	memcpy(warnings, reading->warnings, reading->warning_count * sizeof(*warnings));
	*schedule = (struct schedule){
		.text = arena_strdup(arena, reading->text),
		.cron = reading->canonical,
		.zone = reading->zone ? reading->zone : zone,
		.zone_given = reading->zone != NULL,
		.phrase = reading->phrase,
		.random = reading->randoms > 0,
		.gap = request->gap,
		.overlap = request->overlap,
		.crons = crons,
		.cron_count = reading->cron_count,
		.warnings = warnings,
		.warning_count = reading->warning_count,
	};
	if (request->compatible) {
		schedule->gap = SCHEDULE_GAP_SKIP;
		schedule->overlap = SCHEDULE_OVERLAP_BOTH;
	}
	if (reading->zone)
		schedule->cron =
			arena_printf(arena, "%s %s", reading->canonical, zone_name(reading->zone));
	return schedule;
}

static enum status tell(struct reading *reading, struct schedule_note *fault, struct error *error)
{
	struct schedule_note *found = &reading->fault;
	if (!found->suggestion)
		found->suggestion = schedule_suggest(reading);
	if (fault)
		*fault = *found;
	if (found->suggestion)
		return error_set(error, STATUS_INVALID, "%s; did you mean \"%s\"?", found->text,
				 found->suggestion);
	return error_set(error, STATUS_INVALID, "%s", found->text);
}

enum status schedule_parse(struct arena *arena, const struct schedule_request *request,
			   const struct schedule **schedule, struct schedule_note *fault,
			   struct error *error)
{
	struct reading *reading = arena_alloc(arena, sizeof(*reading));
	reading->arena = arena;
	reading->request = request;
	reading->text = request->text;
	reading->length = strlen(request->text);
	if (!reading_run(reading))
		return tell(reading, fault, error);
	*schedule = make(reading);
	return STATUS_OK;
}
