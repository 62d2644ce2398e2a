#include "cli/reference/reference.h"

#include <string.h>

const struct fact exit_statuses[] = {
	{ "0", "success" },
	{ "1", "failed: nothing was done, or only a part; also what the database refuses, such as "
	       "tables that are missing or of another version" },
	{ "2", "a mistake in the command line or the configuration, or an SQLite file that cannot "
	       "be used; of start and the roles also what the database refuses at their first "
	       "start" },
	{ "3", "the database cannot be reached, or the connection was lost" },
	{ "70", "an internal error" },
	{ 0 },
};

const struct fact environment_variables[] = {
	{ "DRAY_CONFIG",
	  "queue.yml, unless --config-file is given; if not set, SOLID_QUEUE_CONFIG" },
	{ "DRAY_JOBS", "jobs.yml, unless --jobs-file is given" },
	{ "DRAY_RECURRING", "recurring.yml, unless --recurring-file is given; if not set, "
			    "SOLID_QUEUE_RECURRING_SCHEDULE" },
	{ "SOLID_QUEUE_SKIP_RECURRING",
	  "true: do not read recurring.yml or start a scheduler, as with --skip-recurring" },
	{ "SOLID_QUEUE_ONLY_RECURRING",
	  "true: start only the scheduler, as with --only-recurring" },
	{ "DRAY_ENV", "the section of the files to use, unless --environment is given; if not set, "
		      "RAILS_ENV, then RACK_ENV" },
	{ "DRAY_DATABASE_URL", "the database, unless --database is given" },
	{ "DATABASE_URL", "the database, if neither the above nor queue.yml gives one; it comes "
			  "before the database.yml of a Rails application" },
	{ "NO_COLOR", "not empty: use no colour on a terminal" },
	{ 0 },
};

struct description command_description(const struct argp *argp)
{
	static const char heading[] = "Examples:\n";
	const char *split = strchr(argp->doc, '\v');
	const char *examples = split ? split + 1 : "";

	examples += strspn(examples, "\n");
	if (strncmp(examples, heading, strlen(heading)) == 0)
		examples += strlen(heading);
	return (struct description){ .text = argp->doc,
				     .length = strcspn(argp->doc, "\v"),
				     .examples = examples };
}

const struct argp_option *option_next(const struct argp *argp, const struct argp_option *option)
{
	option = option ? option + 1 : argp->options;
	while (option && option->name && (option->flags & (OPTION_ALIAS | OPTION_HIDDEN)))
		option++;
	return option && option->name ? option : NULL;
}

int option_letter(const struct argp_option *option)
{
	return option->key > ' ' && option->key <= '~' ? option->key : 0;
}

static char *list_statuses(const struct fact *fact)
{
	struct text statuses = { 0 };

	text_add(&statuses, "Exit status:\n");
	for (; fact->name; fact++)
		text_printf(&statuses, "  %-3s %s\n", fact->name, fact->text);
	return statuses.data; /* argp frees it */
}

char *help_filter(int key, const char *text, void *input)
{
	(void)input;
	return key == ARGP_KEY_HELP_EXTRA ? list_statuses(exit_statuses) : (char *)text;
}

char *help_filter_judging(int key, const char *text, void *input)
{
	static const struct fact statuses[] = {
		{ "0", "well" }, { "1", "degraded" }, { "2", "dead" }, { "3", "unknown" }, { 0 }
	};

	(void)input;
	return key == ARGP_KEY_HELP_EXTRA ? list_statuses(statuses) : (char *)text;
}
