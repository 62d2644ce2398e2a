/* Several processes on nearly empty tables, where deadlocks are: each claim once, OK at once. */
#include <stdatomic.h>

#include "tests/support/queue.h"

#define JOBS     160
#define FOREIGN  20
#define PATIENCE (60 * CLOCK_SECOND)

/* Shared by the processes of one test. */
struct shared {
	atomic_int finished;
	atomic_int moved;
	atomic_int claimed[JOBS]; /* how often, by the job's place */
	int64_t first;            /* number of the first job */
};

struct arrangement {
	struct test_db *test;
	struct shared *shared;
	const char *const *queues;
	size_t limit;
	const char *const *classes; /* one, or NULL: all */
};

/* One worker's loop: finish what was claimed, claim more, until everybody's jobs are finished. */
static int work(unsigned index, void *data)
{
	const struct arrangement *arrangement = data;
	struct shared *shared = arrangement->shared;
	struct test_db own = *arrangement->test;
	struct outcome outcomes[16];
	struct selector selector;
	size_t ended = 0;
	int64_t deadline = clock_monotonic() + PATIENCE;

	own.db = test_db_open_once(own.url);
	struct arena *arena = arena_new();
	int64_t process = register_worker(own.db, arena_printf(arena, "w%u", index));
	size_t queue_count = 0;
	while (arrangement->queues[queue_count])
		queue_count++;
	must(selector_compile, arena, arrangement->queues, queue_count, &selector);
	struct claim_request claim = { .selector = &selector,
				       .process_id = process,
				       .limit = arrangement->limit,
				       .only_classes = arrangement->classes,
				       .only_count = arrangement->classes ? 1 : 0 };
	while (atomic_load(&shared->finished) < JOBS && clock_monotonic() < deadline) {
		struct arena *tick = arena_new();
		struct settle_request request = { .process_id = process,
						  .outcomes = outcomes,
						  .outcome_count = ended,
						  .preserve_finished_jobs = true,
						  .claim = &claim };
		struct claim *claims;
		size_t count;
		must(settle, own.db, tick, &request, &claims, &count);
		for (size_t i = 0; i < ended; i++)
			assert_false(outcomes[i].refused);
		atomic_fetch_add(&shared->finished, (int)ended);
		ended = count;
		for (size_t i = 0; i < count; i++) {
			atomic_fetch_add(&shared->claimed[claims[i].job.id - shared->first], 1);
			outcomes[i] = (struct outcome){ .claim = claim_name(&claims[i]),
							.kind = OUTCOME_FINISHED };
		}
		arena_free(tick);
		if (count == 0)
			clock_sleep(IDLE);
	}
	arena_free(arena);
	db_close(own.db);
	return atomic_load(&shared->finished) == JOBS ? 0 : 1;
}

/* Child 0 enqueues one by one, the others work: the tables are never far from empty. */
static int enqueue_or_work(unsigned index, void *data)
{
	const struct arrangement *arrangement = data;

	if (index > 0)
		return work(index, data);
	struct db *db = test_db_open_once(arrangement->test->url);
	static const char *const queues[] = { "a", "b", "c1", "c2" };
	for (int i = 0; i < JOBS; i++)
		put(db, queues[i % 4], i % 3);
	db_close(db);
	return 0;
}

static void run_workers(struct arrangement arrangement, unsigned workers)
{
	const struct new_job foreign = { .class_name = "Theirs", .queue = "a" };
	struct test_db *test = arrangement.test;

	arrangement.shared = test_share(sizeof(struct shared));
	for (int i = 0; i < FOREIGN && arrangement.classes; i++)
		(void)put_job(test->db, &foreign);
	/* What number the first job will have. */
	arrangement.shared->first = put(test->db, "z", 0) + 1;
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE queue_name = 'z'");
	test_in_children(&(struct test_function){ enqueue_or_work, &arrangement }, workers + 1);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(atomic_load(&arrangement.shared->claimed[i]), 1);
	test_invariant(test->db);
}

static const char *const all[] = { "*", NULL };
static const char *const list[] = { "b", "c*", "a", NULL };

