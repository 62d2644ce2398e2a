/*
 * All waiting of a process: descriptors, one timer, signals and a wake-up from other threads, in
 * one epoll instance and one thread.
 *
 * Watches are in a table by descriptor. An event carries the number of the watch it belongs to;
 * after the event was fetched a callback may have ended that watch, or begun another one on the
 * same descriptor: then the numbers differ and the event is ignored. So a callback may close, watch
 * and unwatch whatever it likes.
 *
 * The timer is of CLOCK_BOOTTIME: the time in which a machine is suspended counts, so that what is
 * due after it is done at once. Signals are read from a descriptor, never handled where they
 * arrive.
 */
#include "common/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/clock.h"

#define BATCH 32

struct watch {
	loop_callback *call; /* NULL = none */
	void *context;
	uint32_t number;
};

struct loop {
	int epoll, wake, timer, signals;
	int64_t armed; /* what the timer is set to; CLOCK_NEVER = not */
	struct watch *watches;
	size_t watch_count;
	uint32_t last_number;
	loop_signal_callback *signal_call;
	void *signal_context;
	int signal_code; /* of the last one */
};

static int epoll_set(struct loop *loop, int operation, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events };
	event.data.u64 = (uint64_t)loop->watches[fd].number << 32 | (uint32_t)fd;
	return epoll_ctl(loop->epoll, operation, fd, &event);
}

static void make_room(struct loop *loop, size_t fd)
{
	if (fd < loop->watch_count)
		return;
	size_t count = fd + 16;
	struct watch *watches = realloc(loop->watches, count * sizeof(*watches));
	if (!watches)
		out_of_memory();
	memset(watches + loop->watch_count, 0, (count - loop->watch_count) * sizeof(*watches));
	loop->watches = watches;
	loop->watch_count = count;
}

enum status loop_watch(struct loop *loop, int fd, unsigned events, loop_callback *call,
		       void *context)
{
	uint32_t wanted =
		(events & LOOP_READ ? EPOLLIN : 0U) | (events & LOOP_WRITE ? EPOLLOUT : 0U);
	if (fd < 0)
		return STATUS_INVALID;
	make_room(loop, (size_t)fd);
	struct watch *watch = &loop->watches[fd];
	uint32_t previous = watch->number;
	watch->number = ++loop->last_number;
	int result = epoll_set(loop, EPOLL_CTL_MOD, fd, wanted);
	if (result != 0 && errno == ENOENT)
		result = epoll_set(loop, EPOLL_CTL_ADD, fd, wanted);
	if (result != 0) {
		watch->number = previous;
		return errno == EPERM || errno == EBADF ? STATUS_INVALID : STATUS_FATAL;
	}
	watch->call = call;
	watch->context = context;
	return STATUS_OK;
}

void loop_unwatch(struct loop *loop, int fd)
{
	if (fd < 0 || (size_t)fd >= loop->watch_count || !loop->watches[fd].call)
		return;
	/* Fails if fd was closed too early: then the kernel has already removed it. */
	(void)epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
	loop->watches[fd].call = NULL;
	loop->watches[fd].number = 0;
}

static void drain_wake(void *context)
{
	struct loop *loop = context;
	uint64_t count;
	ssize_t got = read(loop->wake, &count, sizeof(count));
	(void)got; /* EAGAIN: nothing to drain */
}

static void timer_expired(void *context)
{
	struct loop *loop = context;
	uint64_t count;
	ssize_t got = read(loop->timer, &count, sizeof(count));
	(void)got;
	loop->armed = CLOCK_NEVER;
}

static bool open_descriptors(struct loop *loop)
{
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	loop->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	return loop->epoll >= 0 && loop->wake >= 0 && loop->timer >= 0 &&
	       loop_watch(loop, loop->wake, LOOP_READ, drain_wake, loop) == STATUS_OK &&
	       loop_watch(loop, loop->timer, LOOP_READ, timer_expired, loop) == STATUS_OK;
}

