/*
 * worker/module/: jobs that are functions of a shared object.
 *
 * Job modules: shared objects that export `dray_module` (include/dray.h). Loaded once a process and
 * never unloaded, because a thread may still be inside one when the process ends.
 */
#ifndef MODULE_H
#define MODULE_H

#include "common/error.h"
#include "config/config.h"
#include "include/dray.h"
#include "queue/claim/claim.h"
#include "queue/payload/payload.h"

struct pool_task;

/*
 * Loads the file (a path with a slash) and checks its interface version. INVALID, naming the file
 * and what is wrong, when it cannot be loaded, is not a module or was built for another version.
 */
enum status module_open(const char *path, const struct dray_module **module,
			struct error *error) MUST_CHECK;

/* Finds the function of this class. INVALID, naming the classes that it has, when there is none. */
enum status module_find(const struct dray_module *module, const char *class_name,
			const struct dray_function **function, struct error *error) MUST_CHECK;

/*
 * Our side of struct dray_job: what a module's function sees of its job, on a thread of the worker
 * and in a job host alike. The payload is parsed when it is first asked for, because many jobs
 * never do.
 */

struct job_handle;

/* What depends on where the function runs. */
struct job_place {
	bool (*stopping)(const struct job_handle *handle);
	bool (*cancelled)(const struct job_handle *handle); /* NULL = that is not known there */
	bool (*log_wanted)(const struct job_handle *handle);
	void (*log)(const struct job_handle *handle, const char *text);
};

struct job_handle {
	struct dray_job job; /* first: modules see only this */
	const struct job_place *place;
	void *context; /* the place's own */
	const struct job *what;
	struct claim_name claim;
	struct arena *arena; /* lives as long as the run's outcome */
	struct payload payload;
	const char *failure_class;     /* NULL = no function that ends a job was called */
	const struct config_end *said; /* what the last of them said; NULL = that it failed */
	bool given_back;               /* dray_job_give_back was called, and was allowed */
	const char *failure;           /* its message, or why the function was not called */
};

enum job_end {
	JOB_DONE,
	JOB_NOT_DONE, /* failure_class and failure are set */
	JOB_GIVEN_BACK,
};

/*
 * Calls the function, unless the job's payload cannot be read, and says what its result means
 * together with its calls. Borrows everything; the texts of *handle are in the arena.
 */
enum job_end job_handle_run(struct job_handle *handle, const struct dray_function *function,
			    const struct job_place *place, void *context, const struct claim *claim,
			    struct arena *arena);

/* Once a process, before the first run. */
void module_runs_prepare(void);

/*
 * The pool's run function, for the task of a run whose handler is a module. Gives the run its
 * outcome.
 */
void module_run(struct pool_task *task);

#endif
