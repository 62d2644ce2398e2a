#include "tests/support/sites/terminal.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>

#include "tests/support/wait.h"

#define PATIENCE (2 * CLOCK_MINUTE)

void terminal_open(struct terminal *terminal, const struct test_command *command,
		   unsigned short columns)
{
	const struct winsize size = { .ws_row = 25, .ws_col = columns };

	*terminal = (struct terminal){ 0 };
	terminal->pid = forkpty(&terminal->fd, NULL, NULL, &size);
	assert_true(terminal->pid >= 0);
	if (terminal->pid == 0)
		test_command_become(command);
}

void terminal_dray_arguments(struct terminal *terminal, const char *url, unsigned short columns,
			     const char *const *arguments)
{
	const char *all[12] = { "--database", url };

	for (size_t i = 0; arguments[i]; i++) {
		assert_true(i < 9);
		all[i + 2] = arguments[i];
	}
	terminal_open(terminal, &(struct test_command){ .arguments = all }, columns);
}

bool terminal_read(struct terminal *terminal, int64_t patience)
{
	struct pollfd fd = { .fd = terminal->fd, .events = POLLIN };
	char data[4096];

	if (poll(&fd, 1, (int)(patience / CLOCK_MILLISECOND)) == 0)
		return true;
	ssize_t got = read(terminal->fd, data, sizeof(data));
	if (got > 0)
		text_append(&terminal->seen, data, (size_t)got);
	return got > 0 || (got < 0 && errno == EINTR); /* EIO at the end */
}

void terminal_await(struct terminal *terminal, const char *text)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	bool open = true;

	while (!strstr(text_string(&terminal->seen), text)) {
		if (!open || clock_monotonic() > deadline)
			fail_msg("no \"%s\" in: %s", text, text_string(&terminal->seen));
		open = terminal_read(terminal, CLOCK_SECOND / 10);
	}
	text_clear(&terminal->seen);
}

void terminal_type(const struct terminal *terminal, const char *keys)
{
	assert_int_equal(write(terminal->fd, keys, strlen(keys)), strlen(keys));
}

void terminal_press(struct terminal *terminal, const char *keys, const char *text)
{
	terminal_type(terminal, keys);
	terminal_await(terminal, text);
}

const char *terminal_close(struct arena *arena, struct terminal *terminal, int code)
{
	while (terminal_read(terminal, PATIENCE))
		continue;
	assert_int_equal(test_wait_exit(terminal->pid, PATIENCE), code);
	(void)close(terminal->fd);
	const char *seen = arena_strdup(arena, text_string(&terminal->seen));
	text_free(&terminal->seen);
	return seen;
}
