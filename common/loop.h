/*
 * All waiting happens here: descriptors, timers and signals, over epoll and signalfd. One loop a
 * process, used by its main thread only (only loop_wake may be called from any thread). Callbacks
 * run inside loop_wait and must not block.
 */
#ifndef LOOP_H
#define LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct loop;

typedef void loop_callback(void *context);
typedef void loop_signal_callback(void *context, int signal);

enum loop_events { LOOP_READ = 1, LOOP_WRITE = 2 };

/* NULL with *error filled when the kernel refuses (no descriptors). */
struct loop *loop_new(struct error *error);
void loop_free(struct loop *loop);

/*
 * Calls back while fd is readable, writable or hung up. One watch a descriptor: a second one
 * replaces the first. Does not own fd. INVALID when fd is closed or cannot be waited for (a regular
 * file, which is always ready).
 */
enum status loop_watch(struct loop *loop, int fd, unsigned events, loop_callback *call,
		       void *context) MUST_CHECK;

/* Must be called before fd is closed. Unknown descriptors are ignored. Safe inside callbacks. */
void loop_unwatch(struct loop *loop, int fd);

/*
 * Delivers these signals as callbacks in the loop: from now on the calling thread (and those it
 * creates) has exactly these blocked. A signal that arrived while it was blocked already is
 * delivered, too. Call it once, early; INVALID the second time or for an unknown signal.
 */
enum status loop_signals(struct loop *loop, const int signals[], size_t count,
			 loop_signal_callback *call, void *context) MUST_CHECK;

/* Makes the current or next loop_wait return. Any thread. */
void loop_wake(struct loop *loop);

/*
 * Waits until `deadline` (clock_monotonic; CLOCK_NEVER = no limit; a past one = do not wait), a
 * wake or an event, and runs the callbacks of the events. Returns after one batch of events: true
 * when something has happened, false when only time has passed.
 */
bool loop_wait(struct loop *loop, int64_t deadline);

/* In a signal's callback: who sent it (si_code). */
int loop_signal_code(const struct loop *loop);

/* Unblocks all signals in a child after fork and before exec: async-signal-safe. */
void loop_signals_reset(void);

#endif
