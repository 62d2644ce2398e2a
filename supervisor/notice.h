/*
 * What a child tells its supervisor: fixed messages over one shared pipe, far below PIPE_BUF, so
 * that those of several children never mix.
 */
#ifndef NOTICE_H
#define NOTICE_H

#include <stdbool.h>
#include <stdint.h>

enum notice_kind {
	NOTICE_READY = 1, /* started, registered, working */
	NOTICE_LEFT = 2,  /* deregistered: nothing of it remains in the database */
};

struct notice {
	uint32_t kind;
	uint32_t slot;
	int32_t pid; /* a late message of a dead child must not count for its replacement */
	int32_t unused;
};

/* fd -1 (no supervisor) does nothing. A supervisor that is gone is noticed elsewhere. */
void notice_send(int fd, enum notice_kind kind, unsigned slot);

/* The next message of a nonblocking pipe; false when there is none. */
bool notice_read(int fd, struct notice *notice);

#endif
