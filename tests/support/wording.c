#include "tests/support/wording.h"

#include <sys/stat.h>

/* The lines of `text` as the file has them. */
static const char *in_the_file(struct arena *arena, const char *text)
{
	size_t length = strlen(text);
	const char *lines = "";

	while (length > 0 && text[length - 1] == '\n')
		length--;
	char *rest = arena_strndup(arena, text, length);
	for (char *line; (line = strsep(&rest, "\n"));)
		lines = arena_printf(arena, "%s%s%s\n", lines, *line ? "\t" : "", line);
	return lines;
}

/* The message of this name in the file; NULL: there is none. */
static const char *expected(struct arena *arena, const char *name)
{
	const char *message = NULL;

	const char *text =
		arena_printf(arena, "\n%s", test_read_file(arena, SOURCE_DIR "/tests/wording.txt"));
	const char *at = strstr(text, arena_printf(arena, "\n%s\n\t", name));
	if (at) {
		const char *from = strchr(at + 1, '\n') + 1;
		const char *to = from;
		while (*to == '\t' || *to == '\n')
			to = strchr(to, '\n') + 1;
		while (to > from && to[-1] == '\n')
			to--;
		message = arena_printf(arena, "%.*s\n", (int)(to - from), from);
	}
	return message;
}

/* `...` stands for as little as is enough. */
bool test_agrees(const char *pattern, const char *text)
{
	const char *behind = NULL; /* the last one, */
	const char *from = NULL;   /* and where what it does not stand for begins */

	while (*text)
		if (strncmp(pattern, "...", 3) == 0) {
			behind = pattern += 3;
			from = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (behind && *from != '\n') {
			pattern = behind;
			text = ++from;
		} else
			return false;
	while (strncmp(pattern, "...", 3) == 0)
		pattern += 3;
	return !*pattern;
}

/* Into the folder from which the target `wording` writes the file. */
static void keep(struct arena *arena, const char *folder, const char *name, const char *message)
{
	(void)mkdir(folder, 0755);
	const char *own = arena_printf(arena, "%s/%s.%d", folder, name, (int)getpid());
	FILE *file = fopen(own, "w");

	assert_non_null(file);
	assert_true(fprintf(file, "%s\n%s", name, message) > 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(rename(own, arena_printf(arena, "%s/%s", folder, name)), 0);
}

void test_assert_wording(const char *name, const char *text, const char *file, int line)
{
	struct arena *arena = arena_new();
	const char *folder = getenv("DRAY_TEST_WORDING");
	const char *old = expected(arena, name);
	const char *message = in_the_file(arena, text ? text : "(null)");
	bool same = old && test_agrees(old, message);

	if (folder)
		keep(arena, folder, name, same ? old : message);
	else if (!same)
		print_error("%s (tests/wording.txt) is\n%sbut should be\n%s", name, message,
			    old ? old : "\tnot there\n");
	arena_free(arena);
	if (!folder && !same)
		_fail(file, line);
}
