/*
 * A TCP forwarder of our own between a client under test and a real server: a process that can
 * lose connections and answers at a chosen moment, and counts the round trips that it sees.
 */
#ifndef FORWARDER_H
#define FORWARDER_H

#include <sys/types.h>

#include "common/arena.h"

enum forwarder_mode {
	FORWARDER_PASS,
	FORWARDER_CUT_REQUEST, /* the next request is thrown away and the connection closed */
	FORWARDER_CUT_ANSWER,  /* the next request is served; its answer is thrown away, then so */
	FORWARDER_DISMISS,     /* the next request is served; a PostgreSQL server that is told to
				* end the connection says so behind the last answer, in place of
				* being ready for more */
	FORWARDER_REFUSE,      /* every connection is closed as soon as its client speaks */
	FORWARDER_SILENT,      /* requests are served, answers are thrown away, nothing is closed */
	FORWARDER_DROP,        /* every connection is reset, and every new one */
	FORWARDER_STALL,       /* nothing moves and nobody is accepted; later all of it arrives */
	FORWARDER_HALF,  /* connections swallow what they are given, and their end, for ever; new
			  * ones are born so */
	FORWARDER_DELAY, /* what is said arrives FORWARDER_LAG_MS later, in both directions */
};

#define FORWARDER_LAG_MS 50

struct forwarder {
	pid_t pid;
	int port; /* on 127.0.0.1 */
	struct forwarder_shared *shared;
};

/* Starts one in front of host:port. Ends the test when it cannot. */
void forwarder_start(struct forwarder *forwarder, const char *host, int port);

/* The same, listening on another address of this host. */
void forwarder_start_on(struct forwarder *forwarder, const char *address, const char *host,
			int port);

void forwarder_stop(struct forwarder *forwarder);

/*
 * Counts from the next request on, for DROP, STALL and HALF within milliseconds. FORWARDER_CUT_*
 * and _DISMISS fall back to FORWARDER_PASS once done.
 */
void forwarder_mode(struct forwarder *forwarder, enum forwarder_mode mode);

/* FORWARDER_CUT_* of the next request that ends with this text (31 bytes), and what then. */
void forwarder_cut(struct forwarder *forwarder, enum forwarder_mode mode, const char *text,
		   enum forwarder_mode then);

/*
 * Starts one in front of the server of a url and returns the url that leads through it, without
 * TLS; in the arena. The url must name a host and have no options.
 */
const char *forwarder_url(struct forwarder *forwarder, struct arena *arena, const char *url);

/* How often the client has spoken after the server had since the start. */
unsigned forwarder_turns(const struct forwarder *forwarder);

/* A port on 127.0.0.1 where connections are accepted and nobody ever answers; *fd keeps it. */
int silent_listener(int *fd);

#endif
