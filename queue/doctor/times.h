/*
 * Times of scheduled jobs that were written by hand and do not mean what comparing them comes to:
 * in SQLite, where times are text, anything but the form of docs/internals/database.md.
 */
#ifndef TIMES_H
#define TIMES_H

#include "db/db.h"

#define TIMES_TEXT_SIZE 64

struct times {
	int64_t after; /* where the next look begins; 0 = at the first job */
	/* results of the last look */
	int64_t mended;
	int64_t never;              /* that say "never": left to people */
	int64_t job;                /* the first of both; 0 = none */
	char text[TIMES_TEXT_SIZE]; /* its time, as it stood */
};

/*
 * Looks at the next thousand, and mends what is not meant to be "never". After the last job of all
 * times->after is 0.
 */
enum status times_mend(struct db *db, struct times *times, struct error *error) MUST_CHECK;

/* What stands there for this job; NULL = nothing odd. In the arena. */
enum status times_odd(struct db *db, struct arena *arena, int64_t job, const char **text,
		      bool *never, struct error *error) MUST_CHECK;

#endif
