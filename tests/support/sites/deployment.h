/*
 * tests/support/sites/: deployments, commands and processes in tests.
 *
 * A deployment in a test: a fresh database on one backend, a configuration built by hand, and a
 * supervisor in a child process whose log goes to a file. Whatever fails here fails the test. What
 * is awaited is looked for every few milliseconds, for at most 30 s.
 */
#ifndef DEPLOYMENT_H
#define DEPLOYMENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "config/config.h"
#include "db/db.h"
#include "queue/look/job.h"
#include "queue/processes/process.h"
#include "supervisor/supervisor.h"

struct CMUnitTest;

struct deployment {
	struct arena *arena;
	struct config config; /* short intervals; a test changes it before the start */
	const char *directory;
	const char *log; /* file in it */
	const char *backend;
	struct db *db;    /* the test's own connection */
	pid_t supervisor; /* 0 = none running */
};

/* Runs the cases once for every backend wanted and returns how many failed. */
int deployment_run_backends(const struct CMUnitTest *tests, size_t count);
extern const char *deployment_backend; /* the one being tested */

void deployment_open(struct deployment *deployment, const char *backend);

/* Kills a supervisor that is left, drops the database and the directory. */
void deployment_close(struct deployment *deployment);

/* Entries of the configuration. */
void deployment_worker(struct deployment *deployment, const char *queue, int threads);
void deployment_dispatcher(struct deployment *deployment);
/* Classes, to be given in order of names. */
void deployment_command(struct deployment *deployment, const char *name, const char *const argv[]);
struct config_class *deployment_module(struct deployment *deployment, const char *name,
				       const char *path);

/* Forks a supervisor; options may be NULL. */
void deployment_start(struct deployment *deployment, const struct supervisor_options *options);

/* Forks `run`, whose value is the exit status, with the log as standard error. */
pid_t deployment_fork(struct deployment *deployment, int (*run)(struct deployment *deployment));

/* Waits for the supervisor to end: its wait status. */
int deployment_wait(struct deployment *deployment);

/* A job of this class with one argument (a JSON string's text) due now; its id. */
int64_t deployment_enqueue(struct deployment *deployment, const char *class_name, const char *queue,
			   const char *argument);

size_t deployment_jobs(struct deployment *deployment, enum job_state state);
enum job_state deployment_job_state(struct deployment *deployment, int64_t id);
void deployment_await_state(struct deployment *deployment, int64_t job, enum job_state state);
void deployment_await_jobs(struct deployment *deployment, enum job_state state, size_t count);

/* How many process rows of this kind ("Worker"; NULL = any). */
size_t deployment_processes(struct deployment *deployment, const char *kind);
void deployment_await_processes(struct deployment *deployment, const char *kind, size_t count);

/* The row of the first process of this kind; its texts live as long as the deployment. */
struct process_row deployment_process(struct deployment *deployment, const char *kind);

/* SQL without result. */
void deployment_execute(struct deployment *deployment, const char *sql);

/* How often this text occurs in the log; await: at least once. */
size_t deployment_logged(struct deployment *deployment, const char *text);
void deployment_await_log(struct deployment *deployment, const char *text);

/* Fails the test: what was awaited did not come. */
void deployment_gave_up(struct deployment *deployment, const char *what);

/* Fails the test when a call did not work. */
void deployment_must(enum status status, const struct error *error, const char *call, int line);

/* The log goes to the test's output, for a failure. */
void deployment_print_log(struct deployment *deployment);

#endif
