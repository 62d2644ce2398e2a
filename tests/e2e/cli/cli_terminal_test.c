/* What the program does differently on a terminal: colour, ages, progress. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/terminal.h"

#define BOLD     "\033[1m"
#define ELLIPSIS "\u2026"
#define FAILED   "\033[31mfailed\033[0m"

static void put_failed(struct test_db *test)
{
	const struct new_job job = { .class_name = "A" };

	put_job(test->db, &job);
	sql_do(test, "INSERT INTO solid_queue_failed_executions (job_id, error, created_at) "
		     "SELECT id, '{\"exception_class\":\"E\",\"message\":\"a message that is "
		     "longer than the rest of the line\"}', created_at FROM solid_queue_jobs");
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
}

/* Everything that the program writes to a terminal of `width` columns; in the arena. */
static const char *run(struct test_db *test, unsigned short width, const char *const *arguments)
{
	struct terminal terminal;

	terminal_dray_arguments(&terminal, test->url, width, arguments);
	return terminal_close(test->arena, &terminal, 0);
}

#define on_terminal(test, width, ...)                                                              \
	run((test), (width), (const char *const[]){ __VA_ARGS__, NULL })

DB_CASE(test_colour_and_ages)
{
	put_failed(test);
	const char *output = on_terminal(test, 200, "jobs");

	assert_contains(output, BOLD);
	assert_contains(output, FAILED);
	assert_contains(output, "  0s ago  ");
	assert_contains(output, "E: a message that is longer than the rest of the line\r\n");
	assert_contains(on_terminal(test, 200, "jobs", "--wide"), "Z (");
	assert_contains(on_terminal(test, 200, "job", "1"), FAILED);
}

DB_CASE(test_no_colour_when_not_wanted)
{
	put_failed(test);
	assert_null(strchr(on_terminal(test, 200, "jobs", "--no-color"), '\033'));
	assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
	assert_null(strchr(on_terminal(test, 200, "jobs"), '\033'));
	assert_int_equal(setenv("NO_COLOR", "", 1), 0); /* as if it were not set */
	assert_contains(on_terminal(test, 200, "jobs"), BOLD);
	assert_int_equal(unsetenv("NO_COLOR"), 0);
}

/* How many characters the longest line has. */
static size_t longest_line(const char *output)
{
	size_t longest = 0, length = 0;

	for (; *output; output++) {
		bool ends = *output == '\r' || *output == '\n';
		length = ends ? 0 : length + (((unsigned char)*output & 0xc0) != 0x80);
		if (length > longest)
			longest = length;
	}
	return longest;
}

DB_CASE(test_lines_fit_the_terminal)
{
	put_failed(test);
	static const unsigned short widths[] = { 100, 80, 50, 12, 1 };
	const char *output = on_terminal(test, 80, "jobs", "--no-color");

	assert_contains(output, " ago ");
	assert_contains(output, "E: a message");
	assert_contains(output, ELLIPSIS);
	assert_null(strstr(output, "rest of the line"));
	assert_int_equal(longest_line(output), 80);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		output = on_terminal(test, widths[i], "jobs", "--no-color");
		assert_in_range(longest_line(output), 1, widths[i]);
	}
	output = on_terminal(test, 50, "jobs", "--wide", "--no-color");
	assert_contains(output, "E: a message that is longer than the rest of the line\r\n");
}

/* Some characters take two columns. */
DB_CASE(test_wide_names_stay_in_their_columns)
{
	put_job(test->db, &(struct new_job){ .class_name = "A", .queue = "キュー" });
	put_job(test->db, &(struct new_job){ .class_name = "A",
					     .queue = "書き出しの待ち行列書き出しの待ち行列" });
	const char *output = on_terminal(test, 120, "queues", "--no-color");
	assert_contains(output, "\nキュー                                unserved ");
	assert_contains(output, "\n書き出しの待ち行列書き出しの待ち行列  unserved ");
	output = on_terminal(test, 80, "queues", "--no-color");
	assert_contains(output, "\n書き出しの待ち行列書き");
	assert_contains(output, ELLIPSIS);
	assert_null(strstr(output, "書き出しの待ち行列書き出しの待ち行列"));
	for (unsigned short width = 1; width < 40; width += 3)
		(void)on_terminal(test, width, "queues", "--no-color");
}

/* Who did what, and why, is what a timeline is read for: it goes on below. */
DB_CASE(test_a_timeline_goes_on_in_further_lines)
{
	static const char reason[] = "the customer called back and does not want it any more";

	put_job(test->db, &(struct new_job){ .class_name = "A", .delay = 60 * CLOCK_SECOND });
	assert_code(test_cli(test, "cancel", "1", "--yes", "--reason", reason), 0);
	const char *output = on_terminal(test, 80, "job", "1", "--no-color");
	assert_in_range(longest_line(output), 1, 80);
	assert_null(strstr(output, ELLIPSIS));
	assert_contains(output, " any more\r\n");
	for (unsigned short width = 1; width < 80; width += 13)
		(void)on_terminal(test, width, "job", "1", "--no-color");
}

/* The widest gives first: what is short stays whole. */
DB_CASE(test_widest_column_is_cut)
{
	put_failed(test);
	const char *output = on_terminal(test, 65, "jobs", "--no-color");

	assert_contains(output, "  failed  default  ");
	assert_contains(output, "PRIO ");
	assert_contains(output, " ago  A      E: a message that is l" ELLIPSIS "\r\n");
}

