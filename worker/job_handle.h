/*
 * The worker's side of struct dray_job: what a module's function sees of its job. The payload is
 * taken apart at the first question about it, because many jobs never ask.
 */
#ifndef JOB_HANDLE_H
#define JOB_HANDLE_H

#include "include/dray.h"
#include "queue/payload.h"

struct slot;

struct job_handle {
	struct dray_job job; /* first: modules see only this */
	struct slot *slot;
	enum { PAYLOAD_UNREAD, PAYLOAD_READ, PAYLOAD_BROKEN } state;
	struct payload payload;
	const char *failure_class; /* NULL = dray_job_fail was not called */
	const char *failure;       /* its message, or why the payload is broken */
};

void job_handle_init(struct job_handle *handle, struct slot *slot);
void job_handle_clear(struct job_handle *handle);

#endif
