/*
 * tests/support/jobs/: what only tests of the queue do with jobs.
 *
 * What a worker remembers from one poll to the next; polls fail the test when they fail.
 */
#ifndef TEST_POLLER_H
#define TEST_POLLER_H

#include "tests/support/queue.h"

struct poller {
	struct test_db *test;
	struct selector selector;
	struct claim_request claim;
	struct settle_request settle;
	struct claim *claims; /* of the last poll, in the arena */
	size_t count;
};

/* Three ways to choose queues, of which each goes another way to its claims. */
#define CHOICES 3

/* A worker's queues: one name, and a prefix with its "*" that takes it, too. */
struct poller_queues {
	const char *one;
	const char *prefix;
};

/*
 * A worker of all queues (choice 0), of one (1), or of a list that has one of the prefix (2), which
 * claims up to 10 jobs at once. Its address stays what it is.
 */
void open_poller(struct poller *poller, struct test_db *test, size_t choice,
		 const struct poller_queues *queues);

/* Returns how many jobs were claimed. */
size_t poll_once(struct poller *poller);

#endif
