/*
 * Writes completions/dray.zsh and dray.fish: fixed words are in the scripts, names come from `dray
 * complete`.
 */
#include <string.h>

#include "cli/reference/reference.h"

#define ZSH_QUOTE  "'\\''"
#define FISH_QUOTE "\\'"

/* Writes text inside single quotes; `quote` is how this shell writes a quote there. */
static void write_quoted(FILE *file, const char *text, const char *quote)
{
	for (; *text; text++)
		if (*text == '\'')
			(void)fputs(quote, file);
		else
			(void)fputc(*text, file);
}

/* Writes what follows "--queue=" or "-c" in a specification of _arguments. */
static void write_zsh_option(FILE *file, const struct argp_option *option)
{
	const char *kind = option_kind(option);
	bool path = option->arg &&
		    (strcmp(option->arg, "PATH") == 0 || strcmp(option->arg, "FILE") == 0);

	(void)fputc('[', file);
	write_quoted(file, option->doc, ZSH_QUOTE);
	(void)fputc(']', file);
	if (kind)
		(void)fprintf(file, ":%s: _dray_names %s", option->arg, kind);
	else if (option->arg)
		(void)fprintf(file, ":%s:%s", option->arg, path ? "_files" : "");
	(void)fputc('\'', file);
}

static void write_zsh_options(FILE *file, const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		int letter = option_letter(option);
		(void)fprintf(file, " \\\n\t\t\t'--%s%s", option->name, option->arg ? "=" : "");
		write_zsh_option(file, option);
		if (!letter)
			continue;
		(void)fprintf(file, " \\\n\t\t\t'-%c%s", letter, option->arg ? "+" : "");
		write_zsh_option(file, option);
	}
}

/* Writes the words for the first argument, or its kind of names. */
static void write_zsh_arguments(FILE *file, const struct command *command)
{
	if (command->words)
		(void)fprintf(file, " \\\n\t\t\t'1:word:(%s)'", command->words);
	if (command->names)
		(void)fprintf(file, " \\\n\t\t\t'%d:name: _dray_names %s%s%s'",
			      command->words ? 2 : 1, command->names,
			      command->names_after ? " " : "",
			      command->names_after ? command->names_after : "");
	(void)fputs(" \\\n\t\t\t'*:argument:_files' ;;\n", file);
}

static const char zsh_names[] =
	"# Completes names of this kind; if other words are given, only after one of them.\n"
	"_dray_names()\n{\n"
	"\tlocal -a names after=(\"${@:2}\") expl\n"
	"\tlocal -a behind=(${after:*_dray_line})\n"
	"\t(( $#after == 0 || $#behind > 0 )) || return 1\n"
	"\tnames=(\"${(@f)$(command dray complete --quoted $1 -- \"${(@)_dray_line}\" \\\n"
	"\t\t2>/dev/null </dev/null)}\")\n"
	"\tnames=(\"${(@)names:#}\")\n"
	"\t_wanted names expl name compadd -a names\n"
	"}\n\n";

void reference_zsh(FILE *file, const struct command *const commands[])
{
	(void)fputs("#compdef dray\n"
		    "# Made by `dray help --format zsh`: change the commands instead.\n\n",
		    file);
	(void)fputs(zsh_names, file);
	(void)fputs("_dray()\n{\n\tlocal context state state_descr line\n\ttypeset -A opt_args\n"
		    "\tlocal -a _dray_line=(\"${(@)words[2,CURRENT-1]}\")\n"
		    "\tlocal -a commands=(\n",
		    file);
	for (size_t i = 0; commands[i]; i++) {
		(void)fprintf(file, "\t\t'%s:", commands[i]->name);
		write_quoted(file, commands[i]->summary, ZSH_QUOTE);
		(void)fputs("'\n", file);
	}
	(void)fputs("\t)\n\t_arguments -C", file);
	write_zsh_options(file, &global_argp);
	(void)fputs(" \\\n\t\t\t'(-)1:command:->command' '(-)*::argument:->argument'\n"
		    "\tcase $state in\n\tcommand) _describe command commands ;;\n"
		    "\targument)\n\t\tcase $line[1] in\n",
		    file);
	for (size_t i = 0; commands[i]; i++) {
		(void)fprintf(file, "\t\t%s) _arguments", commands[i]->name);
		write_zsh_options(file, commands[i]->argp);
		write_zsh_options(file, &global_argp);
		write_zsh_arguments(file, commands[i]);
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
		const char *kind = option_kind(option);
		if (kind)
			(void)fprintf(file, " -x -a '(__dray_names %s)'", kind);
		else if (option->arg)
			(void)fputs(" -r", file);
		(void)fputs(" -d '", file);
		write_quoted(file, option->doc, FISH_QUOTE);
		(void)fputs("'\n", file);
	}
}

/* A word may be the name of one command and an argument of another, as in "recurring pause". */
static const char fish_functions[] =
	"function __dray_names -d 'names of this kind, from the database'\n"
	"\tset -l line (commandline -opc)\n"
	"\tset -e line[1]\n"
	"\tcommand dray complete $argv[1] -- $line 2>/dev/null </dev/null\n"
	"end\n"
	"function __dray_is -d 'whether it is this command, followed by one of the other words'\n"
	"\tset -l line (commandline -opc)\n"
	"\tset -e line[1]\n"
	"\tfor word in $line\n"
	"\t\tif contains -- $word $__dray_commands\n"
	"\t\t\ttest $word = $argv[1]; or return 1\n"
	"\t\t\tset -q argv[2]; or return 0\n"
	"\t\t\t__fish_seen_subcommand_from $argv[2..-1]\n"
	"\t\t\treturn\n"
	"\t\tend\n"
	"\tend\n"
	"\treturn 1\n"
	"end\n";

static void write_fish_names(FILE *file, const struct command *command)
{
	(void)fprintf(file, "complete -c dray%s -n '__dray_is %s%s%s' -a '(__dray_names %s)'\n",
		      strcmp(command->names, "classes") == 0 ? "" : " -f", command->name,
		      command->names_after ? " " : "",
		      command->names_after ? command->names_after : "", command->names);
}

static void write_fish_start(FILE *file, const struct command *const commands[])
{
	(void)fputs("# Made by `dray help --format fish`: change the commands instead.\n"
		    "set -g __dray_commands",
		    file);
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(file, " %s", commands[i]->name);
	(void)fputc('\n', file);
	(void)fputs(fish_functions, file);
}

void reference_fish(FILE *file, const struct command *const commands[])
{
	char condition[128];

	write_fish_start(file, commands);
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
		if (command->names)
			write_fish_names(file, command);
		write_fish_options(file, command->argp, condition);
	}
}
