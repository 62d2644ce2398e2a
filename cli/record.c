#include "cli/record.h"

#include "common/process.h"

enum status record_begin(struct cli *cli, const char *action, const char *target, int64_t *id,
			 struct error *error)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	struct audit audit = { .action = action, .target = target, .who = who, .host = host };

	process_user(who);
	process_hostname(host);
	enum status status = audit_begin(cli->db, &audit, error);
	*id = audit.id;
	return status;
}

void record_end(struct cli *cli, int64_t id, int64_t count, bool done)
{
	struct error error = { 0 };
	enum status status = audit_end(cli->db, id, count, done, &error);

	if (status != STATUS_OK && status != STATUS_NONE)
		cli_warn(cli, "the audit trail does not say how this ended: %s", error.text);
}
