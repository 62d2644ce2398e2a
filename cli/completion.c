/* Completions know the commands, their options and the words that may follow; nothing is asked. */
#include <string.h>

#include "cli/reference.h"
#include "queue/job.h"

#define ZSH_QUOTE  "'\\''"
#define FISH_QUOTE "\\'"

/* " --queue --limit" of this command and of all. */
static void write_names(FILE *file, const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option))
		(void)fprintf(file, " --%s", option->name);
}

static void write_commands(FILE *file)
{
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(file, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

static void write_states(FILE *file)
{
	for (int state = 0; state < JOB_STATES; state++)
		(void)fprintf(file, "%s%s", state > 0 ? " " : "",
			      job_state_name((enum job_state)state));
}

void reference_bash(FILE *file)
{
	(void)fputs(
		"# Made by `dray help --format bash`: change the commands instead.\n"
		"_dray()\n{\n"
		"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tlocal word command='' words='' options=\"",
		file);
	write_names(file, &global_argp);
	(void)fputs(" --help --usage --version\"\n\n"
		    "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
		    "\t\tcase $word in\n\t\t",
		    file);
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(file, "%s%s", i > 0 ? " | " : "", commands[i]->name);
	(void)fputs(") command=$word; break ;;\n\t\tesac\n\tdone\n"
		    "\tcase $command in\n\t\"\") words=\"",
		    file);
	write_commands(file);
	(void)fputs("\" ;;\n\thelp) words=\"", file);
	write_commands(file);
	(void)fputs("\" ;;\n", file);
	for (size_t i = 0; commands[i]; i++) {
		const struct command *command = commands[i];
		if (!command->words && !option_next(command->argp, NULL))
			continue;
		(void)fprintf(file, "\t%s) words=\"%s\" options+=\"", command->name,
			      command->words ? command->words : "");
		write_names(file, command->argp);
		(void)fputs("\" ;;\n", file);
	}
	(void)fputs("\tesac\n\tcase $previous in\n\t--state) words=\"", file);
	write_states(file);
	(void)fputs("\" options='' ;;\n"
		    "\t--dialect) words=\"sqlite postgresql mysql\" options='' ;;\n"
		    "\t-c | --config* | --jobs* | --bulk | --pidfile)\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n\t\treturn ;;\n"
		    "\t--root)\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n\t\treturn ;;\n"
		    "\tesac\n"
		    "\t[[ $current == -* ]] && words=$options\n"
		    "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
		    "}\ncomplete -o default -F _dray dray\n",
		    file);
}

/* The inside of a single-quoted word; `quote` is how the shell writes a quote there. */
static void write_quoted(FILE *file, const char *text, const char *quote)
{
	for (; *text; text++)
		if (*text == '\'')
			(void)fputs(quote, file);
		else
			(void)fputc(*text, file);
}

static void write_zsh_options(FILE *file, const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		bool path = option->arg && strcmp(option->arg, "PATH") == 0;
		(void)fprintf(file, " \\\n\t\t\t'--%s%s[", option->name, option->arg ? "=" : "");
		write_quoted(file, option->doc, ZSH_QUOTE);
		(void)fputc(']', file);
		if (option->arg)
			(void)fprintf(file, ":%s:%s", option->arg,
				      path || strcmp(option->arg, "FILE") == 0 ? "_files" : "");
		(void)fputc('\'', file);
	}
}

void reference_zsh(FILE *file)
{
	(void)fputs("#compdef dray\n"
		    "# Made by `dray help --format zsh`: change the commands instead.\n"
		    "_dray()\n{\n\tlocal context state state_descr line\n\ttypeset -A opt_args\n"
		    "\tlocal -a commands=(\n",
		    file);
	for (size_t i = 0; commands[i]; i++) {
		(void)fprintf(file, "\t\t'%s:", commands[i]->name);
		write_quoted(file, commands[i]->summary, ZSH_QUOTE);
		(void)fputs("'\n", file);
	}
	(void)fputs("\t)\n\t_arguments -C '1:command:->command' '*::argument:->argument'\n"
		    "\tcase $state in\n\tcommand) _describe command commands ;;\n"
		    "\targument)\n\t\tcase $line[1] in\n",
		    file);
	for (size_t i = 0; commands[i]; i++) {
		(void)fprintf(file, "\t\t%s) _arguments", commands[i]->name);
		write_zsh_options(file, commands[i]->argp);
		write_zsh_options(file, &global_argp);
		if (commands[i]->words)
			(void)fprintf(file, " \\\n\t\t\t'1:word:(%s)'", commands[i]->words);
		(void)fputs(" \\\n\t\t\t'*:argument:_files' ;;\n", file);
	}
	(void)fputs("\t\tesac ;;\n\tesac\n}\n_dray \"$@\"\n", file);
}

static void write_fish_options(FILE *file, const struct argp *argp, const char *condition)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		int letter = option_letter(option);
		(void)fprintf(file, "complete -c dray%s -l %s", condition, option->name);
		if (letter)
			(void)fprintf(file, " -s %c", letter);
		if (option->arg)
			(void)fputs(" -r", file);
		(void)fputs(" -d '", file);
		write_quoted(file, option->doc, FISH_QUOTE);
		(void)fputs("'\n", file);
	}
}

void reference_fish(FILE *file)
{
	char condition[128];

	(void)fputs("# Made by `dray help --format fish`: change the commands instead.\n", file);
	write_fish_options(file, &global_argp, "");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *command = commands[i];
		(void)fprintf(file, "complete -c dray -f -n __fish_use_subcommand -a %s -d '",
			      command->name);
		write_quoted(file, command->summary, FISH_QUOTE);
		(void)fputs("'\n", file);
		(void)snprintf(condition, sizeof(condition), " -n '__fish_seen_subcommand_from %s'",
			       command->name);
		if (command->words)
			(void)fprintf(file, "complete -c dray -f%s -a '%s'\n", condition,
				      command->words);
		write_fish_options(file, command->argp, condition);
	}
}
