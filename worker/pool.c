#include "worker/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/log/log.h"
#include "common/loop.h"

/* First in, first out. */
struct task_list {
	struct pool_task *head;
	struct pool_task *tail;
};

struct pool {
	pthread_mutex_t lock; /* guards everything below but the first two */
	pthread_cond_t work;
	pool_function *run;
	size_t limit;
	struct loop *loop;
	struct task_list queue;
	struct task_list ended;
	size_t waiting; /* threads in pthread_cond_wait */
	size_t running; /* threads inside run */
	bool summoned;  /* a thread was signalled or created and has not yet asked for a task */
	bool woken;     /* loop_wake was called since the ended tasks were last taken */
	bool stopping;
	size_t started;
	pthread_t threads[];
};

static void list_append(struct task_list *list, struct pool_task *head, struct pool_task *tail)
{
	if (!list->head)
		list->head = head;
	else
		list->tail->next = head;
	list->tail = tail;
	tail->next = NULL;
}

static struct pool_task *list_pop(struct task_list *list)
{
	struct pool_task *task = list->head;

	list->head = task->next;
	task->next = NULL;
	return task;
}

static void *thread_main(void *context);

/* Signals are handled by the main thread: the new thread inherits a full mask. */
static bool thread_start(struct pool *pool)
{
	sigset_t all;
	sigset_t before;
	int code;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&pool->threads[pool->started], NULL, thread_main, pool);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code != 0) {
		log_event(LOG_WARN, "worker.thread_refused",
			  LOG_TEXT("reason", strerrordesc_np(code)),
			  LOG_INT("threads", pool->started));
		return false;
	}
	pool->started++;
	return true;
}

/*
 * At most one thread is being woken at a time; when it takes its task it summons the next. So a few
 * awake threads do a burst of short jobs, and long jobs soon have all threads.
 */
static void summon(struct pool *pool)
{
	if (!pool->queue.head || pool->summoned || pool->stopping)
		return;
	if (pool->waiting > 0) {
		pool->summoned = true;
		(void)pthread_cond_signal(&pool->work);
	} else if (pool->started < pool->limit) {
		pool->summoned = thread_start(pool);
	}
}

/*
 * Only the task that leaves the queue empty wakes the loop: the others of its burst are taken with
 * it. For a task that ends while a long one is still queued, see pool_look.
 */
static void announce(struct pool *pool)
{
	if (pool->woken || pool->queue.head || !pool->loop)
		return;
	pool->woken = true;
	loop_wake(pool->loop);
}

static void run_next(struct pool *pool)
{
	struct pool_task *task = list_pop(&pool->queue);

	pool->running++;
	summon(pool);
	(void)pthread_mutex_unlock(&pool->lock);
	pool->run(task);
	(void)pthread_mutex_lock(&pool->lock);
	pool->running--;
	list_append(&pool->ended, task, task);
	announce(pool);
}

static void *thread_main(void *context)
{
	struct pool *pool = context;

	(void)pthread_mutex_lock(&pool->lock);
	pool->summoned = false;
	while (!pool->stopping) {
		if (pool->queue.head) {
			run_next(pool);
			continue;
		}
		pool->waiting++;
		(void)pthread_cond_wait(&pool->work, &pool->lock);
		pool->waiting--;
		pool->summoned = false;
	}
	(void)pthread_mutex_unlock(&pool->lock);
	return NULL;
}

enum status pool_open(struct pool **pool, size_t threads, pool_function *run, struct loop *loop,
		      struct error *error)
{
	struct pool *new = calloc(1, sizeof(*new) + threads * sizeof(new->threads[0]));

	if (!new)
		return error_set(error, STATUS_FATAL, "no memory for %zu threads", threads);
	(void)pthread_mutex_init(&new->lock, NULL);
	(void)pthread_cond_init(&new->work, NULL);
	new->run = run;
	new->limit = threads;
	new->loop = loop;
	*pool = new;
	return STATUS_OK;
}

void pool_submit(struct pool *pool, struct pool_task *tasks)
{
	struct pool_task *tail = tasks;

	if (!tasks)
		return;
	while (tail->next)
		tail = tail->next;
	(void)pthread_mutex_lock(&pool->lock);
	list_append(&pool->queue, tasks, tail);
	summon(pool);
	(void)pthread_mutex_unlock(&pool->lock);
}

struct pool_task *pool_take_ended(struct pool *pool)
{
	struct pool_task *tasks;

	(void)pthread_mutex_lock(&pool->lock);
	tasks = pool->ended.head;
	pool->ended.head = NULL;
	pool->woken = false;
	(void)pthread_mutex_unlock(&pool->lock);
	return tasks;
}

enum pool_state pool_look(struct pool *pool)
{
	enum pool_state state = POOL_QUIET;

	(void)pthread_mutex_lock(&pool->lock);
	summon(pool);
	if (pool->queue.head)
		state = POOL_BACKLOG;
	else if (pool->ended.head)
		state = POOL_ENDED;
	(void)pthread_mutex_unlock(&pool->lock);
	return state;
}

size_t pool_threads(struct pool *pool)
{
	size_t started;

	(void)pthread_mutex_lock(&pool->lock);
	started = pool->started;
	(void)pthread_mutex_unlock(&pool->lock);
	return started;
}

bool pool_close(struct pool *pool)
{
	bool busy;

	if (!pool)
		return true;
	(void)pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	pool->queue.head = NULL;
	pool->loop = NULL; /* the loop may be freed while an abandoned task still runs */
	busy = pool->running > 0;
	(void)pthread_cond_broadcast(&pool->work);
	(void)pthread_mutex_unlock(&pool->lock);
	if (busy)
		return false;
	for (size_t i = 0; i < pool->started; i++)
		(void)pthread_join(pool->threads[i], NULL);
	(void)pthread_cond_destroy(&pool->work);
	(void)pthread_mutex_destroy(&pool->lock);
	free(pool);
	return true;
}
