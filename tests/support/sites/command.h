/*
 * The built program, run as a user would. Its standard streams are files in memory, so neither
 * side ever waits for the other, and what a running one has written can be looked at.
 */
#ifndef TEST_COMMAND_H
#define TEST_COMMAND_H

#include <stdint.h>
#include <sys/types.h>

#include "common/arena.h"
#include "common/process.h"

struct test_command {
	const char *const *arguments;   /* without the program's name; NULL-terminated */
	const char *const *environment; /* "NAME=VALUE", or "NAME" to unset; NULL = as it is */
	const char *input;              /* standard input; NULL = empty */
	const char *directory;          /* NULL = the present one */
	const char *program;            /* NULL = the program in DRAY_BINARY */
};

struct test_running {
	pid_t pid;
	int output; /* descriptors of the files in memory */
	int errors;
};

struct test_result {
	int code; /* exit status, minus the signal, or TEST_TIMEOUT */
	const char *output;
	const char *errors;
};

/* A file in memory, to be closed: with this content, or NULL for one that is appended to. */
int test_memory_file(const char *name, const char *content);

/* All that is in it; in the arena. */
const char *test_memory_read(struct arena *arena, int fd);

/* For a child: becomes it, its streams as they are. It dies with the test. */
_Noreturn void test_command_become(const struct test_command *command);

/* Starts it; end with test_command_finish. It dies with the test. */
struct test_running test_command_start(const struct test_command *command);

/* What it has written so far; in the arena. */
const char *test_command_output(struct arena *arena, const struct test_running *running);
const char *test_command_errors(struct arena *arena, const struct test_running *running);

/* Waits for its end (killed after `timeout` microseconds) and gives everything it wrote. */
struct test_result test_command_finish(struct arena *arena, struct test_running *running,
				       int64_t timeout);

/* Start and finish within a minute. */
struct test_result test_command_run(struct arena *arena, const struct test_command *command);

/* test_command_run with these arguments only; test_dray takes them one by one. */
struct test_result test_dray_arguments(struct arena *arena, const char *const *arguments);

#define test_dray(arena, ...)                                                                      \
	test_dray_arguments((arena), (const char *const[]){ __VA_ARGS__, NULL })

#endif
