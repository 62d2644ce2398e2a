/*
 * queue/claim/: from ready to claimed, and from claimed to the end of the run.
 *
 * From ready to claimed: which jobs a worker takes, and in what order.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include "queue/claim/claim_name.h"
#include "queue/look/job.h"

/*
 * A worker's choice of queues: "*" (all), "name", "prefix*", in order of preference
 * (docs/internals/solid-queue.md, 2.5). Once "*" is among them the order does not matter: all
 * queues are one, ordered by priority.
 */
struct selector_entry {
	const char *name; /* without the "*" */
	size_t length;
	bool prefix;
};

struct selector {
	bool all;
	struct selector_entry *entries;
	size_t count;
	const char *text;    /* "a,b*" as written, for metadata */
	struct db_list rows; /* for the database, which does the matching: it knows its collation */
};

/* INVALID for an entry with "*" elsewhere than at its end, or empty. */
enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error) MUST_CHECK;

/* A claim of one run of one job. */
struct claim {
	int64_t id; /* claimed_executions.id: names it together with the rest of claim_name */
	int64_t claimed_at; /* claimed_executions.created_at */
	int64_t ready_at;   /* since when it had been ready; 0 = not known */
	struct job job;     /* process_id: who claimed it */
};

static inline struct claim_name claim_name(const struct claim *claim)
{
	return (struct claim_name){ .id = claim->id,
				    .job_id = claim->job.id,
				    .process_id = claim->job.process_id,
				    .claimed_at = claim->claimed_at };
}

/*
 * Where the first eligible job of a queue stands: before it there are only jobs that the worker
 * leaves. It holds for a short time only, because what is retried, released or more urgent may come
 * to stand before it.
 */
struct claim_place {
	uint64_t queue; /* hash of the name; 0 = none */
	int64_t priority;
	int64_t job_id;
	int64_t until; /* clock_monotonic */
};

#define CLAIM_PLACES 64

/* The ways to claim; why there are so many stands in claim.c. */
enum claim_way {
	/*
	 * From the whole order, priority and age over all queues: "*", nothing paused. One
	 * statement (`claim`). The order is exact. It takes nothing when something is paused by
	 * now, and says what.
	 */
	CLAIM_EVERY_QUEUE,
	/*
	 * From a window of that order: "*", something paused. One statement (`claim_window`), and
	 * once a second the question how far the window goes. The order is exact. If only a few
	 * jobs of paused queues stand in front, the window has no end.
	 */
	CLAIM_WINDOW,
	/*
	 * From a window that begins behind a paused backlog: "*", so many paused jobs in front that
	 * no window reaches past them, or nothing found the last time. First the question which
	 * queues have jobs to claim (`claimable_queues`, a hop through an index for each queue),
	 * then a claim from the window behind the first of them, then queue by queue. The order is
	 * exact within the window; what is more urgent and comes meanwhile waits 0.1 s.
	 */
	CLAIM_BEHIND_BACKLOG,
	/* From one queue whose every job is welcome. One statement (`claim_queue`), exact. */
	CLAIM_ONE_QUEUE,
	/*
	 * From one queue, only the eligible jobs (queue/claim/eligible.h). One statement
	 * (`claim_eligible`) that begins at the first of them, and now and then a look for where
	 * that is (`first_eligible`). What comes to stand before that place waits for the next
	 * look, a second or a little more; else the order is exact.
	 */
	CLAIM_ELIGIBLE,
	/*
	 * Queue by queue: a list or a prefix, which have an order of their own, or "*" without some
	 * classes. First the question which queues have jobs to claim, then each in a transaction
	 * of its own, as CLAIM_ONE_QUEUE or CLAIM_ELIGIBLE. For lists the order is exact. Under "*"
	 * priorities are, and within one priority jobs come in runs from one queue.
	 */
	CLAIM_BY_QUEUE
};

/* What the database said last. Where several are true, the last of them. */
enum claim_paused {
	CLAIM_NOTHING_PAUSED,
	CLAIM_QUEUES_PAUSED, /* by name */
	CLAIM_PATTERNS_PAUSED,
	CLAIM_CLASSES_PAUSED
};

/* Everything that the choice goes by. */
struct claim_facts {
	enum claim_scope { CLAIM_SCOPE_EVERY, CLAIM_SCOPE_ONE, CLAIM_SCOPE_SOME } scope;
	enum claim_paused paused;
	bool leaves; /* it leaves some jobs: unknown classes, others' classes, on the last chance */
	bool idle;   /* the last claim found nothing */
	bool backlog; /* shortly before a window did not reach past what is paused */
	bool window;  /* there is one that is not too old */
};

