/* cli/top/: `dray top`, what it knows between two looks and what its keys do. */
#ifndef TOP_H
#define TOP_H

#include "cli/cli.h"
#include "cli/top/view.h"

enum top_page { TOP_QUEUES, TOP_PROCESSES, TOP_JOBS, TOP_FAILURES, TOP_KEYS };

/* What the last line of the screen asks. */
enum top_question { TOP_NOTHING, TOP_PAUSE, TOP_RESUME, TOP_RETRY };

#define TOP_ANSWER 200

struct top {
	struct cli *cli;
	struct prune patience;
	int64_t interval; /* between two looks, microseconds */
	enum top_sort sort;
	bool reverse;

	struct arena *arena; /* of the last look that succeeded; NULL before the first */
	struct stats stats;
	struct job *jobs; /* of the pages TOP_JOBS and TOP_FAILURES */
	size_t job_count;

	enum top_page page;
	char *queue;  /* that is selected, malloc'd; NULL = the first */
	size_t row;   /* that is selected */
	size_t first; /* on the screen */

	enum top_question question;
	char answer[TOP_ANSWER];
	char message[ERROR_TEXT_SIZE + 100]; /* what has happened last */
};

/* Looks anew; on an error everything stays as it was. */
enum status top_look(struct top *top, struct error *error) MUST_CHECK;

/* Shows it on the terminal until somebody ends it: an exit code. */
int top_live(struct top *top);

/* The selected queue; NULL when there is none. */
const struct survey_queue *top_selected(const struct top *top);

/* A key that asks for something to be done (p, r); or the answer to a question. */
void top_ask(struct top *top, int key);
void top_answer(struct top *top, int key);

/* The question and the answer as far as it is given; in the arena. */
const char *top_prompt(const struct top *top, struct arena *arena);

extern const struct command top_command;

#endif
