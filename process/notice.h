/*
 * What a child tells its supervisor: fixed messages over one shared pipe, far below PIPE_BUF, so
 * that those of several children never mix.
 */
#ifndef NOTICE_H
#define NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#define NOTICE_TEXT_SIZE 240

enum notice_kind {
	NOTICE_READY = 1,   /* started, registered, working */
	NOTICE_LEFT = 2,    /* deregistered: nothing of it remains in the database */
	NOTICE_TROUBLE = 3, /* the text says why it ends, or cannot start yet */
	NOTICE_BEAT = 4,    /* its loop turns */
};

struct notice {
	uint32_t kind;
	uint32_t slot;
	int32_t pid; /* a late message of a dead child must not count for its replacement */
	char text[NOTICE_TEXT_SIZE]; /* "" = none */
};

/*
 * fd -1 (no supervisor) does nothing. `text` may be NULL; what is too long is cut. A supervisor
 * that is gone is noticed elsewhere. While it stands still beats and troubles are lost that the
 * pipe has no room for, and what does not fit any more.
 */
void notice_send(int fd, enum notice_kind kind, unsigned slot, const char *text);

/* The next message of a nonblocking pipe; false when there is none. */
bool notice_read(int fd, struct notice *notice);

#endif
