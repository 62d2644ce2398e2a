#include "schedule/task_keys.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/parse.h"

const char *const task_gaps[] = { [SCHEDULE_GAP_DEFAULT] = "default",
				  [SCHEDULE_GAP_SKIP] = "skip",
				  [SCHEDULE_GAP_NEXT_VALID] = "next_valid",
				  NULL };
const char *const task_twices[] = { [SCHEDULE_OVERLAP_DEFAULT] = "default",
				    [SCHEDULE_OVERLAP_FIRST] = "first",
				    [SCHEDULE_OVERLAP_BOTH] = "both",
				    NULL };
const char *const task_misfires[] = {
	[MISFIRE_ONCE] = "once", [MISFIRE_SKIP] = "skip", [MISFIRE_ALL] = "all", NULL
};
const char *const task_overlaps[] = {
	[OVERLAP_ALLOW] = "allow", [OVERLAP_SKIP] = "skip", [OVERLAP_QUEUE] = "queue", NULL
};

#define KEY(of, is, ...) .name = of, .shown = of, .kind = is, __VA_ARGS__

const struct task_key task_keys[TASK_KEYS] = {
	[TASK_TIME_ZONE] = { KEY("time_zone", TASK_TEXT, .moves = true) },
	[TASK_DST_GAP] = { "dst_gap", "dst.gap", TASK_WORD, .moves = true, .words = task_gaps },
	[TASK_DST_OVERLAP] = { "dst_overlap", "dst.overlap", TASK_WORD, .moves = true,
			       .words = task_twices },
	[TASK_MISFIRE] = { KEY("misfire", TASK_WORD, .words = task_misfires) },
	[TASK_MISFIRE_LIMIT] = { KEY("misfire_limit", TASK_NUMBER, .usual = TASK_LIMIT_USUAL,
				     .least = TASK_LIMIT_LEAST, .most = TASK_LIMIT_MOST) },
	[TASK_MISFIRE_WINDOW] = { KEY("misfire_window", TASK_SPAN, .usual = TASK_WINDOW_USUAL,
				      .least = TASK_WINDOW_LEAST, .most = TASK_WINDOW_MOST) },
	[TASK_OVERLAP] = { KEY("overlap", TASK_WORD, .words = task_overlaps) },
	[TASK_JITTER] = { KEY("jitter", TASK_SPAN, .usual = TASK_JITTER_USUAL,
			      .least = TASK_JITTER_LEAST, .most = TASK_JITTER_MOST) },
	[TASK_TIMEOUT] = { KEY("timeout", TASK_SPAN, .least = TASK_TIMEOUT_LEAST,
			       .most = TASK_TIMEOUT_MOST) },
	[TASK_START_AT] = { KEY("start_at", TASK_TEXT, .moves = false) },
	[TASK_END_AT] = { KEY("end_at", TASK_TEXT, .moves = false) },
	[TASK_LATE_AFTER] = { KEY("late_after", TASK_SPAN, .usual = TASK_LATE_USUAL,
				  .least = TASK_LATE_LEAST, .most = TASK_LATE_MOST) },
	[TASK_FAILURES_AFTER] = { KEY("failures_after", TASK_NUMBER, .least = TASK_FAILURES_LEAST,
				      .most = TASK_FAILURES_MOST) },
};

/* The texts are ours: unit.schedule_task_keys reads them all. */
static int64_t value(enum task_key_id id, const char *text)
{
	int64_t number = 0;

	if (task_keys[id].kind == TASK_NUMBER)
		return strtoll(text, NULL, 10);
	return parse_duration(text, &number) == STATUS_OK ? number : 0;
}

int64_t task_usual(enum task_key_id id)
{
	return value(id, task_keys[id].usual);
}

int64_t task_least(enum task_key_id id)
{
	return value(id, task_keys[id].least);
}

int64_t task_most(enum task_key_id id)
{
	return value(id, task_keys[id].most);
}

int task_word(enum task_key_id id, const char *word)
{
	const char *const *words = task_keys[id].words;

	for (int i = 0; word && words[i]; i++)
		if (strcmp(word, words[i]) == 0)
			return i;
	return word ? -1 : 0;
}
