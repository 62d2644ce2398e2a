/* Reads a stream line by line, with limited memory whatever the file contains. */
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
	size_t begin; /* start of the unread part of the buffer */
	size_t end;
	struct text line; /* the current line, without its line break */
	bool too_long;    /* the current line exceeds LINE_MAXIMUM; its rest was skipped */
	int64_t number;   /* of the current line, from 1 */
};

void lines_init(struct lines *lines, int fd);
void lines_clear(struct lines *lines);

/* Reads the next line; a byte order mark before the first is skipped. NONE at the end of the file;
 * FATAL if it cannot be read. */
enum status lines_next(struct lines *lines, struct error *error) MUST_CHECK;

#endif
