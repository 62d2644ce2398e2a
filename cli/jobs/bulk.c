/*
 * dray enqueue --bulk: a job for every line of a stream, in flat memory whatever the file contains.
 * A line is the JSON object of a job, of at most 16 MiB. Jobs are enqueued a thousand or 8 MiB at
 * a time, each batch in one transaction. A bad line is reported by its number and skipped: a batch
 * with a job that the database refuses is divided at that job, so that each job is checked at most
 * three times however many are bad. When the connection is lost during a commit the jobs of that
 * transaction are named, and nothing after it is tried.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/classes.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/arena.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "policy/policy.h"
#include "queue/enqueue/enqueue.h"
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"

/* A stream of lines */

#define LINE_MAXIMUM ((size_t)16 << 20)
#define BUFFER_SIZE  ((size_t)256 << 10)

struct lines {
	int fd; /* not owned */
	char *buffer;
	size_t begin; /* start of the unread part of the buffer */
	size_t end;
	struct text line; /* the current line, without its line break */
	bool too_long;    /* the current line exceeds LINE_MAXIMUM; its rest was skipped */
	int64_t number;   /* of the current line, from 1 */
};

static void lines_init(struct lines *lines, int fd)
{
	*lines = (struct lines){ .fd = fd, .line.maximum = LINE_MAXIMUM };
	lines->buffer = malloc(BUFFER_SIZE);
	if (!lines->buffer)
		out_of_memory();
}

static void lines_clear(struct lines *lines)
{
	free(lines->buffer);
	text_free(&lines->line);
}

/* NONE at the end of the file. */
static enum status fill_buffer(struct lines *lines, struct error *error)
{
	ssize_t length;

	do
		length = read(lines->fd, lines->buffer, BUFFER_SIZE);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return error_set(error, STATUS_FATAL, "cannot read after line %lld: %s",
				 (long long)lines->number, strerrordesc_np(errno));
	lines->begin = 0;
	lines->end = (size_t)length;
	return length == 0 ? STATUS_NONE : STATUS_OK;
}

/* Moves the buffer's part of the line to lines->line. Returns whether the line is complete. */
static bool take_part(struct lines *lines)
{
	const char *start = lines->buffer + lines->begin;
	size_t length = lines->end - lines->begin;
	const char *newline = memchr(start, '\n', length);

	if (newline)
		length = (size_t)(newline - start);
	text_append(&lines->line, start, length);
	lines->begin += length + (newline ? 1 : 0);
	return newline != NULL;
}

/* Editors and other systems begin a file with it; in UTF-8 it has no meaning. */
static void skip_mark(struct text *line)
{
	static const char mark[] = "\xEF\xBB\xBF";
	const size_t length = sizeof(mark) - 1;

	if (strncmp(text_string(line), mark, length) != 0)
		return;
	line->length -= length;
	memmove(line->data, line->data + length, line->length + 1);
}

/* Reads the next line; a byte order mark before the first is skipped. NONE at the end of the file;
 * FATAL if it cannot be read. */
static enum status lines_next(struct lines *lines, struct error *error)
{
	enum status status = STATUS_OK;
	bool begun = false;
	bool ended = false;

	text_clear(&lines->line);
	while (!ended && status == STATUS_OK) {
		if (lines->begin == lines->end)
			status = fill_buffer(lines, error);
		if (status != STATUS_OK)
			break;
		begun = true;
		ended = take_part(lines);
	}
	if (status != STATUS_OK && !(status == STATUS_NONE && begun))
		return status;
	if (lines->number++ == 0)
		skip_mark(&lines->line);
	lines->too_long = lines->line.truncated;
	return STATUS_OK;
}

/* One line */

/* The object that is being read. */
struct object {
	struct arena *arena;
	struct new_job *job;
	struct error *error;
	bool has_at;
	bool has_in;
};

static enum status expected(const struct object *object, const char *key, const char *what)
{
	return error_set(object->error, STATUS_INVALID, "%s: expected %s", key, what);
}

/* NULL if the value is not a string, or contains U+0000, which a C string cannot hold. */
static const char *plain_string(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

static enum status read_text(struct object *object, const json_t *value, const char *key,
			     const char **out)
{
	const char *text = plain_string(value);

	if (!text)
		return expected(object, key, "a string");
	*out = arena_strdup(object->arena, text);
	return STATUS_OK;
}

static enum status read_class(struct object *object, const json_t *value)
{
	return read_text(object, value, "class", &object->job->class_name);
}

static enum status read_queue(struct object *object, const json_t *value)
{
	return read_text(object, value, "queue", &object->job->queue);
}

static enum status read_key(struct object *object, const json_t *value)
{
	return read_text(object, value, "concurrency_key", &object->job->concurrency_key);
}

/* payload_take reads these two. */
static enum status read_arguments(struct object *object, const json_t *value)
{
	if (!json_is_array(value) && !json_is_object(value))
		return expected(object, "arguments", "an array or an object");
	return STATUS_OK;
}

static enum status read_keywords(struct object *object, const json_t *value)
{
	if (!json_is_object(value))
		return expected(object, "keywords", "a JSON object");
	return STATUS_OK;
}

static enum status read_priority(struct object *object, const json_t *value)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < INT_MIN || number > INT_MAX)
		return expected(object, "priority", "an integer of 32 bits");
	object->job->priority = (int)number;
	object->job->has_priority = true;
	return STATUS_OK;
}

