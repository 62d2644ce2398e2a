/*
 * What a worker and its hosts (host.h) tell each other: frames with a body, in the byte order of
 * this machine, over a stream socket between two processes of one program. A worker believes
 * nothing of what it reads: whoever wrote it may have had its memory corrupted.
 */
#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/text/text.h"

struct claim;

enum host_kind {
	HOST_JOB = 1,    /* to the host: run this; the end of the stream: leave after it */
	HOST_READY,      /* the module is loaded */
	HOST_REFUSED,    /* it is not, and why */
	HOST_SAID,       /* dray_job_log: a text */
	HOST_FINISHED,   /* the job is done */
	HOST_FAILED,     /* it is not: exception class, message */
	HOST_GIVEN_BACK, /* told to stop, it gives the job back */
};

struct host_frame {
	uint32_t kind;
	uint32_t length; /* of the body */
};

#define HOST_TEXT_MAXIMUM  ((size_t)64 * 1024) /* of each text of a reply */
#define HOST_REPLY_MAXIMUM (2 * (HOST_TEXT_MAXIMUM + 1))

/* Appends a reply; longer texts are cut. */
void host_put_reply(struct text *out, enum host_kind kind, const char *const texts[], size_t count);

/* What a host is told beside the job. */
struct host_terms {
	int64_t cpu; /* seconds of processor time for this job; -1 = any */
	bool log;    /* would anyone read what the job says? */
};

/* Appends a job and the name of its claim. */
void host_put_job(struct text *out, const struct claim *claim, const struct host_terms *terms);

/* The job in a body, whose texts it borrows; false when there is none. */
bool host_get_job(const char *body, size_t length, struct claim *claim, struct host_terms *terms);

/* Exactly `count` texts are the body, which they borrow. */
bool host_get_texts(const char *body, size_t length, const char *texts[], size_t count);

/*
 * The message that begins at *offset: OK, with *offset after it; NONE when it is not yet complete;
 * INVALID when no host would say so.
 */
enum status host_next_reply(const struct text *in, size_t *offset, struct host_frame *frame,
			    const char **body) MUST_CHECK;

#endif
