/*
 * dray: background jobs in the database you already have. This header has two independent parts:
 * job modules, and clients that enqueue jobs (from DRAY_STATUS on).
 *
 * A job module is a shared object whose C functions run as jobs on the worker's threads. A module
 * does not link with dray; every call goes through the table in the job handle.
 *
 *     static enum dray_result greet(struct dray_job *job)
 *     {
 *             const char *name = dray_job_text(job, "name");
 *
 *             if (name == NULL)
 *                     return dray_job_missing(job, "name");
 *             dray_job_log(job, "hello, %s", name);
 *             return DRAY_OK;
 *     }
 *
 *     static const struct dray_function functions[] = { { "GreetJob", greet }, { NULL, NULL } };
 *     DRAY_MODULE("greetings", functions);
 *
 * Build it with cc -shared -fPIC -o greetings.so greetings.c, then name it in config/jobs.yml:
 *
 *     jobs:
 *       GreetJob:
 *         module: lib/greetings.so
 *
 * A function runs on one of many threads: several jobs of one class may run at once. A job handle
 * belongs to that thread; the handle and all texts it returned are valid until the function
 * returns. A function must return: it must not end by pthread_exit, exit or longjmp. Nor may it
 * change the environment (setenv, putenv), which other threads of the worker read. A class with
 * `isolation: process` runs in a process of its own instead, one job at a time, on that process's
 * main thread. What the function does to that process (a crash, exit) fails only the job that it
 * runs.
 */
#ifndef DRAY_H
#define DRAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DRAY_EXPORT            __attribute__((visibility("default")))
#define DRAY_PRINTF(at, first) __attribute__((format(printf, at, first), unused))
#else
#define DRAY_EXPORT
#define DRAY_PRINTF(at, first)
#endif

/*
 * The version of the interface between modules and workers. It changes only when modules built for
 * the old one can no longer run. New members are added at the end of a table, and the table's size
 * says whether they exist.
 */
#define DRAY_ABI 1

struct dray_job;
struct json_t; /* jansson's; only for modules that use it */

/*
 * How a run ended. A job for which dray_job_fail or another of the functions that end a job was
 * called ends as the last of them says, whatever the function returns.
 */
enum dray_result { DRAY_OK = 0, DRAY_FAILED = 1 };

struct dray_function {
	const char *class_name; /* as in jobs.yml and in the job */
	enum dray_result (*run)(struct dray_job *job);
};

/* What becomes of the job of a run that says so (dray_job_retry_in and the functions after it). */
enum dray_end { DRAY_DISCARD = 1, DRAY_SNOOZE, DRAY_RETRY };

/* What a module exports as `dray_module`. The first two members never move. */
struct dray_module {
	uint32_t abi;  /* DRAY_ABI */
	uint32_t size; /* of this struct, as the module knows it */
	const char *name;
	const struct dray_function *functions; /* ended by a NULL class_name */
};

#define DRAY_MODULE(module_name, module_functions)                                                 \
	extern DRAY_EXPORT const struct dray_module dray_module;                                   \
	const struct dray_module dray_module = { DRAY_ABI, (uint32_t)sizeof(struct dray_module),   \
						 module_name, module_functions }

/* The worker's side of a job handle. Call through the functions below. */
struct dray_api {
	uint32_t abi;
	uint32_t size; /* members beyond it do not exist in this worker */
	int64_t (*id)(const struct dray_job *job);
	const char *(*active_job_id)(const struct dray_job *job);
	const char *(*class_name)(const struct dray_job *job);
	const char *(*queue)(const struct dray_job *job);
	int (*priority)(const struct dray_job *job);
	int (*attempt)(struct dray_job *job);
	const char *(*arguments)(struct dray_job *job);
	const struct json_t *(*arguments_json)(struct dray_job *job);
	const char *(*text)(struct dray_job *job, const char *name);
	bool (*integer)(struct dray_job *job, const char *name, int64_t *value);
	bool (*real)(struct dray_job *job, const char *name, double *value);
	bool (*boolean)(struct dray_job *job, const char *name, bool *value);
	bool (*stopping)(const struct dray_job *job);
	void (*log)(struct dray_job *job, const char *format, va_list args);
	void (*set_failure)(struct dray_job *job, const char *exception_class, const char *format,
			    va_list args);
	int64_t (*claim)(const struct dray_job *job);
	enum dray_result (*give_back)(struct dray_job *job);
	const char *(*claim_token)(struct dray_job *job);
	int (*losses)(const struct dray_job *job);
	void (*set_end)(struct dray_job *job, enum dray_end end, double seconds,
			const char *exception_class, const char *format, va_list args);
	bool (*cancelled)(const struct dray_job *job);
};

