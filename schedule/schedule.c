/*
 * A schedule, read once: what the text is, what came of it, and what may have been meant by a text
 * that is none. Suggestions cost few attempts, and only for an error.
 */
#include <string.h>

#include "common/text/byte.h"
#include "common/text/parse.h"
#include "schedule/reading.h"
#include "schedule/schedule.h"

/* Is it a cron expression or a phrase? */

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

/* schedule_parse without suggestions. */
static bool run_reading(struct reading *reading)
{
	if (!check_text(reading))
		return false;
	return is_cron(reading) ? cron_read(reading) : phrase_read(reading);
}

/* What may have been meant: words are exchanged until the text is a schedule */

struct exchange {
	const char *from, *to; /* whole words */
};

static const struct exchange exchanges[] = {
	{ "once a", "every" },
	{ "once an", "every" },
	{ "once every", "every" },
	{ "each", "every" },
	{ "daily", "every day" },
	{ "hourly", "every hour" },
	{ "weekly", "every week" },
	{ "monthly", "every month" },
	{ "yearly", "every year" },
	{ "annually", "every year" },
	{ "nightly", "every day" },
	{ "night", "day" },
	{ "morning", "day" },
	{ "evening", "day" },
	{ "fortnight", "2 weeks" },
	{ "quarter", "3 months" },
	{ "half hour", "30 minutes" },
	{ "two", "2" },
	{ "three", "3" },
	{ "five", "5" },
	{ "ten", "10" },
	{ "fifteen", "15" },
	{ "twenty", "20" },
	{ "thirty", "30" },
	{ "business day", "weekday" },
	{ "every second day", "every other day" },
	{ "every second week", "every other week" },
	{ "every second month", "every other month" },
	{ "every second hour", "every other hour" },
	{ "every second minute", "every other minute" },
	{ "secs", "seconds" },
	{ "mins", "minutes" },
	{ "hrs", "hours" },
	{ "hr", "hour" },
	{ "between", "from" },
	{ "until", "to" },
	{ "till", "to" },
	{ "midday", "noon" },
	{ " o'clock", "" },
	{ "z", "UTC" },
	{ "utc", "UTC" },
	{ "at :", "at minute " },
	{ ".", " " },
};

/* The full names of months and weekdays are no cron, where three letters are. */
static const struct exchange short_names[] = {
	{ "sunday", "sun" },    { "monday", "mon" },     { "tuesday", "tue" },
	{ "wednesday", "wed" }, { "thursday", "thu" },   { "friday", "fri" },
	{ "saturday", "sat" },  { "january", "jan" },    { "february", "feb" },
	{ "march", "mar" },     { "april", "apr" },      { "june", "jun" },
	{ "july", "jul" },      { "august", "aug" },     { "september", "sep" },
	{ "october", "oct" },   { "november", "nov" },   { "december", "dec" },
	{ "*/0", "*" },         { "@every ", "every " },
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Words whose misspellings are noticed. */
static const char *const words[] = {
	"every",    "other",  "seconds", "second",   "minutes",   "minute",   "hours",  "hour",
	"days",     "day",    "weeks",   "week",     "months",    "month",    "year",   "weekday",
	"weekend",  "sunday", "monday",  "tuesday",  "wednesday", "thursday", "friday", "saturday",
	"starting", "noon",   "first",   "midnight", "last",      "from",
};

static bool is_word(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '\'';
}

/* Is the part of a text that begins here the whole of `word`, and no piece of a longer one? */
static bool stands_at(const char *text, size_t at, const char *word)
{
	size_t length = strlen(word);
	if (strncasecmp(text + at, word, length) != 0)
		return false;
	if (!is_word(word[0]))
		return true;
	bool begins = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '/');
	bool ends = !is_word(word[length - 1]) || !is_word(text[at + length]);
	return begins && ends && text[at + length] != '/';
}

static const struct exchange *exchange_at(const char *text, size_t at, const struct exchange *list,
					  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (stands_at(text, at, list[i].from))
			return &list[i];
	return NULL;
}

static const char *exchange_all(const struct reading *reading, const char *from,
				const struct exchange *list, size_t count)
{
	struct text text = { 0 };
	for (size_t at = 0; from[at];) {
		const struct exchange *found = exchange_at(from, at, list, count);
		text_append(&text, found ? found->to : from + at, found ? strlen(found->to) : 1);
		at += found ? strlen(found->from) : 1;
	}
	return text_take(&text, reading->arena);
}

/* A word of the language for a word, if one is near; parts of zones stay as they are. */
static const char *nearest_to(const struct reading *reading, const char *from, size_t at,
			      size_t length)
{
	char *word = arena_strndup(reading->arena, from + at, length);
	if (length < 4 || from[at + length] == '/' || (at > 0 && from[at - 1] == '/'))
		return word;
	for (char *byte = word; *byte; byte++)
		*byte = (char)(*byte | 0x20);
	const char *nearest = nearest_word(word, words, COUNT(words));
	return nearest ? nearest : arena_strndup(reading->arena, from + at, length);
}

