/* A stream of lines, a few of them in memory at a time, whatever the file holds. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text/text.h"

#define LINE_MAXIMUM ((size_t)16 << 20)

struct lines {
	int fd; /* not owned */
	char *buffer;
	size_t begin; /* of what is not yet used in the buffer */
	size_t end;
	struct text line; /* the present one, without its line break */
	bool too_long;    /* the present one exceeds LINE_MAXIMUM: it was skipped, line is cut */
	int64_t number;   /* of the present one, from 1 */
};

void lines_init(struct lines *lines, int fd);
void lines_clear(struct lines *lines);

/* Reads the next line. NONE at the end; FATAL when the file cannot be read. */
enum status lines_next(struct lines *lines, struct error *error) MUST_CHECK;

#endif
