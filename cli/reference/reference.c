#include "cli/reference/reference.h"

#include <string.h>

const struct reference references[] = {
	{ "man", reference_man }, { "markdown", reference_markdown }, { "bash", reference_bash },
	{ "zsh", reference_zsh }, { "fish", reference_fish },         { 0 },
};

const struct fact exit_statuses[] = {
	{ "0", "done" },
	{ "1", "failed: it was not done, or not all of it" },
	{ "2", "wrong command line or configuration" },
	{ "3", "the database cannot be reached, or was lost" },
	{ "70", "an internal error" },
	{ 0 },
};

const struct fact environment_variables[] = {
	{ "DRAY_CONFIG", "queue.yml, where --config-file does not say; then SOLID_QUEUE_CONFIG" },
	{ "DRAY_JOBS", "jobs.yml, where --jobs-file does not say" },
	{ "DRAY_RECURRING", "recurring.yml, where --recurring-file does not say; then "
			    "SOLID_QUEUE_RECURRING_SCHEDULE" },
	{ "SOLID_QUEUE_SKIP_RECURRING",
	  "true: no recurring.yml is read and no scheduler started, as --skip-recurring says" },
	{ "SOLID_QUEUE_ONLY_RECURRING",
	  "true: nothing but the scheduler is started, as --only-recurring says" },
	{ "DRAY_ENV",
	  "the section of the files, where --environment does not say; then RAILS_ENV" },
	{ "DRAY_DATABASE_URL", "the database, where --database does not say" },
	{ "DATABASE_URL", "the database, where queue.yml does not say either" },
	{ "NO_COLOR", "when it is not empty, no colour on a terminal" },
	{ 0 },
};

const struct fact option_kinds[] = {
	{ "queue", "queues" },  { "queues", "queues" },     { "from", "queues" },
	{ "class", "classes" }, { "process", "processes" }, { 0 },
};

const char *option_kind(const struct argp_option *option)
{
	for (const struct fact *fact = option_kinds; fact->name; fact++)
		if (strcmp(fact->name, option->name) == 0)
			return fact->text;
	return NULL;
}

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
