/*
 * Functions run in child processes. A failed assertion in a child aborts it (cmocka would go on
 * with the parent's other tests in it), so that its result is -SIGABRT.
 */
#ifndef TEST_PROCESS_H
#define TEST_PROCESS_H

#include "tests/support/wait.h"

/* Runs in child number `index`; what it returns is the exit status. */
struct test_function {
	int (*run)(unsigned index, void *data);
	void *data;
};

/* Starts one child; end it with test_wait_exit of tests/support/wait.h. It dies with its parent. */
pid_t test_fork(const struct test_function *function, unsigned index);

/*
 * Runs the function in `count` children at once: all exist before the first begins. results[i]
 * is the exit status of child i, minus the signal that ended it, or TEST_TIMEOUT.
 */
void test_fork_all(const struct test_function *function, unsigned count, int results[],
		   int64_t timeout);

/* test_fork_all that fails the test unless every child returned 0 within a minute. */
void test_in_children(const struct test_function *function, unsigned count);

/* Zeroed memory that the test and the processes it forks from now on share; never released. */
void *test_share(size_t size);

/* What /proc says of a process: the letter of its state, and its parent. False: there is none. */
bool test_read_stat(pid_t pid, char *state, pid_t *parent);

/* That letter; 0: there is none. */
char test_state_of(pid_t pid);

/* A number of /proc/PID/status, such as "VmRSS:", to this base; 0: there is none. */
unsigned long long test_status_of(pid_t pid, const char *name, int base);

#endif
