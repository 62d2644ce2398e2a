/* cli/top/: `dray top`: its state between two refreshes, and the actions of its keys. */
#ifndef TOP_H
#define TOP_H

#include "cli/cli.h"
#include "cli/top/view.h"

enum top_page { TOP_QUEUES, TOP_PROCESSES, TOP_JOBS, TOP_FAILURES, TOP_KEYS };

/* The question in the last line of the screen. */
enum top_question { TOP_NOTHING, TOP_PAUSE, TOP_RESUME, TOP_RETRY };

#define TOP_ANSWER 200

struct top {
	struct cli *cli;
	struct prune patience;
	int64_t interval; /* between two refreshes, in microseconds */
	enum top_sort sort;
	bool reverse;

	struct arena *arena; /* of the last successful refresh; NULL before the first */
	struct stats stats;
	struct job *jobs; /* for the pages TOP_JOBS and TOP_FAILURES */
	size_t job_count;

	enum top_page page;
	char *queue;  /* the selected queue, malloc'd; NULL = the first */
	size_t row;   /* the selected row */
	size_t first; /* first row on the screen */

	enum top_question question;
	char answer[TOP_ANSWER];
	char message[ERROR_TEXT_SIZE + 100]; /* what happened last */
	bool away;                           /* the last refresh failed */
};

/* Reads the figures again; on an error everything stays as it was. */
enum status top_look(struct top *top, struct error *error) MUST_CHECK;

/* Runs on the terminal until the user quits. Returns an exit status. */
int top_live(struct top *top);

/* The selected queue; NULL if there is none. */
const struct survey_queue *top_selected(const struct top *top);

/* Handles a key that asks for an action (p, r), or a key of the answer to a question. */
void top_ask(struct top *top, int key);
void top_answer(struct top *top, int key);

/* The question and the answer typed so far; in the arena. */
const char *top_prompt(const struct top *top, struct arena *arena);

extern const struct command top_command;

#endif