/* Opaque except for this member; the worker's own members follow. */
struct dray_job {
	const struct dray_api *api;
};

/* The ID of its row in solid_queue_jobs. */
static inline int64_t dray_job_id(const struct dray_job *job)
{
	return job->api->id(job);
}

/* The job's UUID, the same for all its attempts; "" if it has none. */
static inline const char *dray_job_active_job_id(const struct dray_job *job)
{
	return job->api->active_job_id(job);
}

static inline const char *dray_job_class(const struct dray_job *job)
{
	return job->api->class_name(job);
}

static inline const char *dray_job_queue(const struct dray_job *job)
{
	return job->api->queue(job);
}

static inline int dray_job_priority(const struct dray_job *job)
{
	return job->api->priority(job);
}

/*
 * The number of this run, counted from 1. Every earlier run counts, also one that failed and was
 * retried, one that a shutdown interrupted, and one that was lost with its worker. After a
 * retry in Rails (job.retry, Mission Control) the runs that failed before it do not count.
 */
static inline int dray_job_attempt(struct dray_job *job)
{
	return job->api->attempt(job);
}

/*
 * How often this job was lost with its worker since it was enqueued or last retried by hand: 0 when
 * none of those runs can have ended without a word. Also 0 when this worker is older than the
 * module and does not report it.
 */
static inline int dray_job_losses(const struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, losses) ? job->api->losses(job) : 0;
}

/*
 * The name of this run's claim, which no other run ever has: a fencing token. Passed to another
 * system with each change, it lets that system refuse a run that was presumed dead. It begins with
 * the time of the claim by the database's clock, as 16 digits of microseconds, so that the token of
 * a later run sorts after it as text. "" when this worker is older than the module and does not
 * report it.
 */
static inline const char *dray_job_claim_token(struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, claim_token) ? job->api->claim_token(job)
								       : "";
}

/*
 * Only the number of this run's claim. After a failover to a replica that lagged, or a restored
 * backup, the database gives out the same numbers again: as a token use dray_job_claim_token. 0
 * when this worker is older than the module and does not report it.
 */
static inline int64_t dray_job_claim(const struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, claim) ? job->api->claim(job) : 0;
}

/* All arguments, as the text of the JSON array that is stored. */
static inline const char *dray_job_arguments(struct dray_job *job)
{
	return job->api->arguments(job);
}

/*
 * The same, parsed, for modules that use jansson. Read only. A number that jansson cannot represent
 * is a string of its digits here.
 */
static inline const struct json_t *dray_job_arguments_json(struct dray_job *job)
{
	return job->api->arguments_json(job);
}

/*
 * One argument: "0" is the first positional one, any other name a named one. Strings are returned
 * as they are, other scalars as JSON writes them, null as "", arrays and objects as JSON text. What
 * Active Job serialised is simplified: a record is its GlobalID, a symbol or a time its value, a
 * range "1..5", a hash has only its own keys. NULL when there is no such argument.
 */
static inline const char *dray_job_text(struct dray_job *job, const char *name)
{
	return job->api->text(job, name);
}

/* False, with *value unchanged, when there is no such argument or it is not an integer. */
static inline bool dray_job_integer(struct dray_job *job, const char *name, int64_t *value)
{
	return job->api->integer(job, name, value);
}

/* The same for numbers; an integer is one, too. */
static inline bool dray_job_real(struct dray_job *job, const char *name, double *value)
{
	return job->api->real(job, name, value);
}

