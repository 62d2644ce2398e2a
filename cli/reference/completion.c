/*
 * Writes completions/dray.bash, dray.zsh and dray.fish: fixed words are in the scripts, names come
 * from `dray complete`.
 */
#include <string.h>

#include "cli/reference/reference.h"
#include "queue/look/job.h"

/* bash */

/* Writes " --queue --limit": the options of this parser, or only those that take a value. */
static void write_bash_options(FILE *file, const struct argp *argp, bool valued)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		if (valued && !option->arg)
			continue;
		(void)fprintf(file, " --%s", option->name);
		if (valued && option_letter(option))
			(void)fprintf(file, " -%c", option_letter(option));
	}
}

static void write_bash_commands(FILE *file, const struct command *const commands[],
				const char *between)
{
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(file, "%s%s", i > 0 ? between : "", commands[i]->name);
}

static void write_bash_states(FILE *file)
{
	for (int state = 0; state < JOB_STATES; state++)
		(void)fprintf(file, "%s%s", state > 0 ? " " : "",
			      job_state_name((enum job_state)state));
}

/*
 * The text of a name must never be run or expanded, neither in the script nor on the command line.
 * When COMP_WORDBREAKS cuts a word, Readline replaces only the part after the cut.
 */
static const char bash_names[] =
	"# Completes with names of this kind. They come from a database and must not be expanded.\n"
	"_dray_names()\n{\n"
	"\tlocal name quoted full\n"
	"\n"
	"\tcompopt +o default\n"
	"\twhile IFS= read -r name; do\n"
	"\t\tprintf -v quoted %q \"$name\"\n"
	"\t\tif [[ $current == [\\'\\\"]* ]]; then\n"
	"\t\t\t[[ $name == \"${current:1}\"* && $name != *[!a-zA-Z0-9_:./@%+,\\ -]* ]] &&\n"
	"\t\t\t\tCOMPREPLY+=(\"$name\")\n"
	"\t\telif [[ $quoted == \"$current\"* ]]; then\n"
	"\t\t\tfull=$prefix$quoted\n"
	"\t\t\tCOMPREPLY+=(\"${full:cut}\")\n"
	"\t\tfi\n"
	"\tdone < <(command dray complete --quoted \"$1\" -- \"${line[@]:1}\" 2>/dev/null "
	"</dev/null)\n"
	"}\n\n";

static const char bash_line[] =
	"# Puts the words up to the cursor into line and current, joined again where "
	"COMP_WORDBREAKS\n# has cut them; --option=value becomes two words.\n"
	"_dray_line()\n{\n"
	"\tlocal i rest=$COMP_LINE word\n"
	"\n"
	"\tline=()\n"
	"\tfor ((i = 0; i <= COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif ((i > 0)) && [[ $rest != [[:space:]]* ]]; then\n"
	"\t\t\tline[-1]+=$word\n"
	"\t\telse\n"
	"\t\t\tline+=(\"$word\")\n"
	"\t\tfi\n"
	"\t\trest=${rest#*\"$word\"}\n"
	"\tdone\n"
	"\tcurrent=${line[-1]} typed=${COMP_WORDS[COMP_CWORD]} prefix=''\n"
	"\t[[ $typed == *[!:=]* ]] || typed=''\n"
	"\tcut=$((${#current} - ${#typed}))\n"
	"\tunset 'line[-1]'\n"
	"\tprevious=${line[-1]}\n"
	"\tif [[ $current == --*=* ]]; then\n"
	"\t\tprevious=${current%%=*}\n"
	"\t\tprefix=$previous=\n"
	"\t\tcurrent=${current#*=}\n"
	"\tfi\n"
	"}\n\n";

/* Finds the arguments among the options and their values. */
static const char bash_arguments[] = "\tfor word in \"${line[@]:first}\"; do\n"
				     "\t\tif [[ $skip ]]; then\n"
				     "\t\t\tskip=''\n"
				     "\t\telif [[ $word == -* ]]; then\n"
				     "\t\t\t[[ \" $taking \" == *\" $word \"* ]] && skip=1\n"
				     "\t\telse\n"
				     "\t\t\targuments+=(\"$word\")\n"
				     "\t\tfi\n"
				     "\tdone\n";

