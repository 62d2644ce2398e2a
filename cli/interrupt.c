#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

void interrupt_hold(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &set, NULL); /* NOLINT(concurrency-mt-unsafe): one thread */
}

int interrupt_asked(void)
{
	sigset_t set;

	if (sigpending(&set) != 0)
		return 0;
	if (sigismember(&set, SIGINT) == 1)
		return SIGINT;
	return sigismember(&set, SIGTERM) == 1 ? SIGTERM : 0;
}
