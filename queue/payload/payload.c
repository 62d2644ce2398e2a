/*
 * The Active Job object in jobs.arguments: built for a new job, read for a run, changed for a retry
 * and for the next run.
 *
 * Who wrote it may have put anything into it, Rails or a program in another language. So what dray
 * does not know is kept as it is, and what it does not need is not parsed: a run gets its payload
 * as text, with one member changed, because parsed and written again it could differ (numbers that
 * jansson cannot represent, the order of keys).
 */
#include "queue/payload/payload.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/text/text.h"
#include "queue/payload/wide_json.h"
#include "schedule/task_keys.h"

/* Short enough that, with escapes, both always fit MySQL's text column. */
#define MESSAGE_MAXIMUM 8192
#define CLASS_MAXIMUM   255

static void add_member(struct text *json, const char *key, const char *value)
{
	text_printf(json, ",\"%s\":", key);
	if (value)
		text_json(json, value);
	else
		text_add(json, "null");
}

static void add_time(struct text *json, const char *key, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_iso(instant, text);
	add_member(json, key, text);
}

enum status payload_build(struct arena *arena, const struct payload_parts *parts, const char **out,
			  struct error *error)
{
	struct text json = { 0 };

	text_add(&json, "{\"job_class\":");
	text_json(&json, parts->class_name);
	add_member(&json, "job_id", parts->active_job_id);
	text_add(&json, ",\"provider_job_id\":null");
	add_member(&json, "queue_name", parts->queue);
	text_printf(&json, ",\"priority\":%s,\"arguments\":%s",
		    parts->priority ? parts->priority : "null",
		    parts->arguments ? parts->arguments : "[]");
	text_add(&json, ",\"executions\":0,\"exception_executions\":{},\"locale\":\"en\","
			"\"timezone\":\"UTC\"");
	add_time(&json, "enqueued_at", parts->enqueued_at);
	add_time(&json, "scheduled_at", parts->scheduled_at);
	if (parts->timeout > 0)
		text_printf(&json, ",\"" PAYLOAD_TIMEOUT "\":%.15g",
			    (double)parts->timeout / (double)CLOCK_SECOND);
	text_add(&json, "}");
	enum status status = STATUS_OK;
	if (!text_string(&json)[0])
		status = error_set(error, STATUS_FATAL, "empty payload");
	else
		*out = arena_strndup(arena, json.data, json.length);
	text_free(&json);
	return status;
}

/* When memory runs out Jansson reports a syntax error, as for a wrong text: hence errno. */
static json_t *load(const char *text, size_t flags, json_error_t *where)
{
	errno = 0;
	json_t *root = wide_json_load(text, flags, where);

	if (!root && errno == ENOMEM)
		out_of_memory();
	return root;
}

/* Takes over the value; NULL when there was no memory for it. */
static void put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		out_of_memory();
}

static void append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		out_of_memory();
}

/* An object of keyword arguments (docs/internals/solid-queue.md, 2.3). */
static json_t *keywords(json_t *object)
{
	json_t *names = json_array();
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) append(names, wide_json_key(key));
	put(object, "_aj_ruby2_keywords", names);
	return object;
}

static const char *wrong_arguments(const json_t *array, const json_t *named)
{
	if (named && !json_is_object(named))
		return "keywords: expected a JSON object";
	if (named && json_is_object(array))
		return "arguments: an object already holds keywords; expected an array beside "
		       "keywords";
	return json_is_array(array) || json_is_object(array)
		       ? NULL
		       : "arguments: expected a JSON array or object";
}

enum status payload_take(struct arena *arena, json_t *arguments, json_t *named,
			 struct payload *read, const char **array, struct error *error)
{
	json_t *root = arguments ? arguments : json_array();

