/* What the processes of a seat may run together, as the shared memory says. */
#include "process/control.h"
#include "tests/support/test.h"

static struct control *control;

static int set_up(void **state)
{
	struct error error;

	(void)state;
	control = control_new(&error);
	return control ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	control_free(control);
	return 0;
}

static struct control_other take(unsigned lane)
{
	assert_true(control_take(control, lane));
	return control_other(control, lane);
}

CASE_WITH(test_nothing_is_claimed_before_the_old_one_has_said_so, set_up, tear_down)
{
	const struct control_other old = take(3);

	assert_int_equal(control_others(control, &old, 0), 0);
	assert_false(control_is_leaving(control, 3));
	control_leave(control, 3);
	assert_true(control_is_leaving(control, 3));
	assert_int_equal(control_others(control, &old, 1), CONTROL_UNSAID);
	assert_true(control_say(control, 3, 2));
	assert_int_equal(control_others(control, &old, 1), 2);
	assert_false(control_say(control, 3, 2));
	assert_true(control_say(control, 3, 0));
	assert_int_equal(control_others(control, &old, 1), 0);
}

CASE_WITH(test_generations_add_up, set_up, tear_down)
{
	struct control_other others[5];

	for (unsigned i = 0; i < 5; i++) {
		others[i] = take(2 * i);
		control_leave(control, 2 * i);
		(void)control_say(control, 2 * i, i);
	}
	assert_int_equal(control_others(control, others, 5), 0 + 1 + 2 + 3 + 4);
	control_free_lane(control, 6);
	assert_int_equal(control_others(control, others, 5), 0 + 1 + 2 + 4);
	/* Another process has that lane now, for which nobody waits. */
	(void)take(6);
	assert_int_equal(control_others(control, others, 5), 0 + 1 + 2 + 4);
	(void)take(CONTROL_LANES - 1);
	assert_false(control_take(control, CONTROL_LANES));
}

static void assert_text(const struct config_text *text, const char *expected)
{
	assert_int_equal(text->length, strlen(expected));
	assert_string_equal(text->text, expected);
}

CASE_WITH(test_texts_are_handed_over, set_up, tear_down)
{
	struct arena *arena = arena_new();
	struct config_text texts[CONFIG_TEXTS] = { { "jobs", 4 }, { NULL, 0 } };
	struct config_text taken[CONFIG_TEXTS];
	unsigned seen = control_look(control).text_changes;

	assert_false(control_handed(control, &seen, arena, taken));
	control_hand(control, texts);
	texts[CONFIG_RECURRING_TEXT] = (struct config_text){ "tasks and more", 5 };
	control_hand(control, texts);
	assert_true(control_handed(control, &seen, arena, taken));
	assert_text(&taken[CONFIG_JOBS_TEXT], "jobs");
	assert_text(&taken[CONFIG_RECURRING_TEXT], "tasks");
	assert_false(control_handed(control, &seen, arena, taken));
	texts[CONFIG_RECURRING_TEXT].text = NULL;
	control_hand(control, texts);
	assert_true(control_handed(control, &seen, arena, taken));
	assert_null(taken[CONFIG_RECURRING_TEXT].text);
	assert_int_equal(seen, control_look(control).text_changes);
	/* Others are being written. */
	atomic_fetch_add(&control->texts->changes, 1);
	assert_false(control_handed(control, &seen, arena, taken));
	arena_free(arena);
}

/* As large as a file may be, and what follows is not touched. */
CASE_WITH(test_what_the_row_says, set_up, tear_down)
{
	struct text said = { 0 };
	unsigned seen = 0;
	char *long_one = calloc(1, CONTROL_SAID + 2);

	assert_non_null(long_one);
	memset(long_one, 'x', CONTROL_SAID + 1);
	assert_false(control_described(control, &seen, &said));
	control_describe(control, "\"quiet\":true");
	control_describe(control, "\"given_up\":\"worker 1\"");
	control_describe(control, long_one); /* it does not fit */
	free(long_one);
	assert_true(control_described(control, &seen, &said));
	assert_string_equal(text_string(&said), "\"given_up\":\"worker 1\"");
	assert_false(control_described(control, &seen, &said));
	control_describe(control, "");
	assert_true(control_described(control, &seen, &said));
	assert_string_equal(text_string(&said), "");
	text_free(&said);
}

CASE_WITH(test_the_largest_texts, set_up, tear_down)
{
	struct arena *arena = arena_new();
	char *large = arena_alloc(arena, CONFIG_FILE_MAXIMUM);
	struct config_text taken[CONFIG_TEXTS];
	unsigned seen = 0;

	memset(large, 'a', CONFIG_FILE_MAXIMUM);
	const struct config_text texts[CONFIG_TEXTS] = { { large, CONFIG_FILE_MAXIMUM },
							 { large, CONFIG_FILE_MAXIMUM } };
	control_hand(control, texts);
	assert_true(control_handed(control, &seen, arena, taken));
	for (int i = 0; i < CONFIG_TEXTS; i++) {
		assert_int_equal(taken[i].length, CONFIG_FILE_MAXIMUM);
		assert_memory_equal(taken[i].text, large, CONFIG_FILE_MAXIMUM);
	}
	arena_free(arena);
}