static inline bool dray_job_boolean(struct dray_job *job, const char *name, bool *value)
{
	return job->api->boolean(job, name, value);
}

/*
 * Is the job to stop, because its worker shuts down, the job was given to another worker, or a
 * person has cancelled it? A long job may then give itself back, or go on for a while
 * (shutdown_timeout).
 */
static inline bool dray_job_stopping(const struct dray_job *job)
{
	return job->api->stopping(job);
}

/*
 * Has a person cancelled the job? Then it is to stop, and has ended as cancelled whatever it
 * returns. False if the worker is older than this function, and with `isolation: process`.
 */
static inline bool dray_job_cancelled(const struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, cancelled) && job->api->cancelled(job);
}

/* Writes one line to the worker's log, with the job's ID and class. */
static inline DRAY_PRINTF(2, 3) void dray_job_log(struct dray_job *job, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	job->api->log(job, format, args);
	va_end(args);
}

/*
 * Fails the job with this class and message; whether it is retried its class in jobs.yml says
 * (`retry`). Returns DRAY_FAILED.
 */
static inline DRAY_PRINTF(3, 4) enum dray_result
	dray_job_fail(struct dray_job *job, const char *exception_class, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	job->api->set_failure(job, exception_class, format, args);
	va_end(args);
	return DRAY_FAILED;
}

/* For the three functions that follow. */
static inline DRAY_PRINTF(5, 0) enum dray_result
	dray_job_end(struct dray_job *job, enum dray_end end, double seconds,
		     const char *exception_class, const char *format, va_list args)
{
	if (job->api->size > offsetof(struct dray_api, set_end))
		job->api->set_end(job, end, seconds, exception_class, format, args);
	else
		job->api->set_failure(job, exception_class, format, args);
	return DRAY_FAILED;
}

/*
 * Fails this run with this class and message, and has the job executed again after so many seconds
 * (at most 365 days), in place of the pause of its class. Once it has been executed as often as
 * `retry` of the class or of `defaults` allows (5 times if both say nothing, or the class says
 * false) it has failed. Return what this returns. If the worker is older than this function, the
 * job fails as by dray_job_fail.
 */
static inline DRAY_PRINTF(4, 5) enum dray_result
	dray_job_retry_in(struct dray_job *job, double seconds, const char *exception_class,
			  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)dray_job_end(job, DRAY_RETRY, seconds, exception_class, format, args);
	va_end(args);
	return DRAY_FAILED;
}

/*
 * Has the job executed again after so many seconds (at most 365 days), without a failure: it is not
 * yet time. The run counts as an interruption, not as an execution, so a job may do this for ever.
 * The message is for the log and for `dray job`. Return what this returns. If the worker is older
 * than this function, the job fails.
 */
static inline DRAY_PRINTF(3, 4) enum dray_result
	dray_job_snooze(struct dray_job *job, double seconds, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)dray_job_end(job, DRAY_SNOOZE, seconds, "Dray::Snoozed", format, args);
	va_end(args);
	return DRAY_FAILED;
}

/*
 * Ends the job without success and for good: it is finished, and `dray job` and the log say why.
 * Return what this returns. If the worker is older than this function, the job fails.
 */
static inline DRAY_PRINTF(3, 4) enum dray_result
	dray_job_discard(struct dray_job *job, const char *exception_class, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)dray_job_end(job, DRAY_DISCARD, 0, exception_class, format, args);
	va_end(args);
	return DRAY_FAILED;
}

/*
 * For a job that is to stop (dray_job_stopping) and is not done: it goes back to its queue. The run
 * counts as an interruption, neither as a failure nor as a loss, and the next one starts
 * from the beginning. Return what this returns. If the job was not asked to stop, or the worker is
 * older than this function, the job fails.
 */
static inline enum dray_result dray_job_give_back(struct dray_job *job)
{
	if (job->api->size > offsetof(struct dray_api, give_back))
		return job->api->give_back(job);
	return dray_job_fail(job, "Dray::JobError", "%s: this worker is too old to take a job back",
			     dray_job_class(job));
}

