/* A whole worker as the runner drives it, on an SQLite file; what fails here fails the test. */
#ifndef RIG_H
#define RIG_H

#include "common/loop.h"
#include "common/role.h"
#include "config/config.h"
#include "queue/look/job.h"
#include "tests/support/test.h"
#include "worker/state.h"
#include "worker/worker.h"

#define RIG_CLASSES 16
#define RIG_MODULES BINARY_DIR "/tests/modules/"

struct rig {
	char folder[64];
	struct arena *arena;
	struct config config;
	struct config_worker options;
	struct config_class classes[RIG_CLASSES]; /* sorted by name by rig_start */
	struct role_context context;
	struct db *db;
	bool started;
};

/* A failed job's error, taken apart. */
struct rig_failure {
	const char *exception_class;
	const char *message;
	const char *backtrace; /* lines joined by newlines; NULL = null */
};

/* The database, a process row, and a configuration with no class and so many `threads`. */
void rig_open(struct rig *rig, int threads);
void rig_close(struct rig *rig);

/* A case with a rig of eight threads, which is the file's `rig`. */
#define RIG_CASE(name)                                                                             \
	TEST_CASE(name, .set_up = rig_set_up, .tear_down = rig_tear_down, .state = &rig)
int rig_set_up(void **state);
int rig_tear_down(void **state);

/* Only errors are logged: for GROUP(rig_quiet, NULL). */
int rig_quiet(void **state);

/* The state of the role, once it has been started. */
struct worker *rig_worker(const struct rig *rig);

/* So many attempts, with this pause between them. */
struct config_retry rig_retry(int attempts, const int64_t *wait);

/* Adds a class that runs a command; further fields can be set in what it returns. */
struct config_class *rig_command(struct rig *rig, const char *name, const char *const command[]);

/* The same for a shell script and its arguments, in the rig's folder. */
#define rig_script(rig, name, ...)                                                                 \
	rig_command_here((rig), (name), (const char *const[]){ "sh", "-c", __VA_ARGS__, NULL })
struct config_class *rig_command_here(struct rig *rig, const char *name,
				      const char *const command[]);

/* Adds a class of the module modules/`module`.c. */
struct config_class *rig_module(struct rig *rig, const char *name, const char *module);

/* The same in a process of its own. */
struct config_class *rig_isolated(struct rig *rig, const char *name, const char *module);

/* Starts the role; called by rig_run when need be. */
void rig_start(struct rig *rig);

/* Stops and closes the role, as the runner does at its deadline; the database stays. */
void rig_leave(struct rig *rig);

/* Steps until nothing runs; rig_stop tells the role to stop first. */
void rig_drain(struct rig *rig);
void rig_stop(struct rig *rig);

/* Tells it to stop, and what runs with it, as the runner does at shutdown_timeout: until when. */
int64_t rig_hurry(struct rig *rig);

/* Steps until the job is claimed; until something is written in this file. */
void rig_await_claim(struct rig *rig, int64_t id);
void rig_await_file(struct rig *rig, const char *name);

/* Makes it a job of two losses that had three runs before them; returns its number. */
int64_t rig_tried(struct rig *rig, int64_t id);

/* `arguments` is a JSON array or object. */
int64_t rig_enqueue(struct rig *rig, const char *class_name, const char *arguments);

/* Starts the role when it has not been; one tick. Returns how long the tick may be waited after. */
int64_t rig_tick(struct rig *rig);

/* One tick and one wait, as the runner does. */
void rig_step(struct rig *rig);

/* The same where what is waited for may need no further event. */
void rig_nudge(struct rig *rig);

/* Steps until the job is neither ready nor running. */
struct job rig_run(struct rig *rig, int64_t id);

/* Enqueues, runs, and expects the job to finish. */
void rig_succeed(struct rig *rig, const char *class_name, const char *arguments);

/* Enqueues, runs, and expects the job to fail. */
struct rig_failure rig_fail(struct rig *rig, const char *class_name, const char *arguments);

/* Runs a job of TellJob (modules/probe.c): it knows everything about itself. */
void rig_expect_told(struct rig *rig);

/* A job of this class is still ready when ten of NoopJob have run. */
void rig_expect_left(struct rig *rig, const char *class_name);

/* What the role says of itself, with its title in *title unless title is NULL. */
const char *rig_describe(struct rig *rig, const char **title);

struct job rig_job(struct rig *rig, int64_t id);
struct rig_failure rig_failure_of(struct rig *rig, const struct job *job);

/* The log goes to the rig's file "log", which is emptied, until the end of the case. */
void rig_keep_log(struct rig *rig);
#define RIG_LOG_CASE(name)                                                                         \
	TEST_CASE(name, .set_up = rig_set_up_log, .tear_down = rig_tear_down, .state = &rig)
int rig_set_up_log(void **state);

/* Has it this text? */
#define rig_logged(rig, text) (strstr(rig_read((rig), "log"), (text)) != NULL)

/* All cells of a query, as test_query_text has them. */
const char *rig_ask(const struct rig *rig, const char *sql);

/* The arguments of a job that has one, a text. */
const char *rig_text(struct rig *rig, const char *text);

/*
 * Runs a job that tells of its process (modules/unruly.c, LookJob): the process id, which is not
 * ours; what else it tells in *rest, unless rest is NULL.
 */
long rig_look(struct rig *rig, const char *class_name, const char **rest);

/* A path in the rig's folder. */
const char *rig_path(struct rig *rig, const char *name);

/* A file of the rig's folder as text; "" when there is none. */
const char *rig_read(struct rig *rig, const char *name);

/* Is this process gone, or a zombie that nobody has reaped? */
bool rig_is_dead(long pid);

/* The command of a class: a shell script and its arguments. */
#define RIG_SHELL(...)                                                                             \
	(const char *const[])                                                                      \
	{                                                                                          \
		"sh", "-c", __VA_ARGS__, NULL                                                      \
	}

#endif
