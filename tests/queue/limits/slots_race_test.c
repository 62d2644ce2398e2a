/*
 * Eight processes that enqueue, dispatch, claim, finish, fail and heal jobs of the same three keys
 * at once, one of them or several each: no deadlock surfaces, no key is ever above its limit, and
 * nobody is left waiting.
 */
#include <stdatomic.h>

#include "queue/limits/heal.h"
#include "tests/support/limited.h"

#define PROCESSES 8
#define KEYS      3
#define NEW_KEYS  20
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
	const struct kind *kinds; /* KINDS */
	int jobs;                 /* of each process; a quarter of them scheduled */
};

#define KINDS 3

/* What is enqueued: a class and its keys. */
struct kind {
	const char *class_name;
	const char *keys[KEYS + 1];
};

static const struct kind single[KINDS] = { { "A", { "a" } }, { "B", { "b" } }, { "C", { "c" } } };

/* Keys in all orders; a job of each runs with none of the others, or with one. */
static const struct kind several[KINDS] = { { "A", { "a" } },
					    { "Cba", { "c", "b", "a" } },
					    { "Bc", { "b", "c" } } };

static int slots_of(int key)
{
	return key + 1;
}

static void count_runs(const struct race *race, const struct claim *claim, int change)
{
	const struct kind *kind = race->kinds;

	while (strcmp(kind->class_name, claim->job.class_name) != 0)
		kind++;
	for (const char *const *name = kind->keys; *name; name++) {
		int key = **name - 'a';
		if (atomic_fetch_add(&race->shared->running[key], change) + change > slots_of(key))
			atomic_fetch_add(&race->shared->above, 1);
	}
}

static void enqueue_some(const struct race *race, struct db *db, unsigned seed)
{
	struct new_job jobs[2] = { 0 };
	struct enqueued results[2];

	for (unsigned i = 0; i < 2; i++) {
		const struct kind *kind = &race->kinds[(seed + i) % KINDS];
		jobs[i] = several_job(kind->class_name, kind->keys);
		jobs[i].delay = (seed + i) % 4 == 0 ? 1000 : 0;
	}
	must(enqueue, db, jobs, 2, results);
}

/* Ends what was claimed, one job at a time, and not all of it well; claims what it may. */
static void work(const struct race *race, struct test_db *own, int64_t process)
{
	size_t count;
	const struct claim *claims = take_some(own, process, 2, &count);

	for (size_t i = 0; i < count; i++)
		count_runs(race, &claims[i], 1);
	for (size_t i = 0; i < count; i++) {
		bool fails = claims[i].job.id % 5 == 0;
		count_runs(race, &claims[i], -1);
		assert_true(
			settle_one(own->db, &claims[i], fails ? OUTCOME_FAILED : OUTCOME_FINISHED));
		atomic_fetch_add(&race->shared->ended, 1);
	}
}

static int run(unsigned index, void *data)
{
	const struct race *race = data;
	struct test_db own = *race->test;
	struct heal heals = { 0 };
	int64_t deadline = clock_monotonic() + PATIENCE;
	int64_t moved;

	own.db = test_db_open_once(own.url);
	own.arena = arena_new();
	int64_t process = register_worker(own.db, arena_printf(own.arena, "w%u", index));
	for (unsigned turn = 0; atomic_load(&race->shared->ended) < PROCESSES * race->jobs &&
				clock_monotonic() < deadline;
	     turn++) {
		if (turn < (unsigned)race->jobs / 2)
			enqueue_some(race, own.db, index + 2 * turn);
		work(race, &own, process);
		must(dispatch, own.db, &(struct dispatching){ 0 }, 5, &moved);
		if (index < 2 && turn % 8 == 7)
			must(heal, own.db, &heals);
	}
	heal_clear(&heals);
	arena_free(own.arena);
	db_close(own.db);
	return atomic_load(&race->shared->ended) == PROCESSES * race->jobs ? 0 : 1;
}

static void run_eight(struct test_db *test, const struct kind kinds[], int jobs)
{
	struct race race = { .test = test, .kinds = kinds, .jobs = jobs };

	race.shared = test_share(sizeof(*race.shared));
	declare(test, "A", slots_of(0), LIMIT_BLOCK);
	declare(test, "B", slots_of(1), LIMIT_BLOCK);
	declare(test, "C", slots_of(2), LIMIT_BLOCK);
	declare_several(test, "Cba", (const int[]){ 3, 2, 1, 0 }, LIMIT_BLOCK);
	declare_several(test, "Bc", (const int[]){ 2, 3, 0 }, LIMIT_BLOCK);
	/* On MySQL several that make one semaphore may deadlock: this is not about that. */
	put_limited(test, "A", keys[0]);
	put_limited(test, "B", keys[1]);
	put_limited(test, "C", keys[2]);
	(void)discard_ready(test, NULL);
	test_in_children(&(struct test_function){ run, &race }, PROCESSES);
	assert_int_equal(atomic_load(&race.shared->above), 0);
	assert_int_equal(held_slots(test), 0);
	for (int i = 0; i < KEYS; i++)
		assert_int_equal(value_of(test, keys[i]), slots_of(i));
	assert_rows(test, 0, 0, 0);
}

DB_CASE(eight_processes_three_keys)
{
	run_eight(test, single, 20);
}

DB_CASE(eight_processes_several_keys)
{
	run_eight(test, several, 6);
}

/* In orders that differ, half of them keys of its own, and the others those of everybody. */
static int enqueue_new_keys(unsigned index, void *data)
{
	const struct test_db *test = data;
	struct arena *arena = arena_new();
	struct new_job jobs[NEW_KEYS];
	struct enqueued results[NEW_KEYS];

	for (unsigned i = 0; i < NEW_KEYS; i++) {
		unsigned number = index % 2 ? NEW_KEYS - i : i + 1;
		const char *key = arena_printf(arena, "new/%u/%u", i % 2 ? index : 99, number);
		jobs[i] = (struct new_job){ .class_name = "New", .concurrency_key = key };
	}
	struct db *db = test_db_open(test->url);
	must(enqueue, db, jobs, NEW_KEYS, results);
	db_close(db);
	arena_free(arena);
	return 0;
}

/* Defect 37: semaphores that several make at once, in one gap of the index: nobody fails. */
DB_CASE(new_semaphores_at_once)
{
	declare(test, "New", 1, LIMIT_BLOCK);
	test_in_children(&(struct test_function){ enqueue_new_keys, test }, PROCESSES);
	assert_int_equal(rows_of(test, "jobs"), PROCESSES * NEW_KEYS);
	assert_int_equal(held_slots(test), rows_of(test, "semaphores"));
	assert_slots_add_up(test);
	test_invariant(test->db);
}
