/* dray enqueue --bulk on every database: bad lines, large files, small memory. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/text.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

#define MANY   100000
#define FEW    5000
#define MARGIN 8192 /* KiB */

static struct test_result bulk(struct test_db *test, const char *input)
{
	return test_cli_input(test, input, "enqueue", "--bulk", "-", "--json");
}

static void assert_counts(struct test_result result, json_int_t jobs, json_int_t bad)
{
	json_t *json = test_json(result);

	assert_int_equal(test_json_integer(json, "enqueued"), jobs);
	assert_int_equal(test_json_integer(json, "bad_lines"), bad);
	json_decref(json);
}

TEST(test_every_key)
{
	struct test_db *test = *state;
	static const char input[] =
		"{\"class\":\"A\"}\n"
		"{\"class\":\"A\",\"arguments\":[1,\"x\"],\"queue\":\"q\",\"priority\":-3}\r\n"
		"\n"
		"{\"class\":\"B\",\"arguments\":{\"k\":1},\"at\":\"2999-01-01T00:00:00Z\"}\n"
		"{\"class\":\"B\",\"in\":3600,\"concurrency_key\":\"key\"}\n"
		"{\"class\":\"B\",\"in\":\"1h30m\"}\n"
		"{\"keywords\":{\"k\":1},\"class\":\"B\",\"in\":\"1h30m\",\"arguments\":[2]}\n"
		"{\"class\":\"B\",\"in\":0.3}"; /* without a line break */
	struct test_result result = bulk(test, input);

	assert_code(result, 0);
	assert_counts(result, 7, 0);
	assert_string_equal(result.errors, "dray: warning: class A is not in jobs.yml\n"
					   "dray: warning: class B is not in jobs.yml\n");
	assert_string_equal(
		test_query_text(test->arena, test->url,
				"SELECT queue_name, priority, class_name FROM solid_queue_jobs "
				"ORDER BY id"),
		"default 0 A\nq -3 A\ndefault 0 B\ndefault 0 B\ndefault 0 B\ndefault 0 B\ndefault "
		"0 B\n");
	assert_int_equal(rows_of(test, "ready_executions"), 2);
	assert_int_equal(rows_of(test, "scheduled_executions"), 5);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM solid_queue_jobs "
						   "WHERE concurrency_key = 'key'"),
			 1);
	assert_int_equal(
		test_query_int(test->url,
			       "SELECT count(*) FROM solid_queue_jobs WHERE arguments LIKE "
			       "'%\"arguments\":[2,{\"k\":1,\"_aj_ruby2_keywords\":[\"k\"]}]%'"),
		1);
	test_invariant(test->db);
}

/* Whatever is JSON for Rails is taken, kept, and shown as it is. */
TEST(test_arguments_beyond_what_fits_elsewhere)
{
	static const char wide[] = "[99999999999999999999,-1e999,\"a\\u0000b\","
				   "{\"k\\u0000\\u0000\":[18446744073709551616],\"k\":1}]";
	struct test_db *test = *state;
	struct test_result result =
		bulk(test, arena_printf(test->arena, "{\"class\":\"A\",\"arguments\":%s}\n", wide));

	assert_code(result, 0);
	assert_counts(result, 1, 0);
	const char *payload =
		test_query_text(test->arena, test->url, "SELECT arguments FROM solid_queue_jobs");
	assert_contains(payload, wide);
	result = test_cli(test, "jobs", "--json");
	assert_contains(result.output, "\"k\\u0000\\u0000\": [");
	assert_contains(result.output, "18446744073709551616\n");
	result = test_cli(test, "jobs");
	assert_contains(result.output, wide);
}

TEST(test_bad_lines_are_named_and_harm_no_other)
{
	struct test_db *test = *state;
	static const struct {
		const char *line;
		const char *expected; /* NULL = good */
	} lines[] = {
		{ "{\"class\":\"A\"}", NULL },
		{ "nonsense", "column" },
		{ "[]", "expected a JSON object" },
		{ "{}", "the class is missing" },
		{ "{\"class\":\"\"}", "the class is missing" },
		{ "{\"class\":7}", "class: expected a string" },
		{ "{\"class\":99999999999999999999}", "class: expected a string" },
		{ "{\"class\":\"A\\u0000\"}", "class: expected a string" },
		{ "{\"class\":\"A\",\"in\":99999999999999999999}", "in: expected seconds" },
		{ "{\"class\":\"A\",\"a\\u0000\":1}", "unknown key \"a\\u0000\"" },
		{ "{\"class\":\"A\",\"klass\":1}",
		  "unknown key \"klass\": did you mean \"class\"?" },
		{ "{\"class\":\"A\",\"arguments\":\"x\"}",
		  "arguments: expected an array or an object" },
		{ "{\"class\":\"A\",\"keywords\":[]}", "keywords: expected a JSON object" },
		{ "{\"class\":\"A\",\"keywords\":{},\"arguments\":{}}",
		  "an object already holds keywords" },
		{ "{\"class\":\"A\",\"priority\":1.5}", "priority: expected an integer" },
		{ "{\"class\":\"A\",\"priority\":2147483648}", "priority: expected an integer" },
		{ "{\"class\":\"A\",\"at\":\"soon\"}", "at: expected a time" },
		{ "{\"class\":\"A\",\"in\":-1}", "in: expected seconds or a duration" },
		{ "{\"class\":\"A\",\"in\":true}", "in: expected seconds or a duration" },
		{ "{\"class\":\"A\",\"in\":1,\"at\":\"2030-01-01\"}", "give at or in, not both" },
		{ "{\"class\":\"A\",\"class\":\"B\"}", "duplicate" },
		{ "{\"class\":\"A\"} {\"class\":\"A\"}", "end of file expected" },
		{ "{\"class\":\"A\",\"queue\":\"\"}",
		  "the queue is missing" }, /* enqueue() refuses */
		{ "{\"class\":\"A\xff\"}", "column" },
		{ "{\"class\":\"A\",\"concurrency_key\":\"\"}", "the concurrency key is missing" },
		{ "{\"class\":\"A\"}", NULL },
	};
	struct text input = { 0 };
	json_int_t bad = 0;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		text_printf(&input, "%s\n", lines[i].line);
	struct test_result result = bulk(test, text_string(&input));
	text_free(&input);
	assert_code(result, EXIT_ERROR);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *prefix = arena_printf(test->arena, "dray: line %zu: ", i + 1);
		const char *found = strstr(result.errors, prefix);
		bad += lines[i].expected != NULL;
		if (!lines[i].expected)
			assert_null(found);
		else
			assert_contains(found ? found : result.errors, lines[i].expected);
	}
	assert_counts(result, 2, bad);
	assert_int_equal(rows_of(test, "jobs"), 2);
	test_invariant(test->db);
}

