/* Private to queue/: what becomes of the runs whose processes are gone. */
#ifndef LOSS_RUNS_H
#define LOSS_RUNS_H

#include "queue/limits/slots.h"
#include "queue/processes/loss.h"

struct loss_runs {
	const struct db_rows *rows; /* claims, four columns from the first on */
	const bool *chosen;         /* of the rows */
	const struct loss_policy *policy;
	const char *error;    /* the failure's JSON */
	int64_t now;          /* result: when they ended */
	int64_t *jobs;        /* result, in the arena */
	size_t count;         /* of the jobs */
	bool batches;         /* result: the database has batches that jobs may leave */
	const char *claims;   /* result, in the arena: for the scripts that lose them */
	const char *failures; /* the same */
};

/*
 * Reads what is known of their jobs, and decides. While a claim is there nobody else changes what
 * that goes by: the job's losses and its payload. The scripts do nothing for claims that are gone.
 */
enum status loss_runs_read(struct db *db, struct arena *arena, struct loss_runs *runs,
			   struct error *error) MUST_CHECK;

/*
 * Runs `operation`, which loses them, between the two halves of their slots, and after it the
 * notes. Returns the operation's rows, or its NONE.
 */
enum status loss_runs_end(struct slots *slots, const struct loss_runs *runs,
			  struct db_call operation, const struct db_calls *notes,
			  struct db_rows *rows, struct error *error) MUST_CHECK;

#endif
