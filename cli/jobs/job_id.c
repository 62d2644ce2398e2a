#include "cli/jobs/job_id.h"

#include <string.h>

#include "common/text/parse.h"
#include "common/text/uuid.h"

#define UUID_CHARACTERS "0123456789abcdefABCDEF-"

static bool is_uuid(const char *text)
{
	return strlen(text) == UUID_TEXT_SIZE - 1 && text[strspn(text, UUID_CHARACTERS)] == '\0';
}

error_t job_id_parse(int key, const char *value, struct argp_state *state)
{
	struct job_id *id = state->input;

	if (key == ARGP_KEY_NO_ARGS)
		argument_error(state, "missing ID of the job");
	else if (key != ARGP_KEY_ARG || id->id != 0 || id->active_job_id)
		return ARGP_ERR_UNKNOWN;
	else if (is_uuid(value))
		id->active_job_id = value;
	else if (parse_int(value, 1, INT64_MAX, &id->id) != STATUS_OK)
		argument_error(state, "\"%s\" is neither the number of a job nor an Active Job id",
			       value);
	return 0;
}

enum status job_id_find(struct cli *cli, const struct job_id *id, struct job *job,
			struct error *error)
{
	enum status status = STATUS_OK;
	int64_t number = id->id;

	if (id->active_job_id)
		status = job_find_active(cli->db, id->active_job_id, &number, error);
	if (status == STATUS_OK)
		status = job_find(cli->db, cli->arena, number, job, error);
	return status;
}