	if (!root)
		out_of_memory();
	const char *wrong = wrong_arguments(root, named);
	if (wrong) {
		json_decref(root);
		json_decref(named);
		return error_set(error, STATUS_INVALID, "%s", wrong);
	}
	if (json_is_object(root)) {
		named = root;
		root = json_array();
	}
	if (named)
		append(root, keywords(named));
	*read = (struct payload){ root, root, payload_named(root), 0 };
	*array = wide_json_text(arena, root);
	return STATUS_OK;
}

static json_t *load_arguments(const char *json, struct error *error)
{
	json_error_t where;
	json_t *value = load(json, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &where);

	if (!value)
		error_set(error, STATUS_INVALID, "arguments: line %d, column %d: %s", where.line,
			  where.column, where.text);
	return value;
}

enum status payload_arguments(struct arena *arena, const char *arguments, const char *keywords,
			      struct payload *read, const char **array, struct error *error)
{
	json_t *value = arguments ? load_arguments(arguments, error) : NULL;
	json_t *named = keywords && (value || !arguments) ? load_arguments(keywords, error) : NULL;

	if ((arguments && !value) || (keywords && !named)) {
		json_decref(value);
		return STATUS_INVALID;
	}
	return payload_take(arena, value, named, read, array, error);
}

enum status payload_parse(const char *text, struct payload *payload, struct error *error)
{
	json_error_t where;
	json_t *root = text ? load(text, 0, &where) : NULL;

	if (!text)
		return error_set(error, STATUS_INVALID, "the job has no payload");
	if (!root)
		return error_set(error, STATUS_INVALID, "payload: line %d, column %d: %s",
				 where.line, where.column, where.text);
	if (!json_is_object(root)) {
		json_decref(root);
		return error_set(error, STATUS_INVALID, "payload: expected a JSON object");
	}
	json_t *arguments = json_object_get(root, "arguments");
	payload->root = root;
	payload->arguments = json_is_array(arguments) ? arguments : NULL;
	payload->named = payload_named(payload->arguments);
	json_int_t executions = json_integer_value(json_object_get(root, "executions"));
	payload->executions = executions > 0 && executions < INT32_MAX ? (int)executions : 0;
	return STATUS_OK;
}

void payload_clear(struct payload *payload)
{
	json_decref(payload->root);
	*payload = (struct payload){ 0 };
}

enum status payload_read(const char *text, struct payload *payload, struct error *error)
{
	enum status status = payload_parse(text, payload, error);

	if (status != STATUS_OK || payload->arguments)
		return status;
	payload_clear(payload);
	return error_set(error, STATUS_INVALID, "payload: expected an array \"arguments\"");
}

int payload_executions(const char *text)
{
	struct payload payload;

	if (payload_parse(text, &payload, NULL) != STATUS_OK)
		return 0;
	int executions = payload.executions;
	payload_clear(&payload);
	return executions;
}

enum status payload_reset(struct arena *arena, const char *text, const char **out,
			  struct error *error)
{
	struct payload payload;
	enum status status = payload_parse(text, &payload, error);

	if (status != STATUS_OK)
		return status;
	put(payload.root, "executions", json_integer(0));
	put(payload.root, "exception_executions", json_object());
	*out = wide_json_text(arena, payload.root);
	payload_clear(&payload);
	return STATUS_OK;
}

/* The JSON string of one line, in *quoted. */
static void quote_line(struct text *quoted, const char *line, size_t length)
{
	struct text copy = { 0 };

	text_append(&copy, line, length);
	text_clear(quoted);
	text_json(quoted, text_string(&copy));
	text_free(&copy);
}

/* Where the line before `end` begins. */
static const char *line_before(const char *lines, const char *end)
{
	while (end > lines && end[-1] != '\n')
		end--;
	return end;
}

/* The first of the last lines that fit into `room` bytes of JSON. */
static const char *last_lines(const char *lines, size_t room)
{
	const char *end = lines + strlen(lines);
	const char *first = end;
	struct text quoted = { 0 };

	if (end > lines && end[-1] == '\n')
		first = --end;
	while (end > lines) {
		const char *line = line_before(lines, end);
		quote_line(&quoted, line, (size_t)(end - line));
		if (quoted.length + 1 > room)
			break;
		room -= quoted.length + 1;
		first = line;
		end = line > lines ? line - 1 : lines;
	}
	text_free(&quoted);
	return first;
}

