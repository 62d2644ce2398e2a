#include "tests/support/jobs/poller.h"

void open_poller(struct poller *poller, struct test_db *test, size_t choice,
		 const struct poller_queues *queues)
{
	const char *const choices[CHOICES][2] = { { "*", NULL },
						  { queues->one, NULL },
						  { "none", queues->prefix } };

	assert_true(choice < CHOICES);
	*poller = (struct poller){ .test = test };
	must(selector_compile, test->arena, choices[choice], choices[choice][1] ? 2 : 1,
	     &poller->selector);
	poller->claim = (struct claim_request){
		.selector = &poller->selector,
		.process_id = register_worker(test->db, arena_printf(test->arena, "w%zu", choice)),
		.limit = 10
	};
	poller->settle = (struct settle_request){ .process_id = poller->claim.process_id,
						  .claim = &poller->claim };
}

size_t poll_once(struct poller *poller)
{
	must(settle, poller->test->db, poller->test->arena, &poller->settle, &poller->claims,
	     &poller->count);
	return poller->count;
}
