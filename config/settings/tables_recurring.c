/* The settings of recurring.yml: those of Solid Queue, and our own. */
#include "config/settings/setting.h"

#include "config/config.h"

#define SETTINGS(table)                                                                            \
	{                                                                                          \
		.rows = (table), .count = sizeof(table) / sizeof *(table)                          \
	}
#define ROW(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, name), __VA_ARGS__ \
	}

static const char *const gaps[] = {
	[GAP_DEFAULT] = "default",
	[GAP_SKIP] = "skip",
	[GAP_NEXT_VALID] = "next_valid",
	[GAP_NEXT_VALID + 1] = NULL,
};
static const char *const twices[] = {
	[TWICE_DEFAULT] = "default",
	[TWICE_FIRST] = "first",
	[TWICE_BOTH] = "both",
	[TWICE_BOTH + 1] = NULL,
};
static const char *const misfires[] = {
	[MISFIRE_ONCE] = "once",
	[MISFIRE_SKIP] = "skip",
	[MISFIRE_ALL] = "all",
	[MISFIRE_ALL + 1] = NULL,
};
static const char *const overlaps[] = {
	[OVERLAP_ALLOW] = "allow",
	[OVERLAP_SKIP] = "skip",
	[OVERLAP_QUEUE] = "queue",
	[OVERLAP_QUEUE + 1] = NULL,
};

#define OWNER struct config_dst
static const struct setting dst_rows[] = {
	ROW(CHOICE, gap, "default",
	    "a time that does not exist: `skip` it, or run at the `next_valid` time",
	    .choices = gaps),
	ROW(CHOICE, overlap, "default",
	    "a time that exists twice: run at the `first`, or at `both`", .choices = twices),
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
	    .choices = misfires),
	ROW(NUMBER, misfire_limit, "100", "with `all`: how many at most, the latest ones", "1",
	    "10000"),
	ROW(DURATION, misfire_window, "1d", "older occurrences are ignored", "10s", "6d"),
	ROW(CHOICE, overlap, "allow",
	    "what to do while its previous job is unfinished: `allow` the next one, `skip` it, or "
	    "`queue` it until that job is done (then `misfire` is `all`)",
	    .choices = overlaps),
	ROW(DURATION, jitter, "0s", "each job is delayed by a span of its own of up to this much",
	    "0s", "1d"),
	ROW(BOOL, enabled, "true", "`false`: the task stays in the file, but does not run"),
	ROW(TEXT, start_at, NULL,
	    "no occurrence before this time (ISO 8601, UTC without an offset)"),
	ROW(TEXT, end_at, NULL, "no occurrence after this time"),
};
const struct settings task_settings = SETTINGS(task_rows);
#undef OWNER
