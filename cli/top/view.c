#include "cli/top/top.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/cells.h"
#include "common/clock.h"
#include "common/text/text.h"
#include "queue/payload/cause.h"
#include "show/show.h"

/* Characters: a line is to fit 80. */
#define LONGEST_NAME    20 /* of a queue */
#define LONGEST_PROCESS 16
#define LONGEST_HOST    12

#define LONG_WAIT (5 * CLOCK_MINUTE) /* of a ready job */

static const char *const sorts[TOP_SORTS] = {
	[TOP_NAME] = "name",           [TOP_STATUS] = "status",     [TOP_READY] = "ready",
	[TOP_SCHEDULED] = "scheduled", [TOP_RETRYING] = "retrying", [TOP_CLAIMED] = "claimed",
	[TOP_BLOCKED] = "blocked",     [TOP_FAILED] = "failed",     [TOP_LATENCY] = "latency",
	[TOP_MINUTE] = "minute",       [TOP_HOUR] = "hour",         [TOP_WORKERS] = "workers",
};

enum status top_sort_parse(const char *name, enum top_sort *sort)
{
	for (int i = 0; i < TOP_SORTS; i++)
		if (strcmp(sorts[i], name) == 0) {
			*sort = (enum top_sort)i;
			return STATUS_OK;
		}
	return STATUS_INVALID;
}

/* Order */

static int64_t figure(const struct survey_queue *queue, enum top_sort sort)
{
	static const enum job_state states[TOP_SORTS] = {
		[TOP_READY] = JOB_READY,
		[TOP_CLAIMED] = JOB_CLAIMED,
		[TOP_BLOCKED] = JOB_BLOCKED,
		[TOP_FAILED] = JOB_FAILED,
	};

	if (sort == TOP_SCHEDULED)
		return survey_delayed(queue);
	if (sort == TOP_RETRYING)
		return queue->retrying;
	if (sort >= TOP_READY && sort <= TOP_FAILED)
		return queue->row.counts[states[sort]];
	if (sort == TOP_LATENCY)
		return queue->row.latency;
	if (sort == TOP_WORKERS)
		return (int64_t)queue->workers;
	return sort == TOP_MINUTE ? queue->throughput.minute : queue->throughput.hour;
}

struct order {
	enum top_sort sort;
	bool reverse;
};

static int compare(const void *left, const void *right, void *context)
{
	const struct survey_queue *a = left;
	const struct survey_queue *b = right;
	const struct order *order = context;
	int by_name = strcmp(a->row.name, b->row.name);
	int result = by_name;

	if (order->sort == TOP_STATUS)
		result = strcmp(show_queue_status(b), show_queue_status(a));
	else if (order->sort != TOP_NAME)
		result = (figure(a, order->sort) < figure(b, order->sort)) -
			 (figure(a, order->sort) > figure(b, order->sort));
	if (order->reverse)
		result = -result;
	return result != 0 ? result : by_name;
}

void top_order(struct survey *survey, enum top_sort sort, bool reverse)
{
	struct order order = { sort, reverse };

	qsort_r(survey->queues, survey->count, sizeof(*survey->queues), compare, &order);
}

/* The whole */

static const char *span(struct arena *arena, int64_t microseconds)
{
	return clock_say_span(arena, microseconds >= CLOCK_SECOND ? clock_whole(microseconds)
								  : microseconds);
}

static const char *kinds_line(struct arena *arena, const struct stats *stats)
{
	struct text line = { 0 };

	text_add(&line, stats->kind_count > 0 ? "alive  " : "no process is registered");
	for (size_t i = 0; i < stats->kind_count; i++) {
		const struct stats_kind *kind = &stats->kinds[i];
		text_printf(&line, "%s%s %" PRId64, i > 0 ? ", " : "", kind->kind, kind->alive);
		if (kind->threads > 0)
			text_printf(&line, " (%" PRId64 "/%" PRId64 " busy)", kind->busy,
				    kind->threads);
		if (kind->leaving > 0)
			text_printf(&line, " (%" PRId64 " leaving with %" PRId64 " job%s)",
				    kind->leaving, kind->ending, kind->ending == 1 ? "" : "s");
		if (kind->silent > 0)
			text_printf(&line, " (%" PRId64 " silent)", kind->silent);
	}
	const char *copy = cell_clean(arena, text_string(&line));
	text_free(&line);
	return copy;
}

