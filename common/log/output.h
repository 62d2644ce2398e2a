/*
 * Writes one finished log line: without blocking for ever when the other end does not read, without
 * SIGPIPE when it is gone, and with a count of the lines that were lost.
 */
#ifndef LOG_OUTPUT_H
#define LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the line, waiting only for a short time. False when it was lost, wholly or in part. */
bool log_output(int fd, const char *line, size_t length);

/* Lines lost since the last call, for a report of them. */
uint64_t log_output_take_lost(void);
void log_output_add_lost(uint64_t lines);

#endif
