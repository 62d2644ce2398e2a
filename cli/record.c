#include "cli/record.h"

#include <string.h>

#include "common/process.h"
#include "common/text/parse.h"
#include "queue/settle/cancellations.h"

const char *record_reason(const char *value, const struct argp_state *state)
{
	size_t fault;

	if (strlen(value) > CANCEL_REASON)
		argument_error(state, "--reason: at most %d bytes", CANCEL_REASON);
	if (!utf8_valid(value, strlen(value), &fault))
		argument_error(state, "--reason: not UTF-8");
	return value;
}

enum status record_begin(struct cli *cli, struct record *record, struct error *error)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	struct audit audit = { .action = record->action,
			       .target = record->target,
			       .reason = record->reason,
			       .who = who,
			       .host = host };

	process_user(who);
	process_hostname(host);
	enum status status = audit_begin(cli->db, &audit, error);
	record->id = audit.id;
	return status;
}

void record_end(struct cli *cli, int64_t id, int64_t count, bool done)
{
	struct error error = { 0 };
	enum status status = audit_end(cli->db, id, count, done, &error);

	if (status != STATUS_OK && status != STATUS_NONE)
		cli_warn(cli, "the audit trail could not record how this ended: %s", error.text);
}
