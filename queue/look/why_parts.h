/* How reasons are recorded; private to the files of why. */
#ifndef QUEUE_WHY_PARTS_H
#define QUEUE_WHY_PARTS_H

#include "queue/look/why.h"

/* The facts, and the result so far. */
struct account {
	const struct why_facts *facts;
	struct why *why;
};

/* Adds a reason; the caller adds its fields. */
struct why_reason *why_add(struct account *account, const char *kind, const char *format, ...)
	PRINTF_LIKE(3, 4);
void why_text_field(struct why_reason *reason, const char *name, const char *text);
void why_number_field(struct why_reason *reason, const char *name, int64_t number);
void why_time_field(struct why_reason *reason, const char *name, int64_t instant);

/* "3h 5m", whole seconds. */
const char *why_span(const struct account *account, int64_t microseconds);

/* "2026-11-21 14:00:00 UTC (3m ago)" */
const char *why_time(const struct account *account, int64_t instant);

const char *why_plural(int64_t count);

/* A reason, if there is such a pause. */
void why_pause(struct account *account, const char *kind, const char *what,
	       const struct pause_row *pause);

/* why_failure.c: adds with which error a failed job failed. */
void why_failed(struct account *account);

/* Adds after which failure a scheduled job waits for its retry, if it does. */
void why_retrying(struct account *account);

/* Adds who has cancelled it, when and why: of a job that runs, or that has ended so. */
void why_cancelled(struct account *account);

/* Adds that the database refuses the job, if it does: whether it is set aside. */
bool why_refused(struct account *account);

#endif
