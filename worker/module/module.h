/*
 * worker/module/: jobs that are functions of a shared object.
 *
 * Job modules: shared objects that export `dray_module` (include/dray.h). Loaded once a process and
 * never unloaded, because a thread may still be inside one when the process ends.
 */
#ifndef MODULE_H
#define MODULE_H

#include "common/error.h"

struct dray_module;
struct dray_function;

/*
 * Loads the file (a path with a slash) and checks its interface version. INVALID, naming the file
 * and what is wrong, when it cannot be loaded, is not a module or was built for another version.
 */
enum status module_open(const char *path, const struct dray_module **module,
			struct error *error) MUST_CHECK;

/* Finds the function of this class. INVALID, naming the classes that it has, when there is none. */
enum status module_find(const struct dray_module *module, const char *class_name,
			const struct dray_function **function, struct error *error) MUST_CHECK;

#endif
