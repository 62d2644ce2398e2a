/*
 * Getting one finished log line out of the process: without blocking for ever when nobody reads
 * the other end, without SIGPIPE when it is gone, and keeping count of what was lost.
 */
#ifndef LOG_OUTPUT_H
#define LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the line, waiting a short while at most. False when it was lost, wholly or in part. */
bool log_output(int fd, const char *line, size_t length);

/* Lines lost since the last call, for a report of them. */
uint64_t log_output_take_lost(void);
void log_output_add_lost(uint64_t lines);

#endif
