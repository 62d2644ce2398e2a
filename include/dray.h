/*
 * dray: background jobs in the database you already have. This header is all that a job module
 * needs: a shared object whose C functions run as jobs on the worker's threads. A module links
 * with nothing of dray; everything goes through the table in the job handle.
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
 *     GreetJob:
 *       module: lib/greetings.so
 *
 * A function runs on one thread of many: several jobs of one class may run at once. A job handle
 * belongs to that thread and is valid, with all texts it gave, until the function returns. A
 * function must return; it must not leave by pthread_exit, exit or longjmp.
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

/* 1 at the first run. */
static inline int dray_job_attempt(struct dray_job *job)
{
	return job->api->attempt(job);
}

/* All arguments as the text of a JSON array. */
static inline const char *dray_job_arguments(struct dray_job *job)
{
	return job->api->arguments(job);
}

/* The same, parsed, for modules that use jansson. Read only. */
static inline const struct json_t *dray_job_arguments_json(struct dray_job *job)
{
	return job->api->arguments_json(job);
}

/*
 * One argument: "0" is the first positional one, any other name a member of the named ones.
 * Strings as they are, other scalars as JSON writes them, null as "", arrays and objects as JSON
 * text. NULL when there is no such argument.
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

/* Is the worker shutting down? A long job may then end early by failing, or go on for a while. */
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

/* Fails the job because an argument is absent or of another type. Returns DRAY_FAILED. */
static inline enum dray_result dray_job_missing(struct dray_job *job, const char *name)
{
	return dray_job_fail(job, "Dray::ArgumentError",
			     "%s: argument \"%s\" is missing or of the wrong type",
			     dray_job_class(job), name);
}

#ifdef __cplusplus
}
#endif
#endif
