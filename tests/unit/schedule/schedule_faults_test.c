/* What is said about a text that is no schedule (RK10): what, where, and what would be right. */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct fault {
	const char *text;
	unsigned line, column;
	const char *part; /* of the text, that the note points at */
	const char *says;
	const char *suggestion; /* NULL: none */
};

static const struct fault faults[] = {
	{ "60 * * * *", 1, 1, "60", "60 is no minute: 0 to 59", NULL },
	{ "0 0 * 13 *", 1, 7, "13", "13 is no month: 1 to 12", NULL },
	{ "0 0 1,45 * *", 1, 7, "45", "45 is no day of the month: 1 to 31", NULL },
	{ "*/0 * * * *", 1, 1, "*/0", "a step is 1 to 99, not 0", "* * * * *" },
	{ "0 9 * * sunday", 1, 9, "s", "did you mean \"sun\"?", "0 9 * * sun" },
	{ "0 9 1 january *", 1, 7, "j", "did you mean \"jan\"?", "0 9 1 jan *" },
	{ "0 9 1 jna *", 1, 7, "j", "\"jna\" is no month", NULL },
	{ "0 0 31 4 *", 1, 5, "31 4 *", "never runs", NULL },
	{ "0 0 30 2 *", 1, 5, "30 2 *", "never runs", NULL },
	{ "0 0 -31 2 *", 1, 5, "-31 2 *", "never runs", NULL },
	{ "0 0 31 2,4 *", 1, 5, "31 2,4 *", "never runs", NULL },
	{ "0 0 29 2 mon#4&", 1, 5, "29 2 mon#4&", NULL, NULL },
	{ "0 0 L-3 * *", 1, 5, "L-3", "begin with a day from the end", NULL },
	{ "0 0 3--5 * *", 1, 5, "3--5", "can end with L", NULL },
	{ "0 0 * * * * 2030", 1, 1, "0 0 * * * * 2030", "7 fields", NULL },
	{ "0 0 0 * * ? *", 1, 1, "0 0 0 * * ? *", "7 fields", "0 0 0 * * ?" },
	{ "every night at 2", 1, 7, "night", "not understood", "every day at 2" },
	{ "every thirty minutes", 1, 7, "thirty", "not understood", "every 30 minutes" },
	{ "every 30 minuts", 1, 10, "minuts", "not understood", "every 30 minutes" },
	{ "* * *", 1, 1, "* * *", "3 fields", NULL },
	{ "0 9 * * * Europe/Madrit", 1, 11, "Europe/Madrit", "did you mean Europe/Madrid?", NULL },
	{ "0 9 * * * europe/madrid", 1, 11, "europe/madrid", "did you mean Europe/Madrid?", NULL },
	{ "@reboot", 1, 1, "@reboot", "names no occurrence", NULL },
	{ "@dayly", 1, 1, "@dayly", "no shortcut", "@daily" },
	{ "@every 5m", 1, 1, "@every", "no shortcut", "every 5m" },
	{ "@daily at noon", 1, 11, "noon", "only a time zone follows", NULL },
	{ "every weekdays at 9am", 1, 7, "weekdays", "not understood", "every weekday at 9am" },
	{ "weekdays at 9am", 1, 1, "weekdays", "not understood", "every weekday at 9am" },
	{ "every 10 secs", 1, 10, "secs", "not understood", "every 10 seconds" },
	{ "every 1.minute", 1, 8, ".", "not understood", "every 1 minute" },
	{ "once a year", 1, 1, "once", "not understood", "every year" },
	{ "every day at 9am Z", 1, 18, "Z", "not understood", "every day at 9am UTC" },
	{ "every day at 9am PST", 1, 18, "PST", "not understood",
	  "every day at 9am America/Los_Angeles" },
	{ "daily at 9am UTC+2", 1, 1, "daily", "not understood", "every day at 9am +02:00" },
	{ "every day at 9am Berlin", 1, 18, "Berlin", NULL, "every day at 9am Europe/Berlin" },
	{ "0 9 * * * PST", 1, 11, "PST", "did you mean America/Los_Angeles?", NULL },
	{ "every hour at :15", 1, 15, ":", "not understood", "every hour at minute 15" },
	{ "every hour at 12 minutes", 1, 18, "minutes", "not understood",
	  "every hour at minute 12" },
	{ "every mondays at 12 minutes", 1, 7, "mondays", "not understood",
	  "every monday at minute 12" },
	{ "every day at 5 minutes past 3", 1, 16, "minutes", "not understood",
	  "every day at 3:05" },
	{ "from Monday to Friday at 9 o'clock", 1, 28, "o'clock", "not understood",
	  "from Monday to Friday at 9" },
	{ "evry mondey at 9am", 1, 1, "evry", "not understood", "every monday at 9am" },
	{ "every second day", 1, 14, "day", "not understood", "every other day" },
	{ "every second monday at 9", 1, 7, "second", "every second what?",
	  "every other monday at 9" },
	{ "every second week", 1, 14, "week", "not understood", "every other week" },
	{ "every 2nd monday", 1, 1, "every 2nd monday", "of the month, or", NULL },
	{ "every third day", 1, 1, "every third day", "of the month, or", NULL },
	{ "every 5m30s", 1, 9, "30", "not understood", NULL },
	{ "every day\n  at 25:00", 2, 6, "25:00", "hours 0 to 24", NULL },
	{ "every d\xc3\xa4y at no\xc3\xb6n", 1, 8, "\xc3\xa4", "not understood", NULL },
	{ "\xe2\x82\xac\xe2\x82\xac * * * *", 1, 1, "\xe2\x82\xac", NULL, NULL },
	{ "every day at 13pm", 1, 14, "13pm", "1 to 12", NULL },
	{ "every 100 minutes", 1, 1, "every 100 minutes", "1 to 99", NULL },
	{ "every 2 years", 1, 1, "every 2 years", NULL, NULL },
	{ "every 15 minutes at 9am", 1, 21, "9am", "which?", "every day at 9am" },
	{ "every hour at minute 5 from 9 to 17", 1, 22, "5", "at other ones", "5 9-17 * * *" },
	{ "every day at hour 5", 1, 14, "hour 5", "forgotten", "every day at 5" },
	{ "every weekday on friday", 1, 1, "every weekday on friday", "is lost", NULL },
	{ "every 2 minutes starting at second 2", 1, 17, "starting at", "starts \"at minute",
	  NULL },
	{ "Europe/Madrid", 1, 1, "Europe/Madrid", "when?", "every day Europe/Madrid" },
	{ "every hour every minute", 1, 12, "every", "a second interval", NULL },
	{ "every other day on monday", 1, 20, "monday", "which?", NULL },
	{ "every day at 9am UTC UTC", 1, 22, "UTC", "a second time zone", NULL },
	{ "", 1, 1, "", "is missing", NULL },
	{ "  ", 1, 1, "  ", "is missing", NULL },
};

