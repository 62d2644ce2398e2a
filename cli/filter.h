/* The options that choose jobs, the same in every command that takes them. */
#ifndef FILTER_H
#define FILTER_H

#include <argp.h>

#include "queue/manage.h"

enum filter_key { FILTER_STATE = 500, FILTER_QUEUE, FILTER_CLASS };

/* For a command's parser to end with: ARGP_ERR_UNKNOWN when the key is another. */
error_t filter_parse(struct job_filter *filter, int key, const char *value,
		     struct argp_state *state);

#endif
