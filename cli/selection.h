/* Commands that do something to jobs named by number, or to all that a filter chooses. */
#ifndef SELECTION_H
#define SELECTION_H

#include "cli/cli.h"
#include "cli/filter.h"
#include "queue/manage.h"

enum selection_key { SELECTION_ALL = 600 };

struct selection {
	struct job_filter filter;
	bool all;
	bool many; /* the filter, not the numbers */
	struct arguments ids;
};

struct selection_verb {
	const char *action; /* "retry" */
	const char *done;   /* "retried" */
	enum status (*one)(struct db *db, int64_t id, struct error *error);
	enum status (*many)(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error);
};

/* For a command's parser to end with. */
error_t selection_parse(struct selection *selection, int key, const char *value,
			struct argp_state *state);

/* Does it and prints how many, and which not and why. EXIT_ERROR when some could not be done. */
int selection_run(struct cli *cli, struct selection *selection, const struct selection_verb *verb);

#endif
