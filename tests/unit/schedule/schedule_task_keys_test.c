/* What a recurring task may say: every key is whole, and each default is possible. */
#include "schedule/task_keys.h"
#include "tests/support/test.h"

CASE(test_keys)
{
	for (enum task_key_id id = 0; id < TASK_KEYS; id++) {
		const struct task_key *key = &task_keys[id];
		assert_non_null(key->name);
		assert_non_null(key->shown);
		assert_int_equal(key->kind == TASK_WORD, key->words != NULL);
		if (key->kind != TASK_NUMBER && key->kind != TASK_SPAN)
			continue;
		if (key->usual) {
			assert_true(task_least(id) <= task_usual(id));
			assert_true(task_usual(id) <= task_most(id));
		}
		assert_true(task_most(id) > 0);
	}
	assert_int_equal(task_usual(TASK_MISFIRE_LIMIT), 100);
	assert_int_equal(task_least(TASK_MISFIRE_WINDOW), 10 * CLOCK_SECOND);
	assert_int_equal(task_most(TASK_MISFIRE_WINDOW), 6 * CLOCK_DAY);
	assert_int_equal(task_most(TASK_JITTER), CLOCK_DAY);
}

CASE(test_words)
{
	assert_int_equal(task_word(TASK_MISFIRE, NULL), MISFIRE_ONCE);
	assert_int_equal(task_word(TASK_MISFIRE, "all"), MISFIRE_ALL);
	assert_int_equal(task_word(TASK_OVERLAP, "queue"), OVERLAP_QUEUE);
	assert_int_equal(task_word(TASK_DST_GAP, "next_valid"), SCHEDULE_GAP_NEXT_VALID);
	assert_int_equal(task_word(TASK_DST_OVERLAP, "both"), SCHEDULE_OVERLAP_BOTH);
	assert_int_equal(task_word(TASK_DST_OVERLAP, "skip"), -1);
	assert_int_equal(task_word(TASK_MISFIRE, ""), -1);
}
