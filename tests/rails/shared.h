/*
 * A database that Rails and dray share: a site (tests/support/sites/site.h) whose tables Rails has
 * made and `dray db migrate` has adopted, and bin/jobs beside `dray start`. Both sides append what
 * they do to one file, the effects: "rails NUMBER ...", "dray NUMBER", "start KEY NUMBER WHO TIME".
 */
#ifndef RAILS_SHARED_H
#define RAILS_SHARED_H

#include "tests/rails/console.h"
#include "tests/support/sites/site.h"

/* A case is found by the rule of interoperation that it holds, or by what it is about. */
#define RULE(number, function)                                                                     \
	{                                                                                          \
		.name = "rule " number ": " #function, .run = (function), .start = TEST_EMPTY      \
	}

#define CASES(name)                                                                                \
	extern const struct test_case shared_##name[];                                             \
	extern const size_t shared_##name##_count
CASES(jobs);
CASES(arguments);
CASES(limits);
CASES(declared);
CASES(processes);
CASES(schema);
CASES(recurring);
CASES(schedules);
CASES(dashboard);
CASES(batches);

/* The table of a file. */
#define SHARED_CASES(name, ...)                                                                    \
	const struct test_case shared_##name[] = { __VA_ARGS__ };                                  \
	const size_t shared_##name##_count = sizeof(shared_##name) / sizeof(struct test_case)

/* The site, with jobs.yml for the classes of both; Rails' present database is this one. */
struct site *shared_open(struct test_db *test);

/* A case on such a site, `site`. */
#define SHARED_CASE(name)                                                                          \
	static void name##_on(struct site *site);                                                  \
	static void name(void **state)                                                             \
	{                                                                                          \
		struct site *site = shared_open(*state);                                           \
		name##_on(site);                                                                   \
		shared_close(site);                                                                \
	}                                                                                          \
	static void name##_on(struct site *site)

/* The same before `dray db migrate`. */
struct site *shared_open_unadopted(struct test_db *test);

/* Stops `dray start`, if it runs, and closes the site. Rails' processes must have been stopped. */
void shared_close(struct site *site);

/* Seconds of silence until either side takes a process for dead; 30 in a new site. */
void shared_alive(int seconds);

/* `dray start` with one worker of these queues ("[a, b]" or "'*'"), and a dispatcher. */
void shared_start(struct site *site, const char *queues);

/* bin/jobs with one worker of these queues and a dispatcher, up; its supervisor's pid. */
pid_t shared_rails_start(struct site *site, const char *queues);

/* Sends TERM and waits for the end, which must be well. */
void shared_rails_stop(struct site *site, pid_t supervisor);

/* Kills every process of Rails' jobs at once. */
void shared_rails_kill(struct site *site);

/* The id of a job that Ruby enqueues: put(...) of console.rb. */
int64_t shared_put(struct site *site, const char *arguments);

/* Waits for so many effects. */
void shared_await_effects(struct site *site, size_t count);
const char *shared_effects(const struct site *site);

/* Each number below `count` is the second word of exactly one effect. */
void shared_each_once(const struct site *site, size_t count);

/* How many effects begin so. */
size_t shared_effects_of(const struct site *site, const char *beginning);

/*
 * Rails has logged no error. On MySQL Solid Queue's own transactions deadlock, with itself too: at
 * REPEATABLE READ who looks for the next blocked job also locks the gap where another one belongs,
 * and who looks for a semaphore that is missing the gap where it will be. Why a recurring task was
 * not enqueued console.rb says, instead of Solid Queue's line about it.
 */
void shared_rails_content(struct site *site);

#endif
