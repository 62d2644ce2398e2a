#include "bench/history.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/effect.h"
#include "common/process.h"

#define MAXIMUM_BYTES (1U << 30)

struct line {
	char kind;
	int64_t job;
	int64_t claim;
	int worker;
	int64_t time;
	size_t number; /* its place in the file, which orders equal times */
};

size_t history_lines(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (size_t)status.st_size / EFFECT_WIDTH : 0;
}

static bool read_line(const char *text, struct line *line)
{
	char *rest;

	if (text[EFFECT_WIDTH - 1] != '\n')
		return false;
	line->kind = text[0];
	line->job = strtoll(text + 1, &rest, 10);
	line->claim = strtoll(rest, &rest, 10);
	line->worker = (int)strtol(rest, &rest, 10);
	line->time = strtoll(rest, &rest, 10);
	return *rest == '\n' && (line->kind == EFFECT_BEGIN || line->kind == EFFECT_END);
}

static int in_order(const void *left, const void *right)
{
	const struct line *a = left;
	const struct line *b = right;

	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return 0;
}

/* The end belongs to the latest beginning for the same claim that has no end yet. */
static bool end_run(struct history *history, const struct line *line)
{
	for (size_t i = history->count; i-- > 0 && history->runs[i].job == line->job;)
		if (history->runs[i].claim == line->claim && history->runs[i].end == 0) {
			history->runs[i].end = line->time;
			return true;
		}
	return false;
}

static enum status make_runs(struct history *history, struct line *lines, size_t count,
			     struct error *error)
{
	qsort(lines, count, sizeof(*lines), in_order);
	for (size_t i = 0; i < count; i++) {
		const struct line *line = &lines[i];
		if (line->kind == EFFECT_BEGIN)
			history->runs[history->count++] = (struct run){
				.job = line->job,
				.claim = line->claim,
				.worker = line->worker,
				.begin = line->time,
			};
		else if (!end_run(history, line))
			return error_set(error, STATUS_INVALID, "job %lld ended without beginning",
					 (long long)line->job);
	}
	return STATUS_OK;
}

static enum status read_lines(const char *text, size_t count, struct line *lines,
			      struct error *error)
{
	for (size_t i = 0; i < count; i++) {
		lines[i].number = i;
		if (!read_line(text + i * EFFECT_WIDTH, &lines[i]))
			return error_set(error, STATUS_INVALID, "line %zu is malformed", i + 1);
	}
	return STATUS_OK;
}

enum status history_read(struct history *history, const char *path, struct error *error)
{
	char *text;
	size_t length;
	enum status status = file_read(path, MAXIMUM_BYTES, &text, &length, error);

	if (status != STATUS_OK)
		return status;
	size_t count = length / EFFECT_WIDTH;
	struct line *lines = calloc(count + 1, sizeof(*lines));
	*history = (struct history){ .runs = calloc(count + 1, sizeof(*history->runs)) };
	if (lines && history->runs)
		status = read_lines(text, count, lines, error);
	else
		status = error_set(error, STATUS_FATAL, "out of memory");
	if (status == STATUS_OK)
		status = make_runs(history, lines, count, error);
	free(lines);
	free(text);
	return status;
}

void history_clear(struct history *history)
{
	free(history->runs);
	*history = (struct history){ 0 };
}

const struct run *history_of(const struct history *history, int64_t job, size_t *count)
{
	size_t low = 0;
	size_t high = history->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (history->runs[middle].job < job)
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < history->count && history->runs[low + *count].job == job)
		++*count;
	return *count > 0 ? &history->runs[low] : NULL;
}

size_t history_repeated(const struct history *history, int64_t *example)
{
	size_t found = 0;

	for (size_t i = 0; i + 1 < history->count; i++) {
		const struct run *run = &history->runs[i];
		const struct run *end = history->runs + history->count;
		for (const struct run *later = run + 1; later < end && later->job == run->job;
		     later++)
			if (later->claim == run->claim) {
				*example = run->job;
				found++;
			}
	}
	return found;
}
