/* One line of a bulk file: the JSON object of a job. */
#ifndef BULK_LINE_H
#define BULK_LINE_H

#include "queue/enqueue/enqueue.h"

/* Of a text that ends there. Texts of *job live in arena. INVALID says what is wrong with the line.
 */
enum status bulk_line_parse(struct arena *arena, const char *line, size_t length,
			    struct new_job *job, struct error *error) MUST_CHECK;

#endif
