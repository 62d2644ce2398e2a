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

static struct control_place take(unsigned seat)
{
	struct control_place place = { .seat = seat };

	assert_true(control_take(control, seat, &place.lane));
	return place;
}

CASE_WITH(test_nothing_is_claimed_before_the_old_one_has_said_so, set_up, tear_down)
{
	struct control_place old = take(3);

	assert_int_equal(control_others(control, old), 0);
	assert_false(control_is_leaving(control, old));
	control_leave(control, old);
	assert_true(control_is_leaving(control, old));
	struct control_place new = take(3);
	assert_int_not_equal(new.lane, old.lane);
	assert_int_equal(control_others(control, new), CONTROL_UNSAID);
	assert_true(control_say(control, old, 2));
	assert_int_equal(control_others(control, new), 2);
	assert_false(control_say(control, old, 2));
	assert_true(control_say(control, old, 0));
	assert_int_equal(control_others(control, new), 0);
}

CASE_WITH(test_generations_add_up, set_up, tear_down)
{
	struct control_place places[CONTROL_LANES];
	unsigned none;

	for (unsigned i = 0; i < CONTROL_LANES; i++) {
		places[i] = take(0);
		control_leave(control, places[i]);
		if (i + 1 < CONTROL_LANES)
			(void)control_say(control, places[i], i);
	}
	const struct control_place last = places[CONTROL_LANES - 1];
	assert_false(control_take(control, 0, &none));
	assert_int_equal(control_others(control, last), 0 + 1 + 2 + 3 + 4 + 5 + 6);
	control_free_lane(control, places[6]);
	assert_int_equal(control_others(control, last), 0 + 1 + 2 + 3 + 4 + 5);
	/* Another process has that lane now, and has said nothing yet. */
	assert_int_equal(take(0).lane, 6);
	assert_int_equal(control_others(control, last), CONTROL_UNSAID);
}

CASE_WITH(test_seats_are_apart, set_up, tear_down)
{
	struct control_place one = take(0);
	unsigned lane;

	control_leave(control, one);
	(void)control_say(control, one, 9);
	assert_int_equal(control_others(control, take(1)), 0);
	(void)take(CONTROL_SEATS - 1);
	assert_false(control_take(control, CONTROL_SEATS, &lane));
}
