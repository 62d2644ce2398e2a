#include "tests/chaos/feeder.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "bench/history.h"
#include "queue/enqueue/enqueue.h"
#include "tests/support/sites/process.h"
#include "tests/support/test.h"

#define MOST    400000
#define BATCH   40
#define WAITING 400
#define PAUSE   (10 * CLOCK_MILLISECOND)
#define DELAY   (100 * CLOCK_MILLISECOND)

struct feeder_shared {
	atomic_bool stop;
	atomic_size_t count;
	const char *url;
	const char *effects;
	int64_t ids[MOST];
};

/* Any refusal counts as the outage that is going on; only what is confirmed is remembered. */
static void feed(struct feeder_shared *shared, struct db *db)
{
	struct new_job jobs[BATCH];
	struct enqueued results[BATCH];
	struct error error;
	size_t count = atomic_load(&shared->count);

	for (int i = 0; i < BATCH; i++)
		jobs[i] = (struct new_job){ .class_name = i % 20 == 7 ? "Command" : "Effect",
					    .arguments = "[10]",
					    .delay = i % 10 == 3 ? DELAY : 0 };
	enum status status = enqueue(db, jobs, BATCH, results, &error);
	while (status == STATUS_UNCERTAIN || status == STATUS_DOWN) {
		if (status == STATUS_DOWN || atomic_load(&shared->stop))
			return;
		clock_sleep(PAUSE);
		status = enqueue_resolve(db, results, BATCH, &error);
	}
	if (status != STATUS_OK)
		return;
	for (int i = 0; i < BATCH && count < MOST; i++)
		shared->ids[count++] = results[i].id;
	atomic_store(&shared->count, count);
}

static struct db *connect_to(const char *url)
{
	const struct db_options options = { .must_exist = true,
					    .call_timeout = 2 * CLOCK_SECOND,
					    .retry_for = CLOCK_SECOND };
	struct error error;
	struct db *db = NULL;

	return db_open(&db, url, &options, &error) == STATUS_OK ? db : NULL;
}

static int run(unsigned index, void *data)
{
	struct feeder_shared *shared = data;
	struct db *db = NULL;

	(void)index;
	while (!atomic_load(&shared->stop)) {
		size_t done = history_lines(shared->effects) / 2;
		if (!db)
			db = connect_to(shared->url);
		if (db && atomic_load(&shared->count) < done + WAITING)
			feed(shared, db);
		else
			clock_sleep(PAUSE);
	}
	db_close(db);
	return 0;
}

void feeder_start(struct feeder *feeder, const char *url, const char *effects)
{
	struct feeder_shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(shared != MAP_FAILED);
	shared->url = url;
	shared->effects = effects;
	const struct test_function function = { run, shared };
	*feeder = (struct feeder){ .shared = shared };
	feeder->pid = test_fork(&function, 0);
}

void feeder_stop(struct feeder *feeder)
{
	if (feeder->pid == 0)
		return;
	atomic_store(&feeder->shared->stop, true);
	(void)test_wait_exit(feeder->pid, 30 * CLOCK_SECOND);
	feeder->pid = 0;
}

const int64_t *feeder_jobs(const struct feeder *feeder, size_t *count)
{
	*count = atomic_load(&feeder->shared->count);
	return feeder->shared->ids;
}

void feeder_close(struct feeder *feeder)
{
	feeder_stop(feeder);
	if (feeder->shared)
		(void)munmap(feeder->shared, sizeof(*feeder->shared));
	feeder->shared = NULL;
}
