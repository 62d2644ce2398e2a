/* What `dray pause` and `dray resume` are told, and what they do for other things than queues. */
#ifndef CLI_PAUSE_H
#define CLI_PAUSE_H

#include "cli/cli.h"
#include "queue/pauses/pause.h"

struct pause {
	enum pause_kind kind;
	const char *name; /* a queue's may be a pattern; NULL = nothing is named */
	const char *reason;
	int64_t period; /* 0 = until it is resumed */
};

/* Pauses or resumes a class or a process; both return the command's exit code. */
int pause_other_run(struct cli *cli, const struct pause *pause);
int resume_other_run(struct cli *cli, const struct pause *pause);

/* Lists everything that is paused. */
int pause_show(struct cli *cli);

/* " until ..." on one line, or nothing. */
const char *pause_until_text(const struct cli *cli, int64_t until);

#endif
