#include "supervisor/restart.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/process.h"
#include "process/outage.h"

#define WINDOW      (30 * CLOCK_SECOND)
#define SETTLED     (10 * CLOCK_SECOND) /* after being ready for so long, earlier ends do not count */
#define EARLY_FIRST (500 * CLOCK_MILLISECOND)
#define EARLY_LIMIT (30 * CLOCK_SECOND)
#define BRIEF_FIRST (100 * CLOCK_MILLISECOND)
#define BRIEF_LIMIT (1 * CLOCK_SECOND)

void restart_describe(int status, char *text, size_t size)
{
	if (!WIFSIGNALED(status)) {
		snprintf(text, size, "exited with status %d", WEXITSTATUS(status));
		return;
	}
	const char *name = sigabbrev_np(WTERMSIG(status));
	snprintf(text, size, "killed by signal %d (%s)%s", WTERMSIG(status), name ? name : "?",
		 WCOREDUMP(status) ? ", core dumped" : "");
}

void restart_ending(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(text, size, "Received unhandled signal %d.", WTERMSIG(status));
	else
		snprintf(text, size, "Exited with status %d.", WEXITSTATUS(status));
}

static bool is_somebodys_mistake(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGTERM;
	return WEXITSTATUS(status) != EXIT_STOPPED && WEXITSTATUS(status) != EXIT_DATABASE;
}

/* Remembers the time; true if the last RESTART_LIMIT of them are within the window. */
static bool too_often(struct restart_history *history, int64_t now)
{
	history->counted[history->count % RESTART_LIMIT] = now;
	history->count++;
	int64_t oldest = history->counted[history->count % RESTART_LIMIT];
	return history->count >= RESTART_LIMIT && now - oldest <= WINDOW;
}

static struct restart_decision give_up(const struct restart_exit *exit, const char *why)
{
	struct restart_decision decision = { .verdict = RESTART_GIVE_UP };
	char how[64];

	restart_describe(exit->status, how, sizeof(how));
	snprintf(decision.reason, sizeof(decision.reason), "%s %s; last: %s%s%s", exit->who, why,
		 how, exit->error && exit->error[0] ? ": " : "", exit->error ? exit->error : "");
	return decision;
}

static struct restart_decision after_early_end(struct restart_history *history,
					       const struct restart_exit *exit)
{
	history->early++;
	if (is_somebodys_mistake(exit->status) && too_often(history, exit->now))
		return give_up(exit, "ended 5 times in 30 s before it was ready");
	int64_t delay = backoff_delay(history->early, EARLY_FIRST, EARLY_LIMIT, exit->random);
	return (struct restart_decision){ .verdict = RESTART_AT, .at = exit->now + delay };
}

static struct restart_decision after_ready(struct restart_history *history,
					   const struct restart_exit *exit)
{
	unsigned brief = exit->now - exit->ready_at < SETTLED ? history->brief + 1 : 0;

	*history = (struct restart_history){ .brief = brief };
	unsigned failures = brief > 0 ? brief - 1 : 0;
	int64_t delay = backoff_delay(failures, BRIEF_FIRST, BRIEF_LIMIT, exit->random);
	return (struct restart_decision){ .verdict = RESTART_AT, .at = exit->now + delay };
}

struct restart_decision restart_decide(struct restart_history *history,
				       const struct restart_exit *exit)
{
	if (!exit->wanted)
		return (struct restart_decision){ .verdict = RESTART_NEVER };
	if (WIFEXITED(exit->status) && WEXITSTATUS(exit->status) == EXIT_USAGE)
		return give_up(exit, "cannot run as it is configured");
	return exit->ready_at > 0 ? after_ready(history, exit) : after_early_end(history, exit);
}
