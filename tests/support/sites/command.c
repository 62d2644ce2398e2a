#include "tests/support/sites/command.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "tests/support/test.h"
#include "tests/support/wait.h"

#define MAXIMUM_ARGUMENTS 60

static const char *program_path(const struct test_command *command)
{
	const char *path = command->program ? command->program : getenv("DRAY_BINARY");

	if (!path)
		fail_msg("DRAY_BINARY is not set");
	return path;
}

int test_memory_file(const char *name, const char *content)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	size_t length = content ? strlen(content) : 0;

	assert_true(fd >= 0);
	if (length > 0)
		assert_int_equal(write(fd, content, length), (ssize_t)length);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	/* Several processes write: at an offset that they share one line could replace another. */
	if (!content)
		assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
	return fd;
}

static void set_environment(const char *const *environment)
{
	for (; environment && *environment; environment++) {
		char *entry = strdup(*environment); /* putenv keeps it; the exec frees it */
		if (!entry)
			_exit(126);
		if (strchr(entry, '='))
			putenv(entry);
		else
			unsetenv(entry);
	}
}

_Noreturn void test_command_become(const struct test_command *command)
{
	const char *path = program_path(command);
	const char *argv[MAXIMUM_ARGUMENTS + 2] = { path };
	sigset_t none;

	for (size_t i = 0; command->arguments[i]; i++)
		argv[i + 1] = command->arguments[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (command->directory && chdir(command->directory) != 0)
		_exit(126);
	set_environment(command->environment);
	execv(path, (char *const *)argv);
	_exit(127);
}

struct test_running test_command_start(const struct test_command *command)
{
	const int fds[3] = { test_memory_file("input", command->input),
			     test_memory_file("output", NULL), test_memory_file("errors", NULL) };
	size_t count = 0;

	while (command->arguments[count])
		count++;
	assert_true(count <= MAXIMUM_ARGUMENTS);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			if (dup2(fds[i], i) < 0)
				_exit(126);
		test_command_become(command);
	}
	close(fds[0]);
	return (struct test_running){ .pid = pid, .output = fds[1], .errors = fds[2] };
}

/* The file's offset is shared with the program: read by position. */
const char *test_memory_read(struct arena *arena, int fd)
{
	struct stat stat;

	assert_int_equal(fstat(fd, &stat), 0);
	char *text = arena_alloc(arena, (size_t)stat.st_size + 1);
	ssize_t length = pread(fd, text, (size_t)stat.st_size, 0);
	assert_true(length >= 0);
	text[length] = '\0';
	return text;
}

const char *test_command_output(struct arena *arena, const struct test_running *running)
{
	return test_memory_read(arena, running->output);
}

const char *test_command_errors(struct arena *arena, const struct test_running *running)
{
	return test_memory_read(arena, running->errors);
}

struct test_result test_command_finish(struct arena *arena, struct test_running *running,
				       int64_t timeout)
{
	struct test_result result = { .code = test_wait_exit(running->pid, timeout) };

	result.output = test_memory_read(arena, running->output);
	result.errors = test_memory_read(arena, running->errors);
	close(running->output);
	close(running->errors);
	running->pid = 0;
	return result;
}

struct test_result test_command_run(struct arena *arena, const struct test_command *command)
{
	struct test_running running = test_command_start(command);

	return test_command_finish(arena, &running, CLOCK_MINUTE);
}

struct test_result test_dray_arguments(struct arena *arena, const char *const *arguments)
{
	return test_command_run(arena, &(struct test_command){ .arguments = arguments });
}