/* Adds the lines as an array; when there are too many the last ones are kept. */
static void add_lines(struct text *json, const char *lines, size_t room)
{
	struct text quoted = { 0 };
	const char *separator = "";

	text_add(json, "[");
	const char *line = last_lines(lines, room);
	while (*line != '\0') {
		size_t length = strcspn(line, "\n");
		quote_line(&quoted, line, length);
		text_printf(json, "%s%s", separator, quoted.data);
		separator = ",";
		line += length + (line[length] == '\n');
	}
	text_add(json, "]");
	text_free(&quoted);
}

/* The beginning of a text, at most `maximum` bytes, that ends between characters. */
static void add_beginning(struct text *json, const char *text, size_t maximum)
{
	size_t length = strlen(text);

	if (length > maximum) {
		length = maximum;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	}
	text_json_part(json, text, length, SIZE_MAX);
}

const char *payload_error(struct arena *arena, const char *class_name, const char *message,
			  const char *lines, size_t maximum)
{
	struct text json = { 0 };

	text_add(&json, "{\"exception_class\":");
	add_beginning(&json, class_name, CLASS_MAXIMUM);
	text_add(&json, ",\"message\":");
	add_beginning(&json, message, MESSAGE_MAXIMUM);
	text_add(&json, ",\"backtrace\":");
	if (lines)
		add_lines(&json, lines, maximum - json.length - strlen("[]}"));
	else
		text_add(&json, "null");
	text_add(&json, "}");
	const char *result = arena_strndup(arena, json.data, json.length);
	text_free(&json);
	return result;
}

const char *payload_error_ascii(struct arena *arena, const char *error, size_t maximum)
{
	json_t *root = load(error, 0, NULL);
	json_t *lines = json_object_get(root, "backtrace");
	const char *result = error;

	while (root) {
		char *text = json_dumps(root, JSON_COMPACT | JSON_ENSURE_ASCII);
		if (!text)
			out_of_memory();
		size_t length = strlen(text);
		result = length <= maximum ? arena_strdup(arena, text) : error;
		free(text);
		if (length <= maximum || json_array_size(lines) == 0)
			break;
		/* Drops an eighth of them at a time. */
		for (size_t i = json_array_size(lines) / 8 + 1; i > 0; i--)
			(void)json_array_remove(lines, 0);
	}
	json_decref(root);
	return result;
}

/* Only JSON's strings have such characters. */
const char *payload_ascii(struct arena *arena, const char *text, size_t maximum)
{
	struct text ascii = { 0 };

	for (size_t length = strlen(text); length > 0;) {
		size_t size = utf8_sequence(text, length);
		uint32_t character = size > 0 ? utf8_character(text, size) : 0xfffd;
		size = size > 0 ? size : 1;
		if (character < 0x80)
			text_append(&ascii, text, size);
		else if (character < 0x10000)
			text_printf(&ascii, "\\u%04x", character);
		else
			text_printf(&ascii, "\\u%04x\\u%04x",
				    0xd800 + ((character - 0x10000) >> 10),
				    0xdc00 + ((character - 0x10000) & 0x3ff));
		text += size;
		length -= size;
	}
	if (ascii.length <= maximum)
		return text_take(&ascii, arena);
	text_free(&ascii);
	return NULL;
}

bool payload_has_escapes(const char *text)
{
	for (; (text = strstr(text, "\\u")); text += 2)
		if (strncmp(text + 2, "00", 2) != 0 || text[4] > '7')
			return true;
	return false;
}

/* What a retry changes of a payload: Active Job's two counters. */

static void count_up(json_t *object, const char *key)
{
	json_int_t before = json_integer_value(json_object_get(object, key));

	before = before > 0 && before < INT32_MAX ? before : 0;
	if (json_object_set_new(object, key, json_integer(before + 1)) != 0)
		out_of_memory();
}

