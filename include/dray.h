/*
 * dray: background jobs in the database you already have. Two parts that need nothing of each
 * other: job modules, and clients that enqueue (below, from DRAY_STATUS on).
 *
 * A job module is a shared object whose C functions run as jobs on the worker's threads. A module
 * links with nothing of dray; everything goes through the table in the job handle.
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
 * Build: cc -shared -fPIC -o greetings.so greetings.c; then name it in config/jobs.yml:
 *
 *     jobs:
 *       GreetJob:
 *         module: lib/greetings.so
 *
 * A function runs on one thread of many: several jobs of one class may run at once. A job handle
 * belongs to that thread and is valid, with all texts it gave, until the function returns. A
 * function must return; it must not leave by pthread_exit, exit or longjmp. A class with
 * `isolation: process` runs in a process of its own instead, one job at a time on its main thread;
 * what it does to that process (a crash, exit) fails the one job.
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
 * The number of this interface between modules and workers. It changes only when an old module
 * could not run any more; what is added at the end of a table is seen by the table's size.
 */
#define DRAY_ABI 1

struct dray_job;
struct json_t; /* jansson's; only for those who use it */

/* How a run ended. A job for which dray_job_fail was called has failed whatever is returned. */
enum dray_result { DRAY_OK = 0, DRAY_FAILED = 1 };

struct dray_function {
	const char *class_name; /* as in jobs.yml and in the job */
	enum dray_result (*run)(struct dray_job *job);
};

/* What a module exports as `dray_module`. The first two members keep their place for ever. */
struct dray_module {
	uint32_t abi;  /* DRAY_ABI */
	uint32_t size; /* of this struct as the module knows it */
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
};

/* Opaque but for this; the worker's own members follow. */
struct dray_job {
	const struct dray_api *api;
};

/* The row in solid_queue_jobs. */
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
 * 1 at the first run, and more at each one after it: a run that failed and was retried, or was lost
 * with its worker, counts.
 */
static inline int dray_job_attempt(struct dray_job *job)
{
	return job->api->attempt(job);
}

/*
 * How often this job was lost with its worker since it was enqueued or retried: 0 when no run of it
 * can have been cut short. Also 0 when this worker is older than the module and does not tell.
 */
static inline int dray_job_losses(const struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, losses) ? job->api->losses(job) : 0;
}

/*
 * The name of this run's claim, which no other run ever has (a fencing token): given to another
 * system with each change, it keeps off a run that was presumed dead. It begins with the time of
 * the claim by the database's clock, microseconds in 16 digits, so that a later run's token sorts
 * behind, as text. "": this worker is older than the module and does not tell.
 */
static inline const char *dray_job_claim_token(struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, claim_token) ? job->api->claim_token(job)
								       : "";
}

/*
 * The number of this run's claim alone. After a failover to a replica that lagged, or from a
 * restored backup, the database gives numbers out again: a token is dray_job_claim_token. 0: this
 * worker is older than the module and does not tell.
 */
static inline int64_t dray_job_claim(const struct dray_job *job)
{
	return job->api->size > offsetof(struct dray_api, claim) ? job->api->claim(job) : 0;
}

/* All arguments as the text of a JSON array, as they are stored. */
static inline const char *dray_job_arguments(struct dray_job *job)
{
	return job->api->arguments(job);
}

/*
 * The same, parsed, for modules that use jansson. Read only. A number that jansson has no room for
 * is a string here, of its digits.
 */
static inline const struct json_t *dray_job_arguments_json(struct dray_job *job)
{
	return job->api->arguments_json(job);
}

/*
 * One argument: "0" is the first positional one, any other name a member of the named ones.
 * Strings as they are, other scalars as JSON writes them, null as "", arrays and objects as JSON
 * text. What Active Job serialised is plain: a record is its GlobalID, a symbol or a time its
 * value, a range "1..5", a hash has its own keys alone. NULL when there is no such argument.
 */