static bool same(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

static void check_note(const struct fault *row, const struct schedule_note *note)
{
	const char *part = row->text + note->offset;
	if (note->line != row->line || note->column != row->column)
		fail_msg("\"%s\": line %u, column %u", row->text, note->line, note->column);
	if (row->part &&
	    (strlen(row->part) != note->length || strncmp(part, row->part, note->length) != 0))
		fail_msg("\"%s\": at \"%.*s\"", row->text, (int)note->length, part);
	if (!same(note->suggestion, row->suggestion))
		fail_msg("\"%s\": suggests \"%s\"", row->text,
			 note->suggestion ? note->suggestion : "nothing");
	if (row->says)
		assert_contains(note->text, row->says);
}

CASE(test_faults)
{
	struct world *world = *state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		const struct schedule *schedule = NULL;
		struct schedule_note note = { 0 };
		struct error error = { 0 };
		struct schedule_request request = { .text = faults[i].text, .zones = world->zones };
		enum status status =
			schedule_parse(world->arena, &request, &schedule, &note, &error);
		if (status != STATUS_INVALID)
			fail_msg("\"%s\" is accepted", faults[i].text);
		assert_contains(error.text, note.text);
		check_note(&faults[i], &note);
	}
}

/* What is suggested is itself a schedule. */
CASE(test_suggestions)
{
	for (size_t i = 0; i < COUNT(faults); i++)
		if (faults[i].suggestion)
			(void)world_schedule(
				*state, (struct schedule_request){ .text = faults[i].suggestion,
								   .strict = true });
}

/* Accepted, with a warning; refused where the request is strict, with the same note. */
static const struct fault warnings[] = {
	{ "every 45 minutes", 1, 1, "every 45 minutes", "minute 0,45 of each", NULL },
	{ "every 90 minutes", 1, 1, "every 90 minutes", "minute 0 of each", NULL },
	{ "every 7 hours", 1, 1, "every 7 hours", "hour 0,7,14,21 of each", NULL },
	{ "every 5 months", 1, 1, "every 5 months", "month 1,6,11 of each", NULL },
	{ "every 2 days at noon", 1, 1, "every 2 days", "starts again with each month",
	  "every other day at noon" },
	{ "every 1st and 15th of the month at noon", 1, 1, "every 1st and 15th of the month",
	  "are lost", "on the 1st and 15th of the month at noon" },
	{ "every 4 hours from 6 to 18", 1, 1, "every 4 hours", "the 4 is lost", "0 6-18/4 * * *" },
	{ "every weekday every 15 minutes from 9 to 17 Europe/Madrid", 1, 32, "from 9 to 17",
	  "ends before 17:00", "*/15 9-16 * * 1-5 Europe/Madrid" },
	{ "every monday on the 1st", 1, 14, "on the 1st", "whatever day of the month",
	  "0 0 1 * 1&" },
	{ "every month on friday at 9", 1, 1, "every month", "not once in it", NULL },
	{ "every 5 seconds on friday", 1, 1, "every 5 seconds", "first minute of the day",
	  "*/5 * * * * 5" },
	{ "0 0 * * 1/2", 1, 9, "1/2", "is lost", "0 0 * * 1-6/2" },
	{ "0 0 1 * *,5", 1, 9, "*,5", "a star is lost", NULL },
	{ "0 0 31 2,3 1", 1, 5, "31 2,3 1", "does not run on the weekdays", NULL },
	{ "*/90 * * * *", 1, 1, "*/90", "means minute 0 and no other", NULL },
};

