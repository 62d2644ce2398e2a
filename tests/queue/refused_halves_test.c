/* What is refused together is done by halves, and how long one that is refused alone is left. */
#include "queue/refused/refused.h"

#include <string.h>

#include "tests/support/test.h"

CASE(pauses_grow)
{
	const int64_t since = 100 * CLOCK_DAY;

	assert_int_equal(refused_until(since, since), since + CLOCK_MINUTE);
	assert_int_equal(refused_until(since, since + 10 * CLOCK_MINUTE),
			 since + 20 * CLOCK_MINUTE);
	assert_int_equal(refused_until(since, since + CLOCK_DAY), since + CLOCK_DAY + CLOCK_HOUR);
}

/* A list of which some are refused with this status; `left` are those that were left alone. */
struct list {
	bool bad[REFUSED_SUSPECTS + 1];
	bool answered;
	enum status status;
	size_t left, calls;
};

static enum status run_list(void *data, size_t first, size_t count, struct error *error)
{
	struct list *list = data;

	list->calls++;
	for (size_t i = first; i < first + count; i++)
		if (list->bad[i]) {
			error_set(error, list->status, "no");
			error->answered = list->answered;
			return list->status;
		}
	return STATUS_OK;
}

static enum status leave_one(void *data, size_t at, const struct error *why, struct error *error)
{
	struct list *list = data;

	(void)error;
	assert_true(list->bad[at]);
	assert_int_equal(why->status, list->status);
	list->left++;
	return STATUS_OK;
}

/* What refuses everything is not taken for the rows' fault, nor an outage for anybody's. */
CASE(what_refuses_all_is_no_row)
{
	struct list one = { .bad = { true, false }, .status = STATUS_FATAL };
	struct list all = { .bad = { true, true }, .status = STATUS_FATAL };
	struct list away = { .bad = { false, true }, .status = STATUS_DOWN };
	struct refused_work work = { .data = &one, .run = run_list, .alone = leave_one };

	must(refused_by_halves, &work, 8);
	assert_int_equal(one.left, 1);
	work = (struct refused_work){ .data = &all, .run = run_list, .alone = leave_one };
	must_be(STATUS_FATAL, refused_by_halves, &work, 2);
	assert_int_equal(all.left, 0);
	memset(all.bad, true, sizeof(all.bad) - sizeof(all.bad[0]));
	work = (struct refused_work){ .data = &all, .run = run_list, .alone = leave_one };
	must(refused_by_halves, &work, REFUSED_SUSPECTS + 1);
	assert_int_equal(all.left, REFUSED_SUSPECTS);
	work.data = &away;
	must_be(STATUS_DOWN, refused_by_halves, &work, 8);
	assert_int_equal(away.left, 0);
	assert_int_equal(away.calls, 1);
}

/* What may pass is one's fault, also where nothing is done; but not that of many. */
CASE(what_does_not_pass_is_a_row)
{
	struct list one = { .bad = { true }, .status = STATUS_RETRY, .answered = true };
	struct list all = { .status = STATUS_DOWN, .answered = true };
	struct refused_work work = { .data = &one, .run = run_list, .alone = leave_one };

	must(refused_by_halves, &work, 8);
	assert_int_equal(one.left, 1);
	work = (struct refused_work){ .data = &one, .run = run_list, .alone = leave_one };
	must(refused_by_halves, &work, 1);
	assert_int_equal(one.left, 2);
	work.strict = true;
	must_be(STATUS_RETRY, refused_by_halves, &work, 1);
	memset(all.bad, true, sizeof(all.bad));
	work = (struct refused_work){ .data = &all, .run = run_list, .alone = leave_one };
	must_be(STATUS_DOWN, refused_by_halves, &work, REFUSED_SUSPECTS + 1);
	assert_int_equal(all.left, 0);
}