static enum status read_at(struct object *object, const json_t *value)
{
	const char *text = plain_string(value);

	if (!text || clock_parse(text, &object->job->at) != STATUS_OK)
		return expected(object, "at", "a time such as \"2026-12-24T18:00:00Z\"");
	object->has_at = true;
	return STATUS_OK;
}

static enum status read_span(struct object *object, const json_t *value, const char *key,
			     int64_t least, int64_t *out)
{
	const char *text =
		json_is_number(value) ? wide_json_text(object->arena, value) : plain_string(value);
	enum status status = text ? parse_duration(text, out) : STATUS_INVALID;

	if (status != STATUS_OK || *out < least)
		return expected(object, key, "seconds or a duration such as \"1h30m\"");
	return STATUS_OK;
}

static enum status read_in(struct object *object, const json_t *value)
{
	object->has_in = true;
	return read_span(object, value, "in", 0, &object->job->delay);
}

static enum status read_timeout(struct object *object, const json_t *value)
{
	return read_span(object, value, "timeout", CLOCK_MILLISECOND, &object->job->timeout);
}

static const struct {
	const char *name;
	enum status (*read)(struct object *object, const json_t *value);
} keys[] = {
	{ "class", read_class }, { "arguments", read_arguments }, { "keywords", read_keywords },
	{ "queue", read_queue }, { "priority", read_priority },   { "at", read_at },
	{ "in", read_in },       { "concurrency_key", read_key }, { "timeout", read_timeout },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static enum status unknown_key(const struct object *object, const char *key)
{
	const char *names[KEYS];

	for (size_t i = 0; i < KEYS; i++)
		names[i] = keys[i].name;
	const char *nearest = nearest_word(key, names, KEYS);
	json_t *string = json_string(key);
	const char *quoted = wide_json_text(object->arena, string);
	json_decref(string);
	return error_set(object->error, STATUS_INVALID, "unknown key %.62s%s%s%s", quoted,
			 nearest ? ": did you mean \"" : "", nearest ? nearest : "",
			 nearest ? "\"?" : "");
}

static enum status read_member(struct object *object, const char *key, const json_t *value)
{
	for (size_t i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, key) == 0)
			return keys[i].read(object, value);
	return unknown_key(object, key);
}

static enum status read_object(struct object *object, json_t *root, struct payload *read)
{
	enum status status = STATUS_OK;
	const char *key;
	json_t *value;

	if (!json_is_object(root))
		return error_set(object->error, STATUS_INVALID, "expected a JSON object");
	json_object_foreach(root, key, value)
	{
		status = read_member(object, key, value);
		if (status != STATUS_OK)
			return status;
	}
	if (!object->job->class_name || !*object->job->class_name)
		return error_set(object->error, STATUS_INVALID, "the class is missing");
	if (object->has_at && object->has_in)
		return error_set(object->error, STATUS_INVALID, "give at or in, not both");
	return payload_take(object->arena, json_incref(json_object_get(root, "arguments")),
			    json_incref(json_object_get(root, "keywords")), read,
			    &object->job->array, object->error);
}

/*
 * Parses a line that ends with a zero byte. The texts of *job live in arena; *read are its
 * arguments. INVALID: the error says what is wrong with the line.
 */
static enum status parse_line(struct arena *arena, const char *line, size_t length,
			      struct new_job *job, struct payload *read, struct error *error)
{
	struct object object = { .arena = arena, .job = job, .error = error };
	json_error_t where;
	json_t *root = NULL;

