/*
 * From a job's class to how it is run: the entries of jobs.yml made ready. Built once when the
 * worker starts, read only afterwards, so every thread may look.
 */
#ifndef HANDLER_H
#define HANDLER_H

#include <stddef.h>

#include "common/arena.h"
#include "config/config.h"

struct dray_function;
struct handlers;

struct handler {
	const struct config_class *class;
	const struct dray_function *function; /* modules only */
	const char *directory;                /* commands: working directory, NULL = the worker's */
	const char **environment;             /* commands: NULL-terminated */
};

/*
 * Loads the modules and prepares the commands; everything lives in arena. INVALID names the class,
 * the file and line that declare it and what is wrong. That a program is missing is no error here:
 * it may be installed later, and the job's failure says so.
 */
enum status handlers_open(struct arena *arena, const struct config *config,
			  const struct handlers **handlers, struct error *error) MUST_CHECK;

/* NULL when no handler is declared for this class. */
const struct handler *handlers_find(const struct handlers *handlers, const char *class_name);

/* The declared classes, for people: "A, B and 12 more", or "none". */
const char *handlers_known(const struct handlers *handlers);

/* All class names, for the claim's filter. */
const char *const *handlers_names(const struct handlers *handlers, size_t *count);

typedef void handler_problem(void *context, const struct config_class *class, const char *text);

/*
 * Everything that can be known without a job: modules load and have the class's function, templates
 * are well-formed, programs and working directories exist. Reports each problem ("file:line:
 * column: ...") and returns how many there are. Classes with mistakes in the file are left out.
 */
size_t handler_check(const struct config *config, handler_problem *report, void *context);

#endif
