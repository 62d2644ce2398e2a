#include "worker/exec/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "worker/exec/command.h"

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

/* `env python3` looks the program up; its options and settings are not read. */
static const char *env_fault(struct arena *arena, const char *name, const char *search)
{
	const char *program;
	int code;

	if (!name || *name == '-' || strchr(name, '='))
		return NULL;
	code = program_find(arena, name, search, NULL, &program);
	return code == 0 ? NULL : missing(arena, name, code);
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
		       "see: "
		       "save it without";
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
			      const char *search)
{
	size_t length = strlen(line);
	const char *name;
	const char *base;

	if (length > 0 && line[length - 1] == '\r')
		return "its lines end in CR LF, and the CR belongs to the name of the interpreter: "
		       "save it with LF";
	name = take_word(&line);
	if (!name)
		return "its #! names no interpreter";
	const char *fault = interpreter_fault(arena, name, directory);
	if (fault)
		return fault;
	base = strrchr(name, '/');
	if (base && strcmp(base, "/env") == 0)
		return env_fault(arena, take_word(&line), search);
	return NULL;
}

const char *script_fault(struct arena *arena, const char *file, const char *directory,
			 const char *search)
{
	char head[HEAD + 1];
	ssize_t length = read_head(below(arena, file, directory), head);

	if (length < 0)
		return NULL;
	const char *fault = head_fault(head, (size_t)length);
	if (fault || strncmp(head, "#!", 2) != 0)
		return fault;
	head[strcspn(head, "\n")] = '\0';
	return line_fault(arena, head + 2, directory, search);
}
