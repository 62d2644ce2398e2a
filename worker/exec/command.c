/*
 * What a program is given: its words from the template of jobs.yml, the file that its name stands
 * for, and its environment. A template is never split and never seen by a shell. When the kernel
 * does not start a file that is there, its first line mostly says why.
 */
#include "worker/exec/command.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/text.h"
#include "queue/payload/payload.h"

/* the template and the program */

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

/* scripts */

#define HEAD    256 /* what the kernel reads of a script's first line */
#define PADDING " \t"
#define BOM     "\xEF\xBB\xBF"

static const char *below(struct arena *arena, const char *path, const char *directory)
{
	return *path == '/' || !directory ? path : arena_printf(arena, "%s/%s", directory, path);
}

/* Only regular files: another could block. */
static ssize_t read_head(const char *path, char head[HEAD + 1])
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : pread(fd, head, HEAD, 0);

	if (fd >= 0)
		(void)close(fd);
	head[length < 0 ? 0 : length] = '\0';
	return length;
}

/* The next word of the line, or NULL. */
static const char *take_word(char **line)
{
	char *word = *line + strspn(*line, PADDING);
	char *end = word + strcspn(word, PADDING);

	if (*word == '\0')
		return NULL;
	*line = *end == '\0' ? end : end + 1;
	*end = '\0';
	return word;
}

static const char *missing(struct arena *arena, const char *name, int code)
{
	return arena_printf(arena, "its interpreter \"%s\": %s", name, strerrordesc_np(code));
}

#define CR_NAME                                                                                    \
	"its lines end in CR LF, and the CR belongs to the name of the interpreter: save it with " \
	"LF"
#define CR_ARGUMENT                                                                                \
	"its lines end in CR LF, and the CR belongs to the argument of the interpreter: save it "  \
	"with LF"

/* Some interpreters put up with it. */
static const char *argument_fault(bool cr, bool *certain)
{
	*certain = !cr;
	return cr ? CR_ARGUMENT : NULL;
}

/*
 * `env python3` looks the program up. All that follows is one name to it, as the kernel gives it
 * one argument. Its options and settings are not read.
 */
static const char *env_fault(struct arena *arena, const char *argument, bool cr, const char *search,
			     bool *certain)
{
	const char *program;
	int code;

	if (strncmp(argument, "-S", 2) == 0 || strchr(argument, '='))
		return NULL; /* -S cuts at a CR, too */
	if (*argument == '-' || *argument == '\0')
		return argument_fault(cr, certain);
	if (cr)
		return CR_NAME;
	code = program_find(arena, argument, search, NULL, &program);
	if (code == 0)
		return NULL;
	const char *fault = missing(arena, argument, code);
	return !strpbrk(argument, PADDING)
		       ? fault
		       : arena_printf(arena, "%s; several words need env -S", fault);
}

/* What has no NUL near its beginning is a text, and no format of programs. */
static bool is_text(const char *head, size_t length)
{
	return !memchr(head, '\0', length);
}

/* NULL: it is a program, or a script that says what reads it. */
static const char *head_fault(const char *head, size_t length)
{
	if (length == 0)
		return "it is empty";
	if (strncmp(head, BOM "#!", sizeof(BOM "#!") - 1) == 0)
		return "a byte order mark stands before its #!, which the kernel then does not "
		       "see: save it without";
	if (strncmp(head, "#!", 2) == 0 || !is_text(head, length))
		return NULL;
	return "it has no first line such as #!/bin/sh that names its interpreter";
}

static const char *interpreter_fault(struct arena *arena, const char *name, const char *directory)
{
	char head[HEAD + 1];
	const char *path = below(arena, name, directory);

	if (access(path, X_OK) != 0)
		return missing(arena, name, errno);
	ssize_t length = read_head(path, head);
	const char *fault = length < 0 ? NULL : head_fault(head, (size_t)length);
	return fault ? arena_printf(arena, "its interpreter \"%s\": %s", name, fault) : NULL;
}

