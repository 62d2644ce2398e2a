/*
 * The files of tests/db/plans: for each statement of db/sql the plans it may have, one line each:
 *
 *     claim 2: claimed_executions(on_process_id_and_job_id) jobs(id)? -- why a scan is right
 *
 * in the notation of plan.h; a word with "?" is not always there. MySQL and MariaDB share a file.
 * A statement that reads no table has no line.
 */
#ifndef TEST_PLAN_LINES_H
#define TEST_PLAN_LINES_H

#include "tests/support/plan/plan.h"

#define PLAN_LINES_MAXIMUM 600

struct plan_line {
	const char *key;    /* "claim 2" */
	const char *words;  /* with a space before and after each */
	const char *reason; /* " -- why"; "" = none */
	bool seen;
};

struct plan_lines {
	struct arena *arena;
	const char *path;
	const char *head; /* the comments at its beginning */
	struct plan_line lines[PLAN_LINES_MAXIMUM];
	size_t count;
};

/* Fails the test when the file is malformed. */
void plan_lines_read(struct arena *arena, enum db_dialect dialect, struct plan_lines *lines);

/* NULL when there is none. */
struct plan_line *plan_lines_find(struct plan_lines *lines, const char *key);

/* Every word of the plan is in the line, and every word of the line without "?" in the plan. */
bool plan_line_agrees(struct arena *arena, const struct plan_line *line, const char *plan);

/* Is the word among words with a space before and after each? `suffix`: "" or "?". */
bool plan_has_word(const char *words, const char *word, const char *suffix);

#endif
