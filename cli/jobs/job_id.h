/* A job given on the command line by its number or its Active Job id. */
#ifndef JOB_ID_H
#define JOB_ID_H

#include "cli/cli.h"
#include "queue/manage/manage.h"

struct job_id {
	int64_t id;
	const char *active_job_id; /* NULL = by id */
};

/* A parser for commands with the single argument ID; the input is a struct job_id. */
error_t job_id_parse(int key, const char *value, struct argp_state *state);

/* All texts are in cli->arena. NONE: there is no such job. */
enum status job_id_find(struct cli *cli, const struct job_id *id, struct job *job,
			struct error *error) MUST_CHECK;

#endif
