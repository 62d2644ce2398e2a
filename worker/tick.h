/*
 * A worker's unit of work: settle the runs that ended, claim jobs for the idle threads, start them.
 */
#ifndef TICK_H
#define TICK_H

#include "common/role.h"
#include "queue/settle/settle.h"

struct worker;

/* role->tick. */
enum status worker_tick(struct role_context *context, int64_t *wait,
			struct error *error) MUST_CHECK;

/* role->tend: job hosts, what is to be stopped or killed, and orphans. A tick begins with it. */
int64_t worker_tend(struct role_context *context);

/*
 * Settles what has ended and claims nothing: the last opportunity before the process leaves, so
 * that finished work is not given back and done again.
 */
enum status worker_settle_last(struct role_context *context, struct error *error) MUST_CHECK;

/* role->told: stops the runs whose jobs people have cancelled. */
enum status worker_told(struct role_context *context, struct error *error) MUST_CHECK;

/* Once, before the first claim: which jobs are on their last chance. */
void last_chance_open(struct worker *worker);

/*
 * Outcomes that the database refuses (queue/refused) are kept, and offered again after a pause,
 * while their threads go on. A worker keeps ASIDE_MOST of them beside its threads; more of them
 * hold threads, and so in the end it claims nothing.
 */
#define ASIDE_MOST 64

/* The runs that hold no thread. */
size_t aside_spare(const struct worker *worker);

/* The worker leaves: these jobs will run again. */
void aside_give_up(const struct worker *worker);

#endif
