#include <pthread.h>
#include <stdatomic.h>

#include "common/loop.h"
#include "tests/support/test.h"
#include "worker/pool.h"

#define MANY 5000

struct counted {
	struct pool_task task;
	int runs;
	bool blocks; /* until gate_open */
};

static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate = PTHREAD_COND_INITIALIZER;
static bool gate_open;
static atomic_int inside;

static void gate_set(bool open)
{
	(void)pthread_mutex_lock(&gate_lock);
	gate_open = open;
	(void)pthread_cond_broadcast(&gate);
	(void)pthread_mutex_unlock(&gate_lock);
}

static void run(struct pool_task *task)
{
	struct counted *counted = (struct counted *)task;

	counted->runs++;
	if (counted->blocks) {
		(void)pthread_mutex_lock(&gate_lock);
		atomic_fetch_add(&inside, 1);
		while (!gate_open)
			(void)pthread_cond_wait(&gate, &gate_lock);
		atomic_fetch_sub(&inside, 1);
		(void)pthread_mutex_unlock(&gate_lock);
	}
}

static struct loop *loop; /* of the pool */

static struct pool *new_pool(size_t threads)
{
	struct pool *pool = NULL;
	struct error error = { 0 };

	loop = loop_new(&error);
	assert_non_null(loop);
	assert_ok(pool_open(&pool, threads, run, loop, &error), &error);
	return pool;
}

static void end_pool(struct pool *pool)
{
	assert_true(pool_close(pool));
	loop_free(loop);
}

static void submit(struct pool *pool, struct counted *list, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		list[i].task.next = &list[i + 1].task;
	list[count - 1].task.next = NULL;
	pool_submit(pool, &list[0].task);
}

/* Waits as the worker does: by the pool's wakes, and by the lingering that a backlog asks for. */
static size_t take(struct pool *pool, size_t wanted)
{
	size_t taken = 0;

	while (taken < wanted) {
		struct pool_task *task = pool_take_ended(pool);

		for (; task != NULL; task = task->next)
			taken++;
		if (taken < wanted && pool_look(pool) == POOL_QUIET)
			loop_wait(loop, CLOCK_NEVER);
		else if (taken < wanted && pool_look(pool) == POOL_BACKLOG)
			loop_wait(loop, clock_monotonic() + CLOCK_MILLISECOND);
	}
	return taken;
}

CASE(every_task_runs_once)
{
	struct counted *tasks = calloc(MANY, sizeof(*tasks));
	struct pool *pool = new_pool(8);

	assert_non_null(tasks);
	for (size_t round = 0; round < MANY; round += 100)
		submit(pool, &tasks[round], 100);
	assert_int_equal(take(pool, MANY), MANY);
	assert_null(pool_take_ended(pool));
	assert_true(pool_threads(pool) <= 8);
	end_pool(pool);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(tasks[i].runs, 1);
	free(tasks);
}

CASE(no_thread_before_there_is_work)
{
	struct counted task = { .runs = 0 };
	struct pool *pool = new_pool(100);

	assert_int_equal(pool_threads(pool), 0);
	submit(pool, &task, 1);
	assert_int_equal(take(pool, 1), 1);
	assert_int_equal(pool_threads(pool), 1);
	end_pool(pool);
}

/* All blocking tasks get a thread of their own; a short one behind them is not held up. */
CASE(blocking_tasks_run_side_by_side)
{
	struct counted tasks[5] = { { .blocks = true },
				    { .blocks = true },
				    { .blocks = true },
				    { .blocks = true },
				    { .blocks = false } };
	struct pool *pool = new_pool(5);

	gate_set(false);
	submit(pool, tasks, 5);
	assert_int_equal(take(pool, 1), 1);
	while (atomic_load(&inside) < 4)
		clock_sleep(CLOCK_MILLISECOND);
	assert_int_equal(pool_threads(pool), 5);
	assert_null(pool_take_ended(pool));
	gate_set(true);
	assert_int_equal(take(pool, 4), 4);
	end_pool(pool);
}

CASE(more_tasks_than_threads_wait)
{
	struct counted tasks[4] = {
		{ .blocks = true }, { .blocks = true }, { .blocks = false }, { .blocks = false }
	};
	struct pool *pool = new_pool(2);

	gate_set(false);
	submit(pool, tasks, 4);
	while (atomic_load(&inside) < 2)
		clock_sleep(CLOCK_MILLISECOND);
	assert_int_equal(pool_look(pool), POOL_BACKLOG);
	gate_set(true);
	assert_int_equal(take(pool, 4), 4);
	assert_int_equal(pool_threads(pool), 2);
	end_pool(pool);
}

/* A task that does not end is left behind with the pool; what was queued is never started. */
CASE(a_task_that_does_not_end_is_abandoned)
{
	static struct counted tasks[2] = { { .blocks = true }, { .blocks = false } };
	struct pool *pool = new_pool(1);

	gate_set(false);
	submit(pool, tasks, 2);
	while (atomic_load(&inside) < 1)
		clock_sleep(CLOCK_MILLISECOND);
	assert_false(pool_close(pool));
	loop_free(loop);
	gate_set(true); /* the thread may now wake no loop, and must start nothing */
	while (atomic_load(&inside) > 0)
		clock_sleep(CLOCK_MILLISECOND);
	assert_true(pool_close(pool)); /* nothing runs any more, so this frees it */
	assert_int_equal(tasks[1].runs, 0);
}

CASE(closing_an_unused_pool)
{
	end_pool(new_pool(3));
	assert_true(pool_close(NULL));
}
