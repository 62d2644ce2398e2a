#include "cli/bulk/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/bulk/batch.h"
#include "cli/bulk/line.h"
#include "cli/bulk/lines.h"
#include "cli/classes.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "policy/policy.h"

#define REMEMBERED     64
#define PROGRESS_EVERY (200 * CLOCK_MILLISECOND)
#define ERASE_LINE     "\r\033[K"

/* The state of one bulk enqueue. */
struct bulk {
	struct cli *cli;
	struct lines lines;
	struct batch batch;
	int64_t enqueued;
	int64_t discarded; /* because of on_conflict */
	int64_t bad;
	char *met[REMEMBERED]; /* classes whose first job was looked at */
	size_t met_count;
	bool progress; /* show the progress */
	bool shown;    /* a progress line is on the terminal */
	int64_t started;
	int64_t shown_at;
};

static void show_progress(struct bulk *bulk)
{
	int64_t now = clock_monotonic();

	if (!bulk->progress || now - bulk->shown_at < PROGRESS_EVERY)
		return;
	int64_t elapsed = now - bulk->started;
	(void)fprintf(stderr,
		      ERASE_LINE "%" PRId64 " %s enqueued, %" PRId64 " bad %s, %" PRId64 "/s",
		      bulk->enqueued, bulk->enqueued == 1 ? "job" : "jobs", bulk->bad,
		      bulk->bad == 1 ? "line" : "lines",
		      elapsed > 0 ? bulk->enqueued * CLOCK_SECOND / elapsed : 0);
	bulk->shown_at = now;
	bulk->shown = true;
}

static void erase_progress(struct bulk *bulk)
{
	if (bulk->shown)
		(void)fputs(ERASE_LINE, stderr);
	bulk->shown = false;
}

static void refused_line(void *context, int64_t line, const char *why)
{
	struct bulk *bulk = context;

	erase_progress(bulk);
	cli_complain("line %" PRId64 ": %s", line, why);
	bulk->bad++;
}

static void accepted(void *context, size_t count)
{
	struct bulk *bulk = context;

	const struct enqueued *results = bulk->batch.results + bulk->batch.done - count;
	for (size_t i = 0; i < count; i++)
		*(results[i].discarded ? &bulk->discarded : &bulk->enqueued) += 1;
	show_progress(bulk);
}

/* Warns as for a single job, for the first one of each of the first REMEMBERED classes. */
static void warn_once(struct bulk *bulk, const struct new_job *job)
{
	for (size_t i = 0; i < bulk->met_count; i++)
		if (strcmp(bulk->met[i], job->class_name) == 0)
			return;
	if (bulk->met_count == REMEMBERED)
		return;
	erase_progress(bulk);
	classes_warn(bulk->cli, job->class_name);
	classes_warn_of_arguments(bulk->cli, job);
	bulk->met[bulk->met_count++] = arena_strdup(bulk->cli->arena, job->class_name);
}

static bool is_blank(const struct text *line)
{
	const char *text = text_string(line);

	return strspn(text, " \t\r") == line->length;
}

static void take_line(struct bulk *bulk)
{
	struct batch *batch = &bulk->batch;
	const struct text *line = &bulk->lines.line;
	struct new_job *job = &batch->jobs[batch->count];
	struct error error = { 0 };

	if (bulk->lines.too_long) {
		refused_line(bulk, bulk->lines.number, "longer than 16 MiB");
		return;
	}
	if (is_blank(line))
		return;
	if (bulk_line_parse(batch->arena, line->data, line->length, job, &error) != STATUS_OK) {
		refused_line(bulk, bulk->lines.number, error.text);
		return;
	}
	warn_once(bulk, job);
	policy_defaults(bulk->cli->config, job);
	if (policy_keys(batch->arena, bulk->cli->config, job, &error) != STATUS_OK) {
		refused_line(bulk, bulk->lines.number, error.text);
		return;
	}
	batch->lines[batch->count++] = bulk->lines.number;
	batch->bytes += line->length;
}

/* Reports what became of the batch that could not be enqueued. */
static int stopped(struct bulk *bulk, const struct error *error)
{
	const struct batch *batch = &bulk->batch;

	erase_progress(bulk);
	if (batch->doubtful > 0)
		cli_complain("lines %" PRId64 " to %" PRId64
			     " may or may not have been enqueued, all of them or none: the "
			     "connection was lost during the commit; check with `dray job %s`",
			     batch->lines[batch->done],
			     batch->lines[batch->done + batch->doubtful - 1],
			     batch->results[batch->done].active_job_id);
	else
		cli_complain("stopped before line %" PRId64
			     "; this line and those after it were not enqueued",
			     batch->lines[batch->done]);
	return cli_fail(error);
}

static int flush(struct bulk *bulk)
{
	struct error error = { 0 };

	if (batch_flush(bulk->cli->db, &bulk->batch, &error) != STATUS_OK)
		return stopped(bulk, &error);
	batch_clear(&bulk->batch);
	return EXIT_STOPPED;
}

/* Reads to the end of the file, or to the error that ends it early. */
static int read_lines(struct bulk *bulk)
{
	struct error error = { 0 };
	enum status status;
	int code = EXIT_STOPPED;

	while (code == EXIT_STOPPED && (status = lines_next(&bulk->lines, &error)) == STATUS_OK) {
		take_line(bulk);
		if (batch_full(&bulk->batch))
			code = flush(bulk);
	}
	if (code != EXIT_STOPPED)
		return code;
	code = flush(bulk);
	if (status == STATUS_NONE)
		return code;
	cli_complain("%s", error.text);
	return EXIT_ERROR;
}

static void summarize(struct bulk *bulk)
{
	erase_progress(bulk);
	const char *jobs = bulk->enqueued == 1 ? "job" : "jobs";
	if (bulk->bad > 0)
		say(bulk->cli, "enqueued %" PRId64 " %s; %" PRId64 " bad %s", bulk->enqueued, jobs,
		    bulk->bad, bulk->bad == 1 ? "line" : "lines");
	else
		say(bulk->cli, "enqueued %" PRId64 " %s", bulk->enqueued, jobs);
	json_print(bulk->cli,
		   json_pack("{s:I, s:I, s:I, s:I}", "enqueued", (json_int_t)bulk->enqueued,
			     "discarded", (json_int_t)bulk->discarded, "bad_lines",
			     (json_int_t)bulk->bad, "lines", (json_int_t)bulk->lines.number));
}

static int enqueue_all(struct cli *cli, int fd)
{
	struct bulk *bulk = arena_alloc(cli->arena, sizeof(*bulk));

	bulk->cli = cli;
	bulk->progress = !cli->quiet && isatty(STDERR_FILENO) == 1;
	bulk->started = clock_monotonic();
	bulk->batch.arena = arena_new();
	bulk->batch.refuse = refused_line;
	bulk->batch.accept = accepted;
	bulk->batch.context = bulk;
	lines_init(&bulk->lines, fd);
	int code = read_lines(bulk);
	summarize(bulk);
	lines_clear(&bulk->lines);
	arena_free(bulk->batch.arena);
	return code == EXIT_STOPPED && bulk->bad > 0 ? EXIT_ERROR : code;
}

int bulk_enqueue(struct cli *cli, const char *path)
{
	if (strcmp(path, "-") == 0)
		return enqueue_all(cli, STDIN_FILENO);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		cli_complain("%s: %s", path, process_reason(errno));
		return EXIT_ERROR;
	}
	int code = enqueue_all(cli, fd);
	close(fd);
	return code;
}
