/* dray top: through a terminal of our own on every database, and printed once. */
#include <sys/ioctl.h>

#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/terminal.h"

static void open_terminal(struct terminal *terminal, const char *url, const char *kind,
			  const char *text)
{
	const char *const arguments[] = { "top",  "--interval", "100ms", "--sort",
					  "name", "--database", url,     NULL };
	const char *const environment[] = { kind, NULL };

	terminal_open(terminal,
		      &(struct test_command){ .arguments = arguments, .environment = environment },
		      80);
	terminal_await(terminal, text);
}

static void quit(struct test_db *test, struct terminal *terminal)
{
	terminal_type(terminal, "q");
	(void)terminal_close(test->arena, terminal, 0);
}

/* With names as processes have them. */
static void assert_narrow(struct test_db *test)
{
	struct process_row supervisor = { .kind = "Supervisor(fork)",
					  .name = "supervisor(fork)-f66c559c913885f2267e",
					  .pid = 4194303,
					  .hostname = "app-server-1.example.com",
					  .metadata = "{}" };

	must(process_register, test->db, &supervisor);
	struct test_result result = test_cli(test, "top", "--once");
	assert_contains(result.output, " supervisor(fork~ app-server-~ ");
	for (const char *line = result.output; line; line = strchr(line, '\n'))
		assert_in_range(strcspn(++line, "\n"), 0, 80);
}

DB_CASE(test_once)
{
	put(test->db, "a", 0);
	put(test->db, "b", 0);
	put(test->db, "b", 0);
	struct test_result result = test_cli(test, "top", "--once");
	assert_code(result, 0);
	assert_contains(result.output, "jobs  3 ready, 0 scheduled");
	assert_contains(result.output, "READY* SCHED RETRY RUN BLK");
	assert_true(strstr(result.output, "\nb ") < strstr(result.output, "\na "));
	assert_contains(result.output, "\nKIND NAME HOST");
	assert_null(strchr(result.output, '\033'));
	result = test_cli(test, "top", "--sort", "name");
	assert_true(strstr(result.output, "\nb ") > strstr(result.output, "\na "));
	result = test_cli(test, "top", "--sort", "name", "--reverse");
	assert_true(strstr(result.output, "\nb ") < strstr(result.output, "\na "));
	assert_json(test_cli(test, "top", "--json"), 0,
		    "{'ready': 3, 'queues': [{'name': 'b'}, {'name': 'a'}]}");
	assert_code(test_cli(test, "top", "--sort", "size"), EXIT_USAGE);
	assert_code(test_cli(test, "top", "--interval", "1ms"), EXIT_USAGE);
	assert_narrow(test);
}

/* Of long queues, for a long time. */
DB_CASE(test_once_fits_a_terminal)
{
	static const char queue[] = "a-queue-with-a-name-of-more-than-forty-characters";
	struct process_row worker = {
		.kind = "Worker",
		.name = "worker-f66c559c913885f2267e",
		.pid = 4194303,
		.hostname = "app-server-1.example.com",
		.metadata = arena_printf(test->arena, "{\"queues\":\"%s,%s\"}", queue, queue)
	};
	struct terminal terminal;

	must(process_register, test->db, &worker);
	for (int i = 0; i < 12; i++)
		put(test->db, queue, 0);
	sql_do(test, "UPDATE solid_queue_ready_executions SET created_at = '2026-01-01 00:00:00'");
	terminal_dray(&terminal, test->url, 80, "top", "--once");
	const char *seen = terminal_close(test->arena, &terminal, 0);
	assert_contains(seen, "HOUR WORK\r\n");
	assert_contains(seen, "a-queue");
	for (const char *line = seen; line; line = strchr(line, '\n'))
		assert_in_range(strcspn(++line, "\r\n"), 0, 80);
}

#ifdef DRAY_WITH_NCURSES

/* A failed job on the queue "mail", and the worker that has run it. */
static void fail_one(struct test_db *test)
{
	struct process_row worker = { .kind = "Worker",
				      .name = "worker-1",
				      .pid = 4711,
				      .hostname = "host-1",
				      .metadata = "{\"queues\":\"x\"}" };
	const struct new_job job = { .class_name = "Xylophone", .queue = "mail" };

	put_job(test->db, &job);
	must(process_register, test->db, &worker);
	struct claim *claims = take_all(test, worker.id, 1);
	assert_true(settle_one(test->db, claims, OUTCOME_FAILED));
}

DB_CASE(test_keys)
{
	struct terminal terminal;

	fail_one(test);
	open_terminal(&terminal, test->url, "TERM=xterm", "<> sort"); /* the last of the keys */
	terminal_press(&terminal, "p", "Reason:");
	terminal_press(&terminal, "depp\177loy\r", "paused");
	assert_query(test, "mail deploy\n", "SELECT name, reason FROM dray_pauses");
	terminal_press(&terminal, "p", "Resume");
	terminal_type(&terminal, "n");
	terminal_press(&terminal, "p", "Resume");
	assert_int_equal(rows_of(test, "pauses"), 1);
	terminal_press(&terminal, "y", "resumed");
	assert_int_equal(rows_of(test, "pauses"), 0);
	terminal_press(&terminal, "r", "Retry");
	terminal_press(&terminal, "y", "retried");
	assert_int_equal(state_of(test, 1), JOB_READY);
	quit(test, &terminal);
	assert_contains(test_cli(test, "audit").output, "queue mail");
}

