/* The program itself: help, versions, references, wrong usage, and streams that fail. */
#include <fcntl.h>

#include "tests/support/sites/cli.h"
#include "tests/support/wait.h"

/* Nowhere near any configuration, not even a wrong one. */
static struct test_result run_bare(struct arena *arena, const char *const *arguments)
{
	static const char *const environment[] = { "DRAY_DATABASE_URL=nonsense:",
						   "DRAY_CONFIG=/nowhere/queue.yml", NULL };

	return test_command_run(arena, &(struct test_command){ .arguments = arguments,
							       .environment = environment,
							       .directory = "/" });
}

#define bare(arena, ...) run_bare((arena), (const char *const[]){ __VA_ARGS__, NULL })

/* SQ1 */
CASE(test_version_needs_no_configuration)
{
	struct test_result result = bare(*state, "--version");

	assert_contains(result.output, "dray " DRAY_VERSION "\nbackends: ");
	assert_string_equal(bare(*state, "version").output, result.output);
	assert_string_equal(bare(*state, "-V").output, result.output);
	result = bare(*state, "version", "--json");
	assert_json(result, 0, "{'version': '" DRAY_VERSION "'}");
	json_t *json = test_json(result);
	assert_true(json_array_size(json_object_get(json, "backends")) > 0);
	json_decref(json);
}

static void assert_has_help(struct arena *arena, const char *all, const char *name)
{
	assert_contains(all, arena_printf(arena, "\n  %s ", name));
	struct test_result help = bare(arena, name, "--help");
	assert_code(help, 0);
	assert_string_equal(help.errors, "");
	const char *examples = strstr(help.output, "Examples:\n");
	assert_non_null(examples);
	assert_true(test_count_text(examples, arena_printf(arena, "dray %s", name)) >= 2);
	assert_contains(examples, "Exit status:\n");
	assert_string_equal(bare(arena, "help", name).output, help.output);
}

/* All of them, as shells complete them: "name<tab>summary". */
CASE(test_every_command_has_help)
{
	struct test_result all = bare(*state, "help");
	struct test_result known = bare(*state, "complete", "--within", "1m", "line", "--", "");
	char *lines = arena_strdup(*state, known.output);
	size_t count = 0;

	assert_code(all, 0);
	for (char *line; (line = strsep(&lines, "\n")) && *line; count++)
		assert_has_help(*state, all.output, strsep(&line, "\t"));
	assert_true(count > 20);
}

CASE(test_wrong_usage)
{
	static const char *const wrong[][5] = {
		{ "enqeue", "A" },
		{ "proc" },
		{ "status" },
		{ "ps" },
		{ "logs" },
		{ "stop" },
		{ "migrate" },
		{ "init" },
		{ "xyzzy" },
		{ "help", "xyzzy" },
		{ "help", "--format", "pdf" },
		{ "--nonsense" },
		{ "jobs", "--nonsense" },
		{ "jobs", "extra" },
		{ "job" },
		{ "job", "abc" },
		{ "retry" },
		{ "retry", "1", "--all" },
		{ "retry", "1", "x2" },
		{ "discard" },
		{ "discard", "-5" },
		{ "db" },
		{ "db", "migrat" },
		{ "enqueue" },
		{ "enqueue", "A", "--at=soon" },
		{ "enqueue", "A", "--in=1x" },
		{ "enqueue", "A", "--priority=x" },
		{ "enqueue", "A", "--in=1", "--at=2030-01-01" },
		{ "enqueue", "A", "b", "--json-args=[]" },
		{ "enqueue", "A", "b", "--json-keywords={}" },
		{ "enqueue", "A", "--bulk=-" },
		{ "enqueue", "--queue=a", "--bulk=-" },
		{ "clear", "--older-than", "long" },
		{ "enqueue", "A", "--priority=010" },
		{ "enqueue", "A", "--priority=-010" },
		{ "enqueue", "A", "--in=010m" },
		{ "reprioritize", "--queue=q", "--priority=010" },
		{ "jobs", "--limit=010" },
		{ "jobs", "--before=010" },
		{ "clear", "--older-than", "07d" },
		{ "pause", "q", "--for=010" },
		{ "worker", "--threads=010" },
		{ "recurring", "add", "t", "--priority=010" },
		{ "retry", "010" },
		{ "job", "010" },
	};
	struct text said = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_refused(&said, run_bare(*state, wrong[i]));
	test_said("usage.refused", &said);
}

CASE(test_alone_it_lists_the_commands)
{
	struct test_result result = run_bare(*state, (const char *const[]){ NULL });

	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "Usage: dray [OPTION...] COMMAND");
	assert_contains(result.errors, "\n  enqueue ");
}

/* Runs with standard output on this descriptor: exit status, or minus the signal. */
static int run_into(int fd, const char *argument)
{
	const char *program = getenv("DRAY_BINARY");
	pid_t pid = fork();

	assert_non_null(program);
	if (pid == 0 && program) {
		(void)signal(SIGPIPE, SIG_DFL);
		dup2(fd, STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		execl(program, "dray", argument, (char *)NULL);
		_exit(127);
	}
	return test_wait_exit(pid, CLOCK_MINUTE);
}

CASE(test_full_disk_is_an_error)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_true(full >= 0);
	assert_int_equal(run_into(full, "version"), EXIT_ERROR);
	assert_int_equal(run_into(full, "--version"), EXIT_ERROR);
	assert_int_equal(run_into(full, "--help"), EXIT_ERROR);
	close(full);
}

CASE(test_closed_pipe_ends_quietly)
{
	int fds[2];

	must(process_pipe, fds, false);
	close(fds[0]);
	assert_int_equal(run_into(fds[1], "help"), -SIGPIPE);
	close(fds[1]);
}

/* A database that may not grow further is an error of the command, and not its end by a signal. */
CASE(test_file_limit_is_an_error)
{
	static const char script[] =
		"place=$(mktemp -d) && ulimit -f 64 || exit 99\n"
		"\"$DRAY_BINARY\" db migrate --database \"sqlite3:$place/limited.sqlite3\"\n"
		"code=$?\n"
		"rm -rf \"$place\"\n"
		"exit $code\n";
	static const char *const arguments[] = { "-c", script, NULL };
	struct test_result result = test_command_run(
		*state, &(struct test_command){
				.arguments = arguments, .directory = "/", .program = "/bin/sh" });

	assert_code(result, EXIT_DATABASE);
	assert_contains(result.errors, "SQLite");
}

GROUP(test_arena_open, test_arena_close);