/* Titles of numbers are cut before it, and columns left out. */
DB_CASE(test_a_queues_name_stays_whole)
{
	const struct new_job job = { .class_name = "A", .queue = "low_priority" };

	put_job(test->db, &job);
	const char *output = on_terminal(test, 80, "queues", "--no-color");
	assert_in_range(longest_line(output), 1, 80);
	assert_contains(output, "low_priority  ");
	assert_contains(output, "  SCH");
	output = on_terminal(test, 60, "queues", "--no-color");
	assert_in_range(longest_line(output), 1, 60);
	assert_contains(output, "low_priority  ");
}

/* Half of a number is another one: it stands whole, or its column is left out. */
DB_CASE(test_no_number_is_cut)
{
	put_failed(test);
	static const unsigned short widths[] = { 75, 60, 45, 30, 20 };

	test_execute(test->db, "UPDATE solid_queue_jobs SET priority = 1234567");
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		const char *output = on_terminal(test, widths[i], "jobs", "--no-color");
		const char *number = strstr(output, "123");
		assert_in_range(longest_line(output), 1, widths[i]);
		if (widths[i] > 30)
			assert_non_null(number);
		assert_true(!number || strncmp(number, "1234567", 7) == 0);
		assert_int_equal(strstr(output, "PRI") != NULL, number != NULL);
	}
}

DB_CASE(test_columns_that_say_nothing)
{
	put_failed(test);
	sql_do(test, "INSERT INTO solid_queue_processes (kind, last_heartbeat_at, pid, "
		     "hostname, metadata, created_at, name) SELECT 'Worker', created_at, 7, "
		     "'host', '{\"threads\":3}', created_at, 'worker-7' FROM solid_queue_jobs "
		     "WHERE id = 1");
	const char *output = on_terminal(test, 250, "processes", "--no-color");
	assert_contains(output, "worker-7");
	assert_contains(output, "HEARTBEAT");
	assert_null(strstr(output, "PAUSED"));
	assert_null(strstr(output, "METADATA"));
	output = on_terminal(test, 250, "processes", "--no-color", "--wide");
	assert_contains(output, "PAUSED");
	assert_contains(output, "METADATA");
	assert_contains(output, "{\"threads\":3}");
	struct test_result piped = test_dray(test->arena, "processes", "--database", test->url);
	assert_contains(piped.output, "PAUSED");
	assert_contains(piped.output, "METADATA");
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_contains(on_terminal(test, 250, "processes", "--no-color"), "HEARTBEAT");
}

/* A script gets the same, and nothing is said to it. */
DB_CASE(test_times_as_people_say_them)
{
	put_failed(test);
	const char *output = on_terminal(test, 200, "jobs", "--since", "1h", "--no-color");

	assert_contains(output, "dray: --since 1h: 20");
	assert_contains(output, "  failed  ");
	assert_null(strstr(on_terminal(test, 200, "jobs", "--since", "in 1h"), "failed"));
	assert_contains(on_terminal(test, 200, "jobs", "--since", "2026-01-05 9am Europe/Madrid",
				    "--until", "2030-07-05 09:00"),
			"dray: --since 2026-01-05 9am Europe/Madrid: 2026-01-05T08:00:00Z "
			"(2026-01-05 09:00:00 CET); --until 2030-07-05 09:00: "
			"2030-07-05T09:00:00Z\r\n");
	assert_null(strstr(on_terminal(test, 200, "jobs", "--since", "2026-01-05T09:00:00Z"),
			   "--since"));
	assert_null(strstr(on_terminal(test, 200, "jobs", "-q", "--since", "1h"), "--since"));
	assert_int_equal(setenv("TZ", "XYZ-3", 1), 0);
	output = on_terminal(test, 200, "audit", "--since", "yesterday");
	assert_contains(output, "T21:00:00Z (20");
	assert_contains(output, " 00:00:00 XYZ)");
	struct test_result piped = test_dray(test->arena, "enqueue", "B", "--at", "tomorrow 9am",
					     "--database", test->url);
	assert_code(piped, 0);
	assert_null(strstr(piped.errors, "--at"));
	assert_int_equal(unsetenv("TZ"), 0);
	assert_contains(on_terminal(test, 200, "job", "2"), "T06:00:00Z (in ");
}

DB_CASE(test_what_is_no_time)
{
	struct text said = { 0 };

	assert_refused(&said, test_dray(test->arena, "enqueue", "A", "--at",
					"tomorrow 9am Europe/Madird", "--database", test->url));
	test_said("enqueue.no_time", &said);
}

DB_CASE(test_progress)
{
	char lines[] = "/tmp/dray-lines-XXXXXX";
	int fd = mkstemp(lines);

	for (int i = 0; i < 5000; i++)
		assert_int_equal(write(fd, "{\"class\":\"A\"}\n", 14), 14);
	assert_int_equal(close(fd), 0);
	const char *output = on_terminal(test, 100, "enqueue", "--bulk", lines);
	assert_contains(output, "\r\033[K1000 jobs enqueued, 0 bad lines, ");
	assert_contains(output, "\r\033[Kenqueued 5000 jobs\r\n");
	output = on_terminal(test, 100, "enqueue", "--quiet", "--bulk", lines);
	assert_string_equal(output, "");
	assert_int_equal(unlink(lines), 0);
}

/* Colours and progress are for a terminal that knows them. */
static int set_terminal(void **state)
{
	(void)state;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread yet */
	return setenv("TERM", "xterm", 1) != 0 || unsetenv("NO_COLOR") != 0;
}

GROUP(set_terminal, NULL);
