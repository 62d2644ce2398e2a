/* A job's concurrency key, from its class's template and its arguments. */
#include <jansson.h>
#include <string.h>

#include "common/text/text.h"
#include "queue/limits/limits.h"
#include "queue/payload/payload.h"

/* One key that is being built. */
struct keying {
	struct arena *arena;
	const struct payload *payload;
	struct text *text;
	struct error *error;
};

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* A key contains characters that a URL writes as %20 and the like as they are. */
static void add_decoded(struct text *text, const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		int high = from[i] == '%' && i + 2 < length ? hex_digit(from[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(from[i + 2]) : -1;
		unsigned char c = low >= 0 ? (unsigned char)(16 * high + low) : 0;

		text_append(text, low >= 0 ? (const char *)&c : &from[i], 1);
		i += low >= 0 ? 2 : 0;
	}
}

/* gid://application/Class/id: Rails writes the key of a record as Class/id. */
static bool add_record(struct text *text, const json_t *value)
{
	const char *gid = json_string_value(json_object_get(value, "_aj_globalid"));

	if (!gid || strncmp(gid, "gid://", 6) != 0 || !strchr(gid + 6, '/'))
		return false;
	gid = strchr(gid + 6, '/') + 1;
	add_decoded(text, gid, strcspn(gid, "?#"));
	return true;
}

static enum status add_argument(const struct keying *keying, const char *name)
{
	const json_t *value = payload_argument(keying->payload, name);

	if (!value || json_is_null(value))
		return STATUS_OK;
	if (json_is_object(value) && add_record(keying->text, value))
		return STATUS_OK;
	if (json_is_object(value) || json_is_array(value))
		return error_set(
			keying->error, STATUS_INVALID,
			"the concurrency key's {%s} is %s, expected text, a number or a record",
			name, json_is_array(value) ? "a list" : "an object");
	text_add(keying->text, payload_text(keying->arena, keying->payload, name));
	return STATUS_OK;
}

/* The name of the placeholder if the template is nothing else, or NULL. */
static const char *only_placeholder(struct arena *arena, const char *template)
{
	size_t length = strlen(template);

	if (length < 3 || template[0] != '{' || strcspn(template + 1, "{}") != length - 2 ||
	    template[length - 1] != '}')
		return NULL;
	return arena_strndup(arena, template + 1, length - 2);
}

static enum status render(const struct keying *keying, const char *at)
{
	enum status status = STATUS_OK;

	while (*at != '\0' && status == STATUS_OK) {
		size_t length = strcspn(at, "{}");

		text_append(keying->text, at, length);
		at += length;
		if (*at == '\0')
			break;
		if (at[0] == at[1] || *at == '}') {
			text_append(keying->text, at, 1);
			at += at[0] == at[1] ? 2 : 1;
			continue;
		}
		length = strcspn(at + 1, "}");
		status = add_argument(keying, arena_strndup(keying->arena, at + 1, length));
		at += length + 1 + (at[length + 1] == '}');
	}
	return status;
}

static enum status add_key(const struct keying *keying, const struct limit *limit)
{
	const char *only = only_placeholder(keying->arena, limit->key);
	const json_t *value = only ? payload_argument(keying->payload, only) : NULL;

	if (only && (!value || json_is_null(value)))
		return STATUS_OK;
	text_add(keying->text, "/");
	return render(keying, limit->key);
}

static enum status limit_key(struct keying keying, const struct limit *limit, const char **key)
{
	struct text text = { 0 };
	enum status status = STATUS_OK;

	keying.text = &text;
	text_add(&text, limit->group ? limit->group : limit->class_name);
	if (limit->key)
		status = add_key(&keying, limit);
	*key = text_take(&text, keying.arena);
	return status;
}

enum status limit_keys(struct arena *arena, const struct limit list[], size_t count,
		       struct new_job *job, const struct payload *read, struct error *error)
{
	const char **keys = arena_array(arena, count + 1, sizeof(*keys));
	struct payload own = { 0 };
	const struct keying keying = { .arena = arena,
				       .payload = read ? read : &own,
				       .error = error };
	enum status status = STATUS_OK;

	if (count == 0)
		return STATUS_OK;
	if (!read)
		status = payload_arguments(arena, job->array ? job->array : job->arguments, NULL,
					   &own, &job->array, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		status = limit_key(keying, &list[i], &keys[i]);
	payload_clear(&own);
	if (status != STATUS_OK)
		return status;
	job->concurrency_key = keys[0];
	job->more_keys = keys + 1;
	job->more_count = count - 1;
	return STATUS_OK;
}
