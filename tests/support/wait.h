/* Waiting for what another process does: never a bare sleep, always with a deadline. */
#ifndef TEST_WAIT_H
#define TEST_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Looks every 10 ms until condition(data) holds; false when `timeout` (microseconds) has passed. */
bool test_wait_until(bool (*condition)(void *data), void *data, int64_t timeout);

/*
 * Waits until a child has ended: its exit status, or minus the signal that ended it. After
 * `timeout` (microseconds) it is killed, reaped and the result is TEST_TIMEOUT.
 */
int test_wait_exit(pid_t pid, int64_t timeout);

#define TEST_TIMEOUT (-1000)

#endif
