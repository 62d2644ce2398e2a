/*
 * The list of all mistakes in the files, gathered while reading goes on, so that people see all of
 * them at once. Lives in the arena it was made with.
 */
#ifndef CONFIG_REPORT_H
#define CONFIG_REPORT_H

#include <stdbool.h>

#include "common/arena.h"
#include "config/config.h"

/*
 * Where a value was given. line 0: not in a file, `file` then is the variable's name or "command
 * line"; file NULL: nowhere, it is the default.
 */
struct place {
	const char *file;
	unsigned line;   /* from 1 */
	unsigned column; /* from 1, in characters */
};

struct report;

struct report *report_new(struct arena *arena);

/* Problems are listed by file in the order of these calls, then by line and column. */
void report_file(struct report *report);

/*
 * Sets what mistakes reported from here on spoil, a set of enum config_need; returns the old one.
 */
unsigned report_scope(struct report *report, unsigned scope);

void report_error(struct report *report, struct place place, const char *format, ...)
	PRINTF_LIKE(3, 4);
void report_warning(struct report *report, struct place place, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* How many errors have been reported? */
size_t report_errors(const struct report *report);

/* Have any errors been reported? */
bool report_failed(const struct report *report);

/* What all errors together spoil. */
unsigned report_spoilt(const struct report *report);

/*
 * The problems in order, without repetitions, in the report's arena; errors that spoil nothing of
 * `needs` are marked as elsewhere.
 */
void report_list(struct report *report, unsigned needs, struct config_problems *problems);

/* text in double quotes for a message: control characters as '?', long texts cut. */
const char *quoted(struct arena *arena, const char *text);

#endif
