#include "tests/support/wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
