/*
 * The messages between a worker and its job hosts (host.h): frames with a body, in the byte order
 * of this machine, over a stream socket between two processes of one program. A worker checks
 * everything that it reads: a host's memory may have been corrupted by a job.
 */
#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/text/text.h"

struct claim;

enum host_kind {
	HOST_JOB = 1,    /* to the host: run this; the end of the stream means: leave afterwards */
	HOST_READY,      /* the module is loaded */
	HOST_REFUSED,    /* the module could not be loaded, and why */
	HOST_SAID,       /* dray_job_log: a text */
	HOST_FINISHED,   /* the job is done */
	HOST_FAILED,     /* the job failed: exception class, message */
	HOST_ENDED,      /* the job said how it ends: the same, config_says, microseconds */
	HOST_GIVEN_BACK, /* asked to stop, the job gives itself back */
};

struct host_frame {
	uint32_t kind;
	uint32_t length; /* of the body */
};

#define HOST_TEXT_MAXIMUM  ((size_t)64 * 1024) /* of each text of a reply */
#define HOST_REPLY_MAXIMUM (4 * (HOST_TEXT_MAXIMUM + 1))

/* Appends a reply; longer texts are cut. */
void host_put_reply(struct text *out, enum host_kind kind, const char *const texts[], size_t count);

/* What a job host gets beside the job. */
struct host_terms {
	int64_t cpu; /* seconds of processor time for this job; -1 = no limit */
	int signal;  /* what it gets when it is to stop */
	bool log;    /* would the log write what the job logs? */
};

/* Appends a job and the name of its claim. */
void host_put_job(struct text *out, const struct claim *claim, const struct host_terms *terms);

/* Reads the job in a body, whose texts it borrows; false when there is none. */
bool host_get_job(const char *body, size_t length, struct claim *claim, struct host_terms *terms);

/* Reads a body of exactly `count` texts, which it borrows. */
bool host_get_texts(const char *body, size_t length, const char *texts[], size_t count);

/*
 * The message that begins at *offset: OK, with *offset after it; NONE when it is not yet complete;
 * INVALID when it is not a message of a job host.
 */
enum status host_next_reply(const struct text *in, size_t *offset, struct host_frame *frame,
			    const char **body) MUST_CHECK;

#endif
