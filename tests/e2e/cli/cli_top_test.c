/* dray top: through a terminal of our own on every database, and printed once. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/text.h"
#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/cli.h"
#include "tests/support/wait.h"

#define PATIENCE (2 * CLOCK_MINUTE)

/* A terminal with `dray top` on it. */
struct terminal {
	pid_t pid;
	int fd;
	struct text seen; /* all that it wrote since the last thing that was expected */
};

static void open_terminal(struct terminal *terminal, const char *url, const char *kind)
{
	const char *const arguments[] = { "dray", "top",        "--interval", "100ms", "--sort",
					  "name", "--database", url,          NULL };
	const struct winsize size = { .ws_row = 24, .ws_col = 80 };
	const char *program = getenv("DRAY_BINARY");

	*terminal = (struct terminal){ 0 };
	assert_non_null(program);
	terminal->pid = forkpty(&terminal->fd, NULL, NULL, &size);
	assert_true(terminal->pid >= 0);
	if (terminal->pid == 0 && program && setenv("TERM", kind, 1) == 0) {
		execv(program, (char *const *)arguments);
		_exit(127);
	}
}

/* Reads what has come; false at the end. */
static bool read_some(struct terminal *terminal, int64_t patience)
{
	struct pollfd fd = { .fd = terminal->fd, .events = POLLIN };
	char data[4096];

	if (poll(&fd, 1, (int)(patience / 1000)) == 0)
		return true;
	ssize_t got = read(terminal->fd, data, sizeof(data));
	if (got > 0)
		text_append(&terminal->seen, data, (size_t)got);
	return got > 0 || (got < 0 && errno == EINTR);
}

/* Waits until it has written this. */
static void expect(struct terminal *terminal, const char *text)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	bool open = true;

	while (!strstr(text_string(&terminal->seen), text)) {
		if (!open || clock_monotonic() > deadline)
			fail_msg("no \"%s\" in: %s", text, text_string(&terminal->seen));
		open = read_some(terminal, CLOCK_SECOND / 10);
	}
	text_clear(&terminal->seen);
}

/* Waits for its end and its exit status. */
static void close_terminal(struct terminal *terminal, int code)
{
	while (read_some(terminal, PATIENCE))
		;
	assert_int_equal(test_wait_exit(terminal->pid, PATIENCE), code);
	(void)close(terminal->fd);
	text_free(&terminal->seen);
}

static void test_once(void **state)
{
	struct test_db *test = *state;

	put(test->db, "a", 0);
	put(test->db, "b", 0);
	put(test->db, "b", 0);
	struct test_result result = test_cli(test, "top", "--once");
	assert_code(result, 0);
	assert_contains(result.output, "jobs  3 ready, 0 scheduled");
	assert_contains(result.output, "READY* SCHED");
	assert_true(strstr(result.output, "\nb ") < strstr(result.output, "\na "));
	assert_contains(result.output, "\nKIND NAME HOST");
	assert_null(strchr(result.output, '\033'));
	result = test_cli(test, "top", "--sort", "name");
	assert_true(strstr(result.output, "\nb ") > strstr(result.output, "\na "));
	result = test_cli(test, "top", "--sort", "name", "--reverse");
	assert_true(strstr(result.output, "\nb ") < strstr(result.output, "\na "));
	json_t *json = test_json(test_cli(test, "top", "--json"));
	assert_int_equal(test_json_integer(json, "ready"), 3);
	const json_t *first = json_array_get(json_object_get(json, "queues"), 0);
	assert_string_equal(test_json_text(first, "name"), "b");
	json_decref(json);
	assert_code(test_cli(test, "top", "--sort", "size"), EXIT_USAGE);
	assert_code(test_cli(test, "top", "--interval", "1ms"), EXIT_USAGE);
}

#ifdef DRAY_WITH_NCURSES

static void press(const struct terminal *terminal, const char *keys)
{
	assert_int_equal(write(terminal->fd, keys, strlen(keys)), strlen(keys));
}

/* A failed job on the queue "mail", and the worker that has run it. */
static void fail_one(struct test_db *test)
{
	struct process_row worker = { .kind = "Worker",
				      .name = "worker-1",
				      .pid = 4711,
				      .hostname = "host-1",
				      .metadata = "{\"queues\":\"x\"}" };
	const struct new_job job = { .class_name = "Xylophone", .queue = "mail" };
	struct error error = { 0 };

	put_job(test->db, &job);
	assert_ok(process_register(test->db, &worker, &error), &error);
	struct claim *claims = take_all(test, worker.id, 1);
	assert_true(settle_one(test->db, claims, OUTCOME_FAILED));
}

static void test_keys(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	fail_one(test);
	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "QUEUE*");
	press(&terminal, "p");
	expect(&terminal, "Reason:");
	press(&terminal, "depp\177loy\r");
	expect(&terminal, "paused");
	assert_query(test, "mail deploy\n", "SELECT name, reason FROM dray_pauses");
	press(&terminal, "p");
	expect(&terminal, "Resume");
	press(&terminal, "n");
	press(&terminal, "p");
	expect(&terminal, "Resume");
	assert_int_equal(rows_of(test, "pauses"), 1);
	press(&terminal, "y");
	expect(&terminal, "resumed");
	assert_int_equal(rows_of(test, "pauses"), 0);
	press(&terminal, "r");
	expect(&terminal, "Retry");
	press(&terminal, "y");
	expect(&terminal, "retried");
	assert_int_equal(state_of(test, 1), JOB_READY);
	press(&terminal, "q");
	close_terminal(&terminal, 0);
	assert_contains(test_cli(test, "audit").output, "queue mail");
}

