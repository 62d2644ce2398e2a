#include "tests/support/model/fugit_model.h"

#include "tests/support/test.h"

/*
 * Where the model is wrong and we are not: from a day that does not match it goes to the midnight
 * of the next, and passes over the whole of a day that has none (2026-04-24 in Cairo).
 */
static const char *const defects[] = { "* */22 -7-L 4 fri%4+1 Africa/Cairo" };

static bool is_defect(const char *text)
{
	for (size_t i = 0; i < sizeof(defects) / sizeof(defects[0]); i++)
		if (strcmp(defects[i], text) == 0)
			return true;
	return false;
}

/* The text up to the next tab or the end of the line, whose place *at becomes. */
static const char *take_column(struct arena *arena, const char **at, const char *stops)
{
	size_t length = strcspn(*at, stops);
	const char *column = arena_strndup(arena, *at, length);

	*at += length;
	*at += **at != '\0';
	return column;
}

static void check_runs(const struct schedule *schedule, const char *text, int64_t after,
		       const char *runs, bool *bad)
{
	struct arena *arena = arena_new();
	struct schedule_occurrence occurrence = { .instant = after };

	while (*runs) {
		const char *expected = take_column(arena, &runs, " ");
		char found[CLOCK_TEXT_SIZE];

		assert_true(schedule_next(schedule, occurrence.instant, &occurrence));
		clock_format(occurrence.instant, found);
		if (occurrence.instant != instant(expected) && !is_defect(text)) {
			print_error("\"%s\" runs at %s, for the model at %s\n", text, found,
				    expected);
			*bad = true;
			break;
		}
	}
	arena_free(arena);
}

static void check_line(const struct world *world, const char *line, bool *bad)
{
	struct schedule_request request = { .zones = world->zones, .compatible = true };
	const struct schedule *schedule = NULL;
	struct error error;

	request.text = take_column(world->arena, &line, "\t");
	int64_t after = instant(take_column(world->arena, &line, "\t"));
	enum status status = schedule_parse(world->arena, &request, &schedule, NULL, &error);
	enum status expected = strcmp(line, "-") == 0 ? STATUS_INVALID : STATUS_OK;
	if (status != expected) {
		print_error("\"%s\" is %s, for the model %s\n", request.text, status_name(status),
			    status_name(expected));
		*bad = true;
	} else if (status == STATUS_OK)
		check_runs(schedule, request.text, after, line, bad);
}

size_t fugit_model_check(const struct world *world, const char *lines)
{
	size_t count = 0;
	bool bad = false;

	for (; *lines; count++)
		check_line(world, take_column(world->arena, &lines, "\n"), &bad);
	assert_false(bad);
	return count;
}
