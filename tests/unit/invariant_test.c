#include "common/invariant.h"

#include <signal.h>
#include <sys/wait.h>

#include "common/log/log.h"
#include "common/process.h"
#include "tests/support/test.h"

CASE(test_what_holds_costs_nothing)
{
	int looked = 0;

	INVARIANT(++looked == 1);
	assert_int_equal(looked, 1);
}

/* In every build, with a line that names it. */
CASE(test_what_does_not_hold_ends_the_process)
{
	int fds[2];
	char said[512] = "";
	int status;

	assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
	pid_t child = fork();
	if (child == 0) {
		volatile size_t slots = 3;

		(void)signal(SIGABRT, SIG_DFL); /* the framework's own handler */
		log_configure(&(struct log_options){ .format = LOG_FORMAT_JSON, .fd = fds[1] });
		INVARIANT(slots < 3);
		_exit(99);
	}
	assert_true(child > 0);
	(void)close(fds[1]);
	assert_true(read(fds[0], said, sizeof(said) - 1) > 0);
	(void)close(fds[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_contains(said, "\"event\":\"invariant.broken\"");
	assert_contains(said, "\"invariant\":\"slots < 3\"");
}
