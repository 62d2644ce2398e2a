/* Databases as Rails leaves them: Solid Queue's tables and Rails' own, and none of ours. */
#ifndef TEST_RAILS_H
#define TEST_RAILS_H

#include "tests/support/database.h"

/* Solid Queue 1.0 to 1.6, with one job that is ready. The database must be empty. */
void test_rails_tables(struct test_db *test);

/* Adds what the migration of 1.7 does: two tables for batches, and a column of jobs. */
void test_rails_batches(struct test_db *test);

/* With these, a batch that all jobs which are there are in. */
void test_rails_batch(struct test_db *test);

/* Adds the task "theirs", as Rails writes it; `class_name` may be NULL. */
void test_rails_task(struct test_db *test, const char *schedule, const char *class_name,
		     bool is_static);

/* MySQL: gives the tables with names another collation, and its character set. */
void test_rails_collation(struct test_db *test, const char *collation);

/* Every table that is not ours as the server describes it, and its rows' count, as text. */
const char *test_rails_dump(struct test_db *test);

#endif
