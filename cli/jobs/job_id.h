/* A job on the command line, by its number or its Active Job id. */
#ifndef JOB_ID_H
#define JOB_ID_H

#include "cli/cli.h"
#include "queue/manage/manage.h"

struct job_id {
	int64_t id;
	const char *active_job_id; /* instead of id */
};

/* A command's parser for the one argument ID; its input is a struct job_id. */
error_t job_id_parse(int key, const char *value, struct argp_state *state);

/* Everything in cli->arena. NONE: no such job. */
enum status job_id_find(struct cli *cli, const struct job_id *id, struct job *job,
			struct error *error) MUST_CHECK;

#endif