/* Fails the job because an argument is missing or of the wrong type. Returns DRAY_FAILED. */
static inline enum dray_result dray_job_missing(struct dray_job *job, const char *name)
{
	return dray_job_fail(job, "Dray::ArgumentError",
			     "%s: argument \"%s\" is missing or of the wrong type",
			     dray_job_class(job), name);
}

/*
 * Clients: any program that links with libdray (pkg-config dray) can enqueue jobs.
 *
 *     struct dray_client *client;
 *     struct dray_error error;
 *     struct dray_new_job job = DRAY_NEW_JOB(.class_name = "GreetJob",
 *                                            .arguments = "{\"name\": \"Ada\"}");
 *
 *     if (dray_open("sqlite3:storage/dray.sqlite3", NULL, &client, &error) != DRAY_STATUS_OK)
 *             return complain(error.text);
 *     if (dray_enqueue(client, &job, &error) != DRAY_STATUS_OK)
 *             complain(error.text);
 *     dray_close(client);
 *
 * A client is one connection; one thread may use it at a time. Clients of different threads work in
 * parallel. After a lost connection the next call connects again. The library changes nothing else
 * in the process: it writes no output, installs no signal handlers and never exits. Times are in
 * microseconds; instants count from 1970-01-01 UTC on the database's clock. Structs that begin with
 * `size` may grow in later versions: make them with their macro, so that the library knows which
 * version its caller has.
 */
struct dray_client;

/* What the caller must do. The numbers never change; treat an unknown one as FATAL. */
enum dray_status {
	DRAY_STATUS_OK = 0,    /* go on: it is done */
	DRAY_STATUS_NONE = 1,  /* nothing to do: no such job, nothing was done */
	DRAY_STATUS_RETRY = 2, /* try again: other transactions were in the way, nothing was done */
	DRAY_STATUS_DOWN =
		3, /* try again later: the database cannot be reached, nothing was done */
	DRAY_STATUS_UNCERTAIN = 4, /* ask dray_resolve before enqueueing again: unknown if done */
	DRAY_STATUS_CONFLICT = 5, /* go on: refused, because an equal one exists, or by a trigger */
	DRAY_STATUS_INVALID = 6,  /* correct the call: the text says what is wrong with it */
	DRAY_STATUS_FATAL = 7,    /* report it to a person: missing tables, no permission, a bug */
	DRAY_STATUS_MEMORY =
		8, /* free memory, then as UNCERTAIN; the call's allocations are lost */
	DRAY_STATUS_MISUSE = 9, /* correct the program: it forked, or two threads used one client */
};

/* "ok", "none", ... for logs. */
DRAY_EXPORT const char *dray_status_name(enum dray_status status);

/* The version of the library, "0.1.0"; that of this header may differ. */
DRAY_EXPORT const char *dray_version(void);

/*
 * Where a call reports its error: owned by the caller, may be NULL. A call that returns OK does not
 * change it.
 */
struct dray_error {
	enum dray_status status;
	char text[1024]; /* one line, without secrets */
};

struct dray_options {
	size_t size;
	const char *schema;        /* PostgreSQL: schema of the tables; NULL = by the search path */
	const char *password_file; /* read at each connect; NULL = none */
	int64_t connect_timeout;   /* 0 = 5 s */
	int64_t call_timeout;      /* longest wait for an answer of the database; 0 = 30 s */
	int64_t retry_for; /* for retries after deadlocks, and to look for uncertain commits; 0 = 10
			      s */
};
#define DRAY_OPTIONS(...)                                                                          \
	{                                                                                          \
		.size = sizeof(struct dray_options), __VA_ARGS__                                   \
	}

/*
 * Connects to sqlite3:PATH, postgres://... or mysql://...; options may be NULL. Sets *client only
 * when it returns OK. The tables must exist (`dray db migrate`), otherwise it returns INVALID.
 */
DRAY_EXPORT enum dray_status dray_open(const char *url, const struct dray_options *options,
				       struct dray_client **client, struct dray_error *error);

/* NULL is allowed. In a forked child it does nothing: the connection is the parent's. */
DRAY_EXPORT void dray_close(struct dray_client *client);

/*
 * A job to enqueue. Zero members have their defaults; texts are the caller's and are read during
 * the call.
 */
