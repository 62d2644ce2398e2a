/*
 * Preloaded into a program, it sets the wall clock that the program sees: ahead by the seconds that
 * the file named by CLOCK_AHEAD holds, as one int64_t. All other clocks stay; libfaketime would
 * shift absolute timers on them too, which setting a clock does not.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define OVERRIDE __attribute__((visibility("default")))

static const volatile int64_t *ahead;

__attribute__((constructor)) static void open_file(void)
{
	const char *path = getenv("CLOCK_AHEAD"); /* NOLINT(concurrency-mt-unsafe): the first */
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *memory =
		fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*ahead), PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		(void)close(fd);
	if (memory != MAP_FAILED)
		ahead = memory;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's are reserved */
OVERRIDE int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	if (result == 0 && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		time->tv_sec += *ahead;
	return result;
}

OVERRIDE int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return -1;
	time->tv_sec = now.tv_sec;
	time->tv_usec = now.tv_nsec / 1000;
	return 0;
}

OVERRIDE time_t time(time_t *result)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