/* In one batch: the good jobs before, between and after those that enqueue() refuses. */
TEST(test_refused_jobs_keep_no_other)
{
	struct test_db *test = *state;
	struct text input = { 0 };

	for (int i = 1; i <= 1200; i++)
		text_printf(&input, "{\"class\":\"A\",\"arguments\":[%d],\"queue\":\"%s\"}\n", i,
			    i % 400 == 0 ? "" : "q");
	struct test_result result = bulk(test, text_string(&input));
	text_free(&input);
	assert_code(result, EXIT_ERROR);
	assert_counts(result, 1197, 3);
	for (int i = 400; i <= 1200; i += 400)
		assert_contains(
			result.errors,
			arena_printf(test->arena, "dray: line %d: the queue is missing\n", i));
	assert_int_equal(rows_of(test, "ready_executions"), 1197);
	test_invariant(test->db);
}

TEST(test_too_long_a_line)
{
	struct test_db *test = *state;
	size_t length = ((size_t)16 << 20) + 100;
	char *input = malloc(length + 100);

	assert_non_null(input);
	memset(input, ' ', length);
	(void)snprintf(input + length, 100, "{\"class\":\"A\"}\n{\"class\":\"B\"}\n");
	struct test_result result = bulk(test, input);
	free(input);
	assert_code(result, EXIT_ERROR);
	assert_contains(result.errors, "dray: line 1: longer than 16 MiB\n");
	assert_counts(result, 1, 1);
}

TEST(test_files_that_cannot_be_read)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "enqueue", "--bulk", "/nowhere/file");

	assert_code(result, EXIT_ERROR);
	assert_string_equal(result.errors, "dray: /nowhere/file: No such file or directory\n");
	result = test_cli(test, "enqueue", "--bulk", "/");
	assert_code(result, EXIT_ERROR);
	assert_contains(result.errors, "Is a directory");
	result = test_cli_input(test, "", "enqueue", "--bulk", "-");
	assert_code(result, 0);
	assert_string_equal(result.output, "enqueued 0 jobs\n");
}

/* What is wrong with the database is no bad line. */
TEST(test_lost_tables_stop_it)
{
	struct test_db *test = *state;

	test_execute(test->db, "DROP TABLE solid_queue_ready_executions");
	struct test_result result = bulk(test, "\n{\"class\":\"A\"}\n{\"class\":\"A\"}\n");
	assert_true(result.code != 0 && result.code != EXIT_ERROR);
	assert_contains(
		result.errors,
		"dray: stopped before line 2; this line and those after it were not enqueued\n");
	assert_counts(result, 0, 0);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

static const char *write_lines(struct test_db *test, int count)
{
	char *path = arena_printf(test->arena, "/tmp/dray-bulk-XXXXXX");
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		fail_msg("%s cannot be made", path);
	for (int i = 1; i <= count; i++)
		(void)fprintf(file, "{\"class\":\"A\",\"arguments\":[\"number\",%d]}\n", i);
	assert_int_equal(fclose(file), 0);
	return path;
}

/* Enqueues so many lines from a file; the most memory it took, in KiB. */
static long peak_memory(struct test_db *test, int count)
{
	const char *path = write_lines(test, count);
	const char *program = getenv("DRAY_BINARY");
	struct rusage usage;
	int status;

	assert_non_null(program);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0 && program) {
		execl(program, "dray", "enqueue", "--quiet", "--root", "/", "--database", test->url,
		      "--bulk", path, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	assert_int_equal(unlink(path), 0);
	return usage.ru_maxrss;
}

/* A sanitizer keeps what is freed for a while. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

TEST(test_many_lines_in_flat_memory)
{
	struct test_db *test = *state;
	long small = peak_memory(test, FEW);
	long large = peak_memory(test, MANY);

	assert_int_equal(rows_of(test, "ready_executions"), FEW + MANY);
	assert_int_equal(
		test_query_int(test->url, "SELECT count(DISTINCT arguments) FROM solid_queue_jobs"),
		FEW + MANY);
#if SANITIZED
	(void)small;
	(void)large;
#else
	if (large > small + MARGIN)
		fail_msg("%d lines took %ld KiB, %d lines %ld KiB", FEW, small, MANY, large);
#endif
}