DB_CASE(eight_workers)
{
	run_workers((struct arrangement){ .test = test, .queues = all, .limit = 1 }, 2);
	run_workers((struct arrangement){ .test = test, .queues = all, .limit = 3 }, 8);
	run_workers((struct arrangement){ .test = test, .queues = list, .limit = 2 }, 4);
	run_workers((struct arrangement){ .test = test, .queues = list, .limit = 3 }, 8);
}

DB_CASE(eight_workers_while_a_queue_is_paused)
{
	pause_queue(test, "elsewhere");
	run_workers((struct arrangement){ .test = test, .queues = all, .limit = 3 }, 8);
}

/* More jobs than are looked at in front of the others. */
DB_CASE(eight_workers_behind_a_paused_backlog)
{
	enum { PAUSED = 150 };

	put_copies(test, &(struct new_job){ .class_name = "Test", .queue = "elsewhere" }, PAUSED);
	pause_queue(test, "elsewhere");
	run_workers((struct arrangement){ .test = test, .queues = all, .limit = 3 }, 8);
	assert_int_equal(rows_of(test, "ready_executions"), PAUSED);
}

/* unknown_classes: leave, with the jobs of another class before all others. */
DB_CASE(eight_workers_of_one_class)
{
	static const char *const mine[] = { "Test" };

	run_workers(
		(struct arrangement){ .test = test, .queues = all, .limit = 3, .classes = mine },
		8);
	run_workers(
		(struct arrangement){ .test = test, .queues = list, .limit = 3, .classes = mine },
		8);
}

/* DI6: several dispatchers move every due job once. */
static int dispatch_all(unsigned index, void *data)
{
	const struct arrangement *arrangement = data;
	struct db *db = test_db_open_once(arrangement->test->url);
	int64_t deadline = clock_monotonic() + PATIENCE;

	(void)index;
	while (atomic_load(&arrangement->shared->moved) < JOBS && clock_monotonic() < deadline) {
		int64_t moved;
		must(dispatch, db, &(struct dispatching){ 0 }, 7, &moved);
		atomic_fetch_add(&arrangement->shared->moved, (int)moved);
	}
	db_close(db);
	return atomic_load(&arrangement->shared->moved) == JOBS ? 0 : 1;
}

DB_CASE(di6_several_dispatchers)
{
	struct arrangement arrangement = { .test = test,
					   .shared = test_share(sizeof(struct shared)) };

	put_copies(test, &(struct new_job){ .class_name = "Later", .delay = CLOCK_HOUR }, JOBS);
	make_due(test);
	test_in_children(&(struct test_function){ dispatch_all, &arrangement }, 4);
	assert_int_equal(rows_of(test, "ready_executions"), JOBS);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	test_invariant(test->db);
}

/* Discarding and claiming the same jobs: each is one or the other. */
static int discard_or_work(unsigned index, void *data)
{
	const struct arrangement *arrangement = data;
	struct test_db own = own_open(arrangement->test); /* where deadlocks are repeated */
	size_t count;

	if (index % 2 == 0) {
		const struct job_filter ready = { .has_state = true, .state = JOB_READY };
		int64_t discarded;
		must(job_discard_all, own.db, &ready, &discarded);
		atomic_fetch_add(&arrangement->shared->moved, (int)discarded);
	} else {
		int64_t process = register_worker(own.db, "w");
		do {
			struct claim *claims = take(&own, process, all, 5, &count);
			for (size_t i = 0; i < count; i++)
				assert_true(settle_one(own.db, &claims[i], OUTCOME_FINISHED));
			atomic_fetch_add(&arrangement->shared->finished, (int)count);
		} while (count > 0);
	}
	own_close(&own);
	return 0;
}

DB_CASE(discarding_races_with_claiming)
{
	struct arrangement arrangement = { .test = test,
					   .shared = test_share(sizeof(struct shared)) };

	put_copies(test, &(struct new_job){ .class_name = "Either" }, JOBS);
	test_in_children(&(struct test_function){ discard_or_work, &arrangement }, 4);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
	assert_int_equal(rows_of(test, "jobs"), atomic_load(&arrangement.shared->finished));
	assert_int_equal(atomic_load(&arrangement.shared->finished) +
				 atomic_load(&arrangement.shared->moved),
			 JOBS);
	test_invariant(test->db);
}
