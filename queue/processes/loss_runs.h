/* Private to queue/: how the runs end whose processes are gone. */
#ifndef LOSS_RUNS_H
#define LOSS_RUNS_H

#include "queue/processes/loss.h"

struct loss_runs {
	const struct db_rows *rows; /* claims, four columns from the first on */
	const bool *chosen;         /* of the rows */
	const struct loss_policy *policy;
	const char *error;    /* the failure's JSON */
	int64_t now;          /* result: when they ended */
	const char *claims;   /* result, in the arena: for the scripts that lose them */
	const char *failures; /* the same */
};

enum status loss_runs_read(struct db *db, struct arena *arena, struct loss_runs *runs,
			   struct error *error) MUST_CHECK;

#endif
