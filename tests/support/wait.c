#include "tests/support/wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "tests/support/test.h"

bool test_look_again(int64_t deadline)
{
	clock_sleep(10 * CLOCK_MILLISECOND);
	return clock_monotonic() <= deadline;
}

void test_in_vain(const char *what)
{
	fail_msg("waited in vain for %s", what);
}

/* False when the time is over first. */
static bool wait_ended(pid_t pid, int64_t timeout)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int64_t deadline = clock_monotonic() + timeout;
	int ready = 0;

	if (fd < 0)
		return true; /* gone: waitpid tells */
	do {
		int64_t left = deadline - clock_monotonic();
		ready = poll(&poll_fd, 1, left > 0 ? (int)(left / CLOCK_MILLISECOND) + 1 : 0);
	} while (ready < 0 && errno == EINTR);
	close(fd);
	return ready == 1;
}

int test_wait_exit(pid_t pid, int64_t timeout)
{
	int status = 0;
	bool ended = wait_ended(pid, timeout);

	if (!ended)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return TEST_TIMEOUT;
	if (!ended)
		return TEST_TIMEOUT;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int test_last_words(void (*die)(int fd), char *said, size_t size)
{
	int fds[2];

	assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
	pid_t child = fork();
	if (child == 0) {
		die(fds[1]);
		_exit(99);
	}
	assert_true(child > 0);
	(void)close(fds[1]);
	ssize_t length = read(fds[0], said, size - 1);
	assert_true(length > 0);
	said[length] = '\0';
	(void)close(fds[0]);
	return test_wait_exit(child, CLOCK_MINUTE);
}