/* In eligible.c, which asks it, too. */
enum claim_way claim_choose(const struct claim_facts *facts);

/* The part of the order over all queues that claims take from while something is paused. */
struct claim_window {
	int64_t from_priority, from_job;
	int64_t to_priority, to_job; /* before it; past all jobs when it has no end */
	int64_t newest_pause;        /* of those that were counted when it was planned */
	int64_t until;               /* clock_monotonic */
	bool behind_backlog;         /* only paused jobs stood before it */
	bool ends;                   /* there were more jobs behind it */
};

#define CLAIM_NEXT 64

/*
 * The queues that come next in a worker's list, while more have jobs than fit in here: the question
 * which those are is not asked for every claim.
 */
struct claim_next {
	char names[CLAIM_NEXT][256];
	size_t count, at;
	int64_t until; /* clock_monotonic */
};

/* Jobs on their last chance, which have been lost so often that the next loss fails them. */
struct claim_last_chance {
	bool on;
	int64_t max_losses; /* of a class that declares nothing */
};

/* Jobs of classes that the worker does not know (unknown.c). */
struct claim_unknown {
	const char *const *known; /* sorted; NULL = nothing is put back */
	size_t known_count;
	/* In and out: */
	int64_t job;       /* one that was put back: while it is there only `known` are claimed */
	int64_t until;     /* clock_monotonic: and no question before this */
	size_t put_back;   /* how many a claim has put back; the worker sets it to 0 */
	const char *class; /* that job's, in the claim's arena */
};

struct claim_request {
	const struct selector *selector;
	int64_t process_id;
	size_t limit;
	const char *const *only_classes; /* those of others are left; NULL = every class */
	size_t only_count;
	const char *const *other_classes; /* that are never taken */
	size_t other_count;
	struct claim_last_chance last_chance; /* claim_leave_last_chance switches it */
	struct claim_unknown unknown;
	/* In and out, remembered from one claim to the next: */
	enum claim_paused paused;
	bool idle;             /* nothing was found: look without locking before the next claim */
	int64_t backlog_until; /* so many paused jobs stand first; clock_monotonic */
	struct claim_window window;
	size_t paused_queues; /* when a window was planned last */
	struct claim_place places[CLAIM_PLACES];
	struct claim_next next;
};

/* One claim under way; what it has taken grows in the arena. */
struct claiming {
	struct db *db;
	struct arena *arena;
	struct claim_request *request;
	enum claim_way way;   /* claim_look chooses it */
	const char *next;     /* and the queue of request->next to begin with, or NULL */
	int64_t asked_at;     /* the question which queues have jobs; clock_monotonic */
	struct db_call call;  /* what claim_prepare wants run */
	int64_t now;          /* and its time */
	struct claim *claims; /* result */
	size_t count;
};

/* From now on jobs on their last chance are left, or taken again. */
void claim_leave_last_chance(struct claim_request *request, bool on);

/*
 * Chooses the way to claim, and asks what this way has to know first, without locking anything.
 * After an empty poll (`idle`) most polls are empty: where claim_prepare's script would write, this
 * asks whether there may be something to claim, so that the database is spared a transaction that
 * on SQLite would hold off every other process. *anything is true when that was not asked.
 */
enum status claim_look(struct claiming *claiming, bool idle, bool *anything,
		       struct error *error) MUST_CHECK;

/*
 * After claim_look: fills claiming->call with the one script that claims, or, where that needs more
 * than one, with the question which queues have something to claim. It may run in one transaction
 * with others.
 */
void claim_prepare(struct claiming *claiming);

/*
 * Takes what claiming->call returned, and claims what is still missing, each script in a
 * transaction of its own; if the database refuses that, one job at a time. Not OK only when there
 * may be claims of ours that we do not know (UNCERTAIN), or when none was made because the database
 * refuses them all.
 */
enum status claim_take(struct claiming *claiming, struct error *error) MUST_CHECK;

/*
 * After the database has refused a claim: claims one after the other, until there are enough, what
 * a claim would take, and sets aside the jobs of which the database refuses that (queue/refused).
 */
enum status claim_apart(struct claiming *claiming, struct error *error) MUST_CHECK;

/* Unknown classes, before a claim: may it take every class again? Asks the database once a minute
 * at most. */
enum status unknown_look(struct db *db, struct arena *arena, struct claim_request *request,
			 struct error *error) MUST_CHECK;

/*
 * And after it: takes out the jobs of unknown classes and makes them ready again, since when they
 * were; they keep their slots, and nothing is counted. When it fails there may be claims of ours
 * that we do not know.
 */
enum status unknown_put_back(struct claiming *claiming, struct error *error) MUST_CHECK;

#endif