static const char *line_fault(struct arena *arena, char *line, const char *directory,
			      const char *search, bool *certain)
{
	size_t length = strlen(line);
	const char *name;
	const char *base;

	while (length > 0 && strchr(PADDING, line[length - 1]))
		line[--length] = '\0';
	bool cr = length > 0 && line[length - 1] == '\r';
	name = take_word(&line);
	if (!name)
		return "its #! names no interpreter";
	const char *argument = line + strspn(line, PADDING);
	if (cr && *argument == '\0')
		return CR_NAME;
	const char *fault = interpreter_fault(arena, name, directory);
	if (fault)
		return fault;
	base = strrchr(name, '/');
	return base && strcmp(base, "/env") == 0 ? env_fault(arena, argument, cr, search, certain)
						 : argument_fault(cr, certain);
}

const char *script_fault(struct arena *arena, const char *file, const char *directory,
			 const char *search, bool *certain)
{
	char head[HEAD + 1];
	ssize_t length = read_head(below(arena, file, directory), head);

	*certain = true;
	if (length < 0)
		return NULL;
	const char *fault = head_fault(head, (size_t)length);
	if (fault || strncmp(head, "#!", 2) != 0)
		return fault;
	head[strcspn(head, "\n")] = '\0';
	return line_fault(arena, head + 2, directory, search, certain);
}

/* the environment */

/* What a program needs to find its files, its language and its user. */
static const char *const allowed[] = {
	"PATH", "HOME", "LANG", "LC_*", "TZ", "USER", "TMPDIR", NULL
};

struct list {
	const char **entries;
	size_t count;
};

static size_t count_of(const char *const entries[])
{
	size_t count = 0;

	while (entries && entries[count])
		count++;
	return count;
}

static size_t name_length(const char *entry)
{
	return strcspn(entry, "=");
}

static void list_put(struct list *list, const char *setting)
{
	size_t length = name_length(setting) + 1;

	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->entries[i], setting, length) == 0) {
			list->entries[i] = setting;
			return;
		}
	list->entries[list->count++] = setting;
}

static int matches(const char *pattern, const char *variable)
{
	size_t length = strlen(pattern);

	if (length > 0 && pattern[length - 1] == '*')
		return strncmp(pattern, variable, length - 1) == 0;
	return length == name_length(variable) && strncmp(pattern, variable, length) == 0;
}

static void list_pass(struct list *list, struct arena *arena, const char *pattern)
{
	for (char **variable = environ; variable && *variable; variable++)
		if (strchr(*variable, '=') && matches(pattern, *variable) &&
		    !matches(ENVIRONMENT_ARGUMENTS, *variable))
			list_put(list, arena_strdup(arena, *variable));
}

static void list_apply(struct list *list, struct arena *arena, const char *const entries[])
{
	for (size_t i = 0; entries && entries[i]; i++) {
		if (strchr(entries[i], '='))
			list_put(list, entries[i]);
		else
			list_pass(list, arena, entries[i]);
	}
}

static const char **build(struct arena *arena, const char *const base[],
			  const char *const entries[])
{
	size_t most = count_of((const char *const *)environ) + count_of(entries);
	struct list list = { .entries = arena_array(arena, most + 1, sizeof(char *)) };

	list_apply(&list, arena, base);
	list_apply(&list, arena, entries);
	return list.entries;
}

const char **environment_build(struct arena *arena, const char *const entries[])
{
	return build(arena, allowed, entries);
}

const char **environment_whole(struct arena *arena, const char *const entries[])
{
	static const char *const everything[] = { "*", NULL };

	return build(arena, everything, entries);
}

const char *environment_get(const char *const environment[], const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; environment[i]; i++)
		if (name_length(environment[i]) == length &&
		    strncmp(environment[i], name, length) == 0)
			return environment[i] + length + 1;
	return NULL;
}

const char **environment_extend(struct arena *arena, const char *const environment[],
				const char *const settings[], size_t count)
{
	size_t base = count_of(environment);
	struct list list = { .entries = arena_array(arena, base + count + 1, sizeof(char *)),
			     .count = base };

	memcpy(list.entries, environment, base * sizeof(char *));
	for (size_t i = 0; i < count; i++)
		list_put(&list, settings[i]);
	return list.entries;
}
