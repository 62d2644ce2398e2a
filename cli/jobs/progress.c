/*
 * A command of many transactions: how far it is, as a line on standard error that is overwritten,
 * only on a terminal; and INT and TERM, which are blocked and asked for between two transactions,
 * so that they do not interrupt one.
 */
#include "cli/jobs/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"

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

#define EVERY      (200 * CLOCK_MILLISECOND)
#define ERASE_LINE "\r\033[K"
#define BAR        "##############################"
#define BAR_WIDTH  ((int)sizeof(BAR) - 1)

void progress_begin(struct progress *progress, const struct cli *cli, const char *done,
		    int64_t total)
{
	*progress = (struct progress){ .done = done,
				       .total = total,
				       .on = !cli->quiet && isatty(STDERR_FILENO) == 1,
				       .started = clock_monotonic() };
}

void progress_show(struct progress *progress, int64_t done)
{
	int64_t now = clock_monotonic();
	int64_t elapsed = now - progress->started;

	if (!progress->on || (progress->shown && now - progress->shown_at < EVERY))
		return;
	(void)fputs(ERASE_LINE, stderr);
	if (progress->total > 0) {
		int64_t part = done < progress->total ? done : progress->total;
		int width = (int)(part * BAR_WIDTH / progress->total);
		(void)fprintf(stderr, "[%.*s%*s] %" PRId64 "%% ", width, BAR, BAR_WIDTH - width, "",
			      part * 100 / progress->total);
	}
	(void)fprintf(stderr, "%" PRId64 " %s %s, %" PRId64 "/s", done, done == 1 ? "job" : "jobs",
		      progress->done, elapsed > 0 ? done * CLOCK_SECOND / elapsed : 0);
	progress->shown = true;
	progress->shown_at = now;
}

void progress_erase(struct progress *progress)
{
	if (progress->shown)
		(void)fputs(ERASE_LINE, stderr);
	progress->shown = false;
}