struct dray_new_job {
	size_t size;
	const char *class_name;
	const char *arguments; /* JSON: an array, or an object of named arguments; NULL = none */
	const char *queue;     /* NULL = "default" */
	int64_t at;            /* when it is due; 0 = after the delay */
	int64_t delay;         /* from now */
	int64_t timeout; /* how long a run may take, at most 365 days; 0 = that of its class */
	const char *concurrency_key;
	int32_t priority; /* smaller runs first */

	/*
	 * Results. After UNCERTAIN and MEMORY all but the id are set, for dray_resolve. OK with id
	 * 0: all slots of its key were taken, and its class discards such jobs.
	 */
	int64_t id;
	int64_t created_at;
	char active_job_id[40]; /* its UUID, the same for all its attempts */
};
#define DRAY_NEW_JOB(...)                                                                          \
	{                                                                                          \
		.size = sizeof(struct dray_new_job), __VA_ARGS__                                   \
	}

/* Enqueues one job in a transaction of its own: as ready if it is due, otherwise as scheduled. */
DRAY_EXPORT enum dray_status dray_enqueue(struct dray_client *client, struct dray_new_job *job,
					  struct dray_error *error);

/* Enqueues all jobs or none, in their order, with a few statements for up to some thousand jobs. */
DRAY_EXPORT enum dray_status dray_enqueue_all(struct dray_client *client,
					      struct dray_new_job jobs[], size_t count,
					      struct dray_error *error);

/*
 * What became of an enqueue of these jobs that returned UNCERTAIN or MEMORY. OK: they are enqueued
 * (one that has been deleted since has id 0). NONE: they are not; enqueue them again. UNCERTAIN:
 * still unknown. Use the client that enqueued them: it knows which transaction must be over first.
 * Where finished jobs are not kept, NONE may also be the answer for jobs that have run.
 */
DRAY_EXPORT enum dray_status dray_resolve(struct dray_client *client, struct dray_new_job jobs[],
					  size_t count, struct dray_error *error);

enum dray_state {
	DRAY_STATE_UNKNOWN = 0,
	DRAY_STATE_READY = 1,
	DRAY_STATE_SCHEDULED = 2,
	DRAY_STATE_CLAIMED = 3, /* running */
	DRAY_STATE_BLOCKED = 4,
	DRAY_STATE_FAILED = 5,
	DRAY_STATE_FINISHED = 6,
};

/*
 * A job as it was when it was read. Texts are the client's and valid until its next call. Instants:
 * 0 = none.
 */
struct dray_job_info {
	size_t size;
	int64_t id;
	const char *class_name;
	const char *queue;
	const char *active_job_id;   /* NULL if it has none */
	const char *concurrency_key; /* NULL if it has none */
	const char *payload;         /* the stored Active Job object as JSON, with the arguments */
	const char *failure;         /* FAILED: JSON with exception_class, message and backtrace */
	int64_t created_at;
	int64_t scheduled_at;
	int64_t finished_at;
	int64_t since; /* when it entered its state */
	int32_t priority;
	enum dray_state state;
};
#define DRAY_JOB_INFO(...)                                                                         \
	{                                                                                          \
		.size = sizeof(struct dray_job_info), __VA_ARGS__                                  \
	}

/* NONE when there is no such job. */
DRAY_EXPORT enum dray_status dray_find(struct dray_client *client, int64_t id,
				       struct dray_job_info *info, struct dray_error *error);

/* Makes a failed job ready, as if it had never run. INVALID: it is in another state. */
DRAY_EXPORT enum dray_status dray_retry(struct dray_client *client, int64_t id,
					struct dray_error *error);

/* Deletes a job. INVALID: it is running or has finished. */
DRAY_EXPORT enum dray_status dray_discard(struct dray_client *client, int64_t id,
					  struct dray_error *error);

/*
 * Ends a job before it has done its work: at once if it waits; if it runs, its worker stops it, at
 * once if it is a process of this host that this user may signal, else with its next heartbeat.
 * `dray job` shows which user cancelled it, and why (`reason`, at most 1000 bytes; may be NULL).
 * INVALID: it has failed or finished, or a process of other software runs it.
 */
