#include "cli/version.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/output/table.h"
#include "common/process.h"

void version_print(FILE *stream, struct argp_state *state)
{
	(void)state;
	(void)fprintf(stream, "dray %s\nbackends: %s\n", DRAY_VERSION, db_backends());
}

static json_t *backends(void)
{
	json_t *list = json_array();

	for (const char *at = db_backends(); *at;) {
		size_t length = strcspn(at, " ");
		json_array_append_new(list, json_stringn(at, length));
		at += length + strspn(at + length, " ");
	}
	return list;
}

static int run(struct cli *cli, void *input)
{
	(void)input;
	if (cli->json)
		json_print(cli, json_pack("{s:s, s:o}", "version", DRAY_VERSION, "backends",
					  backends()));
	else
		version_print(stdout, NULL);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "Print the version and the databases that this program was built for."
	       "\vExamples:\n"
	       "  dray version\n"
	       "  dray version --json",
};

const struct command version_command = {
	.name = "version",
	.summary = "print the version and the supported databases",
	.argp = &argp,
	.output = "an object with `version` and `backends` (array of texts).",
	.run = run,
};
