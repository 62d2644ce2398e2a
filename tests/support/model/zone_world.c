#include "tests/support/model/zone_world.h"

#include "schedule/zone/zones.h"
#include "tests/support/test.h"

int world_set_up(void **state)
{
	static struct world world;

	world.arena = arena_new();
	world.zones = zones_new(world.arena, NULL);
	*state = &world;
	return 0;
}

int world_tear_down(void **state)
{
	struct world *world = *state;

	arena_free(world->arena);
	return 0;
}

const struct schedule *world_schedule(const struct world *world, struct schedule_request request)
{
	const struct schedule *schedule = NULL;

	request.zones = world->zones;
	must(schedule_parse, world->arena, &request, &schedule, NULL);
	return schedule;
}

/* `expected` as assert_runs has it, and more after a comma. */
static void check_run(const struct schedule *schedule, const struct schedule_occurrence *run,
		      const char *expected)
{
	static const char *const marks[] = { [SCHEDULE_PLAIN] = "",
					     [SCHEDULE_MOVED] = " moved",
					     [SCHEDULE_FIRST] = " first",
					     [SCHEDULE_SECOND] = " second" };
	size_t length = strcspn(expected, ",");
	size_t mark = strlen(marks[run->mark]);
	char at[CLOCK_TEXT_SIZE] = "";

	if (mark < length && strncmp(expected + length - mark, marks[run->mark], mark) == 0)
		(void)snprintf(at, sizeof(at), "%.*s", (int)(length - mark), expected);
	int64_t wanted;
	if (clock_parse(at, &wanted) == STATUS_OK && wanted == run->instant)
		return;
	clock_format(run->instant, at);
	fail_msg("\"%s\" runs at %s%s, not %.*s", schedule->text, at, marks[run->mark], (int)length,
		 expected);
}

static const char *nth(const char *runs, size_t n)
{
	while (n-- > 0)
		runs += strcspn(runs, ",") + 2;
	return runs;
}

void assert_runs(const struct schedule *schedule, const char *after, const char *runs)
{
	struct schedule_occurrence run = { .instant = instant(after) };
	size_t count = test_count_text(runs, ",") + 1;

	for (size_t i = 0; i < count; i++) {
		assert_true(schedule_next(schedule, run.instant, &run));
		check_run(schedule, &run, nth(runs, i));
	}
	for (size_t i = count - 1; i-- > 0;) {
		assert_true(schedule_previous(schedule, run.instant, &run));
		check_run(schedule, &run, nth(runs, i));
	}
}

int64_t instant(const char *text)
{
	int64_t value = 0;

	if (clock_parse(text, &value) != STATUS_OK)
		fail_msg("not a time: %s", text);
	return value;
}
