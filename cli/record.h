/*
 * A command's line in the audit trail (queue/audit.h), for actions that take more than one
 * transaction: written before the first of them.
 */
#ifndef RECORD_H
#define RECORD_H

#include "cli/cli.h"
#include "queue/audit.h"

/* Without the line nothing may be done. *id is for record_end. */
enum status record_begin(struct cli *cli, const char *action, const char *target, int64_t *id,
			 struct error *error) MUST_CHECK;

/* How many it was done to, and whether to the end; a failure is only warned of. */
void record_end(struct cli *cli, int64_t id, int64_t count, bool done);

#endif