static inline const char *dray_job_text(struct dray_job *job, const char *name)
{
	return job->api->text(job, name);
}

/* False, with *value untouched, when there is no such argument or it is not an integer. */
static inline bool dray_job_integer(struct dray_job *job, const char *name, int64_t *value)
{
	return job->api->integer(job, name, value);
}

/* Integers are numbers too. */
static inline bool dray_job_real(struct dray_job *job, const char *name, double *value)
{
	return job->api->real(job, name, value);
}

static inline bool dray_job_boolean(struct dray_job *job, const char *name, bool *value)
{
	return job->api->boolean(job, name, value);
}

/*
 * Is the job to stop, because its worker shuts down or the job was given to another? A long job
 * may then give itself back, or go on for a while (shutdown_timeout).
 */
static inline bool dray_job_stopping(const struct dray_job *job)
{
	return job->api->stopping(job);
}

/* One line in the worker's log, with the job's id and class. */
static inline DRAY_PRINTF(2, 3) void dray_job_log(struct dray_job *job, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	job->api->log(job, format, args);
	va_end(args);
}

/* The job has failed; the class and the message are kept with it. Returns DRAY_FAILED. */
static inline DRAY_PRINTF(3, 4) enum dray_result
	dray_job_fail(struct dray_job *job, const char *exception_class, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	job->api->set_failure(job, exception_class, format, args);
	va_end(args);
	return DRAY_FAILED;
}

/*
 * Once dray_job_stopping: the job is not done and goes back to its queue, as if this run had not
 * been; it counts neither as a failure nor as a loss. The next run begins anew. Return what it
 * returns. The job fails when it is not to stop, or when the worker is older than this function.
 */
static inline enum dray_result dray_job_give_back(struct dray_job *job)
{
	if (job->api->size > offsetof(struct dray_api, give_back))
		return job->api->give_back(job);
	return dray_job_fail(job, "Dray::JobError", "%s: this worker is too old to take a job back",
			     dray_job_class(job));
}

/* Fails the job because an argument is absent or of another type. Returns DRAY_FAILED. */
static inline enum dray_result dray_job_missing(struct dray_job *job, const char *name)
{
	return dray_job_fail(job, "Dray::ArgumentError",
			     "%s: argument \"%s\" is missing or of the wrong type",
			     dray_job_class(job), name);
}

/*
 * Clients: enqueueing from any program that links with libdray (pkg-config dray).
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
 * A client is one connection and belongs to one thread at a time; clients of different threads
 * work in parallel. A connection that was lost is made anew by the next call. Nothing of the
 * process is changed: no output, no signal handlers, no exit. Times are microseconds; instants are
 * since 1970-01-01 UTC, on the database's clock. Structs that begin with `size` may grow in later
 * versions: make them with their macro, so that a library knows what its caller knows.
 */
struct dray_client;

/* What the caller must do. The numbers are kept for ever; treat one that is not here as FATAL. */
enum dray_status {
	DRAY_STATUS_OK = 0,    /* go on: it is done */
	DRAY_STATUS_NONE = 1,  /* nothing to do: no such job, nothing was done */
	DRAY_STATUS_RETRY = 2, /* try again: others were in the way, nothing was done */
	DRAY_STATUS_DOWN = 3,  /* try again later: no database, nothing was done */
	DRAY_STATUS_UNCERTAIN =
		4,                /* look (dray_resolve) before enqueueing again: unknown if done */
	DRAY_STATUS_CONFLICT = 5, /* go on: refused, because an equal one exists */
	DRAY_STATUS_INVALID = 6,  /* correct the call: the text says what is wrong with it */
	DRAY_STATUS_FATAL = 7,    /* tell a person: missing tables, no permission, a bug */
	DRAY_STATUS_MEMORY = 8,   /* free some, then as UNCERTAIN; what the call had got is lost */
	DRAY_STATUS_MISUSE = 9,   /* correct the program: forked, or two threads in one client */
};

