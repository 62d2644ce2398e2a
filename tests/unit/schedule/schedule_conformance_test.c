/*
 * What Solid Queue makes of a schedule (docs/internals/solid-queue.md, 2.10; RK10), row by row: the
 * canonical cron expression, or that there is none (more of these: schedule_faults_test.c).
 * Rows marked so are accepted by us and refused in its compatible mode.
 */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct row {
	const char *text;
	const char *cron; /* NULL: refused */
	bool extension;
	bool warned; /* it does not mean what it seems to say */
};

static const struct row phrases[] = {
	{ "every second", "* * * * * *" },
	{ "every 5 seconds", "*/5 * * * * *" },
	{ "every minute", "* * * * *" },
	{ "every 2 minutes", "*/2 * * * *" },
	{ "every 45 minutes", "*/45 * * * *", .warned = true },
	{ "every hour", "0 * * * *" },
	{ "every 1h", "0 * * * *" },
	{ "every 3 hours", "0 */3 * * *" },
	{ "every 5m", "*/5 * * * *" },
	{ "every day", "0 0 * * *" },
	{ "every day at noon", "0 12 * * *" },
	{ "every day at midnight", "0 0 * * *" },
	{ "every day at 12am", "0 0 * * *" },
	{ "every day at 12pm", "0 12 * * *" },
	{ "every day at 24", "0 24 * * *" },
	{ "every day at 9am", "0 9 * * *" },
	{ "every day at 9:30pm", "30 21 * * *" },
	{ "every day at five thirty", "30 5 * * *" },
	{ "every day at five pm", "0 17 * * *" },
	{ "at 5am every day", "0 5 * * *" },
	{ "at 5 every day", "0 5 * * *" },
	{ "5am every day", "0 5 * * *" },
	{ "every 2 days", "0 0 */2 * *", .warned = true },
	{ "every day at 00:40 and 15:40", "40 0,15 * * *" },
	{ "every day at 6 and 18", "0 6,18 * * *" },
	{ "every day at 00:40 and 15:20", "40 0 * * * | 20 15 * * *", .extension = true },
	{ "every hour at minute 12", "12 * * * *" },
	{ "at minute 12 every hour", "12 * * * *" },
	{ "every hour at minute 12 and 42", "12,42 * * * *" },
	{ "every week", "0 0 * * 0" },
	{ "every month", "0 0 1 * *" },
	{ "every year", "0 0 1 1 *" },
	{ "every 3 months", "0 0 1 */3 *" },
	{ "every monday", "0 0 * * 1" },
	{ "every Monday at 9am", "0 9 * * 1" },
	{ "every Thursday at 1 AM", "0 1 * * 4" },
	{ "every monday and thursday at 9am", "0 9 * * 1,4" },
	{ "every mon,wed,fri at 08:00", "0 8 * * 1,3,5" },
	{ "every weekday", "0 0 * * 1-5" },
	{ "every weekday at 9am", "0 9 * * 1-5" },
	{ "monday to friday at 9am", "0 9 * * 1-5" },
	{ "every mon-fri at noon", "0 12 * * 1-5" },
	{ "every 1st of the month at 5am", "0 5 1 * *" },
	{ "every 15th of the month", "0 0 15 * *" },
	{ "every first of the month at 9am", "0 9 1 * *" },
	{ "every last of the month at noon", "0 12 L * *" },
	{ "on the 1st and 15th at noon", "0 12 1,15 * *" },
	{ "every 1st and 15th of the month at noon", "0 12 1 * *", .warned = true },
	{ "every day from the 25th to the last", "0 0 25-L * *" },
	{ "every hour from 9am to 5pm", "0 9-17 * * *" },
	{ "every 15 minutes from 9 to 17", "*/15 9-16 * * *", .warned = true },
	{ "from 9am to 5pm every 30 minutes", "*/30 9-16 * * *", .warned = true },
	{ "every 4 hours from 6 to 18", "0 6-18 * * *", .warned = true },
	{ "every 5 minutes starting at minute 2", "2/5 * * * *" },
	{ "every day at 9am America/New_York", "0 9 * * * America/New_York" },
	{ "every day at 9am in America/New_York", "0 9 * * * America/New_York" },
	{ "every day at 9am UTC", "0 9 * * * UTC" },
	{ "every day at 9am +09:00", "0 9 * * * +09:00" },
};

