/* cli/top/: `dray top`: its state between two refreshes, and what it shows. */
#ifndef TOP_H
#define TOP_H

#include "cli/cli.h"
#include "queue/look/survey.h"

enum top_sort {
	TOP_NAME,
	TOP_STATUS,
	TOP_READY,
	TOP_SCHEDULED,
	TOP_RETRYING,
	TOP_CLAIMED,
	TOP_BLOCKED,
	TOP_FAILED,
	TOP_LATENCY,
	TOP_MINUTE,
	TOP_HOUR,
	TOP_WORKERS,
	TOP_SORTS
};

/* The column's name on the command line: "ready". */
enum status top_sort_parse(const char *name, enum top_sort *sort) MUST_CHECK;

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

/*
 * view.c: what is shown, as lines of text, made from figures that were already read, for terminals
 * and pipes. Nothing there reads the database or draws.
 */

struct top_table {
	struct arena *arena;
	const char *const *titles;
	size_t columns;
	unsigned numbers; /* bit i: column i is right-aligned */
	const char **cells;
	bool *bad; /* for each cell: needs attention */
	size_t rows;
	size_t *widths;
};

/* Sorts the queues: highest numbers first, names in alphabetical order; or the reverse. */
void top_order(struct survey *survey, enum top_sort sort, bool reverse);

/* Makes at most TOP_HEADER lines about the whole system. Returns their number. */
#define TOP_HEADER 4
size_t top_header(struct arena *arena, const struct stats *stats, const char *lines[TOP_HEADER]);

void top_queues(struct arena *arena, const struct survey *survey, enum top_sort sort,
		struct top_table *table);
void top_processes(struct arena *arena, const struct survey *survey, struct top_table *table);
void top_failures(struct arena *arena, const struct job jobs[], size_t count, int64_t now,
		  struct top_table *table);
void top_jobs(struct arena *arena, const struct job jobs[], size_t count, int64_t now,
	      struct top_table *table);

/* A text, cut and ended by "~" if it is longer. */
const char *top_cut(struct arena *arena, const char *name, size_t longest);

/* Cuts what stands in the column until lines fit, but not below its title. 0 = any width. */
void top_fit(struct top_table *table, size_t column, size_t width);

/* The position of a column, in characters. */
size_t top_column(const struct top_table *table, size_t column);

/* One row, or the titles, without a line break. */
const char *top_titles(const struct top_table *table);
const char *top_row(const struct top_table *table, size_t row);

extern const struct command top_command;

#endif
