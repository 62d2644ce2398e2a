/*
 * The threads that run module jobs: started one by one as work arrives, never more than the worker
 * has runs. Tasks are handed over and returned as lists, with one lock a burst; the loop is woken
 * once for many ended tasks, not once for each. Everything but the run function is called by the
 * main thread.
 */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct loop;
struct pool;

/* Embedded in whatever is to be run. */
struct pool_task {
	struct pool_task *next;
};

typedef void pool_function(struct pool_task *task);

/* No thread is started yet. `loop` is woken when tasks have ended. FATAL: no memory. */
enum status pool_open(struct pool **pool, size_t threads, pool_function *run, struct loop *loop,
		      struct error *error) MUST_CHECK;

/* Hands over a list of tasks (ended by NULL), to be started in this order. */
void pool_submit(struct pool *pool, struct pool_task *tasks);

/* Takes the tasks that have ended since the last call, the oldest first; NULL when none has. */
struct pool_task *pool_take_ended(struct pool *pool);

enum pool_state {
	POOL_QUIET,  /* the next task that ends wakes the loop */
	POOL_ENDED,  /* tasks wait to be taken */
	POOL_BACKLOG /* tasks are not yet started: those that end meanwhile may not wake the loop */
};

/*
 * Also starts or wakes a thread when there is a backlog and an earlier attempt to start one failed.
 * A backlog lasts microseconds, so the caller looks again soon (LINGER in tick.c).
 */
enum pool_state pool_look(struct pool *pool);

/* Threads started so far: for tests and the state dump. */
size_t pool_threads(struct pool *pool);

/*
 * Drops tasks that have not been started and ends the idle threads. True: all threads have ended
 * and the pool is freed. False: some task still runs; the pool, its tasks and the memory they use
 * are never freed, because the process is about to end.
 */
bool pool_close(struct pool *pool);

#endif