/* Jobs from before Active Job 6 have no counters of rules. */
static json_t *rules_of(json_t *root)
{
	json_t *rules = json_object_get(root, "exception_executions");

	if (json_is_object(rules))
		return rules;
	rules = json_object();
	if (json_object_set_new(root, "exception_executions", rules) != 0)
		out_of_memory();
	return rules;
}

enum status payload_count_execution(struct arena *arena, const char *text, const char *rule,
				    size_t maximum, const char **out, struct error *error)
{
	struct payload payload;
	enum status status = payload_parse(text, &payload, error);

	if (status != STATUS_OK)
		return status;
	count_up(payload.root, "executions");
	*out = wide_json_text(arena, payload.root);
	count_up(rules_of(payload.root), rule);
	const char *whole = wide_json_text(arena, payload.root);
	if (strlen(whole) <= maximum)
		*out = whole;
	payload_clear(&payload);
	if (strlen(*out) > maximum)
		return error_set(error, STATUS_INVALID, "the payload has no room for a count");
	return STATUS_OK;
}

/* The payload as a run gets it, changed as text. */

static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* The end of the string that begins here; the end of the text if it is not closed. */
static const char *skip_string(const char *at)
{
	for (at++; *at != '\0' && *at != '"'; at++)
		if (*at == '\\' && at[1] != '\0')
			at++;
	return *at == '"' ? at + 1 : at;
}

/* The end of the value that begins here: before the comma or bracket that ends it. */
static const char *skip_value(const char *at)
{
	int depth = 0;

	while (*at != '\0' && (depth > 0 || (*at != ',' && *at != '}'))) {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	}
	return at;
}

static bool is_key(const char *at, const char *key)
{
	return strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"';
}

/* The value of a member of the object that begins at `at`; NULL when there is none. */
static const char *find_member(const char *at, const char *key)
{
	do {
		const char *name = skip_space(at + 1);
		if (*name != '"')
			return NULL;
		at = skip_space(skip_string(name));
		if (*at != ':')
			return NULL;
		at = skip_space(at + 1);
		if (is_key(name, key))
			return at;
		at = skip_value(at);
	} while (*at == ',');
	return NULL;
}

/* Nearly no job has one, and nobody else's text is parsed for it. One that is too long is none. */
int64_t payload_timeout(const char *text)
{
	const char *object = skip_space(text);
	const char *value = NULL;
	double seconds;

	if (*object == '{' && strstr(object, "\"" PAYLOAD_TIMEOUT "\""))
		value = find_member(object, PAYLOAD_TIMEOUT);
	seconds = value ? strtod(value, NULL) : 0;
	seconds *= (double)CLOCK_SECOND;
	return seconds > 0 && seconds <= (double)task_most(TASK_TIMEOUT) ? (int64_t)(seconds + 0.5)
									 : 0;
}

/* The object with another value of this member, which comes first where there was none. */
static const char *with_member(struct arena *arena, const char *text, const char *key,
			       const char *value)
{
	const char *object = skip_space(text);
	const char *old = find_member(object, key);
	const char *rest = old ? skip_value(old) : object + 1;
	struct text changed = { 0 };

	text_append(&changed, text, (size_t)((old ? old : rest) - text));
	if (!old)
		text_printf(&changed, "\"%s\":", key);
	text_add(&changed, value);
	if (!old && *skip_space(rest) != '}')
		text_add(&changed, ",");
	text_add(&changed, rest);
	return text_take(&changed, arena);
}

const char *payload_for_run(struct arena *arena, const char *text, int64_t job_id,
			    const char *arguments)
{
	if (*skip_space(text) != '{')
		return text;
	if (arguments && strstr(text, "\"" PAYLOAD_MARKS))
		text = with_member(arena, text, "arguments", arguments);
	return with_member(arena, text, "provider_job_id",
			   arena_printf(arena, "%lld", (long long)job_id));
}