static const char *respell(const struct reading *reading, const char *from)
{
	struct text text = { 0 };
	for (size_t at = 0; from[at];) {
		size_t length = 0;
		while (is_word(from[at + length]))
			length++;
		if (length > 0)
			text_add(&text, nearest_to(reading, from, at, length));
		else
			text_append(&text, from + at, 1);
		at += length > 0 ? length : 1;
	}
	return text_take(&text, reading->arena);
}

/* The text if it is a schedule, and another than the one that failed. */
static const char *accepted(const struct reading *reading, const char *text)
{
	struct reading *attempt = arena_alloc(reading->arena, sizeof(*attempt));
	if (strlen(text) > SCHEDULE_TEXT_MAXIMUM || strcmp(text, reading->text) == 0)
		return NULL;
	attempt->arena = reading->arena;
	attempt->request = reading->request;
	attempt->text = text;
	attempt->length = strlen(text);
	attempt->quiet = true;
	return run_reading(attempt) ? text : NULL;
}

/* "at 5 minutes past 3" is 3:05, "at 12 minutes" of any hour is minute 12. */
static const char *reorder(const struct reading *reading, const char *text)
{
	static const char digits[] = "0123456789";
	const char *at = strstr(text, "at ");
	const char *minute = at ? at + strlen("at ") : "";
	int length = (int)strspn(minute, digits);
	const char *rest = minute + length;
	if (length < 1 || length > 2 || strncmp(rest, " minutes", 8) != 0)
		return text;
	rest += 8;
	if (strncmp(rest, " past ", 6) != 0)
		return arena_printf(reading->arena, "%.*sat minute %.*s%s", (int)(at - text), text,
				    length, minute, rest);
	const char *hour = rest + 6;
	int width = (int)strspn(hour, digits);
	return arena_printf(reading->arena, "%.*sat %.*s:%s%.*s%s", (int)(at - text), text, width,
			    hour, length == 1 ? "0" : "", length, minute, hour + width);
}

/* Quartz has a year behind the weekday, mostly a star. */
static const char *without_year(const struct reading *reading, const char *text)
{
	struct part whole = { 0, strlen(text) };
	struct cron_fields fields = cron_split(text, whole, NULL);
	const struct part *last = &fields.chunks[6];
	if (fields.count != 7 || last->length != 1 || text[last->offset] != '*')
		return text;
	return arena_strndup(reading->arena, text, last->offset - 1);
}

/* For what looks like a cron expression. */
static const char *suggest_cron(const struct reading *reading)
{
	const char *text = exchange_all(reading, reading->text, short_names, COUNT(short_names));
	return accepted(reading, without_year(reading, text));
}

/* "PST" at the end is no zone, but what is meant by it is. */
static const char *with_zone(const struct reading *reading)
{
	const char *blank = strrchr(reading->text, ' ');
	const char *meant = blank ? zones_meant(reading->request->zones, blank + 1) : NULL;
	if (!meant)
		return reading->text;
	return arena_printf(reading->arena, "%.*s%s", (int)(blank + 1 - reading->text),
			    reading->text, meant);
}

/* A schedule near to a text that is none, or NULL. In the reading's arena. */
static const char *suggest(const struct reading *reading)
{
	if (reading->length > SCHEDULE_TEXT_MAXIMUM)
		return NULL;
	if (!reading->phrase)
		return suggest_cron(reading);
	const char *text = with_zone(reading);
	const char *exchanged = exchange_all(reading, text, exchanges, COUNT(exchanges));
	const char *respelt = respell(reading, exchanged);
	const char *reordered = reorder(reading, exchanged);
	const char *const attempts[] = {
		text,
		exchanged,
		arena_printf(reading->arena, "every %s", exchanged),
		arena_printf(reading->arena, "every day %s", exchanged),
		respelt,
		arena_printf(reading->arena, "every %s", respelt),
		reordered,
		respell(reading, reordered),
	};
	for (size_t i = 0; i < COUNT(attempts); i++)
		if (accepted(reading, attempts[i]))
			return attempts[i];
	return NULL;
}

/* The schedule */

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

static const struct schedule *keep_schedule(struct arena *arena, const struct reading *reading)
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

static enum status say_fault(struct arena *arena, struct reading *reading,
			     struct schedule_note *fault, struct error *error)
{
	struct schedule_note *found = &reading->fault;
	if (!found->suggestion)
		found->suggestion = suggest(reading);
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
	if (run_reading(reading))
		*schedule = keep_schedule(arena, reading);
	else
		status = say_fault(arena, reading, fault, error);
	arena_free(scratch);
	return status;
}
