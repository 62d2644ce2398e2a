/*
 * tests/support/sites/: deployments, commands and processes in tests.
 *
 * A site: what a user has who runs dray. A directory with config/queue.yml and config/jobs.yml, a
 * database, and at times a `dray start` in it. Everything goes through the built program; what is
 * awaited is looked for in the database and in files. One site at a time: opening the next one
 * cleans up after a case that failed. Whatever goes wrong here fails the test and shows the log.
 */
#ifndef SITE_H
#define SITE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "queue/look/job.h"
#include "queue/processes/process.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/process.h"

struct site {
	struct test_db *test;
	struct arena *arena; /* the test's */
	const char *url;
	const char *schema;
	struct db *db; /* the test's own connection */
	const char *directory;
	struct test_running start; /* pid 0 = none */
	const char *log;           /* all that the last one wrote that has ended; NULL = none has */
};

/*
 * A TEST whose `site` is opened before it and closed after it; the second argument is that of
 * TEST_ONLY and TEST_REAL.
 */
#define SITE_CASE(function)                SITE_CASE_AS(function, .only = NULL)
#define SITE_CASE_ONLY(function, backends) SITE_CASE_AS(function, .only = (backends))
#define SITE_CASE_ON_EMPTY(function)       SITE_CASE_AS(function, .start = TEST_EMPTY)
#define SITE_CASE_ON_EMPTY_ONLY(function, backends)                                                \
	SITE_CASE_AS(function, .start = TEST_EMPTY, .only = (backends))
#define SITE_CASE_REAL(function, backends) SITE_CASE_AS(function, .only = (backends), .real = true)
#define SITE_CASE_AS(function, ...)                                                                \
	static void function##_in(struct site *site);                                              \
	TEST_CASE(function, .on_databases = true, __VA_ARGS__)                                     \
	{                                                                                          \
		struct site *site = site_open(*state);                                             \
		function##_in(site);                                                               \
		site_close(site);                                                                  \
	}                                                                                          \
	static void function##_in(struct site *site)

/* A new directory for the case, with config/queue.yml and config/jobs.yml as NULL gives them. */
struct site *site_open(struct test_db *test);

/* The same on another database, which the caller looks after: the url, and a schema or NULL. */
struct site *site_open_at(struct test_db *test, const char *url, const char *schema);

/*
 * Ends a deployment that still runs (as site_stop does), then: nothing is claimed, no process row
 * is left, the invariant holds, no process of this site lives.
 */
void site_close(struct site *site);

/* Ends and removes what is left of a site, if there is one; so does the end of the program. */
void site_end(void);

/* A file of the site, by its relative path, or another one. */
const char *site_path(const struct site *site, const char *name);
void site_write(const struct site *site, const char *name, const char *text);

/* What is in it, "" when it is not there; in the arena. */
const char *site_read(const struct site *site, const char *name);
size_t site_lines(const struct site *site, const char *name);

/*
 * Writes config/queue.yml: the database's url, short intervals and this text, which begins with
 * process settings or `workers:`. NULL: one worker with three threads and one dispatcher.
 */
void site_queue_yml(const struct site *site, const char *text);

/* Writes config/jobs.yml: these lines below `jobs:`, two spaces before each, or NULL: site_jobs. */
void site_jobs_yml(const struct site *site, const char *text);

/*
 * The classes of most tests: Touch FILE, Append FILE TEXT, Log (appends its job id to the file
 * "done"), Copy from= to=, Sleep SECONDS, Fail, and two that add a line to "begun" and at the end
 * one to "completed": Slow SECONDS, and Wait, for the file "go".
 */
extern const char site_jobs[];

/* The running program's environment has no DRAY_* or DATABASE_URL of its own. */
#define site_try(site, ...) site_run_dray((site), NULL, (const char *const[]){ __VA_ARGS__, NULL })
struct test_result site_run_dray(struct site *site, const char *input,
				 const char *const *arguments);

/* dray ARGUMENT..., which must succeed: standard output. */
#define site_dray(site, ...) site_must((site), NULL, (const char *const[]){ __VA_ARGS__, NULL })
const char *site_must(struct site *site, const char *input, const char *const *arguments);

/* dray enqueue ARGUMENT...: the job's id. */
#define site_enqueue(site, ...)                                                                    \
	site_enqueue_arguments((site),                                                             \
			       (const char *const[]){ "enqueue", "--json", __VA_ARGS__, NULL })
