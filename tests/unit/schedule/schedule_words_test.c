/* What schedules do, in English. */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const rows[][2] = {
	{ "every second", "every second" },
	{ "*/10 * * * * *", "every 10 seconds" },
	{ "* * * * *", "every minute" },
	{ "every 15 minutes", "every 15 minutes" },
	{ "every hour", "every hour" },
	{ "every 3 hours", "every 3 hours" },
	{ "30 */2 * * *", "at minute 30 of every 2nd hour from 0 every day" },
	{ "12,42 * * * *", "at minute 12 and 42 of every hour" },
	{ "*/45 * * * *", "at minute 0 and 45 of every hour" },
	{ "*/15 9-16 * * 1-5", "every 15 minutes of hours 9 to 16 from Monday to Friday" },
	{ "*/20 * 9 * * *", "every 20 seconds of every minute of hour 9 every day" },
	{ "30 15 10 * * 1-5", "at 10:15:30 from Monday to Friday" },
	{ "*/5 0 9-17 * * *", "every 5 seconds of minute 0 of hours 9 to 17 every day" },
	{ "10,40 * * * * *", "at second 10 and 40 of every minute" },
	{ "every hour at second 30", "at second 30 of minute 0 of every hour" },
	{ "every day at 6 and 18", "at 06:00 and 18:00 every day" },
	{ "0 5 * * *", "at 05:00 every day" },
	{ "every day at 00:40 and 15:20", "at 00:40 every day, and at 15:20 every day" },
	{ "0 0 * * 1,4", "at 00:00 on Monday and Thursday" },
	{ "every weekend at 9", "at 09:00 on Sunday and Saturday" },
	{ "0 12 1,15 * *", "at 12:00 on the 1st and 15th of the month" },
	{ "0 0 L * *", "at 00:00 on the last day of the month" },
	{ "0 0 25-L * *", "at 00:00 on the 25th to 31st of the month" },
	{ "0 0 15W * *", "at 00:00 on the weekday nearest to the 15th of the month" },
	{ "0 0 LW * *", "at 00:00 on the last weekday of the month" },
	{ "0 5 * * mon#2", "at 05:00 on the 2nd Monday of the month" },
	{ "0 5 * * fri#L", "at 05:00 on the last Friday of the month" },
	{ "every 2 weeks on monday", "at 00:00 on Monday of every 2nd week" },
	{ "every other day", "at 00:00 every 2 days" },
	{ "0 0 13 * 5", "at 00:00 on the 13th of the month or on Friday" },
	{ "0 0 13 * 5&", "at 00:00 on the 13th of the month if it is also on Friday" },
	{ "0 0 1 1 *", "at 00:00 on the 1st in January" },
	{ "0 0 * jan-mar *", "at 00:00 every day in January to March" },
	{ "0 0 11-13 12 *", "at 00:00 on the 11th to 13th in December" },
};

CASE(test_words)
{
	const struct world *world = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct schedule_request request = { .text = rows[i][0] };
		assert_string_equal(schedule_words(world->arena, world_schedule(world, request)),
				    rows[i][1]);
	}
}

GROUP(world_set_up, world_tear_down);
