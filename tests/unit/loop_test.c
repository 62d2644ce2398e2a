#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "common/loop.h"
#include "common/process.h"
#include "tests/support/test.h"

/* One pipe that is watched, and what its callback is to do. */
struct end {
	struct loop *loop;
	int fds[2];
	int calls;
	struct end *unwatches;
	struct end *replaces; /* closes that one and opens a new pipe under the same number */
};

static int64_t soon(void)
{
	return clock_monotonic() + 30 * CLOCK_SECOND;
}

static int open_loop(void **state)
{
	*state = loop_new(NULL);
	return *state ? 0 : -1;
}

static int close_loop(void **state)
{
	loop_free(*state);
	return 0;
}

/* A case with a loop of its own, `loop`. */
#define LOOP_CASE(function)                                                                        \
	TEST_GIVEN(function, (struct loop * loop), function(*state), .set_up = open_loop,          \
		   .tear_down = close_loop)

static void not_called(void *context)
{
	(void)context;
	fail();
}

static void replace(struct end *end)
{
	int fresh[2];
	loop_unwatch(end->loop, end->fds[0]);
	assert_int_equal(process_pipe(fresh, true, NULL), STATUS_OK);
	assert_int_equal(dup2(fresh[0], end->fds[0]), end->fds[0]);
	(void)close(fresh[0]);
	(void)close(end->fds[1]);
	end->fds[1] = fresh[1];
	assert_int_equal(loop_watch(end->loop, end->fds[0], LOOP_READ, not_called, NULL),
			 STATUS_OK);
}

static void end_ready(void *context)
{
	struct end *end = context;
	end->calls++;
	if (end->unwatches)
		loop_unwatch(end->loop, end->unwatches->fds[0]);
	if (end->replaces)
		replace(end->replaces);
}

static void end_open(struct end *end, struct loop *loop)
{
	*end = (struct end){ .loop = loop };
	assert_int_equal(process_pipe(end->fds, true, NULL), STATUS_OK);
	assert_int_equal(loop_watch(loop, end->fds[0], LOOP_READ, end_ready, end), STATUS_OK);
}

static void end_close(struct end *end)
{
	loop_unwatch(end->loop, end->fds[0]);
	(void)close(end->fds[0]);
	(void)close(end->fds[1]);
}

static void end_fill(struct end *end)
{
	assert_int_equal(write(end->fds[1], "x", 1), 1);
}

LOOP_CASE(test_ready)
{
	struct end end;
	end_open(&end, loop);
	loop_wait(loop, 0);
	assert_int_equal(end.calls, 0);
	end_fill(&end);
	loop_wait(loop, soon());
	assert_int_equal(end.calls, 1);
	loop_wait(loop, CLOCK_NEVER); /* still readable: level-triggered */
	assert_int_equal(end.calls, 2);
	loop_unwatch(loop, end.fds[0]);
	loop_wait(loop, 0);
	assert_int_equal(end.calls, 2);
	end_close(&end);
	loop_unwatch(loop, 12345);
	loop_unwatch(loop, -1);
	loop_free(NULL);
}

LOOP_CASE(test_hang_up_and_write)
{
	struct end end;
	end_open(&end, loop);
	(void)close(end.fds[1]);
	loop_wait(loop, soon());
	assert_int_equal(end.calls, 1);
	loop_unwatch(loop, end.fds[0]);
	(void)close(end.fds[0]);

	assert_int_equal(process_pipe(end.fds, true, NULL), STATUS_OK);
	assert_int_equal(loop_watch(loop, end.fds[1], LOOP_WRITE, end_ready, &end), STATUS_OK);
	loop_wait(loop, soon());
	assert_int_equal(end.calls, 2);
	loop_unwatch(loop, end.fds[1]);
	end_close(&end);
}

LOOP_CASE(test_watch_again_replaces)
{
	struct end end;
	struct end other = { 0 };
	end_open(&end, loop);
	end_fill(&end);
	assert_int_equal(loop_watch(loop, end.fds[0], LOOP_READ, end_ready, &other), STATUS_OK);
	loop_wait(loop, soon());
	assert_int_equal(end.calls, 0);
	assert_int_equal(other.calls, 1);
	end_close(&end);
}

