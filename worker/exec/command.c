#include "worker/exec/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/text.h"
#include "queue/payload/payload.h"

/* A piece of a template: literal text, or a placeholder's name. */
struct piece {
	const char *start;
	size_t length;
	bool placeholder;
};

static size_t name_span(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) ||
	       (text[length] != '\0' && strchr("_-.", text[length])))
		length++;
	return length;
}

static enum status next_placeholder(const char **at, struct piece *piece, struct error *error)
{
	const char *start = *at;
	size_t length = name_span(start + 1);

	if (length == 0 || start[length + 1] != '}')
		return error_set(error, STATUS_INVALID,
				 "\"%.40s\": expected a placeholder such as {path} or {0}; write "
				 "{{ and }} for literal braces",
				 start);
	*piece = (struct piece){ .start = start + 1, .length = length, .placeholder = true };
	*at = start + length + 2;
	return STATUS_OK;
}

/* Takes the next piece from *at. NONE at the end of the text. */
static enum status next_piece(const char **at, struct piece *piece, struct error *error)
{
	const char *start = *at;
	size_t length = strcspn(start, "{}");

	if (*start == '\0')
		return STATUS_NONE;
	if (length > 0) {
		*piece = (struct piece){ .start = start, .length = length };
		*at = start + length;
		return STATUS_OK;
	}
	if (start[0] == start[1]) {
		*piece = (struct piece){ .start = start, .length = 1 };
		*at = start + 2;
		return STATUS_OK;
	}
	if (*start == '{')
		return next_placeholder(at, piece, error);
	return error_set(error, STATUS_INVALID,
			 "\"%.40s\": a } without its {; write }} for a literal brace", start);
}

/* Is it {*}: every positional argument, each as an argument of the program? */
static bool is_all(const char *template)
{
	return strcmp(template, "{*}") == 0;
}

enum status command_check(const char *const template[], struct error *error)
{
	enum status status = STATUS_NONE;

	for (size_t i = 0; template[i] && status == STATUS_NONE; i++) {
		const char *at = template[i];
		struct piece piece;

		if (is_all(at))
			continue;

		do
			status = next_piece(&at, &piece, error);
		while (status == STATUS_OK);
	}
	return status == STATUS_NONE ? STATUS_OK : status;
}

bool command_uses(const char *const template[], const char *name)
{
	struct error error;
	struct piece piece = { 0 };

	for (size_t i = 0; template[i]; i++)
		for (const char *at = template[i]; next_piece(&at, &piece, &error) == STATUS_OK;)
			if (piece.placeholder && piece.length == strlen(name) &&
			    memcmp(piece.start, name, piece.length) == 0)
				return true;
	return false;
}

static enum status add_piece(struct arena *arena, struct text *out, const struct piece *piece,
			     const struct payload *payload, struct error *error)
{
	const char *name;
	const char *value;

	if (!piece->placeholder) {
		text_append(out, piece->start, piece->length);
		return STATUS_OK;
	}
	name = arena_strndup(arena, piece->start, piece->length);
	value = payload_text(arena, payload, name);
	if (!value)
		return error_set(error, STATUS_INVALID, "{%s}: the job has no such argument", name);
	text_add(out, value);
	return STATUS_OK;
}

static enum status render_one(struct arena *arena, const char *template,
			      const struct payload *payload, struct text *out, struct error *error)
{
	const char *at = template;
	struct piece piece = { 0 };
	enum status status = next_piece(&at, &piece, error);

	text_clear(out);
	while (status == STATUS_OK) {
		status = add_piece(arena, out, &piece, payload, error);
		if (status == STATUS_OK)
			status = next_piece(&at, &piece, error);
	}
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* An argv that is being built. */
struct words {
	const char **list;
	size_t count;
};

static void add_all(struct arena *arena, const struct payload *payload, struct words *words)
{
	size_t count = payload_positional(payload);

	for (size_t i = 0; i < count; i++)
		words->list[words->count++] =
			payload_text(arena, payload, arena_printf(arena, "%zu", i));
}

static size_t most_words(const char *const template[], const struct payload *payload)
{
	size_t count = 0;

	for (size_t i = 0; template[i]; i++)
		count += is_all(template[i]) ? payload_positional(payload) : 1;
	return count;
}

enum status command_render(struct arena *arena, const char *const template[],
			   const struct payload *payload, const char ***argv, struct error *error)
{
	struct words words = {
		arena_array(arena, most_words(template, payload) + 1, sizeof(*words.list)), 0
	};
	struct text text = { 0 };
	enum status status = STATUS_OK;

	for (size_t i = 0; template[i] && status == STATUS_OK; i++) {
		if (is_all(template[i])) {
			add_all(arena, payload, &words);
			continue;
		}
		status = render_one(arena, template[i], payload, &text, error);
		words.list[words.count++] = arena_strndup(arena, text_string(&text), text.length);
	}
	text_free(&text);
	if (status == STATUS_OK)
		*argv = words.list;
	return status;
}

static int probe(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0)
		return errno;
	if (!S_ISREG(info.st_mode))
		return EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
}

static int find_in_path(struct arena *arena, const char *name, const char *path,
			const char **program)
{
	int worst = ENOENT;

	while (*path != '\0') {
		size_t length = strcspn(path, ":");
		const char *candidate = arena_printf(arena, "%.*s/%s", (int)length, path, name);
		int code = *path == '/' ? probe(candidate) : ENOENT;

		if (code == 0) {
			*program = candidate;
			return 0;
		}
		if (code == EACCES)
			worst = EACCES;
		path += length;
		path += *path == ':' ? 1 : 0;
	}
	return worst;
}

int program_find(struct arena *arena, const char *name, const char *path, const char *directory,
		 const char **program)
{
	bool here = *name == '/' || !directory;
	int code;

	if (*name == '\0')
		return ENOENT;
	if (!strchr(name, '/'))
		return find_in_path(arena, name, path ? path : PROGRAM_PATH, program);
	code = probe(here ? name : arena_printf(arena, "%s/%s", directory, name));
	if (code == 0)
		*program = name;
	return code;
}
