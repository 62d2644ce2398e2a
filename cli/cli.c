#include "cli/cli.h"

#include <stdio.h>

#include "common/log.h"
#include "common/process.h"
#include "db/schema.h"

enum key { KEY_JOBS = 1000, KEY_ROOT, KEY_DATABASE, KEY_JSON };

static const struct argp_option options[] = {
	{"config-file",			   'c', "PATH", 0, "queue.yml (default config/queue.yml)", 10 },
	{ "config",				 0, NULL, OPTION_ALIAS, NULL, 10 },
	{ "jobs-file", KEY_JOBS, "PATH", 0, "jobs.yml (default config/jobs.yml)", 10 },
	{ "jobs",				      0, NULL, OPTION_ALIAS, NULL, 10 },
	{ "root",      KEY_ROOT, "DIR", 0, "where relative paths begin (default .)", 10 },
	{ "environment",			   'e', "NAME", 0, "section of the files (default development)", 10 },
	{ "database",				     KEY_DATABASE, "URL", 0, "sqlite3:PATH, postgres://... or mysql://...", 10 },
	{ "json",			    KEY_JSON, NULL, 0, "print JSON", 10 },
	{ "quiet",				 'q', NULL, 0, "say less", 10 },
	{ "verbose",   'v', NULL, 0, "say more", 10 },
	{ 0				     },
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct cli *cli = state->input;

	switch (key) {
	case 'c':
		cli->request.config_file = value;
		break;
	case KEY_JOBS:
		cli->request.jobs_file = value;
		break;
	case KEY_ROOT:
		cli->request.root = value;
		break;
	case 'e':
		cli->request.environment = value;
		break;
	case KEY_DATABASE:
		cli->request.database_url = value;
		break;
	case KEY_JSON:
		cli->json = true;
		break;
	case 'q':
		cli->quiet = true;
		break;
	case 'v':
		cli->verbose = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp global_argp = { .options = options, .parser = parse };

int cli_fail(const struct error *error)
{
	static const int codes[] = {
		[STATUS_NONE] = EXIT_ERROR,     [STATUS_RETRY] = EXIT_DATABASE,
		[STATUS_DOWN] = EXIT_DATABASE,  [STATUS_UNCERTAIN] = EXIT_DATABASE,
		[STATUS_CONFLICT] = EXIT_ERROR, [STATUS_INVALID] = EXIT_USAGE,
		[STATUS_FATAL] = EXIT_BUG,
	};

	(void)fprintf(stderr, "dray: %s\n", error->text);
	return codes[error->status];
}

int cli_configure(struct cli *cli)
{
	struct config_problems problems = { 0 };
	enum status status = config_load(&cli->config, cli->arena, &cli->request, &problems);

	for (size_t i = 0; i < problems.count; i++)
		if (!problems.list[i].warning || !cli->quiet)
			(void)fprintf(stderr, "dray: %s%s\n",
				      problems.list[i].warning ? "warning: " : "",
				      problems.list[i].text);
	if (status != STATUS_OK)
		return EXIT_USAGE;
	const struct log_options log = { .level = cli->config->log.level,
					 .format = cli->config->log.format,
					 .fd = 2 };
	log_configure(&log);
	return EXIT_STOPPED;
}

static void database_options(const struct config *config, struct db_options *options_out)
{
	*options_out = (struct db_options){
		.schema = config->database.schema,
		.password_file = config->database.password_file,
		.connect_timeout = config->database.connect_timeout,
		.call_timeout = config->database.call_timeout,
		.retry_for = config->database.retry_for,
		.no_skip_locked = !config->database.use_skip_locked,
	};
}

int cli_connect(struct cli *cli)
{
	struct error error = { 0 };
	struct db_options db_options;
	int code = cli->config ? EXIT_STOPPED : cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	database_options(cli->config, &db_options);
	if (db_open(&cli->db, cli->config->database.url, &db_options, &error) != STATUS_OK)
		return cli_fail(&error);
	return EXIT_STOPPED;
}
