/* One line of a bulk file: the JSON object of a job. */
#ifndef BULK_LINE_H
#define BULK_LINE_H

#include "queue/enqueue/enqueue.h"

/*
 * Parses a line that ends with a zero byte. The texts of *job live in arena. INVALID: the error
 * says what is wrong with the line.
 */
enum status bulk_line_parse(struct arena *arena, const char *line, size_t length,
			    struct new_job *job, struct error *error) MUST_CHECK;

#endif