static void test_pages(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	fail_one(test);
	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "QUEUE*");
	press(&terminal, "j");
	expect(&terminal, "Xylophone");
	press(&terminal, "\033");
	expect(&terminal, "QUEUE*");
	press(&terminal, "\t");
	expect(&terminal, "host-1");
	press(&terminal, "\t");
	expect(&terminal, "QUEUE*");
	press(&terminal, ">");
	expect(&terminal, "STATUS*");
	press(&terminal, "r\033\003"); /* Ctrl-C */
	close_terminal(&terminal, 0);
	assert_int_equal(state_of(test, 1), JOB_FAILED);
}

static void test_what_is_bad_is_red(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	assert_int_equal(unsetenv("NO_COLOR"), 0);
	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "QUEUE*");
	press(&terminal, "?");
	expect(&terminal, "WHAT IT DOES");
	fail_one(test);
	press(&terminal, "\033 ");
	expect(&terminal, "31m"); /* other attributes may stand beside it */
	press(&terminal, "f");
	expect(&terminal, "TestError: no");
	press(&terminal, "\033");
	expect(&terminal, "QUEUE*");
	press(&terminal, "q");
	close_terminal(&terminal, 0);
}

static void test_no_colour_when_not_wanted(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	fail_one(test);
	assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
	open_terminal(&terminal, test->url, "xterm");
	while (!strstr(text_string(&terminal.seen), "Tab processes"))
		assert_true(read_some(&terminal, CLOCK_SECOND));
	assert_null(strstr(text_string(&terminal.seen), "31m"));
	press(&terminal, "f");
	expect(&terminal, "Xylophone");
	press(&terminal, "q");
	close_terminal(&terminal, 0);
	assert_int_equal(unsetenv("NO_COLOR"), 0);
}

static void test_sizes(void **state)
{
	struct test_db *test = *state;
	struct winsize size = { .ws_row = 7, .ws_col = 30 };
	struct terminal terminal;

	for (int i = 10; i < 50; i++)
		put(test->db, arena_printf(test->arena, "queue-%d", i), 0);
	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "queue-10");
	press(&terminal, "\033OF"); /* End */
	expect(&terminal, "queue-49");
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	press(&terminal, "p");
	expect(&terminal, "Pause queue-49");
	size = (struct winsize){ .ws_row = 2, .ws_col = 5 };
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	press(&terminal, "x\r");
	size = (struct winsize){ .ws_row = 60, .ws_col = 200 };
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	expect(&terminal, "queue-10");
	press(&terminal, "q");
	close_terminal(&terminal, 0);
	assert_int_equal(rows_of(test, "pauses"), 1);
}

static void test_an_outage(void **state)
{
	struct test_db *test = *state;
	struct forwarder forwarder;
	struct terminal terminal;

	put(test->db, "mail", 0);
	open_terminal(&terminal, forwarder_url(&forwarder, test->arena, test->url), "xterm");
	expect(&terminal, "mail");
	forwarder_mode(&forwarder, FORWARDER_DROP);
	expect(&terminal, "cannot be reached");
	forwarder_mode(&forwarder, FORWARDER_PASS);
	expect(&terminal, "again");
	press(&terminal, "q");
	close_terminal(&terminal, 0);
	forwarder_stop(&forwarder);
}

static void rename_file(struct test_db *test, const char *from, const char *to)
{
	const char *file = test->url + strlen("sqlite3:");

	assert_int_equal(rename(arena_printf(test->arena, "%s%s", file, from),
				arena_printf(test->arena, "%s%s", file, to)),
			 0);
}

/* SQLite would go on in the file that is no longer there. */
static void test_a_file_that_is_moved_away(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	put(test->db, "mail", 0);
	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "mail");
	rename_file(test, "", ".moved");
	expect(&terminal, "cannot be reached");
	rename_file(test, ".moved", "");
	expect(&terminal, "again");
	put(test->db, "news", 0);
	expect(&terminal, "news");
	press(&terminal, "q");
	close_terminal(&terminal, 0);
}

static void test_a_terminal_that_nobody_knows(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	open_terminal(&terminal, test->url, "no-such-terminal");
	expect(&terminal, "--once");
	close_terminal(&terminal, EXIT_USAGE);
}

#else

static void test_left_out(void **state)
{
	struct test_db *test = *state;
	struct terminal terminal;

	open_terminal(&terminal, test->url, "xterm");
	expect(&terminal, "built without ncurses");
	close_terminal(&terminal, EXIT_USAGE);
}

#endif

TEST_MAIN()
{
	static const struct test_case cases[] = {
		TEST_ROW(test_once),
#ifdef DRAY_WITH_NCURSES
		TEST_ROW(test_keys),
		TEST_ROW_ONLY(test_pages, "sqlite mysql"),
		TEST_ROW_ONLY(test_what_is_bad_is_red, "sqlite postgresql"),
		TEST_ROW_ONLY(test_no_colour_when_not_wanted, "sqlite"),
		TEST_ROW_ONLY(test_sizes, "sqlite"),
		TEST_ROW_ONLY(test_an_outage, "postgresql mariadb"),
		TEST_ROW_ONLY(test_a_file_that_is_moved_away, "sqlite"),
		TEST_ROW_ONLY(test_a_terminal_that_nobody_knows, "sqlite"),
#else
		TEST_ROW_ONLY(test_left_out, "sqlite"),
#endif
	};

	return test_run_backends("dray top", cases, sizeof(cases) / sizeof(cases[0]));
}
