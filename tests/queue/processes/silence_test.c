/* How long a process may say nothing before it is taken for dead. */
#include "tests/support/queue.h"

static bool is_silent(const struct prune *prune, const char *metadata, int64_t seconds)
{
	return process_silent(prune, metadata, seconds * CLOCK_SECOND);
}

/* Five beats of its own are what a process of ours may miss, if that is longer than our threshold;
 * other software says nothing of its beats and has a threshold of its own. */
DB_CASE(each_is_given_five_beats_of_its_own)
{
	const struct prune prune = prune_after(30 * CLOCK_SECOND, 5 * CLOCK_MINUTE, 0);
	const char *slow = "{\"heartbeat_interval\": 60}";
	const char *fast = "{\"heartbeat_interval\": 0.5}";

	assert_false(is_silent(&prune, fast, 29));
	assert_true(is_silent(&prune, fast, 30));
	assert_false(is_silent(&prune, slow, 299));
	assert_true(is_silent(&prune, slow, 300));
	assert_false(is_silent(&prune, NULL, 299));
	assert_true(is_silent(&prune, NULL, 300));
	assert_true(is_silent(&prune, "{\"heartbeat_interval\": -1}", 30));
}

/* The same in the database: a slow process that is silent for longer than our threshold stays. */
DB_CASE(a_slow_heart_is_not_a_dead_one)
{
	const struct prune prune = prune_after(30 * CLOCK_SECOND, 5 * CLOCK_MINUTE, 0);

	(void)register_worker(test->db, "slow");
	sql_do(test, "UPDATE solid_queue_processes SET metadata = '{\"heartbeat_interval\": 60}'");
	fall_silent(test, "slow", 2 * CLOCK_MINUTE);
	(void)prune_dead(test, &prune, &test_policy);
	assert_int_equal(rows_of(test, "processes"), 1);
	fall_silent(test, "slow", 6 * CLOCK_MINUTE);
	(void)prune_dead(test, &prune, &test_policy);
	assert_int_equal(rows_of(test, "processes"), 0);
}
