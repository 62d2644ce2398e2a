#include "common/invariant.h"

#include <signal.h>

#include "common/log/log.h"
#include "tests/support/test.h"
#include "tests/support/wait.h"

CASE(test_what_holds_costs_nothing)
{
	int looked = 0;

	INVARIANT(++looked == 1);
	assert_int_equal(looked, 1);
}

static void break_it(int fd)
{
	volatile size_t slots = 3;

	(void)signal(SIGABRT, SIG_DFL); /* the framework's own handler */
	log_configure(&(struct log_options){ .format = LOG_FORMAT_JSON, .fd = fd });
	INVARIANT(slots < 3);
}

/* In every build, with a line that names it. */
CASE(test_what_does_not_hold_ends_the_process)
{
	char said[512];

	assert_int_equal(test_last_words(break_it, said, sizeof(said)), -SIGABRT);
	assert_contains(said, "\"event\":\"invariant.broken\"");
	assert_contains(said, "\"invariant\":\"slots < 3\"");
}
