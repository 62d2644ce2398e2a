/*
 * What to do when a child has ended: a pure function of its history, how it ended and the time. A
 * child that was ready is always replaced, the first time at once and, if it keeps dying, within a
 * second: jobs may kill their worker, and work must go on. A child that ends before it is ready is
 * given up if that happens five times in 30 seconds, or if it reports that its configuration is
 * wrong. Ends for other reasons (killed by hand, for lack of memory or for being late; the database
 * unavailable) never count towards giving up.
 */
#ifndef RESTART_H
#define RESTART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESTART_LIMIT       5
#define RESTART_REASON_SIZE 512

/* Of one slot; at first all zeros. */
struct restart_history {
	int64_t counted[RESTART_LIMIT]; /* ring: the times of its last counted ends */
	unsigned count;
	unsigned early; /* ends in a row before readiness */
	unsigned brief; /* ends in a row soon after readiness */
};

/* Times are clock_monotonic. */
struct restart_exit {
	const char *who;   /* "worker 2": for the reason */
	const char *error; /* what it reported before it ended; NULL or "" = nothing */
	int status;        /* of waitpid(2) */
	bool wanted;       /* false: we asked it to leave for good */
	int64_t ready_at;  /* 0 = it never was */
	int64_t now;
	uint64_t random;
};

enum restart_verdict { RESTART_AT, RESTART_NEVER, RESTART_GIVE_UP };

struct restart_decision {
	enum restart_verdict verdict;
	int64_t at;                       /* RESTART_AT */
	char reason[RESTART_REASON_SIZE]; /* RESTART_GIVE_UP: a sentence for a person */
};

/* Decides, and adds this end to *history. */
struct restart_decision restart_decide(struct restart_history *history,
				       const struct restart_exit *exit);

/* "exited with status 1", "killed by signal 9 (KILL)". */
void restart_describe(int status, char *text, size_t size);

/* The same in Solid Queue's words, for the error of a job: "Exited with status 1.". */
void restart_ending(int status, char *text, size_t size);

#endif