/* Words of the language beyond the table above, each tried with the model. */
static const struct row more[] = {
	{ "at noon", "0 12 * * *" },
	{ "23:59", "59 23 * * *" },
	{ "at 9:15, 9:45 and 17:15 or 17:45", "15,45 9,17 * * *" },
	{ "every day at 12 midnight", "0 24 * * *" },
	{ "every day at 12:15 noon", "15 12 * * *" },
	{ "every day at 24:30", "30 24 * * *" },
	{ "every day at oh dark thirty", "30 0 * * *" },
	{ "every day at five hundred", "0 5 * * *" },
	{ "every hour, on monday", "0 * * * 1" },
	{ "every 6 hours at min 20", "20 */6 * * *" },
	{ "every minute at second 15 and 45", "15,45 * * * * *" },
	{ "every day at 9 at second 30", "30 0 9 * * *" },
	{ "at minute 5", "5 * * * *" },
	{ "every weekday at minute 0 and 30", "0,30 * * * 1-5" },
	{ "every 1 week", "0 0 * * 0" },
	{ "every 1 year at noon", "0 12 1 1 *" },
	{ "every year on the 5th", "0 0 5 1 *" },
	{ "every month on days 2,16 at 8", "0 8 2,16 * *" },
	{ "every 2 months on the 5th and the last", "0 0 5,L */2 *" },
	{ "from monday through friday at 7", "0 7 * * 1-5" },
	{ "from the 25th to the 3rd", "0 0 25-3 * *" },
	{ "the 1st to the 15th at noon", "0 12 1-15 * *" },
	{ "from 9 to 17", "0 9-17 * * *" },
	{ "every monday 9am to 5pm", "0 9-17 * * 1" },
	{ "every weekday 9am to 5pm on the hour", "0 9-17 * * 1-5" },
	{ "every weekday 9am to 5pm on the minute", "* 9-16 * * 1-5", .warned = true },
	{ "every weekday 9am to 5pm on minute 10 and 40", "10,40 9-16 * * 1-5", .warned = true },
	{ "every hour from 0 to 24", "0 0-24 * * *" },
	{ "every 2 hours from hour 3", "0 3/2 * * *" },
	{ "every month from month 6", "0 0 1 6/1 *" },
	{ "every monday on the 1st", "0 0 1 * 1", .warned = true },
	{ "every week on the 1st", "0 0 1 * 0", .warned = true },
	{ "every month on monday", "0 0 * * 1", .warned = true },
	{ "every 5 seconds on monday", "*/5 0 0 * * 1", .warned = true },
	{ "every second from 9 to 17", "* 0 9-17 * * *", .warned = true },
	{ "every 2nd and 16th of the month on the 8th", "0 0 2,8 * *", .warned = true },
	{ "friday to friday at 9", "0 9 * * 5" },
	{ "the 5th to the 5th at noon", "0 12 5 * *" },
	{ "monday to friday, sunday at 9", "0 9 * * 1-5,0", .extension = true },
	{ "5th to 10th and 15th at noon", "0 12 5-10,15 * *", .extension = true },
	{ "on Monday", "0 0 * * 1", .extension = true },
	{ "monday at 9", "0 9 * * 1", .extension = true },
	{ "every 2nd", "0 0 2 * *", .extension = true },
	{ "every day at seven forty-five", "45 7 * * *", .extension = true },
	{ "0 0 -7/2 * *", "0 0 -7,-5,-3,L * *", .extension = true },
	{ "every day at 9am +09", "0 9 * * * +09:00", .extension = true },
	{ "every weekday on monday" },
	{ "every hour at 5" },
	{ "every 9 noon" },
	{ "at minute 5 on minute 10" },
	{ "every day on the hour" },
};