struct loop *loop_new(struct error *error)
{
	struct loop *loop = calloc(1, sizeof(*loop));
	if (!loop)
		out_of_memory();
	loop->signals = -1;
	loop->armed = CLOCK_NEVER;
	if (!open_descriptors(loop)) {
		error_set(error, STATUS_FATAL, "cannot make an event loop: %s",
			  strerrordesc_np(errno));
		loop_free(loop);
		return NULL;
	}
	return loop;
}

/* Only closes: an epoll instance inherited by a child still belongs to its parent. */
void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	const int fds[] = { loop->epoll, loop->wake, loop->timer, loop->signals };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			(void)close(fds[i]);
	free(loop->watches);
	free(loop);
}

static void read_signals(void *context)
{
	struct loop *loop = context;
	struct signalfd_siginfo info;
	while (read(loop->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		loop->signal_code = info.ssi_code;
		loop->signal_call(loop->signal_context, (int)info.ssi_signo);
	}
}

int loop_signal_code(const struct loop *loop)
{
	return loop->signal_code;
}

enum status loop_signals(struct loop *loop, const int signals[], size_t count,
			 loop_signal_callback *call, void *context)
{
	sigset_t set;
	(void)sigemptyset(&set);
	for (size_t i = 0; i < count; i++)
		if (sigaddset(&set, signals[i]) != 0)
			return STATUS_INVALID;
	if (loop->signals >= 0)
		return STATUS_INVALID;
	loop->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signals < 0)
		return STATUS_FATAL;
	loop->signal_call = call;
	loop->signal_context = context;
	/* Blocked last: if an earlier step fails, no signal may stay blocked that nothing reads. */
	if (loop_watch(loop, loop->signals, LOOP_READ, read_signals, loop) != STATUS_OK ||
	    pthread_sigmask(SIG_SETMASK, &set, NULL) != 0)
		return STATUS_FATAL;
	return STATUS_OK;
}

void loop_signals_reset(void)
{
	sigset_t none;
	(void)sigemptyset(&none);
	(void)pthread_sigmask(SIG_SETMASK, &none, NULL);
}

void loop_wake(struct loop *loop)
{
	int saved = errno;
	const uint64_t one = 1;
	ssize_t written = write(loop->wake, &one, sizeof(one));
	(void)written; /* EAGAIN: it has been woken 2^64 - 2 times already */
	errno = saved;
}

static void arm(struct loop *loop, int64_t deadline)
{
	if (loop->armed == deadline)
		return;
	struct itimerspec when = { 0 };
	if (deadline != CLOCK_NEVER) {
		when.it_value.tv_sec = (time_t)(deadline / CLOCK_SECOND);
		when.it_value.tv_nsec = (long)(deadline % CLOCK_SECOND) * 1000;
	}
	if (timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &when, NULL) != 0)
		abort(); /* only a bug in the line above */
	loop->armed = deadline;
}

/* Runs the event's callback. True when it was not just the timer. */
static bool call_back(struct loop *loop, const struct epoll_event *event)
{
	uint32_t fd = (uint32_t)event->data.u64;
	const struct watch *watch = &loop->watches[fd];
	if (!watch->call || watch->number != (uint32_t)(event->data.u64 >> 32))
		return false;
	watch->call(watch->context);
	return fd != (uint32_t)loop->timer;
}

bool loop_wait(struct loop *loop, int64_t deadline)
{
	struct epoll_event events[BATCH];
	bool look = deadline <= clock_monotonic();
	if (!look)
		arm(loop, deadline);
	int count;
	do {
		count = epoll_wait(loop->epoll, events, BATCH, look ? 0 : -1);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		abort(); /* the loop's own descriptor was closed by other code */
	bool happened = false;
	for (int i = 0; i < count; i++)
		happened = call_back(loop, &events[i]) || happened;
	return happened;
}
