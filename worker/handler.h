/*
 * From a job's class to how it is run: the entries of jobs.yml, prepared. Built when the worker
 * starts, and anew when it takes over other files; only read afterwards, so every thread may use
 * it.
 */
#ifndef HANDLER_H
#define HANDLER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "config/config.h"

struct dray_function;
struct handlers;

#define PACE_RUNS 32

/* How long the last runs of a class took: microseconds, in a ring. */
struct pace {
	int64_t runs[PACE_RUNS];
	size_t count; /* of all that were seen */
};

struct handler {
	const struct config_class *class;
	const struct dray_function *function; /* modules that run on the worker's threads */
	const char *module;                   /* modules: absolute path, links resolved */
	const char *directory;                /* working directory, NULL = the worker's */
	const char **environment;             /* of processes: NULL-terminated */
	size_t group; /* isolated modules: classes of one group can share a process */
	/*
	 * Commands whose output is discarded: in how many more runs dray still looks whether they
	 * write any, so that it can log that once. Used by the main thread alone.
	 */
	unsigned *unheard;
	struct pace *pace; /* used by the main thread alone */
};

/* Those of all classes of a configuration. */
struct handlers {
	const struct config *config;
	struct arena *lasting; /* of the first ones: what is learnt of a class is there */
	struct handler *list;  /* one for each of config->classes, in the same order */
	size_t groups;         /* of isolated classes: every group number is below it */
	const char **names;    /* of the classes that dray runs */
	size_t name_count;
	const char **others; /* of those that other software runs */
	size_t other_count;
	const char *known; /* the names, for people: "A, B and 12 more", or "none" */
};

/*
 * Loads the modules that run here and prepares the rest; everything lives in arena. INVALID says
 * which class is wrong, where it is declared, and what is wrong. A missing program is no error
 * here: it may be installed later, and until then the job's failure names it. `before`: those of
 * this worker until now, whose modules stay as they are; NULL = it starts.
 */
enum status handlers_open(struct arena *arena, const struct config *config,
			  const struct handlers *before, const struct handlers **handlers,
			  struct error *error) MUST_CHECK;

/*
 * INVALID when the configuration has no class that a worker could run: it would fail every job, or
 * pass over all of them for ever.
 */
enum status handlers_require(const struct config *config, struct error *error) MUST_CHECK;

/*
 * Would handlers_open succeed, and isolated modules load? For a process that ends soon, because
 * loading a module may run its code, which belongs in a job host.
 */
enum status handlers_try(struct arena *arena, const struct config *config,
			 struct error *error) MUST_CHECK;

/* Does it run in a job host (worker/host/host.h)? */
bool handler_isolated(const struct config_class *class);

/*
 * NULL when the class is not declared. A class with run_by: other has a handler that runs nothing.
 */
const struct handler *handlers_find(const struct handlers *handlers, const char *class_name);

/* doubt: it may work all the same. */
typedef void handler_problem(void *context, bool doubt, const char *text);

/*
 * Checks everything that can be known without a job: modules load and have the class's function,
 * templates are well-formed, programs and working directories exist. Reports each problem
 * ("file:line: column: ...") and returns how many there are. Classes with mistakes in the file are
 * left out.
 */
size_t handler_check(const struct config *config, handler_problem *report, void *context);

#endif
