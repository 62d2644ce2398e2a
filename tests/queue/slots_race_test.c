/*
 * Eight processes that enqueue, dispatch, claim, finish, fail and heal jobs of the same three keys
 * at once: no deadlock surfaces, no key is ever above its limit, and nobody is left waiting.
 */
#include <stdatomic.h>
#include <sys/mman.h>

#include "queue/heal.h"
#include "tests/support/limited.h"

#define PROCESSES 8
#define KEYS      3
#define JOBS      20 /* of each process; a quarter of them scheduled */
#define PATIENCE  (100 * CLOCK_SECOND)

static const char *const keys[KEYS] = { "a", "b", "c" };

/* Shared by the processes. */
struct shared {
	atomic_int running[KEYS]; /* jobs of the key that are between claim and end */
	atomic_int above;         /* how often there were more of them than may be */
	atomic_int ended;
};

struct race {
	struct test_db *test;
	struct shared *shared;
};

static int slots_of(int key)
{
	return key + 1;
}

static void start(struct shared *shared, const struct claim *claim)
{
	int key = claim->job.concurrency_key[0] - 'a';

	if (atomic_fetch_add(&shared->running[key], 1) + 1 > slots_of(key))
		atomic_fetch_add(&shared->above, 1);
}

static void enqueue_some(struct db *db, unsigned seed)
{
	static const char *const classes[] = { "A", "B", "C" };
	struct new_job jobs[2] = { 0 };
	struct enqueued results[2];
	struct error error = { 0 };

	for (unsigned i = 0; i < 2; i++)
		jobs[i] = (struct new_job){ .class_name = classes[(seed + i) % KEYS],
					    .concurrency_key = keys[(seed + i) % KEYS],
					    .delay = (seed + i) % 4 == 0 ? 1000 : 0 };
	assert_ok(enqueue(db, jobs, 2, results, &error), &error);
}

/* Ends what was claimed, one job at a time, and not all of it well; claims what it may. */
static void work(struct test_db *own, struct shared *shared, int64_t process)
{
	static const char *const all[] = { "*", NULL };
	size_t count;
	const struct claim *claims = take(own, process, all, 2, &count);

	for (size_t i = 0; i < count; i++)
		start(shared, &claims[i]);
	for (size_t i = 0; i < count; i++) {
		bool fails = claims[i].job.id % 5 == 0;
		atomic_fetch_sub(&shared->running[claims[i].job.concurrency_key[0] - 'a'], 1);
		assert_true(
			settle_one(own->db, &claims[i], fails ? OUTCOME_FAILED : OUTCOME_FINISHED));
		atomic_fetch_add(&shared->ended, 1);
	}
}

/* A connection that repeats nothing: a deadlock is a failure of the verb, and so of the test. */
static struct db *open_once(const char *url)
{
	const struct db_options options = { .retry_for = 1 };
	struct error error = { 0 };
	struct db *db;

	assert_ok(db_open(&db, url, &options, &error), &error);
	return db;
}

static int run(unsigned index, void *data)
{
	const struct race *race = data;
	struct test_db own = *race->test;
	struct error error = { 0 };
	struct heal heals = { 0 };
	int64_t deadline = clock_monotonic() + PATIENCE;
	int64_t moved;

	own.db = open_once(own.url);
	own.arena = arena_new();
	int64_t process = register_worker(own.db, arena_printf(own.arena, "w%u", index));
	for (unsigned turn = 0;
	     atomic_load(&race->shared->ended) < PROCESSES * JOBS && clock_monotonic() < deadline;
	     turn++) {
		if (turn < JOBS / 2)
			enqueue_some(own.db, index + 2 * turn);
		work(&own, race->shared, process);
		assert_ok(dispatch(own.db, 5, &moved, &error), &error);
		if (index < 2 && turn % 8 == 7)
			assert_ok(heal(own.db, &heals, &error), &error);
	}
	heal_clear(&heals);
	arena_free(own.arena);
	db_close(own.db);
	return atomic_load(&race->shared->ended) == PROCESSES * JOBS ? 0 : 1;
}

/*
 * Several that make the same new semaphore at once may deadlock on MySQL (and the verb is
 * repeated): it is not what this is about.
 */
static void make_semaphores(struct test_db *test)
{
	const struct job_filter ready = { .has_state = true, .state = JOB_READY };
	struct error error = { 0 };
	int64_t count;

	put_limited(test, "A", keys[0]);
	put_limited(test, "B", keys[1]);
	put_limited(test, "C", keys[2]);
	assert_ok(job_discard_all(test->db, &ready, &count, &error), &error);
}

static void eight_processes_three_keys(void **state)
{
	struct race race = { .test = *state };
	const struct test_function function = { .run = run, .data = &race };

	race.shared = mmap(NULL, sizeof(*race.shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(race.shared, MAP_FAILED);
	declare(race.test, "A", slots_of(0), LIMIT_BLOCK);
	declare(race.test, "B", slots_of(1), LIMIT_BLOCK);
	declare(race.test, "C", slots_of(2), LIMIT_BLOCK);
	make_semaphores(race.test);
	test_in_children(&function, PROCESSES);
	assert_int_equal(atomic_load(&race.shared->above), 0);
	assert_int_equal(held_slots(race.test), 0);
	for (int i = 0; i < KEYS; i++)
		assert_int_equal(value_of(race.test, keys[i]), slots_of(i));
	assert_rows(race.test, 0, 0, 0);
	assert_int_equal(munmap(race.shared, sizeof(*race.shared)), 0);
}

int main(void)
{
	static const struct test_case cases[] = { TEST(eight_processes_three_keys) };

	return test_run_backends("slots_race", cases, sizeof(cases) / sizeof(cases[0]));
}
