/* Cleans the messages of argp and getopt, which quote words of the command line. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output/cells.h"

/* Errors are ignored: there is nowhere to report them. */
static ssize_t write_clean(void *cookie, const char *text, size_t size)
{
	struct arena *arena = arena_new();
	char *line = arena_strndup(arena, text, size);

	(void)cookie;
	while (*line) {
		size_t length = strcspn(line, "\n");
		bool ended = line[length] == '\n';
		line[length] = '\0';
		(void)dprintf(STDERR_FILENO, "%s%s", cell_clean(arena, line), ended ? "\n" : "");
		line += length + ended;
	}
	arena_free(arena);
	return (ssize_t)size;
}

/* getopt always writes to stderr, so stderr is replaced for a while. */
error_t arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	static const cookie_io_functions_t functions = { .write = write_clean };
	FILE *const raw = stderr;
	FILE *const clean = fopencookie(NULL, "w", functions);

	if (!clean)
		out_of_memory();
	(void)setvbuf(clean, NULL, _IOLBF, BUFSIZ);
	stderr = clean;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	error_t result = argp_parse(argp, argc, argv, flags, NULL, input);
	stderr = raw;
	(void)fclose(clean);
	return result;
}