/* "ok", "none", ... for logs. */
DRAY_EXPORT const char *dray_status_name(enum dray_status status);

/* The library's version, "0.1.0"; this header's may be another. */
DRAY_EXPORT const char *dray_version(void);

/* Where a call tells what went wrong: the caller's, or NULL. Untouched by a call that was OK. */
struct dray_error {
	enum dray_status status;
	char text[1024]; /* one line, without secrets */
};

struct dray_options {
	size_t size;
	const char *schema;        /* PostgreSQL: of the tables; NULL = by the search path */
	const char *password_file; /* read at every connect; NULL = none */
	int64_t connect_timeout;   /* 0 = 5 s */
	int64_t call_timeout;      /* for one answer of the database; 0 = 30 s */
	int64_t retry_for; /* how long deadlocks are repeated, lost commits looked for; 0 = 10 s */
};
#define DRAY_OPTIONS(...)                                                                          \
	{                                                                                          \
		.size = sizeof(struct dray_options), __VA_ARGS__                                   \
	}

/*
 * Connects: sqlite3:PATH, postgres://... or mysql://... options may be NULL. *client is set by OK
 * only. The tables must be there (`dray db migrate`): INVALID says so otherwise.
 */
DRAY_EXPORT enum dray_status dray_open(const char *url, const struct dray_options *options,
				       struct dray_client **client, struct dray_error *error);

/* NULL is allowed. In a forked child the connection is left alone: it is the parent's. */
DRAY_EXPORT void dray_close(struct dray_client *client);

/* A job to be. What is zero has its default; texts are the caller's and read during the call. */
struct dray_new_job {
	size_t size;
	const char *class_name;
	const char *arguments; /* JSON: an array, or an object of named ones; NULL = none */
	const char *queue;     /* NULL = "default" */
	int64_t at;            /* when it is due; 0 = after the delay */
	int64_t delay;         /* from now on */
	const char *concurrency_key;
	int32_t priority; /* smaller runs first */

	/*
	 * Results; after UNCERTAIN and MEMORY all but the id are there for dray_resolve. OK and no
	 * id: its key had no free slot, and its class says to discard it then.
	 */
	int64_t id;
	int64_t created_at;
	char active_job_id[40]; /* its UUID, the same for all its attempts */
};
#define DRAY_NEW_JOB(...)                                                                          \
	{                                                                                          \
		.size = sizeof(struct dray_new_job), __VA_ARGS__                                   \
	}

/* Enqueues one job in a transaction of its own: ready when it is due, otherwise scheduled. */
DRAY_EXPORT enum dray_status dray_enqueue(struct dray_client *client, struct dray_new_job *job,
					  struct dray_error *error);

/* Enqueues all or none, fast: a few statements for up to some thousand jobs, in their order. */
DRAY_EXPORT enum dray_status dray_enqueue_all(struct dray_client *client,
					      struct dray_new_job jobs[], size_t count,
					      struct dray_error *error);

/*
 * What became of an enqueue that ended with UNCERTAIN or MEMORY, of the same jobs. OK: they are
 * enqueued (a job that has been deleted since keeps id 0). NONE: they are not, enqueue them again.
 * UNCERTAIN: still unknown. Ask the client that enqueued: it knows what has to be over first. Where
 * finished jobs are not kept NONE may be said of jobs that have run.
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

/* A job as it was when looked at. Texts are the client's until its next call. Instants: 0 = none.
 */
