#include "bench/effect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Not from the C library, whose clock a test may have changed. */
static int64_t kernel_clock(void)
{
	struct timespec now = { 0 };

	(void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* One write: lines of many processes do not mix. */
bool effect_write(char kind, int64_t job, int64_t claim, pid_t worker)
{
	const char *path = getenv("EFFECTS"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
	char line[EFFECT_WIDTH + 1];
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

	if (fd < 0)
		return false;
	int length = snprintf(line, sizeof(line), EFFECT_FORMAT, kind, (long long)job,
			      (long long)claim, (int)worker, (long long)kernel_clock());
	bool written = length == EFFECT_WIDTH && write(fd, line, EFFECT_WIDTH) == EFFECT_WIDTH;
	(void)close(fd);
	return written;
}

void effect_work(int64_t milliseconds)
{
	struct timespec left = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000 };

	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}