static const struct row crons[] = {
	{ "15/30 * * * *", "15,45 * * * *" },
	{ "10-50/20 * * * *", "10,30,50 * * * *" },
	{ "0 22-4 * * *", "0 22,23,0,1,2,3,4 * * *" },
	{ "/15 * * * *", "*/15 * * * *" },
	{ "* 1,2,,3 * * *", "* 1,2,3 * * *" },
	{ "0 5 * * mon#1", "0 5 * * 1#1" },
	{ "0 5 * * 1#-1", "0 5 * * 1#-1" },
	{ "0 5 * * fri#L", "0 5 * * 5#-1" },
	{ "0 5 * * sun%2", "0 5 * * 0%2" },
	{ "0 5 * * mon%2+1", "0 5 * * 1%2+1" },
	{ "0 0 L * *", "0 0 L * *" },
	{ "0 0 last * *", "0 0 L * *" },
	{ "0 0 -7-L * *", "0 0 -7-L * *" },
	{ "0 0 25-L * *", "0 0 25-L * *" },
	{ "0 0 13 * 5&", "0 0 13 * 5&" },
	{ "0 0 13& * 5", "0 0 13& * 5" },
	{ "0 0 29 2 *", "0 0 29 2 *" },
	{ "0 24 * * *", "0 24 * * *" },
	{ "0 0 * jan-mar sat-mon", "0 0 * 1-3 6,0,1" },
	{ "5 4 * * 7", "5 4 * * 7" },
	{ "30 15 10 * * *", "30 15 10 * * *" },
	{ "0 9 * * * +0930", "0 9 * * * +09:30" },
	{ "0 9 * * MON Europe/Madrid", "0 9 * * 1 Europe/Madrid" },
	{ "0 0 9 * * MON Europe/Madrid", "0 0 9 * * 1 Europe/Madrid" },
	{ "  0\t9  * * *  ", "0 9 * * *" },
	{ "@yearly", "0 0 1 1 *" },
	{ "@annually", "0 0 1 1 *" },
	{ "@monthly", "0 0 1 * *" },
	{ "@weekly", "0 0 * * 0" },
	{ "@daily", "0 0 * * *" },
	{ "@midnight", "0 0 * * *" },
	{ "@noon", "0 12 * * *" },
	{ "@hourly", "0 * * * *" },
	{ "@daily America/New_York", "0 0 * * * America/New_York" },
	{ "* * * * *", "* * * * *" },
	{ "*/45 * * * *", "*/45 * * * *" },
	{ "0 0 * * 1/2", "0 0 * * 1", .warned = true },
	{ "0 0 13 * *,5", "0 0 13 * *,5", .warned = true },
	{ "0 0 31 feb,mar mon", "0 0 31 2,3 1", .warned = true },
	{ "0 0 31 * */1", "0 0 31 * */1" },
	{ "0 0 31 * /1", "0 0 31 * */1" },
	{ "0 0 31 2,3 */1,*", "0 0 31 2,3 */1,*", .warned = true },
	{ "0 24/7 * * *" },
};

static const struct row refused[] = {
	{ "every weekdays" },
	{ "every weekend", "0 0 * * 6,0", .extension = true },
	{ "last day of the month at noon", "0 12 L * *", .extension = true },
	{ "every 2 weeks", "0 0 * * 0%2", .extension = true },
	{ "every other day", "0 0 *%2 * *", .extension = true },
	{ "tomorrow" },
	{ "in 5 minutes" },
	{ "5m" },
	{ "2030-01-01 00:00:00" },
	{ "0 0 ? * MON", "0 0 * * 1", .extension = true },
	{ "0 0 15W * *", "0 0 15W * *", .extension = true },
	{ "0 0 * * sunday" },
	{ "0 0 1 january *" },
	{ "0 9 * * * Europe/Nowhere" },
	{ "0 0 0 1 1 * 2030" },
};

static enum status parse(struct world *world, const char *text, bool compatible, bool strict,
			 const struct schedule **schedule)
{
	struct schedule_request request = {
		.text = text, .zones = world->zones, .strict = strict, .compatible = compatible
	};
	struct error error;
	return schedule_parse(world->arena, &request, schedule, NULL, &error);
}

static void check_row(struct world *world, const struct row *row)
{
	const struct schedule *schedule = NULL;
	enum status status = parse(world, row->text, false, false, &schedule);
	if (status != (row->cron ? STATUS_OK : STATUS_INVALID))
		fail_msg("\"%s\": %s", row->text, status_name(status));
	if (!row->cron)
		return;
	if (strcmp(schedule->cron, row->cron) != 0)
		fail_msg("\"%s\" is \"%s\", not \"%s\"", row->text, schedule->cron, row->cron);
	if ((schedule->warning_count > 0) != row->warned)
		fail_msg("\"%s\": %zu warnings", row->text, schedule->warning_count);
	if (parse(world, row->text, true, false, &schedule) !=
	    (row->extension ? STATUS_INVALID : STATUS_OK))
		fail_msg("\"%s\" in compatible mode", row->text);
	if (parse(world, row->text, false, true, &schedule) !=
	    (row->warned ? STATUS_INVALID : STATUS_OK))
		fail_msg("\"%s\" in strict mode", row->text);
}

CASE(test_phrases)
{
	for (size_t i = 0; i < COUNT(phrases); i++)
		check_row(*state, &phrases[i]);
}

CASE(test_more)
{
	for (size_t i = 0; i < COUNT(more); i++)
		check_row(*state, &more[i]);
}

CASE(test_crons)
{
	for (size_t i = 0; i < COUNT(crons); i++)
		check_row(*state, &crons[i]);
}

CASE(test_refused)
{
	for (size_t i = 0; i < COUNT(refused); i++)
		check_row(*state, &refused[i]);
}

/* What is canonical is read back as the same. */
CASE(test_canonical)
{
	const struct row *const tables[] = { phrases, crons };
	const size_t counts[] = { COUNT(phrases), COUNT(crons) };
	struct world *world = *state;
	for (size_t t = 0; t < COUNT(tables); t++)
		for (size_t i = 0; i < counts[t]; i++) {
			const struct row *row = &tables[t][i];
			struct row again = { row->cron, row->cron, row->extension, false };
			if (!row->cron || row->warned)
				continue;
			if (strstr(row->cron, "2/5"))
				again.cron = "2,7,12,17,22,27,32,37,42,47,52,57 * * * *";
			check_row(world, &again);
		}
}

