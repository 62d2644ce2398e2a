/*
 * Where a running process gets another configuration (HUP): how to load it anew, what has changed,
 * and why it cannot be used.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>

#include "config/config.h"

#define SOURCE_OUTCOME_SIZE ERROR_TEXT_SIZE

/* As config_load, with what the command line overrides. */
struct config_source {
	enum status (*load)(void *context, struct arena *arena, struct config **config,
			    struct config_problems *problems);
	void *context;
};

/*
 * Loads a configuration and logs every mistake, or every change. NULL: it cannot be used, and
 * `outcome` says why in a line. `fixed`: refuse changes that need a restart.
 */
struct config *source_load(const struct config_source *source, const struct config *current,
			   bool fixed, struct config_diff *diff, char outcome[SOURCE_OUTCOME_SIZE]);

#endif
