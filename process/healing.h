/*
 * What must be put right in the database from time to time: claims that belong to no process,
 * processes whose hosts have vanished, pauses whose time is over, finished jobs that were kept long
 * enough. A supervisor does it, and so does a role that runs alone, because there may be no
 * supervisor anywhere. Many processes may do it at once: every step is guarded.
 */
#ifndef HEALING_H
#define HEALING_H

#include <stdbool.h>
#include <stdint.h>

#include "process/membership.h"
#include "queue/processes/loss.h"

struct healing {
	struct loss_policy policy;
	int64_t at;        /* when it is due, clock_monotonic; at first CLOCK_NEVER */
	int64_t pauses_at; /* when the next pause ends, or to look for new ones; clock_monotonic */
	int64_t audit_at;  /* when old lines of the audit trail are cleared next */
	int64_t gone_at;   /* when processes that are long gone are forgotten next */
	int64_t clear_at;  /* when finished jobs are cleared next; at first CLOCK_NEVER */
	int64_t looked_at; /* when it was last done */
	int64_t late_at;   /* when we were last late */
	int64_t slack;     /* how much silence meant nothing then; 0 = we were never late */
	int64_t clock;     /* the database's, minus clock_monotonic, when it was last looked at */
	bool clock_known;
	bool locked; /* a dead process could not be buried */
};

void healing_init(struct healing *healing, const struct config *config);

/* Replaces the configuration. */
void healing_adopt(struct healing *healing, const struct config *config);

/*
 * Makes it due now. `late`: nobody could send heartbeats until now, so silence means nothing yet.
 */
void healing_begin(struct healing *healing, bool late);

/*
 * Heals, logs what it did, and sets when it is due again. After a failure that time is unchanged:
 * call again. If it is called much too late, or the database's clock was set, silence since the
 * last look means nothing until we have watched for as long as it takes to be presumed dead.
 */
enum status healing_run(struct healing *healing, struct membership *member,
			struct error *error) MUST_CHECK;

/* When healing_tend next has something to do, clock_monotonic. */
int64_t healing_due(const struct healing *healing);

/* Does what is due: heals, or only ends pauses that are over, or clears more finished jobs. */
enum status healing_tend(struct healing *healing, struct membership *member,
			 struct error *error) MUST_CHECK;

#endif
