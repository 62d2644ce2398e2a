/*
 * What is put right in the database at any time, whoever does it: claims that belong to nobody,
 * processes whose hosts have vanished, pauses whose time is over, finished jobs that were kept
 * long enough. A supervisor does it, and a role
 * that runs alone, since there may be no supervisor anywhere. Many may do it at once: every step is
 * guarded.
 */
#ifndef HEALING_H
#define HEALING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text/text.h"
#include "process/membership.h"
#include "queue/processes/loss.h"

struct healing {
	struct text classes; /* of the policy */
	struct loss_policy policy;
	int64_t at;        /* when it is due, clock_monotonic; CLOCK_NEVER to begin with */
	int64_t pauses_at; /* when the next pause ends, or may have been made; clock_monotonic */
	int64_t audit_at;  /* when old lines of the audit trail are cleared next */
	int64_t gone_at;   /* when processes that are long gone are forgotten next */
	int64_t clear_at;  /* when finished jobs are cleared next; CLOCK_NEVER to begin with */
	int64_t looked_at; /* the last time that it was done */
	int64_t late_at;   /* when we last came late */
	int64_t slack;     /* what silence then meant nothing; 0 = we never came late */
	int64_t clock;     /* the database's, minus clock_monotonic, when it was last looked at */
	bool clock_known;
	bool locked; /* a dead process could not be buried */
};

void healing_init(struct healing *healing, const struct config *config);
void healing_clear(struct healing *healing);

/* Another configuration from now on. */
void healing_adopt(struct healing *healing, const struct config *config);

/* Due now. `late`: nobody could beat until now, so that silence says nothing yet. */
void healing_begin(struct healing *healing, bool late);

/*
 * Heals, logs what it did, and sets when it is due again. A failure leaves that time alone: call
 * again. When it comes much too late, or the database's clock was set, silence since the last look
 * says nothing until we have watched for as long as it takes to be presumed dead.
 */
enum status healing_run(struct healing *healing, struct membership *member,
			struct error *error) MUST_CHECK;

/* When healing_tend has something to do, clock_monotonic. */
int64_t healing_due(const struct healing *healing);

/* Does what is due: heals, or only ends pauses at their time, or clears some more. */
enum status healing_tend(struct healing *healing, struct membership *member,
			 struct error *error) MUST_CHECK;

#endif
