/* Limited jobs for tests: short forms that fail the test when the verb fails. */
#ifndef TEST_LIMITED_H
#define TEST_LIMITED_H

#include "tests/support/queue.h"

/* Declares these limits, by position, and nothing else. */
void declare_limits(struct test_db *test, const char *class_name, const struct limit list[],
		    size_t count);

/* Declares a limit of so many slots, of three minutes. */
void declare(struct test_db *test, const char *class_name, int slots, enum conflict on_conflict);

/* Several limits of one class, of so many slots each, as many as there are until 0. */
void declare_several(struct test_db *test, const char *class_name, const int slots[],
		     enum conflict on_conflict);

/* A job of several keys (NULL-terminated). */
int64_t put_several(struct test_db *test, const char *class_name, const char *const keys[]);

/* The same, to fill in or to enqueue among others. Borrows the keys. */
struct new_job several_job(const char *class_name, const char *const keys[]);

/* A job of one key; one that is due in an hour. */
int64_t put_limited(struct test_db *test, const char *class_name, const char *key);
int64_t put_limited_delayed(struct test_db *test, const char *class_name, const char *key);

void put_many(struct test_db *test, const char *class_name, const char *key, int count);

/* Declares "Limited" with so many slots, and enqueues so many jobs of it with the key "k". */
void put_blocked(struct test_db *test, int slots, int count);

/* The jobs that are ready vanish. */
void lose_ready(struct test_db *test);

/*
 * Those that are blocked become ready, as rows written by hand are, and what a dispatcher makes
 * that does not know the limit.
 */
void unblock(struct db *db);

/* The semaphore's value, -1 = no row. */
int64_t value_of(struct test_db *test, const char *key);

/* So many looks at all limits by one dispatcher; how many jobs they admitted. */
int64_t heal_times(struct test_db *test, int times);

/* Rows of dray_slots. */
int64_t held_slots(struct test_db *test);

/*
 * Every slot is held by a job that is ready or runs, what the semaphores of declared classes have
 * free is what is left of their limits, and nobody waits for a slot that is free.
 */
void assert_slots_add_up(struct test_db *test);

/* So many jobs in each table, and the invariant; with the value of a semaphore. */
void assert_rows(struct test_db *test, int ready, int claimed, int blocked);
void assert_key(struct test_db *test, const char *key, int64_t value, int ready, int claimed,
		int blocked);

/* The runs that are to be stopped, in lines: job, by whom, why. */
const char *cancel_notes(struct test_db *test);

/* It has ended because of a newer one. */
void assert_cancelled_by(struct test_db *test, int64_t id, int64_t by);

#endif
