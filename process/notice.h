/*
 * What a child reports to its supervisor: messages of one size through a shared pipe. They are far
 * smaller than PIPE_BUF, so messages of several children never mix.
 */
#ifndef NOTICE_H
#define NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

#define NOTICE_TEXT_SIZE 240

enum notice_kind {
	NOTICE_READY = 1,    /* started, registered, working */
	NOTICE_LEFT = 2,     /* deregistered: nothing of it remains in the database */
	NOTICE_TROUBLE = 3,  /* the text says why it ends, or cannot start yet */
	NOTICE_BEAT = 4,     /* its loop turns; of the janitor the text says what stands */
	NOTICE_ROOM = 5,     /* it is leaving and holds fewer runs: others of its seat may look */
	NOTICE_OUTDATED = 6, /* a beat of one that could not take over what it was handed */
	NOTICE_AWAY = 7,     /* the same while its database is away */
	NOTICE_BURIED = 8    /* by the janitor: the text is the number of the death */
};

struct notice {
	uint32_t kind;
	uint32_t lane;
	int32_t pid; /* a late message of a dead child must not count for its replacement */
	char text[NOTICE_TEXT_SIZE]; /* "" = none */
};

/*
 * Does nothing if fd is -1 (no supervisor). `text` may be NULL; a long one is cut. That a
 * supervisor is gone is noticed elsewhere. While it stands still, beats (of both kinds), troubles
 * and rooms are dropped once the pipe is a quarter full, and everything once it is full.
 */
void notice_send(int fd, enum notice_kind kind, unsigned lane, const char *text);

/* Reads the next message of a nonblocking pipe; false if there is none. */
bool notice_read(int fd, struct notice *notice);

/* how long a loop may stand still before its process counts as stuck: pure */

/*
 * Microseconds. A loop waits only for the database, and each wait is bounded: this is several times
 * the longest wait. It is never less than process_alive_threshold, after which a process without
 * heartbeats is presumed dead anyway and has lost its jobs, and at least 5 s.
 */
int64_t stall_limit(const struct config *config);

/* How often a loop reports that it turns: several beats may be lost or late. */
int64_t stall_beat(const struct config *config);

#endif
