#include "common/log/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

#define PATIENCE (100 * CLOCK_MILLISECOND)

static _Atomic uint64_t lost_lines;
static _Atomic bool torn; /* the last line was written in part: the next begins with a newline */

uint64_t log_output_take_lost(void)
{
	return atomic_exchange(&lost_lines, 0);
}

void log_output_add_lost(uint64_t lines)
{
	atomic_fetch_add(&lost_lines, lines);
}

/* Would a write not block? A reader that does not read is waited for only once. */
static bool wait_writable(int fd, int64_t deadline)
{
	struct pollfd item = { .fd = fd, .events = POLLOUT };
	int64_t left = deadline - clock_monotonic();
	int timeout = left > 0 ? (int)(left / CLOCK_MILLISECOND) + 1 : 0;
	int ready = poll(&item, 1, timeout);
	while (ready < 0 && errno == EINTR)
		ready = poll(&item, 1, 0);
	return ready > 0;
}

/* A writable pipe is certain to take PIPE_BUF bytes without blocking, but no more. */
static size_t piece_of(int fd, size_t length)
{
	struct stat status;
	bool whole = length <= PIPE_BUF || fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode);
	return whole ? length : PIPE_BUF;
}

static ssize_t write_piece(int fd, const char *data, size_t length)
{
	ssize_t written = send(fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (written < 0 && errno == ENOTSOCK)
		written = write(fd, data, piece_of(fd, length));
	return written;
}

static bool may_try_again(int error)
{
	return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

static size_t write_all(int fd, const char *data, size_t length)
{
	int64_t patience = atomic_load(&lost_lines) > 0 ? 0 : PATIENCE;
	int64_t deadline = clock_monotonic() + patience;
	size_t done = 0;
	while (done < length && wait_writable(fd, deadline)) {
		ssize_t written = write_piece(fd, data + done, length - done);
		if (written > 0)
			done += (size_t)written;
		else if (written == 0 || !may_try_again(errno) || clock_monotonic() > deadline)
			break;
	}
	return done;
}

static bool write_line(int fd, const char *line, size_t length)
{
	if (atomic_exchange(&torn, false) && write_all(fd, "\n", 1) != 1) {
		atomic_store(&torn, true);
		return false;
	}
	size_t done = write_all(fd, line, length);
	if (done > 0 && done < length)
		atomic_store(&torn, true);
	return done == length;
}

/* Discards the SIGPIPE that our own write has just raised in this thread. */
static void swallow_sigpipe(const sigset_t *set)
{
	const struct timespec now = { 0 };
	int signal;
	do {
		signal = sigtimedwait(set, NULL, &now);
	} while (signal < 0 && errno == EINTR);
}

/* How the process (in the library: its user) handles SIGPIPE must not change. */
bool log_output(int fd, const char *line, size_t length)
{
	sigset_t pipes;
	sigset_t before;
	(void)sigemptyset(&pipes);
	(void)sigaddset(&pipes, SIGPIPE);
	if (pthread_sigmask(SIG_BLOCK, &pipes, &before) != 0)
		return false;
	errno = 0;
	bool written = write_line(fd, line, length);
	if (!written && errno == EPIPE)
		swallow_sigpipe(&pipes);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return written;
}
