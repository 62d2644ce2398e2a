/*
 * A worker's unit of work: settle the runs that ended, claim jobs for the idle slots, start them.
 */
#ifndef TICK_H
#define TICK_H

#include "common/role.h"
#include "queue/settle/settle.h"

/* role->tick. */
enum status worker_tick(struct role_context *context, int64_t *wait,
			struct error *error) MUST_CHECK;

/*
 * Settles what has ended and claims nothing: the last opportunity before the process leaves, so
 * that finished work is not given back and done again.
 */
enum status worker_settle_last(struct role_context *context, struct error *error) MUST_CHECK;

/* In cancel.c, role->told: stops the runs whose jobs people have cancelled. */
enum status worker_told(struct role_context *context, struct error *error) MUST_CHECK;

#endif