	*job = (struct new_job){ 0 };
	if (strlen(line) < length)
		return error_set(error, STATUS_INVALID, "column %zu: a zero byte",
				 strlen(line) + 1);
	root = wide_json_load(line, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
	if (!root)
		return error_set(error, STATUS_INVALID, "column %d: %s", where.column, where.text);
	enum status status = read_object(&object, root, read);
	json_decref(root);
	return status;
}

/* The jobs that have been read and not yet enqueued */

#define BATCH_JOBS  ((size_t)1000)
#define BATCH_BYTES ((size_t)8 << 20)

struct batch {
	struct arena *arena; /* holds the jobs' texts */
	struct new_job jobs[BATCH_JOBS];
	int64_t lines[BATCH_JOBS]; /* line number of each job */
	struct enqueued results[BATCH_JOBS];
	size_t count;
	size_t bytes;    /* of the lines */
	size_t done;     /* enqueued or refused so far */
	size_t doubtful; /* after UNCERTAIN: so many from `done` on are perhaps enqueued */
	size_t refused;  /* number, from 1, of a job that is refused; 0 = unknown */
	bool singly;     /* one of them is refused, but it is not known which */
	void (*refuse)(void *context, int64_t line, const char *why);
	void (*accept)(void *context, size_t count);
	void *context;
};

/* Whether the batch should be flushed. */
static bool batch_full(const struct batch *batch)
{
	return batch->count == BATCH_JOBS || batch->bytes >= BATCH_BYTES;
}

/* Empties it for the next jobs. */
static void batch_clear(struct batch *batch)
{
	arena_clear(batch->arena);
	batch->count = 0;
	batch->bytes = 0;
	batch->done = 0;
	batch->refused = 0;
	batch->singly = false;
}

/* Enqueues the next `count` jobs in one transaction. */
static enum status enqueue_next(struct db *db, struct batch *batch, size_t count,
				struct error *error)
{
	enum status status =
		enqueue(db, batch->jobs + batch->done, count, batch->results + batch->done, error);

	if (status == STATUS_OK) {
		batch->done += count;
		batch->accept(batch->context, count);
	}
	batch->doubtful = status == STATUS_UNCERTAIN ? count : 0;
	return status;
}

/* Passes the next job to refuse(). */
static void refuse_next(struct batch *batch, const char *why)
{
	batch->refuse(batch->context, batch->lines[batch->done], why);
	batch->done++;
}

/* The number, from 1, of the job that was refused; 0 if it is not known. */
static size_t first_refused(const struct enqueued results[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (results[i].refused)
			return i + 1;
	return 0;
}

/* The jobs before one that is known to be refused, that one alone, or the rest. */
static size_t next_count(const struct batch *batch)
{
	size_t left = batch->count - batch->done;

	if (batch->singly || batch->refused == batch->done + 1)
		return 1;
	return batch->refused > batch->done ? batch->refused - 1 - batch->done : left;
}

/* So each job is checked at most three times, however many are bad. */
static enum status advance(struct db *db, struct batch *batch, struct error *error)
{
	size_t count = next_count(batch);
	enum status status = enqueue_next(db, batch, count, error);

	if (status != STATUS_INVALID)
		return status;
	if (count == 1) {
		refuse_next(batch, error->text);
		return STATUS_OK;
	}
	size_t position = first_refused(batch->results + batch->done, count);
	batch->refused = position > 0 ? batch->done + position : 0;
	batch->singly = position == 0;
	return STATUS_OK;
}

/*
 * Enqueues all jobs, in one transaction if none is refused. A refused job is passed to refuse(),
 * and the others are enqueued all the same. If the status is not OK, the jobs from `done` on were
 * not enqueued.
 */
static enum status batch_flush(struct db *db, struct batch *batch, struct error *error)
{
	enum status status = STATUS_OK;

	while (batch->done < batch->count && status == STATUS_OK)
		status = advance(db, batch, error);
	return status;
}

/* The whole */

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
static void warn_once(struct bulk *bulk, const struct new_job *job, const struct payload *read)
{
	for (size_t i = 0; i < bulk->met_count; i++)
		if (strcmp(bulk->met[i], job->class_name) == 0)
			return;
	if (bulk->met_count == REMEMBERED)
		return;
	erase_progress(bulk);
	classes_warn(bulk->cli, job->class_name);
	classes_warn_of_arguments(bulk->cli, job->class_name, read);
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
	struct payload read = { 0 };
	struct error error = { 0 };

	if (bulk->lines.too_long) {
		refused_line(bulk, bulk->lines.number, "longer than 16 MiB");
		return;
	}
	if (is_blank(line))
		return;
	enum status status = parse_line(batch->arena, line->data, line->length, job, &read, &error);
	if (status == STATUS_OK) {
		warn_once(bulk, job, &read);
		policy_defaults(bulk->cli->config, job);
		status = policy_keys(batch->arena, bulk->cli->config, job, &read, &error);
		payload_clear(&read);
	}
	if (status != STATUS_OK) {
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

static int flush_batch(struct bulk *bulk)
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
			code = flush_batch(bulk);
	}
	if (code != EXIT_STOPPED)
		return code;
	code = flush_batch(bulk);
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