size_t top_header(struct arena *arena, const struct stats *stats, const char *lines[TOP_HEADER])
{
	const struct survey *survey = &stats->survey;
	const int64_t *counts = stats->counts;
	char now[CLOCK_TEXT_SIZE];

	clock_format(survey->now, now);
	lines[0] = arena_printf(arena,
				"dray  %.19s UTC  %zu %s, %" PRId64 " paused, %" PRId64 " unserved",
				now, survey->count, survey->count == 1 ? "queue" : "queues",
				stats->paused, stats->unserved);
	lines[1] = arena_printf(
		arena,
		"jobs  %" PRId64 " ready, %" PRId64 " scheduled, %s%" PRId64 " claimed, %" PRId64
		" blocked, %" PRId64 " failed",
		counts[JOB_READY], counts[JOB_SCHEDULED] - stats->retrying,
		stats->retrying > 0 ? arena_printf(arena, "%" PRId64 " retrying, ", stats->retrying)
				    : "",
		counts[JOB_CLAIMED], counts[JOB_BLOCKED], counts[JOB_FAILED]);
	lines[2] = arena_printf(arena,
				"done  %s%" PRId64 " in the last minute, %" PRId64 " in the last "
				"hour%s%s%s%s",
				survey->estimated ? "about " : "", survey->total.minute,
				survey->total.hour, stats->oldest_queue ? "; oldest waits " : "",
				stats->oldest_queue ? span(arena, stats->latency) : "",
				stats->oldest_queue ? " in " : "",
				stats->oldest_queue ? cell_clean(arena, stats->oldest_queue) : "");
	lines[3] = kinds_line(arena, stats);
	return TOP_HEADER;
}

/* Tables */

static void open_table(struct top_table *table, struct arena *arena, const char *const *titles,
		       size_t columns, size_t rows)
{
	*table = (struct top_table){ .arena = arena,
				     .titles = titles,
				     .columns = columns,
				     .rows = rows,
				     .cells = arena_array(arena, columns * (rows + 1),
							  sizeof(const char *)),
				     .bad = arena_array(arena, columns * (rows + 1), sizeof(bool)),
				     .widths = arena_array(arena, columns, sizeof(size_t)) };
}

static void measure(struct top_table *table)
{
	for (size_t i = 0; i < table->columns; i++)
		table->widths[i] = cell_columns(table->titles[i]);
	for (size_t i = 0; i < table->columns * table->rows; i++) {
		size_t width = cell_columns(table->cells[i]);
		if (width > table->widths[i % table->columns])
			table->widths[i % table->columns] = width;
	}
}

static const char *number(struct arena *arena, int64_t value)
{
	return arena_printf(arena, "%" PRId64, value);
}

const char *top_cut(struct arena *arena, const char *name, size_t longest)
{
	const char *clean = cell_clean(arena, name);

	if (cell_columns(clean) <= longest)
		return clean;
	return arena_printf(arena, "%.*s~", cell_bytes(clean, longest - 1), clean);
}

static const char *short_name(struct arena *arena, const char *name)
{
	return top_cut(arena, name, LONGEST_NAME);
}

static void queue_cells(struct arena *arena, const struct survey_queue *queue, const char **cells)
{
	cells[TOP_NAME] = short_name(arena, queue->row.name);
	cells[TOP_STATUS] = show_queue_status(queue);
	for (int sort = TOP_READY; sort < TOP_SORTS; sort++)
		cells[sort] = sort == TOP_LATENCY
				      ? span(arena, queue->row.latency)
				      : number(arena, figure(queue, (enum top_sort)sort));
}

/* A pause is intended, and so is a long wait that it causes. */
static void mark_queue(const struct survey_queue *queue, bool *bad)
{
	bad[TOP_STATUS] = strcmp(show_queue_status(queue), "unserved") == 0;
	bad[TOP_FAILED] = queue->row.counts[JOB_FAILED] > 0;
	bad[TOP_LATENCY] = !queue->row.paused && queue->row.latency >= LONG_WAIT;
}

void top_queues(struct arena *arena, const struct survey *survey, enum top_sort sort,
		struct top_table *table)
{
	static const char *const plain[TOP_SORTS] = {
		[TOP_NAME] = "QUEUE",      [TOP_STATUS] = "STATUS",  [TOP_READY] = "READY",
		[TOP_SCHEDULED] = "SCHED", [TOP_RETRYING] = "RETRY", [TOP_CLAIMED] = "RUN",
		[TOP_BLOCKED] = "BLK",     [TOP_FAILED] = "FAIL",    [TOP_LATENCY] = "WAIT",
		[TOP_MINUTE] = "MIN",      [TOP_HOUR] = "HOUR",      [TOP_WORKERS] = "WORK",
	};
	const char **titles = arena_array(arena, TOP_SORTS, sizeof(*titles));

	for (int i = 0; i < TOP_SORTS; i++)
		titles[i] = i == (int)sort ? arena_printf(arena, "%s*", plain[i]) : plain[i];
	open_table(table, arena, titles, TOP_SORTS, survey->count);
	table->numbers = ~0U << TOP_READY;
	for (size_t i = 0; i < survey->count; i++) {
		queue_cells(arena, &survey->queues[i], table->cells + i * TOP_SORTS);
		mark_queue(&survey->queues[i], table->bad + i * TOP_SORTS);
	}
	measure(table);
}

static const char *process_state(const struct server *server)
{
	if (server->silent)
		return "silent";
	if (server->paused)
		return "paused";
	if (server->leaving_since != 0)
		return "leaving";
	if (server->held)
		return "held";
	if (server->trouble)
		return "trouble";
	return server->quiet ? "quiet" : "alive";
}

