/* Texts that the code makes are what it prints now; DRAY_UPDATE_TEXTS=1 writes them. */
#include "config/files/reader.h"
#include "supervisor/child.h"
#include "tests/support/sites/cli.h"

#define MAXIMUM ((size_t)1 << 20)

/* A file of the source tree. */
struct made {
	const char *path;
	const char *(*make)(struct arena *arena, const char *format);
	const char *format; /* for make */
	const char *begin;  /* the lines in front of the made part; NULL = all of it is made */
	const char *end;    /* what follows the part */
};

static const char *help(struct arena *arena, const char *format)
{
	struct test_result result = test_dray(arena, "help", "--format", format);

	assert_code(result, 0);
	return result.output;
}

static const char *settings(struct arena *arena, const char *format)
{
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	(void)format;
	assert_non_null(stream);
	reference_write(stream);
	assert_int_equal(fclose(stream), 0);
	const char *copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

static const char *drawing(struct arena *arena, const char *format)
{
	struct text text = { 0 };

	(void)format;
	child_diagram(&text);
	const char *copy = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return copy;
}

static const struct made all[] = {
	{ "man/dray.1", help, "man" },
	{ "docs/commands.md", help, "markdown" },
	{ "completions/dray.bash", help, "bash" },
	{ "completions/dray.zsh", help, "zsh" },
	{ "completions/dray.fish", help, "fish" },
	{ "docs/configuration.md", settings, NULL,
	  "<!-- settings: made from config/settings/tables.c -->\n", "<!-- end of settings -->\n" },
	{ "docs/internals/supervisor.md", drawing, NULL,
	  "<!-- drawing: made from supervisor/child.c -->\n```mermaid\n", "```\n" },
};

/* "" when there is no such file yet. */
static const char *read_text(struct arena *arena, const char *path)
{
	char *data = NULL;
	size_t length;

	if (file_read(path, MAXIMUM, &data, &length, NULL) != STATUS_OK)
		return "";
	const char *copy = arena_strdup(arena, data);
	free(data);
	return copy;
}

/* The whole file as it should be. */
static const char *with_part(struct arena *arena, const struct made *made, const char *text)
{
	const char *part = made->make(arena, made->format);

	if (!made->begin)
		return part;
	const char *begin = strstr(text, made->begin);
	const char *rest = begin ? begin + strlen(made->begin) : "";
	const char *end = strstr(rest, made->end);
	if (!end) {
		fail_msg("%s: expected a part between %sand %s", made->path, made->begin,
			 made->end);
		return NULL;
	}
	return arena_printf(arena, "%.*s%s%s", (int)(rest - text), text, part, end);
}

/* False when it is not as it should be, and stays so. */
static bool check(struct arena *arena, const struct made *made)
{
	const char *path = arena_printf(arena, SOURCE_DIR "/%s", made->path);
	const char *text = read_text(arena, path);
	const char *now = with_part(arena, made, text);

	if (strcmp(text, now) == 0)
		return true;
	if (!getenv("DRAY_UPDATE_TEXTS")) {
		print_error("%s is not what the code makes now\n", made->path);
		return false;
	}
	test_write_file(path, now);
	print_message("%s written\n", made->path);
	return true;
}

ARENA_CASE(test_texts_are_as_the_code_makes_them)
{
	size_t old = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		old += !check(arena, &all[i]);
	if (old > 0)
		fail_msg("cmake --build %s --target texts", BINARY_DIR);
}
