/*
 * queue/payload/: what a job is about, as JSON.
 *
 * The Active Job object in jobs.arguments (docs/internals/solid-queue.md, 2.2): built and read
 * here. Keys that dray does not know are kept, because only whole texts are stored.
 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "queue/look/job.h"

struct json_t;

#define PAYLOAD_TIMEOUT "dray_timeout"
#define PAYLOAD_MARKS   "_aj_" /* Active Job's own keys in arguments begin so */

struct payload_parts {
	const char *class_name;
	const char *active_job_id;
	const char *queue;
	const char *priority;  /* decimal text, or NULL when unset */
	const char *arguments; /* JSON array text; NULL = [] */
	int64_t enqueued_at;
	int64_t scheduled_at;
	int64_t timeout; /* of its runs, microseconds; 0 = none of its own */
};

/*
 * Builds the JSON object as compact text with exactly Active Job's keys, in their order, and behind
 * them "dray_timeout" (seconds) of a job with a timeout of its own.
 */
enum status payload_build(struct arena *arena, const struct payload_parts *parts, const char **out,
			  struct error *error) MUST_CHECK;

/* A parsed payload, or its arguments alone: free it with payload_clear. */
struct payload {
	struct json_t *root;      /* the whole object, or the arguments */
	struct json_t *arguments; /* borrowed: its array, or NULL when missing */
	struct json_t *named;     /* borrowed: the last element when it is a hash, else NULL */
	int executions;           /* attempts before this one */
};

/*
 * Reads the arguments that a person gives (NULL = none), which is done once: *array is their
 * compact text, as it is stored. An array stays as it is, an object becomes the one keyword element
 * with "_aj_ruby2_keywords" (solid-queue.md, 2.3), so that Ruby reads it as keywords; beside an
 * array there may be an object of the keywords that follow it. INVALID, with line and column, when
 * one is not JSON or has another type.
 */
enum status payload_arguments(struct arena *arena, const char *arguments, const char *keywords,
			      struct payload *read, const char **array,
			      struct error *error) MUST_CHECK;

/* The same of values, which it takes over. */
enum status payload_take(struct arena *arena, struct json_t *arguments, struct json_t *named,
			 struct payload *read, const char **array, struct error *error) MUST_CHECK;

enum status payload_parse(const char *text, struct payload *payload,
			  struct error *error) MUST_CHECK;

/* The same for a run, which needs an array of arguments, if only an empty one. */
enum status payload_read(const char *text, struct payload *payload, struct error *error) MUST_CHECK;
void payload_clear(struct payload *payload);

/* The payload's executions; 0 when they cannot be read. */
int payload_executions(const char *text);

/* The job's own timeout in microseconds; 0 when it has none. */
int64_t payload_timeout(const char *text);

/* All arguments as compact JSON, simplified as in payload_text; the named ones are the last. */
const char *payload_plain(struct arena *arena, const struct payload *payload);

/*
 * The payload as a command sees it: with provider_job_id, which is not known when a job is
 * enqueued, and with the plain arguments (payload_plain) where Active Job has left marks in its
 * own. Nothing else changes; a text that is no object is returned as it is.
 */
const char *payload_for_run(struct arena *arena, const char *text, int64_t job_id,
			    const char *arguments);

/* The hash at the end of the array, if its members are named arguments; else NULL. Borrowed. */
struct json_t *payload_named(const struct json_t *arguments);

/*
 * The text for a placeholder: "0" is the first positional argument, any other name a named one.
 * Strings as they are (but U+0000 as JSON writes it), numbers and booleans as JSON writes them,
 * null as ""; arrays and objects as compact JSON. What Active Job has serialised is simplified, at
 * any depth: a record is its GlobalID, a symbol, a time, a decimal, ... its value, a range "1..5",
 * and a hash has only its own keys. NULL when there is no such argument.
 */
const char *payload_text(struct arena *arena, const struct payload *payload, const char *name);

/* How many positional arguments it has: "0" and so on, without the named ones at the end. */
size_t payload_positional(const struct payload *payload);

/*
 * The argument's value, borrowed; NULL when there is no such argument. A symbol, a time, ... is
 * already its value; a record and a range are the objects that Active Job made of them.
 */
const struct json_t *payload_argument(const struct payload *payload, const char *name);

/* The payload with executions 0 and exception_executions {} (solid-queue.md, 2.4), everything else
 * kept. */
enum status payload_reset(struct arena *arena, const char *text, const char **out,
			  struct error *error) MUST_CHECK;

/*
 * Counts an execution that failed, as Active Job's retry_on does (solid-queue.md, 2.7): executions,
 * and exception_executions under the rule that retries it ("[Net::OpenTimeout]"). Everything else
 * is kept. Where the whole would exceed `maximum` bytes (db_text_maximum) the rule's count stays as
 * it is; dray itself goes by executions alone.
 */
enum status payload_count_execution(struct arena *arena, const char *text, const char *rule,
				    size_t maximum, const char **out,
				    struct error *error) MUST_CHECK;

/*
 * The JSON of failed_executions.error: exception_class, message, backtrace (an array of lines, or
 * null when lines is NULL). If the whole would exceed `maximum` bytes (db_text_maximum, and never
 * less than 65,535), the first lines are left out; class and message are cut to lengths of their
 * own.
 */
const char *payload_error(struct arena *arena, const char *class_name, const char *message,
			  const char *lines, size_t maximum);

/*
 * The payload with every character beyond ASCII escaped, for a column of any character set. NULL if
 * it would have more than `maximum` bytes.
 */
const char *payload_ascii(struct arena *arena, const char *text, size_t maximum);

/* Whether the payload stands for characters beyond ASCII that its column may not hold as such. */
bool payload_has_escapes(const char *text);

/*
 * The same error with every character beyond ASCII escaped, for a column of any character set; the
 * first lines are left out until it fits again. If it is no such JSON, the error is returned
 * unchanged.
 */
const char *payload_error_ascii(struct arena *arena, const char *error, size_t maximum);

#endif
