#include "cli/deploy/switches.h"

#include <stdlib.h>
#include <string.h>

error_t switches_parse(struct switches *switches, int key, const char *value,
		       const struct argp_state *state)
{
	if (key == SWITCH_SKIP || key == SWITCH_NO_SKIP)
		switches->skip_recurring = key == SWITCH_SKIP ? SAID_YES : SAID_NO;
	else if (key == SWITCH_ONLY || key == SWITCH_NO_ONLY)
		switches->only_recurring = key == SWITCH_ONLY ? SAID_YES : SAID_NO;
	else if (key == SWITCH_MODE)
		switches->mode = value;
	else
		return ARGP_ERR_UNKNOWN;
	if (key == SWITCH_MODE && strcmp(value, "fork") != 0 && strcmp(value, "async") != 0)
		argument_error(state, "--mode: \"%s\", expected fork or async", value);
	return 0;
}

void switches_request(const struct switches *switches, struct cli *cli)
{
	/* Before any thread of ours. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *variable = getenv("SOLID_QUEUE_SUPERVISOR_MODE");
	const char *mode = switches->mode ? switches->mode : variable;

	cli->request.skip_recurring = switches->skip_recurring;
	cli->request.only_recurring = switches->only_recurring;
	if (mode && strcmp(mode, "async") == 0)
		cli_warn(cli,
			 "%s has no effect: each worker, dispatcher and scheduler is a process of "
			 "its own, as with fork",
			 switches->mode ? "--mode async" : "SOLID_QUEUE_SUPERVISOR_MODE=async");
}
