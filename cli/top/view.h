/*
 * What `dray top` shows, as lines of text, made from figures that were already read, for terminals
 * and pipes. Nothing here reads the database or draws.
 */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include "queue/look/stats.h"

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

#endif
