/* The built program, or another one, on a terminal of its own. */
#ifndef TEST_TERMINAL_H
#define TEST_TERMINAL_H

#include "common/text/text.h"
#include "tests/support/sites/command.h"
#include "tests/support/test.h"

struct terminal {
	pid_t pid;
	int fd;
	struct text seen; /* what it has written since the last text that was awaited */
};

/* The command's `input` does not count. */
void terminal_open(struct terminal *terminal, const struct test_command *command,
		   unsigned short columns);

/* The same for dray ARGUMENTS --database URL, at most eight. */
#define terminal_dray(terminal, url, columns, ...)                                                 \
	terminal_dray_arguments((terminal), (url), (columns),                                      \
				(const char *const[]){ __VA_ARGS__, NULL })
void terminal_dray_arguments(struct terminal *terminal, const char *url, unsigned short columns,
			     const char *const *arguments);

/* Reads what has come or comes within `patience` microseconds; false at the end. */
bool terminal_read(struct terminal *terminal, int64_t patience);

/* Waits until it has written this; what does not come in two minutes does not come. */
void terminal_await(struct terminal *terminal, const char *text);

void terminal_type(const struct terminal *terminal, const char *keys);

/* Types, and waits for what comes of it. */
void terminal_press(struct terminal *terminal, const char *keys, const char *text);

/* Waits for its end, its exit status must be `code`: what is seen then, in the arena. */
const char *terminal_close(struct arena *arena, struct terminal *terminal, int code);

#endif
