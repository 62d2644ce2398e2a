/*
 * What `dray pause` and `dray resume` are asked to do, and how they do it for classes and
 * processes.
 */
#ifndef CLI_PAUSE_H
#define CLI_PAUSE_H

#include "cli/cli.h"
#include "queue/pauses/pause.h"

struct pause {
	enum pause_kind kind;
	const char *name; /* for a queue also a pattern; NULL = none given */
	const char *reason;
	int64_t period; /* 0 = until it is resumed */
};

/* Pause or resume a class or a process; both return the command's exit status. */
int pause_other_run(struct cli *cli, const struct pause *pause);
int resume_other_run(struct cli *cli, const struct pause *pause);

/* Lists all pauses. */
int pause_show(struct cli *cli);

/* "is now paused", "was not paused" and so on. */
const char *pause_change_text(bool paused, bool changed);

/* " until ...", or "" if until is 0. */
const char *pause_until_text(const struct cli *cli, int64_t until);

#endif
