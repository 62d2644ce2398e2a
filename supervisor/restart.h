/*
 * What to do when a child has ended: pure, a function of its history, how it ended and the time.
 *
 * A child that had been ready is always replaced, at once the first time and after at most a
 * second when it keeps dying: jobs may kill their worker, and work must go on. A child that ends
 * before it was ready is given up when it does so five times in 30 seconds, or says that its
 * configuration is wrong. Ends that are nobody's mistake (killed by hand, by a lack of memory or
 * for being late, the database away) are never counted towards giving up.
 */
#ifndef RESTART_H
#define RESTART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESTART_LIMIT       5
#define RESTART_REASON_SIZE 512

/* Of one slot; all zeros to begin with. */
struct restart_history {
	int64_t counted[RESTART_LIMIT]; /* ring: when its last counted ends were */
	unsigned count;
	unsigned early; /* ends in a row before readiness */
	unsigned brief; /* ends in a row soon after readiness */
};

/* Times are clock_monotonic. */
struct restart_exit {
	const char *who;   /* "worker 2": for the reason */
	const char *error; /* what it said before it ended; NULL or "" = nothing */
	int status;        /* of waitpid(2) */
	bool wanted;       /* false: we asked it to go for good */
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

/* Decides, and writes this end into *history. */
struct restart_decision restart_decide(struct restart_history *history,
				       const struct restart_exit *exit);

/* "exited with status 1", "killed by signal 9 (KILL)". */
void restart_describe(int status, char *text, size_t size);

/* The same as Solid Queue words it in the error of a job: "Exited with status 1.". */
void restart_ending(int status, char *text, size_t size);

#endif
