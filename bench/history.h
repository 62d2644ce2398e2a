/*
 * The runs recorded in a file of effects (effect.h), in the order of their jobs and, for each job,
 * of their beginnings.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct run {
	int64_t job;
	int64_t claim;
	int worker;    /* process */
	int64_t begin; /* microseconds since 1970 */
	int64_t end;   /* 0 = never */
};

struct history {
	struct run *runs;
	size_t count;
};

/* The number of lines now; 0 when there is no file. */
size_t history_lines(const char *path);

/* INVALID: a line is not one of effect.h's, or an end has no beginning. */
enum status history_read(struct history *history, const char *path, struct error *error) MUST_CHECK;

void history_clear(struct history *history);

/* The runs of one job: the first of them and their count; NULL when there are none. */
const struct run *history_of(const struct history *history, int64_t job, size_t *count);

/* Runs for a claim that had been run before: there must be none. *example = the job of one. */
size_t history_repeated(const struct history *history, int64_t *example);

#endif
