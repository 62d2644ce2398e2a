/*
 * queue/settle/: the end of a run.
 *
 * A worker's one round trip: everything that ended since the last one is finished or failed, and
 * new jobs are claimed, in one transaction. Every row is guarded by its claim's name: a worker
 * whose claim is gone changes nothing, even when the claim's number has been given out again.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include "queue/settle/outcomes.h"

struct settle_request {
	int64_t process_id;
	struct outcome *outcomes; /* written: refused, why, aside */
	size_t outcome_count;
	bool preserve_finished_jobs;
	int64_t keep_attempts; /* how many runs of a job its history has */
	bool batches;          /* the database has Solid Queue's batches (queue/settle/batches.h) */
	struct claim_request *claim; /* NULL or limit 0 = claim nothing */
};

/*
 * Settles and claims. What the database refuses to do for one outcome or one job does not hold up
 * the others (queue/refused). *claims (count in *count) live in arena. An error with characters
 * that the database cannot hold is stored with those escaped. Not OK: nothing was settled or
 * claimed, except UNCERTAIN: call settle_resolve, then go on.
 */
enum status settle(struct db *db, struct arena *arena, struct settle_request *request,
		   struct claim **claims, size_t *count, struct error *error) MUST_CHECK;

/*
 * After UNCERTAIN: gives back to ready the claims that this process holds in the database but does
 * not know (made by the uncertain commit), and marks outcomes whose claims are gone as settled.
 * `held` are the claims of jobs that still run; those that no longer exist are returned with id 0.
 * Outcomes that remain to be settled are returned with claim.id > 0, the others with claim.id 0.
 */
enum status settle_resolve(struct db *db, struct settle_request *request, struct claim_name held[],
			   size_t held_count, struct error *error) MUST_CHECK;

#endif
