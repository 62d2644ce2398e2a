/* Waiting for what another process does: never a bare sleep, always with a deadline. */
#ifndef TEST_WAIT_H
#define TEST_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/clock.h"

/*
 * Looks every 10 ms until the condition holds, which is evaluated each time. After two minutes the
 * test fails, and says what it waited for.
 */
#define test_until(condition, what) test_wait_for((condition), test_in_vain(what))

#define test_wait_for(condition, fail_it)                                                          \
	for (const int64_t until_end = clock_monotonic() + 2 * CLOCK_MINUTE; !(condition);         \
	     (void)(test_look_again(until_end) || ((fail_it), false)))                             \
	continue

/* Sleeps for 10 ms; false when it is later than that. */
bool test_look_again(int64_t deadline);

/* Fails the test. */
void test_in_vain(const char *what);

/*
 * Waits until a child has ended: its exit status, or minus the signal that ended it. After
 * `timeout` (microseconds) it is killed, reaped and the result is TEST_TIMEOUT.
 */
int test_wait_exit(pid_t pid, int64_t timeout);

#define TEST_TIMEOUT (-1000)

/*
 * Runs `die` in a child, with a pipe. *said, of `size` bytes, is what the child first wrote into
 * it. Returns how it ended, as test_wait_exit.
 */
int test_last_words(void (*die)(int fd), char *said, size_t size);

#endif