LOOP_CASE(test_refused)
{
	int file = memfd_create("regular", MFD_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(loop_watch(loop, file, LOOP_READ, not_called, NULL), STATUS_INVALID);
	(void)close(file);
	assert_int_equal(loop_watch(loop, file, LOOP_READ, not_called, NULL), STATUS_INVALID);
	assert_int_equal(loop_watch(loop, -1, LOOP_READ, not_called, NULL), STATUS_INVALID);
	loop_unwatch(loop, file);
	loop_wait(loop, 0);
}

LOOP_CASE(test_deadline)
{
	for (int i = 0; i < 3; i++) {
		int64_t deadline = clock_monotonic() + 3000;
		/* It may also return early; then one waits again. */
		while (clock_monotonic() < deadline)
			loop_wait(loop, deadline);
	}
	loop_wait(loop, clock_monotonic() - 1);
	loop_wait(loop, INT64_MIN);
}

/* The caller must not take an event for the deadline because both came at once. */
LOOP_CASE(test_an_event_at_the_deadline)
{
	int64_t deadline = clock_monotonic() + CLOCK_MILLISECOND;

	assert_false(loop_wait(loop, deadline));
	assert_false(loop_wait(loop, clock_monotonic() - 1));
	loop_wake(loop);
	assert_true(loop_wait(loop, deadline));
	assert_false(loop_wait(loop, deadline));
}

/* Many at once, the first of which ends all others, itself included. */
LOOP_CASE(test_unwatch_in_batch)
{
	struct end ends[3];
	for (size_t i = 0; i < 3; i++)
		end_open(&ends[i], loop);
	for (size_t i = 0; i < 3; i++) {
		ends[i].unwatches = &ends[(i + 1) % 3];
		end_fill(&ends[i]);
	}
	loop_wait(loop, soon());
	/* Whichever came first kept the next one from being called; the third was. */
	assert_int_equal(ends[0].calls + ends[1].calls + ends[2].calls, 2);
	for (size_t i = 0; i < 3; i++)
		end_close(&ends[i]);
	struct end alone;
	end_open(&alone, loop);
	alone.unwatches = &alone;
	end_fill(&alone);
	loop_wait(loop, soon());
	loop_wait(loop, 0);
	assert_int_equal(alone.calls, 1);
	end_close(&alone);
}

/* An event fetched for a descriptor must not reach what has since been opened in its place. */
LOOP_CASE(test_stale_event)
{
	struct end ends[2];
	for (size_t i = 0; i < 2; i++)
		end_open(&ends[i], loop);
	for (size_t i = 0; i < 2; i++) {
		ends[i].replaces = &ends[1 - i];
		end_fill(&ends[i]);
	}
	loop_wait(loop, soon());
	assert_int_equal(ends[0].calls + ends[1].calls, 1);
	for (size_t i = 0; i < 2; i++)
		end_close(&ends[i]);
}

static void *wake_from_thread(void *context)
{
	loop_wake(context);
	return NULL;
}

LOOP_CASE(test_wake)
{
	pthread_t thread;
	for (int i = 0; i < 100; i++) {
		assert_int_equal(pthread_create(&thread, NULL, wake_from_thread, loop), 0);
		loop_wait(loop, CLOCK_NEVER); /* hangs if a wake is lost */
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	loop_wake(loop);
	loop_wake(loop);
	loop_wait(loop, CLOCK_NEVER);
	int64_t deadline = clock_monotonic() + 1000;
	while (clock_monotonic() < deadline)
		loop_wait(loop, deadline); /* both wakes were one */
}

static int last_signal;
static int signal_count;

static void got_signal(void *context, int signal)
{
	assert_ptr_equal(context, &last_signal);
	last_signal = signal;
	signal_count++;
}

static void check_child_unblocked(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		loop_signals_reset();
		(void)raise(SIGTERM);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

CASE(test_signals)
{
	const int signals[] = { SIGTERM, SIGHUP };
	const int wrong[] = { 12345 };
	sigset_t before;
	struct loop *loop = loop_new(NULL);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
	assert_int_equal(loop_signals(loop, wrong, 1, got_signal, NULL), STATUS_INVALID);
	assert_int_equal(loop_signals(loop, signals, 2, got_signal, &last_signal), STATUS_OK);
	assert_int_equal(loop_signals(loop, signals, 2, got_signal, NULL), STATUS_INVALID);
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	loop_wait(loop, CLOCK_NEVER);
	assert_int_equal(last_signal, SIGTERM);
	assert_int_equal(kill(getpid(), SIGHUP), 0);
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	while (signal_count < 3)
		loop_wait(loop, soon());
	check_child_unblocked();
	loop_free(loop);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
}

static size_t count_inherited(void)
{
	size_t inherited = 0;
	DIR *directory = opendir("/proc/self/fd");
	assert_non_null(directory);
	for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		int flags = fcntl((int)strtol(entry->d_name, NULL, 10), F_GETFD);
		if (entry->d_name[0] != '.' && flags >= 0 && !(flags & FD_CLOEXEC))
			inherited++;
	}
	(void)closedir(directory);
	return inherited;
}

LOOP_CASE(test_close_on_exec)
{
	const int signals[] = { SIGUSR1 };
	size_t before = count_inherited();
	assert_int_equal(loop_signals(loop, signals, 1, got_signal, NULL), STATUS_OK);
	assert_int_equal(count_inherited(), before);
}

/* In a child, and last: after it no descriptor is left. */
CASE(test_no_descriptors)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct error error = { 0 };
		while (dup(0) >= 0)
			continue;
		struct loop *loop = loop_new(&error);
		_exit(!loop && error.status == STATUS_FATAL && strstr(error.text, "open files")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}