static void write_bash_command(FILE *file, const struct command *command)
{
	if (!command->words && !command->names && !option_next(command->argp, NULL))
		return;
	(void)fprintf(file, "\t%s) words=\"%s\" options+=\"", command->name,
		      command->words ? command->words : "");
	write_bash_options(file, command->argp, false);
	(void)fputs("\" taking+=\"", file);
	write_bash_options(file, command->argp, true);
	(void)fputc('"', file);
	if (command->names)
		(void)fprintf(file, " names=%s after=\"%s\"", command->names,
			      command->names_after ? command->names_after : "");
	(void)fputs(" ;;\n", file);
}

static void write_bash_start(FILE *file)
{
	(void)fputs("# Made by `dray help --format bash`: change the commands instead.\n\n", file);
	(void)fputs(bash_names, file);
	(void)fputs(bash_line, file);
	(void)fputs("_dray()\n{\n"
		    "\tlocal current previous prefix typed cut word skip='' first=1\n"
		    "\tlocal command='' words='' names='' after='' options=\"",
		    file);
	write_bash_options(file, &global_argp, false);
	(void)fputs(" --help --usage --version\" taking=\"", file);
	write_bash_options(file, &global_argp, true);
	(void)fputs("\"\n\tlocal -a line arguments=()\n\n\t_dray_line\n"
		    "\tfor word in \"${line[@]:1}\"; do\n"
		    "\t\tfirst=$((first + 1))\n"
		    "\t\tif [[ $skip ]]; then\n"
		    "\t\t\tskip=''\n"
		    "\t\telif [[ $word != -* ]]; then\n"
		    "\t\t\tcommand=$word\n"
		    "\t\t\tbreak\n"
		    "\t\telif [[ \" $taking \" == *\" $word \"* ]]; then\n"
		    "\t\t\tskip=1\n"
		    "\t\tfi\n"
		    "\tdone\n",
		    file);
}

static void write_bash_values(FILE *file)
{
	(void)fputs("\tcase $previous in\n\t--state) words=\"", file);
	write_bash_states(file);
	(void)fputs("\" options='' names='' ;;\n"
		    "\t--dialect) words=\"sqlite postgresql mysql\" options='' names='' ;;\n",
		    file);
	for (const struct fact *fact = option_kinds; fact->name; fact++)
		(void)fprintf(file, "\t--%s) _dray_names %s; return ;;\n", fact->name, fact->text);
	(void)fputs("\t-c | --config* | --jobs* | --recurring-file | --bulk | --pidfile)\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$typed\")\n\t\treturn ;;\n"
		    "\t--root)\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -d -- \"$typed\")\n\t\treturn ;;\n"
		    "\tesac\n",
		    file);
}

void reference_bash(FILE *file, const struct command *const commands[])
{
	write_bash_start(file);
	(void)fputs("\tcase $command in\n\t\"\" | help) words=\"", file);
	write_bash_commands(file, commands, " ");
	(void)fputs("\" ;;\n", file);
	for (size_t i = 0; commands[i]; i++)
		write_bash_command(file, commands[i]);
	(void)fputs("\tesac\n\tskip=''\n", file);
	(void)fputs(bash_arguments, file);
	(void)fputs("\t[[ $skip || ${#arguments[@]} -gt 0 ]] && words=''\n", file);
	(void)fputs(
		"\tif [[ $after ]]; then\n"
		"\t\t[[ \" $after \" == *\" ${arguments[0]} \"* && ${#arguments[@]} -eq 1 ]] || "
		"names=''\n"
		"\telse\n"
		"\t\t[[ ${#arguments[@]} -eq 0 ]] || names=''\n"
		"\tfi\n",
		file);
	write_bash_values(file);
	(void)fputs("\tif [[ $names && ! $skip && $current != -* ]]; then\n"
		    "\t\t_dray_names \"$names\"\n"
		    "\t\treturn\n"
		    "\tfi\n"
		    "\t[[ $current == -* ]] && words=$options\n"
		    "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
		    "}\ncomplete -o default -F _dray dray\n",
		    file);
}

/* zsh and fish */

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