struct dray_job_info {
	size_t size;
	int64_t id;
	const char *class_name;
	const char *queue;
	const char *active_job_id;   /* NULL if absent */
	const char *concurrency_key; /* NULL if absent */
	const char *payload;         /* the stored Active Job object, JSON; its arguments in it */
	const char *failure;         /* FAILED: JSON of exception_class, message, backtrace */
	int64_t created_at;
	int64_t scheduled_at;
	int64_t finished_at;
	int64_t since; /* when it came into its state */
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

/* A failed job becomes ready, as if it had never run. INVALID: it is in another state. */
DRAY_EXPORT enum dray_status dray_retry(struct dray_client *client, int64_t id,
					struct dray_error *error);

/* Deletes a job. INVALID: it is running or has finished. */
DRAY_EXPORT enum dray_status dray_discard(struct dray_client *client, int64_t id,
					  struct dray_error *error);

/* Workers start no job of a paused queue. OK also when it was so already. */
DRAY_EXPORT enum dray_status dray_pause_queue(struct dray_client *client, const char *queue,
					      struct dray_error *error);
DRAY_EXPORT enum dray_status dray_resume_queue(struct dray_client *client, const char *queue,
					       struct dray_error *error);

/*
 * A recurring task that is in no file. The settings are those of recurring.yml, told in
 * docs/configuration.md, and NULL and 0 are their defaults; texts are the caller's and read during
 * the call. Schedulers with `dynamic_tasks_enabled` run it, and follow a change within their
 * polling_interval.
 */
struct dray_recurring {
	size_t size;
	const char *key;
	const char *schedule;
	const char *class_name;
	const char *command;     /* instead of a class and arguments: a program and its own */
	const char *arguments;   /* JSON: an array, or an object of named ones */
	const char *queue;       /* NULL = its class's */
	const char *description; /* for people */
	const char *time_zone;   /* of a schedule that names none; NULL = UTC */
	const char *dst_gap;     /* "default", "skip", "next_valid" */
	const char *dst_overlap; /* "default", "first", "both" */
	const char *misfire;     /* "once", "skip", "all" */
	const char *overlap;     /* "allow", "skip", "queue" */
	const char *start_at;    /* ISO 8601 */
	const char *end_at;
	int64_t misfire_window; /* microseconds */
	int64_t jitter;         /* microseconds */
	int32_t misfire_limit;
	int32_t priority; /* smaller is sooner; 0 = its class's */
	int32_t enabled;  /* -1: it stays, and does not run; 1: it runs */
};
#define DRAY_RECURRING(...)                                                                        \
	{                                                                                          \
		.size = sizeof(struct dray_recurring), __VA_ARGS__                                 \
	}

/* CONFLICT: there is a task of this key. INVALID: the text says what cannot be, and where. */
DRAY_EXPORT enum dray_status dray_recurring_add(struct dray_client *client,
						const struct dray_recurring *task,
						struct dray_error *error);

/*
 * Changes what is not NULL and not 0; "" and, of what cannot be negative, -1 are its default again.
 * A new schedule misses nothing of the time before it. NONE: there is no such task. INVALID: what
 * cannot be, or the task comes from a file.
 */
DRAY_EXPORT enum dray_status dray_recurring_change(struct dray_client *client,
						   const struct dray_recurring *task,
						   struct dray_error *error);

/* NONE: there is no such task. INVALID: it comes from a file. */
DRAY_EXPORT enum dray_status dray_recurring_remove(struct dray_client *client, const char *key,
						   struct dray_error *error);

/*
 * A task, of a file too, rests until it is resumed: what falls between is neither run later nor
 * missed. OK also when it was so already. reason may be NULL. NONE: there is no such task.
 */
DRAY_EXPORT enum dray_status dray_recurring_pause(struct dray_client *client, const char *key,
						  const char *reason, struct dray_error *error);
DRAY_EXPORT enum dray_status dray_recurring_resume(struct dray_client *client, const char *key,
						   struct dray_error *error);

/*
 * Enqueues a job of a task at once, paused or not, in its queue or else "default". *job_id (may be
 * NULL) is 0 when its class's limit discarded it. NONE: there is no such task. After UNCERTAIN
 * dray_recurring_run may enqueue a second one.
 */
DRAY_EXPORT enum dray_status dray_recurring_run(struct dray_client *client, const char *key,
						int64_t *job_id, struct dray_error *error);

#ifdef __cplusplus
}
#endif
#endif
