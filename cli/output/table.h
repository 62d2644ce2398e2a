/*
 * cli/output/: what commands print, for people and as JSON.
 *
 * The one way results reach standard output. A command builds its result as JSON with the
 * documented keys; --json prints that, otherwise the same values are printed for people: aligned
 * columns, colour and ages only on a terminal, one line a row whatever the texts hold. A terminal's
 * lines fit it, and columns without a value are left out there, unless --wide.
 */
#ifndef TABLE_H
#define TABLE_H

#include <jansson.h>

#include "cli/cli.h"

enum cell {
	CELL_TEXT,
	CELL_DETAIL, /* text that a terminal shows only with --wide */
	CELL_NUMBER, /* aligned to the right */
	CELL_TIME,   /* of value_time */
	CELL_SPAN,   /* of value_span */
	CELL_BOOL,
	CELL_STATE, /* text with a colour */
};

struct column {
	const char *key; /* in the row's object */
	const char *title;
	enum cell kind;
};

/* By the options, NO_COLOR and TERM. */
bool color_wanted(const struct cli *cli, bool terminal);

/* JSON values; texts that are not UTF-8 get U+FFFD in place of what is not. */
json_t *value_text(const char *text);     /* NULL = null */
json_t *value_time(int64_t instant);      /* ISO 8601 text in UTC; 0 = null */
json_t *value_span(int64_t microseconds); /* seconds */
json_t *value_json(const char *json);     /* JSON text; NULL = null; not JSON = the text */
json_t *value_id(int64_t id);             /* 0 = null */

/*
 * Prints an array of objects as a table with these columns, ended by one without a key; or the
 * array. Takes the reference.
 */
void table_print(const struct cli *cli, const struct column columns[], json_t *rows);

/* Prints one object, a line for each column whose value is not null; or the object. */
void record_print(const struct cli *cli, const struct column columns[], json_t *record);

/* As a text of several lines in which nothing deceives a terminal, and JSON all the same. */
const char *json_pretty(struct arena *arena, const json_t *value);

/* With --json prints the value and otherwise nothing. Takes the reference. */
void json_print(const struct cli *cli, json_t *value);

/* A text on one line, whatever it holds; nothing with --json. */
void text_print(const struct cli *cli, const char *text);

/* One line for people; nothing with --json or --quiet. */
void say(const struct cli *cli, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
