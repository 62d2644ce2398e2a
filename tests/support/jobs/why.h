/* Why a job is not running, as `dray why` reads and explains it. */
#ifndef TEST_WHY_H
#define TEST_WHY_H

#include "queue/look/why.h"
#include "tests/support/queue.h"

struct why_look {
	struct job job;
	struct job_details details;
	struct why_facts facts;
	struct why why;
};

/* The look's address stays what it is. Fails the test when anything cannot be read. */
void why_look(struct test_db *test, int64_t id, const struct loss_policy *policy,
	      struct why_look *look);

#endif
