/* Writes completions/dray.bash: fixed words are in the script, names come from `dray complete`. */
#include <string.h>

#include "cli/reference/reference.h"
#include "queue/look/job.h"

/* Writes " --queue --limit": the options of this parser, or only those that take a value. */
static void write_options(FILE *file, const struct argp *argp, bool valued)
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

static void write_commands(FILE *file, const struct command *const commands[], const char *between)
{
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(file, "%s%s", i > 0 ? between : "", commands[i]->name);
}

static void write_states(FILE *file)
{
	for (int state = 0; state < JOB_STATES; state++)
		(void)fprintf(file, "%s%s", state > 0 ? " " : "",
			      job_state_name((enum job_state)state));
}

/*
 * The text of a name must never be run or expanded, neither in the script nor on the command line.
 * When COMP_WORDBREAKS cuts a word, Readline replaces only the part after the cut.
 */
static const char names_function[] =
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

static const char line_function[] =
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
static const char find_argument[] = "\tfor word in \"${line[@]:first}\"; do\n"
				    "\t\tif [[ $skip ]]; then\n"
				    "\t\t\tskip=''\n"
				    "\t\telif [[ $word == -* ]]; then\n"
				    "\t\t\t[[ \" $taking \" == *\" $word \"* ]] && skip=1\n"
				    "\t\telse\n"
				    "\t\t\targuments+=(\"$word\")\n"
				    "\t\tfi\n"
				    "\tdone\n";

static void write_command(FILE *file, const struct command *command)
{
	if (!command->words && !command->names && !option_next(command->argp, NULL))
		return;
	(void)fprintf(file, "\t%s) words=\"%s\" options+=\"", command->name,
		      command->words ? command->words : "");
	write_options(file, command->argp, false);
	(void)fputs("\" taking+=\"", file);
	write_options(file, command->argp, true);
	(void)fputc('"', file);
	if (command->names)
		(void)fprintf(file, " names=%s after=\"%s\"", command->names,
			      command->names_after ? command->names_after : "");
	(void)fputs(" ;;\n", file);
}

static void write_start(FILE *file)
{
	(void)fputs("# Made by `dray help --format bash`: change the commands instead.\n\n", file);
	(void)fputs(names_function, file);
	(void)fputs(line_function, file);
	(void)fputs("_dray()\n{\n"
		    "\tlocal current previous prefix typed cut word skip='' first=1\n"
		    "\tlocal command='' words='' names='' after='' options=\"",
		    file);
	write_options(file, &global_argp, false);
	(void)fputs(" --help --usage --version\" taking=\"", file);
	write_options(file, &global_argp, true);
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

static void write_values(FILE *file)
{
	(void)fputs("\tcase $previous in\n\t--state) words=\"", file);
	write_states(file);
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
	write_start(file);
	(void)fputs("\tcase $command in\n\t\"\" | help) words=\"", file);
	write_commands(file, commands, " ");
	(void)fputs("\" ;;\n", file);
	for (size_t i = 0; commands[i]; i++)
		write_command(file, commands[i]);
	(void)fputs("\tesac\n\tskip=''\n", file);
	(void)fputs(find_argument, file);
	(void)fputs("\t[[ $skip || ${#arguments[@]} -gt 0 ]] && words=''\n", file);
	(void)fputs(
		"\tif [[ $after ]]; then\n"
		"\t\t[[ \" $after \" == *\" ${arguments[0]} \"* && ${#arguments[@]} -eq 1 ]] || "
		"names=''\n"
		"\telse\n"
		"\t\t[[ ${#arguments[@]} -eq 0 ]] || names=''\n"
		"\tfi\n",
		file);
	write_values(file);
	(void)fputs("\tif [[ $names && ! $skip && $current != -* ]]; then\n"
		    "\t\t_dray_names \"$names\"\n"
		    "\t\treturn\n"
		    "\tfi\n"
		    "\t[[ $current == -* ]] && words=$options\n"
		    "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
		    "}\ncomplete -o default -F _dray dray\n",
		    file);
}
