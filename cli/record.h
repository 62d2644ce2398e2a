/*
 * A command's line in the audit trail (queue/manage/audit.h), for actions that take more than one
 * transaction: written before the first of them.
 */
#ifndef RECORD_H
#define RECORD_H

#include "cli/cli.h"
#include "queue/manage/audit.h"

#define RECORD_COUNTED (-1)

struct record {
	const char *action;
	const char *target;
	const char *reason; /* NULL = none */
	int64_t id;         /* for record_end, and for what counts in its own transactions */
};

/* The value of --reason. */
const char *record_reason(const char *value, const struct argp_state *state);

/* Sets its id. Without the line nothing may be done. */
enum status record_begin(struct cli *cli, struct record *record, struct error *error) MUST_CHECK;

/*
 * How many it was done to, RECORD_COUNTED when the line says so already, and whether to the end; a
 * failure is only warned of.
 */
void record_end(struct cli *cli, int64_t id, int64_t count, bool done);

#endif