DRAY_EXPORT enum dray_status dray_cancel(struct dray_client *client, int64_t id, const char *reason,
					 struct dray_error *error);

/* Workers start no jobs of a paused queue. OK also if nothing had to change. */
DRAY_EXPORT enum dray_status dray_pause_queue(struct dray_client *client, const char *queue,
					      struct dray_error *error);
DRAY_EXPORT enum dray_status dray_resume_queue(struct dray_client *client, const char *queue,
					       struct dray_error *error);

/*
 * A recurring task that is in no file. The members are the settings of recurring.yml, which
 * docs/configuration.md describes; NULL and 0 are their defaults. Texts are the caller's and are
 * read during the call. Schedulers with `dynamic_tasks_enabled` run the task, and notice a change
 * within their polling_interval.
 */
struct dray_recurring {
	size_t size;
	const char *key;
	const char *schedule;
	const char *class_name;
	const char *command;     /* program and its arguments, instead of a class and arguments */
	const char *arguments;   /* JSON: an array, or an object of named arguments */
	const char *queue;       /* NULL = that of its class */
	const char *description; /* for people */
	const char *time_zone;   /* for a schedule that names none; NULL = UTC */
	const char *dst_gap;     /* "default", "skip", "next_valid" */
	const char *dst_overlap; /* "default", "first", "both" */
	const char *misfire;     /* "once", "skip", "all" */
	const char *overlap;     /* "allow", "skip", "queue" */
	const char *start_at;    /* ISO 8601 */
	const char *end_at;
	int64_t misfire_window; /* microseconds */
	int64_t jitter;         /* microseconds */
	int64_t timeout;        /* microseconds that a run may take; 0 = that of its class */
	int64_t late_after;     /* microseconds, for `dray health` */
	int32_t failures_after; /* for `dray health` */
	int32_t misfire_limit;
	int32_t priority; /* smaller runs first; 0 = that of its class */
	int32_t enabled;  /* 1: it runs; -1: it is kept but does not run */
};
#define DRAY_RECURRING(...)                                                                        \
	{                                                                                          \
		.size = sizeof(struct dray_recurring), __VA_ARGS__                                 \
	}

/* CONFLICT: there is a task with this key. INVALID: the text says what is wrong, and where. */
DRAY_EXPORT enum dray_status dray_recurring_add(struct dray_client *client,
						const struct dray_recurring *task,
						struct dray_error *error);

/*
 * Changes the members that are not NULL and not 0; "", and -1 where a value cannot be negative,
 * restore the default. Nothing counts as missed by a new schedule before this change. NONE: there
 * is no such task. INVALID: a member is not valid, or the task comes from a file.
 */
DRAY_EXPORT enum dray_status dray_recurring_change(struct dray_client *client,
						   const struct dray_recurring *task,
						   struct dray_error *error);

/* NONE: there is no such task. INVALID: it comes from a file. */
DRAY_EXPORT enum dray_status dray_recurring_remove(struct dray_client *client, const char *key,
						   struct dray_error *error);

/*
 * Keeps a task from running until it is resumed, also one that comes from a file. Occurrences that
 * fall due meanwhile are dropped: they neither run later nor count as missed. OK also if it was
 * paused. reason may be NULL. NONE: there is no such task.
 */
DRAY_EXPORT enum dray_status dray_recurring_pause(struct dray_client *client, const char *key,
						  const char *reason, struct dray_error *error);
DRAY_EXPORT enum dray_status dray_recurring_resume(struct dray_client *client, const char *key,
						   struct dray_error *error);

/*
 * Enqueues a job of a task at once, even if the task is paused, in the task's queue or else
 * "default". *job_id (may be NULL) is 0 when the limit of its class discarded the job. NONE: there
 * is no such task. After UNCERTAIN another call may enqueue a second job.
 */
DRAY_EXPORT enum dray_status dray_recurring_run(struct dray_client *client, const char *key,
						int64_t *job_id, struct dray_error *error);

#ifdef __cplusplus
}
#endif
#endif
