/* The restart policy as a table: what becomes of a child, by how it ended. */
#include "common/process.h"
#include "process/outage.h"
#include "supervisor/child.h"
#include "tests/support/test.h"

#define START        (1000 * CLOCK_SECOND)
#define EXITED(code) ((code) << 8) /* as waitpid(2) says it */

static struct restart_exit ended(int status, int64_t ready_at, int64_t now)
{
	return (struct restart_exit){
		.who = "worker 2",
		.status = status,
		.wanted = true,
		.ready_at = ready_at,
		.now = now,
		.random = UINT32_MAX, /* odd, so the largest of most spans */
	};
}

struct row {
	const char *what;
	int status;
	bool was_ready;
	enum restart_verdict verdict;
	int64_t least, most; /* wait before the restart */
};

static const struct row first_ends[] = {
	{ "killed while working", SIGKILL, true, RESTART_AT, 0, 0 },
	{ "crashed while working", SIGSEGV, true, RESTART_AT, 0, 0 },
	{ "bug while working", EXITED(EXIT_BUG), true, RESTART_AT, 0, 0 },
	{ "stopped by hand", EXITED(EXIT_STOPPED), true, RESTART_AT, 0, 0 },
	{ "crashed at start", SIGSEGV, false, RESTART_AT, 250000, 500000 },
	{ "killed at start", SIGKILL, false, RESTART_AT, 250000, 500000 },
	{ "error at start", EXITED(EXIT_ERROR), false, RESTART_AT, 250000, 500000 },
	{ "database away", EXITED(EXIT_DATABASE), false, RESTART_AT, 250000, 500000 },
	{ "bad configuration at start", EXITED(EXIT_USAGE), false, RESTART_GIVE_UP, 0, 0 },
	{ "bad configuration later", EXITED(EXIT_USAGE), true, RESTART_GIVE_UP, 0, 0 },
};

CASE(test_first_end)
{
	for (size_t i = 0; i < sizeof(first_ends) / sizeof(first_ends[0]); i++) {
		const struct row *row = &first_ends[i];
		struct restart_history history = { 0 };
		struct restart_exit end =
			ended(row->status, row->was_ready ? START - CLOCK_SECOND : 0, START);
		struct restart_decision decision = restart_decide(&history, &end);

		print_message("%s\n", row->what);
		assert_int_equal(decision.verdict, row->verdict);
		if (row->verdict != RESTART_AT)
			continue;
		assert_in_range(decision.at - START, row->least, row->most);
	}
}

CASE(test_not_wanted_is_never_restarted)
{
	static const int statuses[] = { 0, EXITED(EXIT_USAGE), EXITED(EXIT_BUG), SIGKILL };

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct restart_history history = { 0 };
		struct restart_exit end = ended(statuses[i], START, START + 1);

		end.wanted = false;
		assert_int_equal(restart_decide(&history, &end).verdict, RESTART_NEVER);
	}
}

CASE(test_what_is_vital_is_never_given_up)
{
	static const int statuses[] = { EXITED(EXIT_USAGE), EXITED(EXIT_BUG), SIGSEGV };

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct restart_history history = { 0 };
		for (int n = 0; n < 20; n++) {
			struct restart_exit end = ended(statuses[i], 0, START + n);
			end.vital = true;
			assert_int_equal(restart_decide(&history, &end).verdict, RESTART_AT);
		}
	}
}

/* Ends every `interval` before readiness; returns how many it took to be given up, or `most`. */
static unsigned ends_until_given_up(int status, int64_t interval, unsigned most, char reason[])
{
	struct restart_history history = { 0 };

	for (unsigned n = 1; n <= most; n++) {
		struct restart_exit end = ended(status, 0, START + n * interval);
		struct restart_decision decision = restart_decide(&history, &end);

		if (decision.verdict == RESTART_GIVE_UP) {
			memcpy(reason, decision.reason, sizeof(decision.reason));
			return n;
		}
	}
	return most;
}

CASE(test_given_up_after_five_in_thirty_seconds)
{
	char reason[RESTART_REASON_SIZE] = "";

	assert_int_equal(ends_until_given_up(EXITED(EXIT_BUG), CLOCK_SECOND, 20, reason), 5);
	assert_string_equal(reason, "worker 2 ended 5 times in 30 s before it was ready; last: "
				    "exited with status 70");
	assert_int_equal(ends_until_given_up(SIGSEGV, CLOCK_SECOND, 20, reason), 5);
	assert_non_null(strstr(reason, "killed by signal 11 (SEGV)"));
	assert_int_equal(ends_until_given_up(EXITED(EXIT_ERROR), 7 * CLOCK_SECOND, 20, reason), 5);
}

CASE(test_never_given_up)
{
	char reason[RESTART_REASON_SIZE];

	assert_int_equal(ends_until_given_up(EXITED(EXIT_BUG), 8 * CLOCK_SECOND, 50, reason), 50);
	assert_int_equal(ends_until_given_up(SIGKILL, CLOCK_SECOND, 50, reason), 50);
	assert_int_equal(ends_until_given_up(EXITED(EXIT_DATABASE), 1000, 50, reason), 50);
	assert_int_equal(ends_until_given_up(EXITED(EXIT_STOPPED), 1000, 50, reason), 50);
}

/* A worker killed every second for ever is back within a second each time. */
CASE(test_killed_again_and_again)
{
	struct restart_history history = { 0 };
	int64_t now = START;

	for (int n = 0; n < 100; n++) {
		struct restart_exit end = ended(SIGKILL, now - CLOCK_SECOND, now);
		struct restart_decision decision = restart_decide(&history, &end);

		assert_int_equal(decision.verdict, RESTART_AT);
		assert_in_range(decision.at - now, 0, CLOCK_SECOND);
		if (n > 10)
			assert_true(decision.at - now >= CLOCK_SECOND / 2);
		now = decision.at + CLOCK_SECOND;
	}
	struct restart_exit settled = ended(SIGKILL, now, now + CLOCK_MINUTE);
	assert_int_equal(restart_decide(&history, &settled).at, settled.now);
}

CASE(test_readiness_forgives_early_ends)
{
	struct restart_history history = { 0 };
	struct restart_exit early = ended(EXITED(EXIT_BUG), 0, START);
	struct restart_exit late = ended(EXITED(EXIT_BUG), START, START + CLOCK_SECOND);

	for (int round = 0; round < 5; round++) {
		for (int n = 0; n < RESTART_LIMIT - 1; n++)
			assert_int_equal(restart_decide(&history, &early).verdict, RESTART_AT);
		assert_int_equal(restart_decide(&history, &late).verdict, RESTART_AT);
	}
}

CASE(test_backoff)
{
	static const uint64_t randoms[] = { 0, 1, 12345678901, UINT64_MAX };

	assert_int_equal(backoff_delay(0, 100, 5000, 77), 0);
	for (unsigned failures = 1; failures < 200; failures++) {
		int64_t span = failures < 7 ? INT64_C(100) << (failures - 1) : 5000;

		for (size_t i = 0; i < sizeof(randoms) / sizeof(randoms[0]); i++)
			assert_in_range(backoff_delay(failures, 100, 5000, randoms[i]), span / 2,
					span);
	}
	assert_int_equal(backoff_delay(3, 100, 5000, 200), 400);
	assert_int_equal(backoff_delay(UINT32_MAX, CLOCK_SECOND, CLOCK_DAY, 0), CLOCK_DAY / 2);
}
