/* Rule 18: Solid Queue's parser (schedule_rails.txt) reads each task's row, and means the same. */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define TABLE       SOURCE_DIR "/tests/unit/schedule_rails.txt"
#define OCCURRENCES 3
#define COLUMNS     (3 + OCCURRENCES)

static const struct schedule *read_schedule(const struct world *world, const char *zone,
					    const char *text, bool compatible)
{
	struct schedule_request request = { .text = text, .key = "task", .compatible = compatible };

	must(zones_find_setting, world->zones, zone, &request.zone);
	return world_schedule(world, request);
}

static void assert_occurrences(const struct schedule *schedule, const char *const occurrences[])
{
	int64_t at = instant("2026-01-01T00:00:00Z");

	for (int i = 0; i < OCCURRENCES; i++) {
		struct schedule_occurrence occurrence;
		assert_true(schedule_next(schedule, at, &occurrence));
		at = occurrence.instant;
		if (at / CLOCK_SECOND != strtoll(occurrences[i], NULL, 10))
			fail_msg("%s: occurrence %d is %lld, to fugit %s", schedule->text, i,
				 (long long)(at / CLOCK_SECOND), occurrences[i]);
	}
}

static void check_line(const struct world *world, char *line)
{
	const char *columns[COLUMNS] = { NULL };

	for (size_t i = 0; i < COLUMNS && line; i++)
		columns[i] = strsep(&line, "\t");
	for (size_t i = 0; i < COLUMNS; i++)
		columns[i] = columns[i] ? columns[i] : "";
	const struct schedule *schedule = read_schedule(world, columns[0], columns[1], false);
	const char *rails = schedule_rails(world->arena, schedule, world->zones);
	if (strcmp(columns[2], "none") == 0) {
		assert_null(rails);
		assert_string_equal(columns[3], "refused");
		return;
	}
	assert_non_null(rails);
	assert_string_equal(rails, columns[2]);
	assert_occurrences(schedule, columns + 3);
	assert_occurrences(read_schedule(world, "UTC", rails, true), columns + 3);
}

CASE(test_the_real_parser_reads_what_is_written)
{
	const struct world *world = *state;
	FILE *file = fopen(TABLE, "re");
	char line[1024];
	size_t lines = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#')
			continue;
		check_line(world, line);
		lines++;
	}
	assert_int_equal(fclose(file), 0);
	assert_true(lines > 60);
}

GROUP(world_set_up, world_tear_down);