DB_CASE_ONLY(test_pages, "sqlite mysql")
{
	struct terminal terminal;

	fail_one(test);
	open_terminal(&terminal, test->url, "TERM=xterm", "QUEUE*");
	terminal_press(&terminal, "j", "Xylophone");
	terminal_press(&terminal, "\033", "QUEUE*");
	terminal_press(&terminal, "\t", "host-1");
	terminal_press(&terminal, "\t", "QUEUE*");
	terminal_press(&terminal, ">", "STATUS*");
	terminal_type(&terminal, "r\033\003"); /* Ctrl-C */
	(void)terminal_close(test->arena, &terminal, 0);
	assert_int_equal(state_of(test, 1), JOB_FAILED);
}

DB_CASE_ONLY(test_what_is_bad_is_red, "sqlite postgresql")
{
	struct terminal terminal;

	assert_int_equal(unsetenv("NO_COLOR"), 0);
	open_terminal(&terminal, test->url, "TERM=xterm", "QUEUE*");
	terminal_press(&terminal, "?", "WHAT IT DOES");
	fail_one(test);
	terminal_press(&terminal, "\033 ", "31m"); /* other attributes may stand beside it */
	terminal_press(&terminal, "f", "TestError: no");
	terminal_press(&terminal, "\033", "QUEUE*");
	quit(test, &terminal);
}

DB_CASE_ONLY(test_no_colour_when_not_wanted, "sqlite")
{
	struct terminal terminal;

	fail_one(test);
	assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
	open_terminal(&terminal, test->url, "TERM=xterm", "");
	while (!strstr(text_string(&terminal.seen), "Tab processes"))
		assert_true(terminal_read(&terminal, CLOCK_SECOND));
	assert_null(strstr(text_string(&terminal.seen), "31m"));
	terminal_press(&terminal, "f", "Xylophone");
	quit(test, &terminal);
	assert_int_equal(unsetenv("NO_COLOR"), 0);
}

DB_CASE_ONLY(test_sizes, "sqlite")
{
	struct winsize size = { .ws_row = 7, .ws_col = 30 };
	struct terminal terminal;

	for (int i = 10; i < 50; i++)
		put(test->db, arena_printf(test->arena, "queue-%d", i), 0);
	open_terminal(&terminal, test->url, "TERM=xterm", "queue-10");
	terminal_type(&terminal, "\033OF"); /* End */
	terminal_await(&terminal, "queue-49");
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	terminal_press(&terminal, "p", "Pause queue-49");
	size = (struct winsize){ .ws_row = 2, .ws_col = 5 };
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	terminal_type(&terminal, "x\r");
	size = (struct winsize){ .ws_row = 60, .ws_col = 200 };
	assert_int_equal(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
	terminal_await(&terminal, "queue-10");
	quit(test, &terminal);
	assert_int_equal(rows_of(test, "pauses"), 1);
}

DB_CASE_ONLY(test_an_outage, "postgresql mariadb")
{
	struct forwarder forwarder;
	struct terminal terminal;

	put(test->db, "mail", 0);
	open_terminal(&terminal, forwarder_url(&forwarder, test->arena, test->url), "TERM=xterm",
		      "mail");
	forwarder_mode(&forwarder, FORWARDER_DROP);
	terminal_await(&terminal, "cannot be reached");
	forwarder_mode(&forwarder, FORWARDER_PASS);
	terminal_await(&terminal, "again");
	quit(test, &terminal);
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
DB_CASE_ONLY(test_a_file_that_is_moved_away, "sqlite")
{
	struct terminal terminal;

	put(test->db, "mail", 0);
	open_terminal(&terminal, test->url, "TERM=xterm", "mail");
	rename_file(test, "", ".moved");
	terminal_await(&terminal, "cannot be reached");
	rename_file(test, ".moved", "");
	terminal_await(&terminal, "again");
	put(test->db, "news", 0);
	terminal_await(&terminal, "news");
	quit(test, &terminal);
}

DB_CASE_ONLY(test_a_terminal_that_nobody_knows, "sqlite")
{
	struct terminal terminal;

	open_terminal(&terminal, test->url, "TERM=no-such-terminal", "--once");
	(void)terminal_close(test->arena, &terminal, EXIT_USAGE);
}

#else

DB_CASE_ONLY(test_left_out, "sqlite")
{
	struct terminal terminal;

	open_terminal(&terminal, test->url, "TERM=xterm", "built without ncurses");
	(void)terminal_close(test->arena, &terminal, EXIT_USAGE);
}

#endif
