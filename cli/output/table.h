/*
 * cli/output/: prints results to standard output. A command builds its result as JSON with the
 * documented keys. With --json that is printed; otherwise the same values are printed for people,
 * in aligned columns, one line for each row whatever the texts contain. Colour and ages are for
 * terminals only. On a terminal the lines are made to fit: texts are cut, columns of nothing are
 * left out, and times are as far away as they are, unless --wide. No number, time or state is cut.
 */
#ifndef TABLE_H
#define TABLE_H

#include <jansson.h>

#include "cli/cli.h"
#include "show/value.h"

enum cell {
	CELL_TEXT,
	CELL_STORY,  /* text that goes on in further lines rather than be cut */
	CELL_NAME,   /* text that is cut last, and hardly: a part of it names something else */
	CELL_WHOLE,  /* a name that goes on in further lines rather than be cut */
	CELL_DETAIL, /* text that is shown on a terminal only with --wide */
	CELL_NUMBER, /* aligned to the right */
	CELL_TIME,   /* of value_time */
	CELL_SPAN,   /* of value_span */
	CELL_BOOL,
	CELL_STATE, /* text with a colour */
};

struct column {
	const char *key; /* of the row's object */
	const char *title;
	enum cell kind;
	const char *brief; /* a title for when lines are too long; NULL = the same */
};

/* Whether to use colour, by the options, NO_COLOR and TERM. */
bool color_wanted(const struct cli *cli, bool terminal);

/* How long lines may be; 0 = as long as they are: no terminal, or --wide. */
size_t terminal_width(const struct cli *cli);

/*
 * Prints an array of objects as a table with these columns (ended by one without a key), or as
 * JSON. Takes the reference.
 */
void table_print(const struct cli *cli, const struct column columns[], json_t *rows);

/* Prints an object, one line for each column whose value is not null, or as JSON. */
void record_print(const struct cli *cli, const struct column columns[], json_t *record);

/* Formats JSON on several lines, with deceptive characters escaped (cell_escape). */
const char *json_pretty(struct arena *arena, const json_t *value);

/* The texts of an array on one line, with commas; NULL = none. */
const char *json_line(struct arena *arena, const json_t *texts);

/* Prints the value with --json, otherwise nothing. Takes the reference. */
void json_print(const struct cli *cli, json_t *value);

/* Prints a text on one line, whatever it contains; nothing with --json. */
void text_print(const struct cli *cli, const char *text);

/* Prints a line for people; nothing with --json or --quiet. */
void say(const struct cli *cli, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
