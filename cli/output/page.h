/* A table on its way to a terminal: which columns it has, and how wide they are. */
#ifndef PAGE_H
#define PAGE_H

#include "cli/output/table.h"

#define GAP 2

/* Cells that are never cut, only their titles: half of a number is another number. */
#define EXACT                                                                                      \
	(1U << CELL_NUMBER | 1U << CELL_SPAN | 1U << CELL_TIME | 1U << CELL_BOOL | 1U << CELL_STATE)
/* The state of one printing. */
struct page {
	struct arena *arena;
	const struct column *columns;
	size_t count;
	bool terminal;
	bool wide;  /* print every column and uncut cells; also set for a pipe */
	bool table; /* not a record, whose lines have room */
	bool brief; /* lines are too long */
	bool color;
	size_t width; /* columns of the terminal; 0 = no limit */
	int64_t now;
};

/* The cells of a table, and the widths of its columns. */
struct grid {
	size_t lines; /* the titles and the rows */
	const char **cells;
	size_t *widths;
	size_t *floors; /* what they cannot be narrower than */
};

/* Removes columns without any value, because room is limited on a terminal. */
void page_leave_out(struct page *page, const json_t *rows);

/* How long a line is. */
size_t page_line(const struct page *page, const struct grid *grid);

/* Narrows the widest columns as far as that may be: does a line fit now? */
bool page_fits(const struct page *page, struct grid *grid);

/*
 * Removes what a line that is too long goes without: a number that is 0 everywhere, then a text,
 * then any other, the last of them first. Never the first column.
 */
void page_drop(struct page *page, const json_t *rows);

#endif
