/* A worker's unit of work: settle what ended, claim for the idle slots, start what was claimed. */
#ifndef TICK_H
#define TICK_H

#include "common/role.h"
#include "queue/claim/settle.h"

struct worker;

/* What has ended and is not settled yet; its outcomes are worker->outcomes. */
struct settle_request worker_request(struct worker *worker);

/* role->tick. */
enum status worker_tick(struct role_context *context, int64_t *wait,
			struct error *error) MUST_CHECK;

/*
 * Settles what has ended and claims nothing: the last chance before the process leaves, so that
 * finished work is not given back and done again.
 */
enum status worker_settle_last(struct role_context *context, struct error *error) MUST_CHECK;

#endif
