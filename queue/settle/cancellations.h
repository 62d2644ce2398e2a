/*
 * Jobs that people have cancelled while they ran (dray_cancellations). The note names the claim;
 * its process, whose heartbeat finds it, stops the run. A run may end in another way before its
 * worker knows: then a job that has finished or failed stays so, and one that would wait again ends
 * as cancelled in the same transaction (cancel_told). A note of a claim that is gone means nothing.
 */
#ifndef CANCELLATIONS_H
#define CANCELLATIONS_H

#include "common/process.h"
#include "queue/claim/claim_name.h"

#define CANCEL_ERROR  "Dray::CancelledError"
#define CANCEL_REASON 1000 /* bytes of a reason at most */
#define CANCEL_BY     (USERNAME_SIZE + HOSTNAME_SIZE)

/* What the rows of processes say that stop cancelled runs: others are promised nothing. */
#define CANCEL_METADATA "\"cancels\":true"

/* The user of this process: "ann@web-1". */
void cancel_by(char by[CANCEL_BY]);

/* What a cancelled job's history says, and the log: by whom, and why (NULL = for no reason). */
const char *cancel_text(struct arena *arena, const char *by, const char *reason);

/* The same as the JSON of an error. */
const char *cancel_error(struct arena *arena, const char *by, const char *reason);

struct cancellation {
	int64_t claim, job;
	const char *text; /* cancel_text */
	bool held;        /* the claim is still there */
};

/* Those that are noted for this process. */
enum status cancellations_read(struct db *db, struct arena *arena, int64_t process_id,
			       struct cancellation **list, size_t *count,
			       struct error *error) MUST_CHECK;

/* Deletes those of these whose claims are gone. */
enum status cancellations_forget(struct db *db, struct arena *arena,
				 const struct cancellation list[], size_t count,
				 struct error *error) MUST_CHECK;

/*
 * Adds the call that ends those of these claims (claim_list) whose jobs were cancelled,
 * before the others are made to wait again in the same transaction. Its rows are their names, and
 * cancel_text.
 */
size_t cancel_told(struct db_calls *calls, const struct db_list *claims, int64_t now);

/* Logs that the job has ended so. */
void cancellation_log(int64_t job, const char *message);

/*
 * Runs these calls, which make the jobs of these claims wait again, in one transaction with
 * cancel_told and with what follows from it: slots are returned, and batches are left. Logs who has
 * ended so.
 */
enum status cancel_told_first(struct db *db, struct arena *arena, const struct claim_name claims[],
			      size_t count, struct db_calls *verbs, struct error *error) MUST_CHECK;

/*
 * Gives claims of a process back to ready; *released of them. Those of which the database refuses
 * that stay as they are (queue/refused).
 */
enum status claims_give_back(struct db *db, const struct claim_name claims[], size_t count,
			     int64_t *released, struct error *error) MUST_CHECK;

#endif
