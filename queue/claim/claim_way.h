/*
 * The ways to claim, and the choice among them.
 *
 * A worker wants the first jobs of its order that it may run. One statement does this at the price
 * of an index entry a job, however many jobs are ready, as long as it may run every job that it
 * meets: CLAIM_EVERY_QUEUE and CLAIM_ONE_QUEUE. But jobs that it may not run stand in the same
 * index: paused ones, those of classes that it leaves to others, those on their last chance. There
 * may be any number of them, and a claim that steps over each one reads, and on MySQL locks, all of
 * them every time. The other ways are there to meet few of them. Each pays for that with one more
 * question, whose answer is remembered for a short time, because most claims follow another
 * closely.
 *
 * What is remembered only decides what a claim costs, and when a job that has come since to stand
 * in front is seen. Whether a job may be taken is decided by the statement that takes it.
 * docs/internals/queue.md ("Claiming") has all of this in a table.
 */
#ifndef CLAIM_WAY_H
#define CLAIM_WAY_H

#include <stdbool.h>

enum claim_way {
	/*
	 * From the whole order, priority and age over all queues: "*", nothing paused. One
	 * statement (`claim`). The order is exact. It takes nothing when something is paused by
	 * now, and says what.
	 */
	CLAIM_EVERY_QUEUE,
	/*
	 * From a window of that order: "*", something paused. One statement (`claim_window`), and
	 * once a second the question how far the window goes (queue/claim/claim_window.h). The
	 * order is exact. If only a few jobs of paused queues stand in front, the window has no
	 * end.
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

enum claim_way claim_choose(const struct claim_facts *facts);

#endif
