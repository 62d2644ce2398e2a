/*
 * queue/payload/: what a job is about, as JSON.
 *
 * The Active Job object in jobs.arguments (docs/internals/solid-queue.md, 2.2): built here, read
 * here. Keys we do not know are kept, because only whole texts are ever stored.
 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "queue/look/job.h"

struct json_t;

/* What fits every database: the bytes of MySQL's text column. */
#define PAYLOAD_MAXIMUM 65535

struct payload_parts {
	const char *class_name;
	const char *active_job_id;
	const char *queue;
	const char *priority;  /* decimal text, or NULL when unset */
	const char *arguments; /* JSON array text; NULL = [] */
	int64_t enqueued_at;
	int64_t scheduled_at;
};

/* The JSON object as compact text with exactly Active Job's keys in their order. */
enum status payload_build(struct arena *arena, const struct payload_parts *parts, const char **out,
			  struct error *error) MUST_CHECK;

/*
 * Checks and compacts arguments given by a person: an array stays, an object becomes the one
 * keyword element with "_aj_ruby2_keywords" (solid-queue.md, 2.3) so that Ruby reads it as
 * keywords. INVALID with line and column when it is not JSON or another type.
 */
enum status payload_arguments(struct arena *arena, const char *json, const char **array,
			      struct error *error) MUST_CHECK;

/*
 * The same of an array (NULL = none) and of the object of the keywords that stand behind it.
 * INVALID also when they are not that.
 */
enum status payload_join(struct arena *arena, const char *arguments, const char *keywords,
			 const char **array, struct error *error) MUST_CHECK;

/* A payload taken apart for running: free with payload_clear. */
struct payload {
	struct json_t *root;      /* the whole object */
	struct json_t *arguments; /* borrowed: its array, or NULL when missing */
	struct json_t *named;     /* borrowed: the last element when it is a hash, else NULL */
	int executions;           /* attempts before this one */
};

enum status payload_parse(const char *text, struct payload *payload,
			  struct error *error) MUST_CHECK;
void payload_clear(struct payload *payload);

/* Its executions; 0 when it cannot be read. */
int payload_executions(const char *text);

/*
 * The payload as a run sees it: with provider_job_id, which is not known when a job is enqueued.
 * Nothing else is touched; a text that is no object comes back as it is.
 */
const char *payload_for_run(struct arena *arena, const char *text, int64_t job_id);

/* The hash that stands last in the array and whose members have names; else NULL. Borrowed. */
struct json_t *payload_named(const struct json_t *arguments);

/*
 * The text of a placeholder: "0" is the first positional argument, a name a member of the named
 * ones. Strings as they are (but U+0000 as JSON writes it), numbers and booleans as JSON writes
 * them, null as ""; arrays and objects as compact JSON. What Active Job has serialised is plain, at
 * any depth: a record is its GlobalID, a symbol, a time, a decimal, ... its value, a range
 * "1..5", and a hash has its own keys alone. NULL when there is no such argument.
 */
const char *payload_text(struct arena *arena, const struct payload *payload, const char *name);

/* How many positional arguments it has: "0" and so on. Named ones, at the end, are none. */
size_t payload_positional(const struct payload *payload);

/*
 * Its value, borrowed; NULL when there is no such argument. A symbol, a time, ... is its value
 * already; a record and a range are the objects that Active Job made of them.
 */
const struct json_t *payload_argument(const struct payload *payload, const char *name);

/* The payload with executions 0 and exception_executions {} (solid-queue.md, 2.4), everything else
 * kept. */
enum status payload_reset(struct arena *arena, const char *text, const char **out,
			  struct error *error) MUST_CHECK;

/*
 * The JSON of failed_executions.error: exception_class, message, backtrace (an array of lines, or
 * null when lines is NULL). So that the whole fits in `maximum` bytes (db_text_maximum, and never
 * less than 65,535) the first lines are left out; class and message are cut to sizes of their own.
 */
const char *payload_error(struct arena *arena, const char *class_name, const char *message,
			  const char *lines, size_t maximum);

/*
 * The same error with every character beyond ASCII escaped, which a column of any character set
 * takes; so many first lines less that it still fits. The error itself when it is no such JSON.
 */
const char *payload_error_ascii(struct arena *arena, const char *error, size_t maximum);

#endif
