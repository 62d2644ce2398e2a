/* Rows torn apart by hand, and what the doctor finds and mends. */
#ifndef TEST_TORN_H
#define TEST_TORN_H

#include "queue/doctor/doctor.h"
#include "tests/support/database.h"

/*
 * After how much silence a process of ours, and one of others, is dead here: longer than any test
 * takes.
 */
#define TORN_ALIVE  (1 * CLOCK_HOUR)
#define TORN_OTHERS (3 * CLOCK_HOUR)

/* The tables of executions by precedence: "claimed", "failed" and so on. */
#define TORN_TABLES 5
extern const char *const torn_tables[TORN_TABLES];

/* Looks, and mends if asked to. */
struct doctor torn_examine(struct test_db *test, bool mend);

/* Fails the test unless a look finds nothing. */
void torn_assert_well(struct test_db *test);

/*
 * Fails the test unless this kind, and no other, is there `count` times, the first of them `first`;
 * unless looking changes nothing; and unless all is well after mending.
 */
void torn_mend(struct test_db *test, enum ailment ailment, int64_t count, int64_t first);

/* Executes SQL in which # is this number. */
void torn_execute(struct test_db *test, const char *sql, int64_t number);

/* From here on test->db may leave rows without what they refer to. */
void torn_unguard(struct test_db *test);

/* Puts a job into a table of torn_tables; the process is for a claim. */
void torn_add(struct test_db *test, const char *table, int64_t job, int64_t process);

/* Takes it out of all of them. */
void torn_remove(struct test_db *test, int64_t job);

/*
 * Gives a time of all jobs above this number the form in which it cannot be compared here: with T
 * and Z, infinity, a date of zeros.
 */
void torn_set_odd_time(struct test_db *test, const char *table, const char *column, int64_t above);

/* That time as it stands. */
const char *torn_odd_time(struct test_db *test);

/* How many scheduled jobs have it. */
int64_t torn_odd_times(struct test_db *test);

/*
 * A trigger refuses this change of a table of Solid Queue's where the condition holds, and says
 * that it is "not this one"; code: as this SQLSTATE or number of an error, NULL = as triggers do.
 */
void torn_forbid(struct test_db *test, const char *change, const char *table, const char *when,
		 const char *code);
void torn_allow(struct test_db *test, const char *table);

bool torn_is_in(struct test_db *test, const char *table, int64_t job);

#endif
