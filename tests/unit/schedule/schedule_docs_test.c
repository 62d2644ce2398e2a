/* Every row of docs/schedules.md that sets a schedule beside a cron expression is true. */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define ROWS_AT_LEAST 45

/* The text between the next two backticks, of which *at is moved behind the second; or NULL. */
static const char *take_code(struct arena *arena, const char **at, const char *end)
{
	const char *open = memchr(*at, '`', (size_t)(end - *at));
	const char *close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
	if (!close)
		return NULL;
	*at = close + 1;
	return arena_strndup(arena, open + 1, (size_t)(close - open - 1));
}

/* "| `text` | `cron` |...": is it such a row, and does it hold? */
static bool check_row(const struct world *world, const char *line, const char *end)
{
	struct schedule_request request = { 0 };
	const char *at = line;
	if (strncmp(line, "| `", 3) != 0)
		return false;
	request.text = take_code(world->arena, &at, end);
	if (!request.text || strncmp(at, " | `", 4) != 0)
		return false;
	const char *cron = take_code(world->arena, &at, end);
	assert_non_null(cron);
	assert_string_equal(world_schedule(world, request)->cron, cron);
	return true;
}

CASE(test_reference)
{
	const struct world *world = *state;
	int rows = 0;

	for (const char *line = test_read_file(world->arena, SOURCE_DIR "/docs/schedules.md");
	     *line;) {
		const char *end = line + strcspn(line, "\n");
		rows += check_row(world, line, end);
		line = *end ? end + 1 : end;
	}
	assert_true(rows >= ROWS_AT_LEAST);
}

GROUP(world_set_up, world_tear_down);
