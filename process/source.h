/*
 * Where a running process gets another configuration (HUP): loads it and says what has changed, or
 * why it cannot be used.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>

#include "config/config.h"

#define SOURCE_OUTCOME_SIZE ERROR_TEXT_SIZE

/* Like config_load, with the overrides of the command line. */
struct config_source {
	enum status (*load)(void *context, struct arena *arena, struct config **config,
			    struct config_problems *problems);
	void *context;
};

/*
 * Loads a configuration and logs every mistake, or every change. NULL if it cannot be used; then
 * `outcome` says why in one line. `fixed`: refuses changes that need a restart.
 */
struct config *source_load(const struct config_source *source, const struct config *current,
			   bool fixed, struct config_diff *diff, char outcome[SOURCE_OUTCOME_SIZE]);

#endif