void top_processes(struct arena *arena, const struct survey *survey, struct top_table *table)
{
	static const char *const titles[] = { "KIND",  "NAME", "HOST", "PID",
					      "STATE", "BUSY", "BEAT", "QUEUES" };
	const size_t columns = sizeof(titles) / sizeof(titles[0]);

	open_table(table, arena, titles, columns, survey->servers.count);
	table->numbers = 1U << 3 | 1U << 5 | 1U << 6;
	for (size_t i = 0; i < table->rows; i++) {
		const struct server *server = &survey->servers.list[i];
		const struct process_row *row = &server->row;
		int64_t beat = survey->now - row->last_heartbeat_at;
		const char *cells[] = {
			cell_clean(arena, row->kind),
			top_cut(arena, row->name, LONGEST_PROCESS),
			top_cut(arena, row->hostname ? row->hostname : "-", LONGEST_HOST),
			number(arena, row->pid),
			process_state(server),
			server->threads > 0 ? arena_printf(arena, "%" PRId64 "/%" PRId64,
							   row->claims, server->threads)
					    : "-",
			span(arena, beat > 0 ? beat : 0),
			server->queues ? cell_clean(arena, server->queues) : "-",
		};
		memcpy(table->cells + i * columns, cells, sizeof(cells));
		table->bad[i * columns + 4] = server->silent || server->trouble;
	}
	measure(table);
}

static const char *error_cell(struct arena *arena, const char *error)
{
	const char *text = cause_of(arena, error).brief;

	return error ? cell_clean(arena, text ? text : error) : "";
}

void top_failures(struct arena *arena, const struct job jobs[], size_t count, int64_t now,
		  struct top_table *table)
{
	static const char *const titles[] = { "JOB", "QUEUE", "SINCE", "CLASS", "ERROR" };
	const size_t columns = sizeof(titles) / sizeof(titles[0]);

	open_table(table, arena, titles, columns, count);
	table->numbers = 1U | 1U << 2;
	for (size_t i = 0; i < count; i++) {
		const struct job *job = &jobs[i];
		const char *cells[] = {
			number(arena, job->id),
			short_name(arena, job->queue),
			job->since > 0 ? span(arena, now > job->since ? now - job->since : 0) : "-",
			cell_clean(arena, job->class_name),
			error_cell(arena, job->error),
		};
		memcpy(table->cells + i * columns, cells, sizeof(cells));
	}
	measure(table);
}

void top_jobs(struct arena *arena, const struct job jobs[], size_t count, int64_t now,
	      struct top_table *table)
{
	static const char *const titles[] = { "JOB", "STATE", "SINCE", "PRIO", "CLASS", "ERROR" };
	const size_t columns = sizeof(titles) / sizeof(titles[0]);

	open_table(table, arena, titles, columns, count);
	table->numbers = 1U | 1U << 2 | 1U << 3;
	for (size_t i = 0; i < count; i++) {
		const struct job *job = &jobs[i];
		const char *cells[] = {
			number(arena, job->id),
			job->state == JOB_STATES ? "lost" : job_state_name(job->state),
			job->since > 0 ? span(arena, now > job->since ? now - job->since : 0) : "-",
			number(arena, job->priority),
			cell_clean(arena, job->class_name),
			error_cell(arena, job->error),
		};
		memcpy(table->cells + i * columns, cells, sizeof(cells));
		table->bad[i * columns + 1] = job->state == JOB_STATES || job->state == JOB_FAILED;
	}
	measure(table);
}

size_t top_column(const struct top_table *table, size_t column)
{
	size_t at = column; /* the spaces between the columns */

	for (size_t i = 0; i < column; i++)
		at += table->widths[i];
	return at;
}

void top_fit(struct top_table *table, size_t column, size_t width)
{
	size_t line = top_column(table, table->columns) - 1;
	size_t least = cell_columns(table->titles[column]);
	size_t *own = &table->widths[column];

	if (width == 0 || line <= width)
		return;
	*own = *own > least + line - width ? *own - (line - width) : least;
	for (size_t i = column; i < table->columns * table->rows; i += table->columns)
		table->cells[i] = top_cut(table->arena, table->cells[i], *own);
}

static const char *join(const struct top_table *table, const char *const cells[])
{
	struct text line = { 0 };

	for (size_t i = 0; i < table->columns; i++) {
		bool right = (table->numbers >> i & 1U) != 0;
		bool last = i + 1 == table->columns;
		int padding = (int)(table->widths[i] - cell_columns(cells[i]));
		text_printf(&line, "%*s%s%*s", right ? padding : 0, "", cells[i],
			    right || last ? 0 : padding, "");
		text_add(&line, last ? "" : " ");
	}
	return text_take(&line, table->arena);
}

const char *top_titles(const struct top_table *table)
{
	return join(table, table->titles);
}

const char *top_row(const struct top_table *table, size_t row)
{
	return join(table, table->cells + row * table->columns);
}
