#include "process/lead/alarm.h"

#include "common/clock.h"
#include "common/log/log.h"

/* Before each try; after the last one it is left for a while, or given up if it has ended. */
static const int64_t pauses[] = { 0, CLOCK_SECOND, 10 * CLOCK_SECOND };
static const int64_t whiles[] = { CLOCK_MINUTE, 5 * CLOCK_MINUTE, 15 * CLOCK_MINUTE };
#define WHILES ((int)(sizeof(whiles) / sizeof(whiles[0])))
#define TRIES  ((int)(sizeof(pauses) / sizeof(pauses[0])))

static bool is_pending(const struct alarm *alarm)
{
	return alarm->finding != 0 && !alarm->over;
}

/* It has ended, or could not begin. */
static void note_try(struct alarm *alarm)
{
	const struct command *command = &alarm->command;

	alarm->tries++;
	alarm->over = !command->failed || alarm->tries >= TRIES;
	if (!alarm->over)
		alarm->try_at = clock_monotonic() + pauses[alarm->tries];
	else if (command->failed)
		log_event(LOG_ERROR, "alarm.failed", LOG_TEXT("how", command->how),
			  LOG_INT("attempts", alarm->tries),
			  LOG_TEXT("told", text_string(&alarm->input)));
}

void alarm_tend(struct alarm *alarm, const struct config *config)
{
	if (alarm->command.pid != 0) {
		if (command_ended(&alarm->command))
			note_try(alarm);
	} else if (is_pending(alarm) && clock_monotonic() >= alarm->try_at) {
		if (!command_begin(&alarm->command, config->process.on_alarm,
				   text_string(&alarm->input)))
			note_try(alarm);
	}
}

int64_t alarm_due(const struct alarm *alarm)
{
	if (alarm->command.pid != 0)
		return command_due(&alarm->command);
	return is_pending(alarm) ? alarm->try_at : CLOCK_NEVER;
}

bool alarm_is_free(const struct alarm *alarm)
{
	return !is_pending(alarm) && clock_monotonic() >= alarm->again_at;
}

/* choosing */

static bool is_told_next(const struct kept *kept)
{
	return !kept->told || kept->ended_at != 0;
}

static int64_t came_at(const struct kept *kept)
{
	return kept->told ? kept->ended_at : kept->began_at;
}

static const struct kept *choose(const struct kept_list *list)
{
	const struct kept *chosen = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const struct kept *kept = &list->list[i];
		if (is_told_next(kept) && (!chosen || came_at(kept) < came_at(chosen)))
			chosen = kept;
	}
	return chosen;
}

static void add_time(struct text *text, const char *key, int64_t time)
{
	char iso[CLOCK_TEXT_SIZE];

	if (time != 0)
		clock_format_iso(time, iso);
	text_json_member(text, key, time != 0 ? iso : NULL);
}

static const char *some(const char *text)
{
	return *text ? text : NULL;
}

static void begin(struct alarm *alarm, const struct membership *member, const struct kept *kept)
{
	struct text *text = &alarm->input;

	alarm->finding = kept->id;
	alarm->ended = kept->told;
	alarm->over = false;
	alarm->tries = 0;
	alarm->try_at = 0;
	text_clear(text);
	text_printf(text, "{\"event\":\"%s\"", alarm->ended ? "ended" : "began");
	text_json_member(text, "name", kept->name);
	text_json_member(text, "subject", some(kept->subject));
	text_json_member(text, "queue", some(kept->queue));
	add_time(text, "since", kept->since);
	add_time(text, "began_at", kept->began_at);
	add_time(text, "ended_at", alarm->ended ? kept->ended_at : 0);
	text_json_member(text, "text", kept->text);
	text_json_member(text, "advice", kept->advice);
	text_printf(text, ",\"dead\":%s", kept->dead ? "true" : "false");
	text_json_member(text, "host", member->hostname);
	text_json_member(text, "software", "dray " DRAY_VERSION);
	text_add(text, "}\n");
}

/* One that stands is told later, when the command may work again. */
static enum status write_told(const struct alarm *alarm, struct membership *member,
			      struct kept *kept, struct error *error)
{
	if (alarm->command.failed && kept->ended_at == 0)
		return STATUS_OK;
	if (alarm->ended)
		return kept_forget(member->db, member->epoch, kept, error);
	kept->told = true;
	return kept_mark(member->db, member->epoch, kept, error);
}

/* Before it is written for certain nothing else is told: the text tells its end from others'. */
static enum status finish(struct alarm *alarm, struct membership *member,
			  const struct kept_list *list, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < list->count; i++)
		if (list->list[i].id == alarm->finding)
			status = write_told(alarm, member, &list->list[i], error);
	if (status != STATUS_OK)
		return status;
	alarm->finding = 0;
	if (!alarm->command.failed) {
		alarm->failures = 0;
	} else {
		const int last = alarm->failures < WHILES ? alarm->failures : WHILES - 1;
		alarm->again_at = clock_monotonic() + whiles[last];
		alarm->failures++;
	}
	return STATUS_OK;
}

enum status alarm_tell(struct alarm *alarm, struct membership *member, bool *more,
		       struct error *error)
{
	struct arena *arena = arena_new();
	struct kept_list list;
	enum status status = kept_read(member->db, arena, &list, error);

	if (status == STATUS_OK && alarm->finding != 0)
		status = finish(alarm, member, &list, error);
	*more = true;
	if (status == STATUS_OK && alarm_is_free(alarm)) {
		/* What was just forgotten is still in the list. */
		status = kept_read(member->db, arena, &list, error);
		const struct kept *next = status == STATUS_OK ? choose(&list) : NULL;
		if (next)
			begin(alarm, member, next);
		*more = status != STATUS_OK || next;
	}
	arena_free(arena);
	return status;
}

void alarm_stop(struct alarm *alarm)
{
	command_stop(&alarm->command);
	text_free(&alarm->input);
	*alarm = (struct alarm){ 0 };
}
