/*
 * A command's entry in the audit trail (queue/manage/audit.h), for actions of more than one
 * transaction.
 */
#ifndef CLI_AUDIT_H
#define CLI_AUDIT_H

#include "cli/cli.h"
#include "queue/manage/audit.h"

#define RECORD_COUNTED (-1)

struct record {
	const char *action;
	const char *target;
	const char *reason; /* NULL = none */
	int64_t id;         /* of the entry, once it is written */
};

/* The value of --reason. */
const char *record_reason(const char *value, const struct argp_state *state);

/* Writes the entry and sets record->id. If this fails, the action must not begin. */
enum status record_begin(struct cli *cli, struct record *record, struct error *error) MUST_CHECK;

/*
 * Writes the count (RECORD_COUNTED: the transactions have counted) and whether the action was
 * completed. A failure is only a warning.
 */
void record_end(struct cli *cli, int64_t id, int64_t count, bool done);

extern const struct command audit_command;

#endif