CASE(test_warnings)
{
	struct world *world = *state;
	for (size_t i = 0; i < COUNT(warnings); i++) {
		const struct schedule *refused = NULL;
		struct schedule_note note = { 0 };
		struct schedule_request request = { .text = warnings[i].text,
						    .zones = world->zones };
		const struct schedule *schedule = world_schedule(world, request);
		assert_int_equal(schedule->warning_count, 1);
		check_note(&warnings[i], &schedule->warnings[0]);
		request.strict = true;
		must_be(STATUS_INVALID, schedule_parse, world->arena, &request, &refused, &note);
		assert_string_equal(note.text, schedule->warnings[0].text);
		request.text = warnings[i].suggestion;
		if (request.text)
			(void)world_schedule(world, request);
	}
}

/* The column of the database holds 255 bytes. */
CASE(test_length)
{
	struct world *world = *state;
	const struct schedule *schedule = NULL;
	struct error error = { 0 };
	char commas[SCHEDULE_TEXT_MAXIMUM] = { 0 };
	memset(commas, ',', SCHEDULE_TEXT_MAXIMUM - strlen("0 * * * *"));
	struct schedule_request request = { .zones = world->zones };
	request.text = arena_printf(world->arena, "0%s * * * *", commas);
	assert_int_equal(strlen(request.text), SCHEDULE_TEXT_MAXIMUM);
	(void)world_schedule(world, request);
	request.text = arena_printf(world->arena, "0%s * * * * ", commas);
	assert_status(schedule_parse(world->arena, &request, &schedule, NULL, &error),
		      STATUS_INVALID, &error);
	assert_string_equal(error.text, "a schedule has at most 255 bytes, not 256");
}

/* Ten thousand tasks are kept, and a broken one may be read again and again. */
CASE(test_memory)
{
	struct world *world = *state;
	const struct schedule *schedule = NULL;
	struct arena *arena = arena_new();
	struct schedule_request request = { .text = "every weekday at 9am Europe/Madrid",
					    .zones = world->zones };
	assert_ok(schedule_parse(arena, &request, &schedule, NULL, NULL), NULL);
	assert_in_range(arena_used(arena), 1, 1024);
	size_t used = arena_used(arena);
	request.text = "every weekdays at 9am Europe/Madrit";
	assert_status(schedule_parse(arena, &request, &schedule, NULL, NULL), STATUS_INVALID, NULL);
	assert_int_equal(arena_used(arena), used);
	arena_free(arena);
}

/* ~ is the same in every process that asks for the same task, and another for another. */
CASE(test_random)
{
	static const char *const keys[] = { "reports", "cleanup", "mail", "backup", "sync" };
	const char *seen[COUNT(keys)];
	size_t different = 0;
	for (size_t i = 0; i < COUNT(keys); i++) {
		const struct schedule_request request = { .text = "~ ~ * * *", .key = keys[i] };
		const struct schedule *schedule = world_schedule(*state, request);
		assert_true(schedule->random);
		seen[i] = schedule->cron;
		different += i > 0 && strcmp(seen[i], seen[0]) != 0;
		assert_string_equal(world_schedule(*state, request)->cron, seen[i]);
	}
	assert_true(different > 0);
	assert_string_equal(seen[0], "6 2 * * *"); /* for ever: changing it moves tasks */
}

struct bounded {
	const char *text;
	int low, high;
};

/* Within its bounds whatever the key. */
CASE(test_random_bounds)
{
	static const struct bounded rows[] = {
		{ "10~20 * * * *", 10, 20 }, { "~5 * * * *", 0, 5 },  { "55~ * * * *", 55, 59 },
		{ "~/15 * * * *", 0, 14 },   { "7~7 * * * *", 7, 7 },
	};
	for (int i = 0; i < 500; i++) {
		char key[32];
		(void)snprintf(key, sizeof(key), "task-%d", i);
		const struct bounded *row = &rows[(size_t)i % COUNT(rows)];
		const struct schedule_request request = { .text = row->text, .key = key };
		struct schedule_occurrence occurrence;
		assert_true(schedule_next(world_schedule(*state, request), -1, &occurrence));
		assert_in_range(occurrence.instant / 60000000, row->low, row->high);
	}
}

GROUP(world_set_up, world_tear_down);
