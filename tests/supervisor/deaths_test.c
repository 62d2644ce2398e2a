/* Deaths are told without waiting, kept until they are buried, and told again to another janitor.
 */
#include "process/care.h"
#include "supervisor/deaths.h"
#include "tests/support/test.h"

#define MANY 2000 /* far more than a pipe holds */

static struct deaths deaths;

static int set_up(void **state)
{
	struct error error;

	(void)state;
	deaths_init(&deaths);
	return deaths_open(&deaths, &error) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	deaths_close(&deaths);
	return 0;
}

/* As the janitor: how many there are to read, of which this is the first. */
static unsigned hear(unsigned *first)
{
	struct death death;
	unsigned count = 0;

	while (read(deaths.pipe[0], &death, sizeof(death)) == (ssize_t)sizeof(death)) {
		if (count++ == 0)
			*first = death.number;
		assert_int_equal(death.pid, 1000 + (int)death.number);
		assert_string_equal(death.name, "worker-1");
	}
	return count;
}

static void add(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		deaths_add(&deaths, deaths.count % 7, "worker-1", 1000 + (int)deaths.count,
			   SIGKILL);
}

CASE_WITH(test_each_is_told_once_and_kept, set_up, tear_down)
{
	unsigned first = 0;

	add(3);
	assert_true(deaths_tell(&deaths));
	assert_false(deaths_tell(&deaths));
	assert_int_equal(hear(&first), 3);
	assert_int_equal(first, 0);
	assert_int_equal(deaths_open_count(&deaths), 3);
	assert_true(deaths_hold(&deaths, 1));
	deaths_end(&deaths, 1);
	deaths_end(&deaths, 1);
	assert_false(deaths_hold(&deaths, 1));
	assert_int_equal(deaths_open_count(&deaths), 2);
}

CASE_WITH(test_nobody_reads, set_up, tear_down)
{
	unsigned first = 0;
	unsigned told = 0;

	add(MANY);
	(void)deaths_tell(&deaths);
	for (unsigned heard; told < MANY; told += heard) {
		heard = hear(&first);
		assert_int_equal(first, told);
		assert_in_range(heard, 1, MANY - 1);
		(void)deaths_tell(&deaths);
	}
	assert_int_equal(told, MANY);
}

CASE_WITH(test_another_janitor_is_told_again, set_up, tear_down)
{
	unsigned first = 0;

	add(5);
	(void)deaths_tell(&deaths);
	deaths_end(&deaths, 0);
	deaths_begin(&deaths);
	assert_int_equal(hear(&first), 0); /* those of its predecessor are gone */
	(void)deaths_tell(&deaths);
	assert_int_equal(hear(&first), 4);
	assert_int_equal(first, 1);
}

/* A new janitor knows of an outage that its predecessor has seen, and what silence meant in it. */
CASE(test_what_is_known_of_silence_is_kept)
{
	const struct config config = { .process = { .max_losses = 7 } };
	struct healing kept = { 0 };
	struct care care;

	care_init(&care, &config);
	care_resume(&care, &config, &kept);
	assert_int_equal(care.healing.at, CLOCK_NEVER); /* nothing was kept */
	kept = (struct healing){ .looked_at = 1, .at = 2, .late_at = 3, .slack = 4 };
	care_resume(&care, &config, &kept);
	assert_int_equal(care.healing.at, 2);
	assert_int_equal(care.healing.late_at, 3);
	assert_int_equal(care.healing.slack, 4);
	assert_int_equal(care.healing.policy.max_losses, 7);
}