struct run {
	const char *text, *after, *runs;
};

/* RK14 (solid-queue.md, 2.11): times as the model gives them; zones with daylight saving are in
 * schedule_zones_test.c. */
static const struct run runs[] = {
	{ "*/45 * * * *", "2026-11-21 08:00",
	  "2026-11-21 08:45, 2026-11-21 09:00, 2026-11-21 09:45" },
	{ "*/7 * * * * *", "2026-11-21 08:00:50",
	  "2026-11-21 08:00:56, 2026-11-21 08:01, 2026-11-21 08:01:07" },
	{ "0 0 29 2 *", "2026-11-21", "2028-02-29, 2032-02-29, 2036-02-29, 2040-02-29" },
	{ "0 0 29 2 *", "2096-03-01", "2104-02-29" },
	{ "0 0 * * mon%2", "2026-11-01", "2026-11-09, 2026-11-23" },
	{ "0 0 * * mon%2+1", "2026-11-01", "2026-11-02, 2026-11-16" },
	{ "0 0 L * *", "2027-12-31", "2028-01-31, 2028-02-29, 2028-03-31" },
	{ "0 0 -7-L * *", "2026-02-21", "2026-02-22, 2026-02-23" },
	{ "0 0 13 * 5&", "2026-01-01", "2026-02-13, 2026-03-13, 2026-11-13" },
	{ "0 0 13 * 5", "2026-11-12", "2026-11-13, 2026-11-20, 2026-11-27" },
	{ "0 0 * * mon#1", "2026-11-03", "2026-12-07" },
	{ "0 0 * * fri#L", "2026-11-03", "2026-11-27, 2026-12-25" },
	{ "0 0 * * mon#5", "2026-11-03", "2026-11-30, 2027-03-29" },
	{ "0 0 15W * *", "2026-01-01", "2026-01-15, 2026-02-16, 2026-03-16" },
	{ "0 0 1W * *", "2026-07-02", "2026-08-03" },
	{ "0 0 31W * *", "2026-04-01", "2026-05-29, 2026-07-31" },
	{ "0 0 LW * *", "2026-01-01", "2026-01-30, 2026-02-27, 2026-03-31" },
	{ "every other day", "2026-12-30", "2026-12-31, 2027-01-02, 2027-01-04" },
	{ "every weekend at 9am", "2026-11-20",
	  "2026-11-21 09:00, 2026-11-22 09:00, 2026-11-28 09:00" },
	{ "every day at 00:40 and 15:20", "2026-11-21",
	  "2026-11-21 00:40, 2026-11-21 15:20, 2026-11-22 00:40" },
	{ "every day at 24", "2026-11-21", "2026-11-22, 2026-11-23" },
	{ "0 22-4/2 * * *", "2026-11-21 22:00", "2026-11-22, 2026-11-22 02:00, 2026-11-22 04:00" },
	{ "0 0 1 */3 *", "2026-11-21", "2027-01-01, 2027-04-01" },
	{ "* * * * *", "2026-11-21 08:00:00.000001", "2026-11-21 08:01" },
	{ "* * * * *", "2026-11-21 07:59:59.999999", "2026-11-21 08:00" },
	{ "0 9 * * * +09:00", "2026-11-21", "2026-11-22, 2026-11-23" },
	{ "on the first monday of the month", "2026-11-03", "2026-12-07" },
	{ "every 3rd friday of the month", "2026-11-03", "2026-11-20, 2026-12-18" },
	{ "every last friday of the month at noon", "2026-11-03", "2026-11-27 12:00" },
	{ "every other monday at 9am", "2026-11-01", "2026-11-09 09:00" },
	{ "0 0 * * sun%2", "2026-01-01", "2026-01-11, 2026-01-25" },
	{ "0 0 1-31 * 5", "2026-01-01", "2026-01-02, 2026-01-09" },
	{ "0 0 13 * */1", "2026-01-01", "2026-01-02, 2026-01-03" },
	{ "0 0 13 * *,5", "2026-01-01", "2026-01-02, 2026-01-09, 2026-01-13" },
	{ "0 0 31 feb,mar mon", "2026-01-01", "2026-03-02, 2026-03-09" },
	{ "0 0 31 * mon", "2026-01-26", "2026-01-31, 2026-02-02" },
};

CASE(test_runs)
{
	for (size_t i = 0; i < COUNT(runs); i++)
		assert_runs(
			world_schedule(*state, (struct schedule_request){ .text = runs[i].text }),
			runs[i].after, runs[i].runs);
}

GROUP(world_set_up, world_tear_down);