int64_t site_enqueue_arguments(struct site *site, const char *const *arguments);

/* The same, and waiting: until its job has finished; until that many lines are in "begun". */
#define site_run(site, ...) site_await((site), site_enqueue((site), __VA_ARGS__), JOB_FINISHED)
#define site_begin(site, count, ...)                                                               \
	site_await_begun((site), (count), site_enqueue((site), __VA_ARGS__))
int64_t site_await_begun(struct site *site, size_t count, int64_t job);

/* A job's number as an argument. */
const char *site_number(const struct site *site, int64_t job);

/* `count` jobs {"class": class, "queue": queue} in one `dray enqueue --bulk -`. */
void site_enqueue_many(struct site *site, const char *class_name, const char *queue, int count);

/* dray start [ARGUMENT] and waiting for that many process rows, the supervisor's included. */
void site_start(struct site *site, size_t processes);
struct test_running site_spawn(struct site *site, const char *program,
			       const char *const *arguments);
#define site_launch(site, ...) site_spawn((site), NULL, (const char *const[]){ __VA_ARGS__, NULL })

/* Sends the signal and waits for the end; its status must be 0, its rows gone. */
struct test_result site_stop(struct site *site, int signal);

/* TERM to a process that site_spawn has started, which must end with 0. */
void site_stop_other(struct site *site, struct test_running *running);

/* Waits until the deployment ends, at most 30 s. */
struct test_result site_finish(struct site *site);

/*
 * What `dray start` has written so far, or in all when it has ended; how often a text is in it;
 * await: at least so often.
 */
const char *site_log(const struct site *site);
size_t site_logged(const struct site *site, const char *text);
void site_await_log(struct site *site, const char *text, size_t count);

/* A signal to the deployment, and waiting for what it writes then. */
void site_signal_start(struct site *site, int signal, const char *text, size_t count);

enum job_state site_state(struct site *site, int64_t job);
void site_await(struct site *site, int64_t job, enum job_state state);

/* Writes the file "go" that jobs of class Wait wait for, and waits until this one has finished. */
void site_let_go(struct site *site, int64_t job);

/* Jobs in a state, at most 1000 counted. */
size_t site_jobs_in(struct site *site, enum job_state state);
void site_await_jobs(struct site *site, enum job_state state, size_t count);

/* Waits until `count` jobs are finished, and fails unless the file "done" names each of them. */
void site_await_done(struct site *site, size_t count);

/* Waits until the file has that many lines. */
void site_await_lines(struct site *site, const char *name, size_t count);

/* Rows of solid_queue_processes, by kind ("Worker"; NULL = all), in the arena. */
struct process_row *site_rows(struct site *site, const char *kind, size_t *count);
size_t site_row_count(struct site *site, const char *kind);
void site_await_rows(struct site *site, const char *kind, size_t count);

/* The oldest row of the kind whose id is above `after` and whose metadata has this text. */
struct process_row site_await_row(struct site *site, const char *kind, const char *metadata,
				  int64_t after);

/* The process that keeps the supervisor's row. */
pid_t site_janitor(struct site *site);

/* Waits until ps shows this of a process. */
void site_await_title(struct site *site, pid_t pid, const char *expected);

/* Processes whose working directory is the site's; await: none. */
size_t site_processes(const struct site *site);
size_t site_signal(const struct site *site, int signal); /* the same; each gets it, 0 = none */

/*
 * Stops the process (0: all of the site's), which goes on with SIGCONT. With SQLite one that is
 * stopped in the middle of writing would stop all others: so not then.
 */
void site_freeze(struct site *site, pid_t pid);

/*
 * As if this process (0: every one), which is frozen or dead, had last been heard of long ago: no
 * test waits until it has been silent for so long.
 */
void site_silence(struct site *site, pid_t pid);

void site_kill(const struct site *site); /* all of them */
void site_await_no_processes(struct site *site);

/* test_until that shows the log. */
#define site_until(site, condition, what) test_wait_for((condition), site_in_vain((site), (what)))
void site_in_vain(const struct site *site, const char *what);

/* The number in the first cell. */
int64_t site_int(const struct site *site, const char *sql);

/* Waits until it is this, or at least this. */
void site_await_int(struct site *site, const char *sql, int64_t expected);
void site_await_least(struct site *site, const char *sql, int64_t least);

/* Fails the test with the log. */
void site_fail(const struct site *site, const char *what);

#endif
