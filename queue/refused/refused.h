/*
 * queue/refused/: jobs that the database refuses to change, one of which must not stop the others.
 *
 * A trigger raises, a constraint of the application's is broken, a row's job is gone: the statement
 * about a hundred jobs fails for the sake of one, and would fail again for ever. So what was
 * refused together is done by halves, until the job stands alone, and the others are done.
 *
 * A job that is refused alone is *set aside*: a row of dray_pauses of the kind "refused" says why
 * and until when, a minute at first, then as long again as it has been refused, an hour at most.
 * Claims and dispatchers pass it by, `why` and doctor show it. Rows of a job that does not exist
 * are deleted instead. Both are logged here, because this is used in the middle of the roles' work:
 * a job that is set aside once, when that begins.
 *
 * What refuses every row (a table is missing, a permission) is no row's fault. So a FATAL answer is
 * taken for a row's only beside others that are done; without any, it is returned, and the caller
 * comes again.
 *
 * So is what may pass: another session holds a row, a trigger raises what a deadlock or an outage
 * says. db_run has tried it again for as long as it may before it is looked at here, and only a
 * server that goes on serving us counts (error.answered), and not one whose disk is full: that is
 * no row's fault, though a smaller row may still have room. Where nothing is done, a few are taken
 * for the cause if the database takes the note that they are set aside: a server that only reads
 * does not.
 */
#ifndef REFUSED_H
#define REFUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/clock.h"
#include "db/db.h"
#include "queue/claim/claim_name.h"

/* The database has answered, and would answer the same again. */
bool refused_status(enum status status);

/* The same, or what may pass and has not: perhaps for the sake of a row. */
bool refused_row(enum status status, const struct error *error);

/*
 * Such an answer is not waited for again at every step: db_run tries for a second only. Returns
 * what to set with db_set_retry_for afterwards.
 */
int64_t refused_hurry(struct db *db);

/* Until when a job is left that has been refused since then. All are microseconds. */
int64_t refused_until(int64_t since, int64_t now);

/* A job that the database refuses alone. */
struct refused {
	int64_t job;
	const char *doing;       /* a verb for the log: "claim" */
	const struct error *why; /* what the database said */
	bool finished;           /* it is finished, and to be deleted */
	bool gone;               /* result: there is no such job, and its rows have been deleted */
	int64_t until; /* result: else it is set aside until then (on the database's clock) */
};

struct missing {
	int64_t *jobs;
	size_t count;
};

/* Sets it aside, or deletes its rows. Not OK when the database does not take that either. */
enum status refused_job(struct db *db, struct refused *refused, struct error *error) MUST_CHECK;

/*
 * Those of these claims whose jobs do not exist, before they are dropped, and the line in the log
 * for each of them afterwards. In the arena.
 */
enum status missing_find(struct db *db, struct arena *arena, const struct claim_name claims[],
			 size_t count, struct missing *missing, struct error *error) MUST_CHECK;
void missing_log(const struct missing *missing, const char *doing);

/* It is refused no longer. If this fails, its pause ends by itself. */
void refused_no_more(struct db *db, int64_t job_id);

/* So long it is remembered that a job was set aside, so that the next pause is longer. */
#define REFUSED_MEMORY CLOCK_HOUR

/* Lets those be tried again whose pause is over, and forgets those of long ago. */
enum status refused_sweep(struct db *db, struct error *error) MUST_CHECK;

/*
 * So many rows may be refused without one that is done: they wait for that. With one more they are
 * not the cause. What may pass takes its time each time, a FATAL answer comes at once.
 */
#define REFUSED_SUSPECTS 64
#define REFUSED_WAITING  8

/* Something that is done to a list, as far as the database lets it be done. */
struct refused_work {
	void *data;
	struct db *db; /* hurried by halves; NULL = none */
	bool strict;   /* nothing is noted in it: what may pass and refuses all is returned */
	/* Does it to a part of the list, in one transaction; for refused_by_halves. */
	enum status (*run)(void *data, size_t first, size_t count, struct error *error);
	/* The database refuses this one alone. Not OK ends the work. */
	enum status (*alone)(void *data, size_t at, const struct error *why, struct error *error);
	size_t done;                       /* result: how many parts were done */
	size_t refused;                    /* the same: how many alone were not */
	size_t suspects[REFUSED_SUSPECTS]; /* FATAL, before anything was done */
	size_t suspect_count;
	struct error why; /* of the last of them */
	int64_t until;    /* clock_monotonic: so long what may pass is looked at one by one */
};

/*
 * Does it to the whole list or, if the database refuses that, to half of it and so on, and to twice
 * as much again when that was done. A result other than OK ends it: what has been done by then is
 * done.
 */
enum status refused_by_halves(struct refused_work *work, size_t count,
			      struct error *error) MUST_CHECK;

/*
 * For lists that are not known before, whose caller counts work->done: the database has refused
 * this one alone; and the end of the list. A result other than OK ends the work.
 */
enum status refused_one(struct refused_work *work, size_t at, const struct error *why,
			struct error *error) MUST_CHECK;
enum status refused_conclude(struct refused_work *work, struct error *error) MUST_CHECK;

#endif
