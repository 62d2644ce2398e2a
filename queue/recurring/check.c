/* Checks a task before it is stored. */
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/recurring/task.h"

#define NAME_MAXIMUM 255   /* characters */
#define TEXT_MAXIMUM 65535 /* bytes of MySQL's text column */

static bool printable(const char *text, size_t most)
{
	size_t characters = 0;
	size_t fault;

	if (!utf8_valid(text, strlen(text), &fault))
		return false;
	for (const char *at = text; *at != '\0'; at++) {
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			return false;
		characters += (*at & 0xC0) != 0x80;
	}
	return characters > 0 && characters <= most;
}

static enum status check_names(const struct recurring_task *task, struct error *error)
{
	if (!task->key || !printable(task->key, NAME_MAXIMUM))
		return error_set(error, STATUS_INVALID,
				 "the key is not valid, expected 1 to %d printable characters",
				 NAME_MAXIMUM);
	if (!task->class_name)
		return error_set(error, STATUS_INVALID,
				 "the class is missing, expected one or a command");
	if (!printable(task->class_name, NAME_MAXIMUM) || strchr(task->class_name, ' '))
		return error_set(error, STATUS_INVALID,
				 "the class is not valid, expected 1 to %d characters without "
				 "spaces",
				 NAME_MAXIMUM);
	if (task->description && task->description[0] != '\0' &&
	    !printable(task->description, TEXT_MAXIMUM / 4))
		return error_set(error, STATUS_INVALID,
				 "the description is not valid, expected one line of text");
	if (task->arguments && strlen(task->arguments) > TEXT_MAXIMUM)
		return error_set(error, STATUS_INVALID, "the arguments are too long");
	return task->queue ? name_check("queue", task->queue, error) : STATUS_OK;
}

/* NULL is the default. */
static enum status check_word(enum task_key_id id, const char *word, struct error *error)
{
	const char *const *words = task_keys[id].words;

	if (task_word(id, word) >= 0)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "%s is \"%s\", expected one of %s, %s, %s",
			 task_keys[id].shown, word, words[0], words[1], words[2]);
}

/* 0 is the default. */
static enum status check_number(enum task_key_id id, int64_t number, struct error *error)
{
	const struct task_key *key = &task_keys[id];

	if (number == 0 || (number >= task_least(id) && number <= task_most(id)))
		return STATUS_OK;
	if (key->kind == TASK_NUMBER)
		return error_set(error, STATUS_INVALID, "%s is %" PRId64 ", expected %s to %s",
				 key->shown, number, key->least, key->most);
	return error_set(error, STATUS_INVALID, "%s is out of range, expected %s to %s", key->shown,
			 key->least, key->most);
}

static enum status check_options(const struct recurring_options *options, struct error *error)
{
	enum status status = STATUS_OK;

	for (enum task_key_id id = 0; id < TASK_KEYS && status == STATUS_OK; id++) {
		enum task_kind kind = task_keys[id].kind;
		if (kind == TASK_WORD)
			status = check_word(id, recurring_option_text(options, id), error);
		else if (kind != TASK_TEXT)
			status = check_number(id, recurring_option_number(options, id), error);
	}
	return status;
}

static enum status read_time(const char *what, const char *text, int64_t *instant,
			     struct error *error)
{
	if (!text || clock_parse(text, instant) == STATUS_OK)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "%s is \"%.60s\", expected a time such as 2026-11-21T09:00:00Z", what,
			 text);
}

static enum status read_times(const struct recurring_options *options,
			      struct recurring_timing *timing, struct error *error)
{
	timing->starts = INT64_MIN;
	timing->ends = CLOCK_NEVER;
	enum status status = read_time("start_at", options->start_at, &timing->starts, error);
	if (status == STATUS_OK)
		status = read_time("end_at", options->end_at, &timing->ends, error);
	if (status == STATUS_OK && timing->starts > timing->ends)
		status = error_set(error, STATUS_INVALID, "end_at is before start_at");
	return status;
}

static enum status read_schedule(struct arena *arena, const struct recurring_task *task,
				 struct schedule_request *request, const struct schedule **timer,
				 struct error *error)
{
	struct schedule_note fault = { 0 };

	if (!task->schedule)
		return error_set(error, STATUS_INVALID, "the schedule is missing");
	enum status status = schedule_parse(arena, request, timer, &fault, error);
	if (status != STATUS_INVALID || !fault.text)
		return status;
	return error_set(error, status, "schedule: column %u: %s%s%s%s", fault.column, fault.text,
			 fault.suggestion ? "; did you mean \"" : "",
			 fault.suggestion ? fault.suggestion : "", fault.suggestion ? "\"?" : "");
}

void recurring_rails(struct arena *arena, const struct schedule *timer, struct zones *zones,
		     struct recurring_task *task)
{
	task->rails = schedule_rails(arena, timer, zones);
	task->own = !task->rails;
}

/* Can it be a constant of Ruby: "A", "A::B"? */
static bool may_be_ruby(const char *name)
{
	bool starts = true;

	for (const char *at = name; *at != '\0'; at++) {
		if (starts && (*at < 'A' || *at > 'Z'))
			return false;
		starts = at[0] == ':' && at[1] == ':';
		if (starts)
			at++;
		else if (*at == ':')
			return false;
	}
	return !starts;
}

void recurring_rails_dynamic(struct arena *arena, const struct schedule *timer, struct zones *zones,
			     struct recurring_task *task)
{
	recurring_rails(arena, timer, zones, task);
	if (!may_be_ruby(task->class_name))
		task->own = true;
}

enum status recurring_check(struct arena *arena, const struct recurring_reading *reading,
			    const struct recurring_task *task,
			    const struct recurring_options *options,
			    struct recurring_timing *timing, struct error *error)
{
	struct schedule_request request = {
		.text = task->schedule,
		.key = task->key,
		.zones = reading->zones,
		.strict = reading->strict,
	};
	enum status status = check_names(task, error);

	if (status == STATUS_OK)
		status = check_options(options, error);
	if (status == STATUS_OK) {
		request.gap = (enum schedule_gap)task_word(TASK_DST_GAP, options->dst_gap);
		request.overlap =
			(enum schedule_overlap)task_word(TASK_DST_OVERLAP, options->dst_overlap);
		status = read_times(options, timing, error);
	}
	if (status == STATUS_OK && options->time_zone)
		status = zones_find_setting(reading->zones, options->time_zone, &request.zone,
					    error);
	if (status == STATUS_OK)
		status = read_schedule(arena, task, &request, &timing->timer, error);
	return status;
}
