/*
 * Times of scheduled jobs that were written by hand and that the queue's comparison misreads: in
 * SQLite, where times are text, every text that is not in the form of docs/internals/database.md.
 */
#ifndef TIMES_H
#define TIMES_H

#include "db/db.h"

#define TIMES_TEXT_SIZE 64

struct times {
	int64_t after; /* where the next look begins; 0 = at the first job */
	/* results of the last look */
	int64_t mended;
	int64_t never;              /* times that mean "never", left to people */
	int64_t job;                /* the first job of both kinds; 0 = none */
	char text[TIMES_TEXT_SIZE]; /* its time, as stored */
};

/*
 * Looks at the next thousand jobs and repairs times, except those that mean "never". After the last
 * job, times->after is 0 again.
 */
enum status times_mend(struct db *db, struct times *times, struct error *error) MUST_CHECK;

/* The stored text of this job's time, in the arena; NULL = nothing is wrong with it. */
enum status times_odd(struct db *db, struct arena *arena, int64_t job, const char **text,
		      bool *never, struct error *error) MUST_CHECK;

#endif
