/* The settings of recurring.yml: those of Solid Queue, and our own. */
#include "config/settings/setting.h"

#include "config/config.h"

#define SETTINGS(table)                                                                            \
	{                                                                                          \
		.rows = (table), .count = sizeof(table) / sizeof(*(table))                         \
	}
#define ROW(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, name), __VA_ARGS__ \
	}

#define OWNER struct config_dst
static const struct setting dst_rows[] = {
	ROW(CHOICE, gap, "default",
	    "a time that does not exist: `skip` it, or run at the `next_valid` time",
	    .choices = task_gaps),
	ROW(CHOICE, overlap, "default",
	    "a time that exists twice: run at the `first`, or at `both`", .choices = task_twices),
};
const struct settings dst_settings = SETTINGS(dst_rows);
#undef OWNER

#define OWNER struct config_task
static const struct setting task_rows[] = {
	ROW(TEXT, schedule, NULL, "when it runs, [in words or as a cron expression](schedules.md)"),
	ROW(TEXT, class, NULL, "class of its jobs", .maximum = "255"),
	ROW(COMMAND, command, NULL,
	    "instead of a class: a program and its arguments, as a list or as one text in which "
	    "words "
	    "may be quoted (see jobs.yml); it runs without a shell. Its class is `recurring:` "
	    "followed by the task's key",
	    .count_offset = offsetof(struct config_task, command_count)),
	ROW(GROUP, retry, NULL,
	    "of a command: when a job that failed is executed again by itself, as `retry` in "
	    "jobs.yml; without it as `defaults` there say. A class has its own in jobs.yml",
	    .group = &retry_settings),
	ROW(EXITS, exit, NULL,
	    "of a command: what its exit statuses mean, as `exit` in jobs.yml; without it as "
	    "`defaults` there say. A class has its own in jobs.yml",
	    .count_offset = offsetof(struct config_task, exit_count)),
	ROW(CHOICE, history, NULL,
	    "of a command: which runs the history of its jobs has, as `history` in jobs.yml; "
	    "without it as `defaults` there say. A class has its own in jobs.yml",
	    .choices = run_histories),
	{ .type = SETTING_CHOICE,
	  .key = "stdin",
	  .offset = offsetof(OWNER, input),
	  .description = "of a command: what it reads on its standard input, as `stdin` in "
			 "jobs.yml; without it as `defaults` there say. A class has its own in "
			 "jobs.yml",
	  .choices = run_inputs },
	ROW(ARGUMENTS, args, NULL,
	    "arguments of its jobs; a mapping at the end holds the named ones, as in Solid Queue"),
	ROW(TEXT, queue, NULL,
	    "queue of its jobs; without it that of its class, or `dray_commands` for a command",
	    .maximum = "255"),
	ROW(NUMBER, priority, "0", "smaller runs first; without it its class's", "-2147483648",
	    "2147483647"),
	ROW(TEXT, description, NULL, "a note for people"),
	ROW(ZONE, time_zone, NULL,
	    "for schedules that name no zone; without it `time_zone` of queue.yml"),
	ROW(GROUP, dst, NULL,
	    "what to do when the clocks change; `compatible` does what Solid Queue does",
	    .group = &dst_settings),
	ROW(CHOICE, misfire, "once",
	    "what to do about occurrences that no scheduler handled within 10 s: run the latest "
	    "one "
	    "`once`, `skip` them, or run `all`",
	    .choices = task_misfires),
	ROW(NUMBER, misfire_limit, TASK_LIMIT_USUAL,
	    "with `all`: how many at most, the latest ones", TASK_LIMIT_LEAST, TASK_LIMIT_MOST),
	ROW(DURATION, misfire_window, TASK_WINDOW_USUAL, "older occurrences are ignored",
	    TASK_WINDOW_LEAST, TASK_WINDOW_MOST),
	ROW(CHOICE, overlap, "allow",
	    "what to do while its previous job is unfinished: `allow` the next one, `skip` it, or "
	    "`queue` it until that job is done (then `misfire` is `all`)",
	    .choices = task_overlaps),
	ROW(DURATION, jitter, TASK_JITTER_USUAL,
	    "each job is delayed by a span of its own of up to this much", TASK_JITTER_LEAST,
	    TASK_JITTER_MOST),
	ROW(DURATION, timeout, NULL,
	    "how long a run of its jobs may take; without it as its class says", TASK_TIMEOUT_LEAST,
	    TASK_TIMEOUT_MOST),
	ROW(BOOL, enabled, "true", "`false`: the task stays in the file, but does not run"),
	ROW(TEXT, start_at, NULL,
	    "no occurrence before this time (ISO 8601, UTC without an offset)"),
	ROW(TEXT, end_at, NULL, "no occurrence after this time"),
};
const struct settings task_settings = SETTINGS(task_rows);
#undef OWNER
