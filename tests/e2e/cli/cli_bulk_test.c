/* dray enqueue --bulk on every database: bad lines, large files, small memory. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

#define MANY   100000
#define FEW    5000
#define MARGIN 8192 /* KiB */

static struct test_result bulk(struct test_db *test, const char *input)
{
	return test_cli_input(test, input, "enqueue", "--bulk", "-", "--json");
}

/* The exit status, and how many jobs were enqueued and how many lines were bad. */
static void assert_counts(struct test_db *test, struct test_result result, int code, int jobs,
			  int bad)
{
	assert_json(result, code,
		    arena_printf(test->arena, "{'enqueued': %d, 'bad_lines': %d}", jobs, bad));
}

DB_CASE(test_every_key)
{
	static const char input[] =
		"\xEF\xBB\xBF{\"class\":\"A\"}\n"
		"{\"class\":\"A\",\"arguments\":[1,\"x\"],\"queue\":\"q\",\"priority\":-3}\r\n"
		"\n"
		"{\"class\":\"B\",\"arguments\":{\"k\":1},\"at\":\"2999-01-01T00:00:00Z\"}\n"
		"{\"class\":\"B\",\"in\":3600,\"concurrency_key\":\"key\"}\n"
		"{\"class\":\"B\",\"in\":\"1h30m\",\"timeout\":\"90s\"}\n"
		"{\"keywords\":{\"k\":1},\"class\":\"B\",\"in\":\"1h30m\",\"arguments\":[2]}\n"
		"{\"class\":\"B\",\"in\":0.3}"; /* without a line break */
	struct test_result result = bulk(test, input);

	assert_counts(test, result, 0, 7, 0);
	assert_wording("bulk.unknown_classes", result.errors);
	assert_query(
		test,
		"default 0 A\nq -3 A\ndefault 0 B\ndefault 0 B\ndefault 0 B\ndefault 0 B\ndefault "
		"0 B\n",
		"SELECT queue_name, priority, class_name FROM solid_queue_jobs "
		"ORDER BY id");
	assert_int_equal(rows_of(test, "ready_executions"), 2);
	assert_int_equal(rows_of(test, "scheduled_executions"), 5);
	assert_count(test, 1, "solid_queue_jobs WHERE concurrency_key = 'key'");
	assert_count(test, 1, "solid_queue_jobs WHERE arguments LIKE '%\"dray_timeout\":90}'");
	assert_count(test, 1,
		     "solid_queue_jobs WHERE arguments LIKE "
		     "'%\"arguments\":[2,{\"k\":1,\"_aj_ruby2_keywords\":[\"k\"]}]%'");
	test_invariant(test->db);
}

/* Whatever is JSON for Rails is taken, kept, and shown as it is. */
DB_CASE(test_arguments_beyond_what_fits_elsewhere)
{
	static const char wide[] = "[99999999999999999999,-1e999,\"a\\u0000b\","
				   "{\"k\\u0000\\u0000\":[18446744073709551616],\"k\":1}]";
	struct test_result result =
		bulk(test, arena_printf(test->arena, "{\"class\":\"A\",\"arguments\":%s}\n", wide));

	assert_counts(test, result, 0, 1, 0);
	const char *payload = sql_text(test, "SELECT arguments FROM solid_queue_jobs");
	assert_contains(payload, wide);
	result = test_cli(test, "jobs", "--json");
	assert_contains(result.output, "\"k\\u0000\\u0000\": [");
	assert_contains(result.output, "18446744073709551616\n");
	result = test_cli(test, "jobs");
	assert_contains(result.output, wide);
}

DB_CASE(test_bad_lines_are_named_and_harm_no_other)
{
	static const char *const lines[] = {
		"{\"class\":\"A\"}",
		"nonsense",
		"[]",
		"{}",
		"{\"class\":\"\"}",
		"{\"class\":7}",
		"{\"class\":99999999999999999999}",
		"{\"class\":\"A\\u0000\"}",
		"{\"class\":\"A\",\"in\":99999999999999999999}",
		"{\"class\":\"A\",\"a\\u0000\":1}",
		"{\"class\":\"A\",\"klass\":1}",
		"{\"class\":\"A\",\"arguments\":\"x\"}",
		"{\"class\":\"A\",\"keywords\":[]}",
		"{\"class\":\"A\",\"keywords\":{},\"arguments\":{}}",
		"{\"class\":\"A\",\"priority\":1.5}",
		"{\"class\":\"A\",\"priority\":2147483648}",
		"{\"class\":\"A\",\"at\":\"soon\"}",
		"{\"class\":\"A\",\"in\":-1}",
		"{\"class\":\"A\",\"in\":true}",
		"{\"class\":\"A\",\"in\":1,\"at\":\"2030-01-01\"}",
		"{\"class\":\"A\",\"class\":\"B\"}",
		"{\"class\":\"A\"} {\"class\":\"A\"}",
		"{\"class\":\"A\",\"queue\":\"\"}",
		"{\"class\":\"A\xff\"}",
		"{\"class\":\"A\",\"concurrency_key\":\"\"}",
		"{\"class\":\"A\",\"timeout\":\"366d\"}",
		"{\"class\":\"A\"}",
	};
	struct text input = { 0 };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		text_printf(&input, "%s\n", lines[i]);
	struct test_result result = bulk(test, text_string(&input));
	text_free(&input);
	assert_wording("bulk.bad_lines", result.errors);
	assert_counts(test, result, EXIT_ERROR, 2, sizeof(lines) / sizeof(lines[0]) - 2);
	assert_int_equal(rows_of(test, "jobs"), 2);
	test_invariant(test->db);
}

/* In one batch: the good jobs before, between and after those that enqueue() refuses. */
DB_CASE(test_refused_jobs_keep_no_other)
{
	struct text input = { 0 };

	for (int i = 1; i <= 1200; i++)
		text_printf(&input, "{\"class\":\"A\",\"arguments\":[%d],\"queue\":\"%s\"}\n", i,
			    i % 400 == 0 ? "" : "q");
	struct test_result result = bulk(test, text_string(&input));
	text_free(&input);
	assert_counts(test, result, EXIT_ERROR, 1197, 3);
	for (int i = 400; i <= 1200; i += 400)
		assert_contains(
			result.errors,
			arena_printf(test->arena, "dray: line %d: the queue is missing\n", i));
	assert_int_equal(rows_of(test, "ready_executions"), 1197);
	test_invariant(test->db);
}

DB_CASE(test_too_long_a_line)
{
	size_t length = ((size_t)16 << 20) + 100;
	char *input = malloc(length + 100);

	assert_non_null(input);
	memset(input, ' ', length);
	(void)snprintf(input + length, 100, "{\"class\":\"A\"}\n{\"class\":\"B\"}\n");
	struct test_result result = bulk(test, input);
	free(input);
	assert_wording("bulk.long_line", result.errors);
	assert_counts(test, result, EXIT_ERROR, 1, 1);
}

DB_CASE(test_files_that_cannot_be_read)
{
	assert_told("bulk.no_file", EXIT_ERROR,
		    test_cli(test, "enqueue", "--bulk", "/nowhere/file"));
	assert_told("bulk.folder", EXIT_ERROR, test_cli(test, "enqueue", "--bulk", "/"));
	assert_told("bulk.nothing", 0, test_cli_input(test, "", "enqueue", "--bulk", "-"));
}

/* What is wrong with the database is no bad line. */
DB_CASE(test_lost_tables_stop_it)
{
	test_execute(test->db, "DROP TABLE solid_queue_ready_executions");
	struct test_result result = bulk(test, "\n{\"class\":\"A\"}\n{\"class\":\"A\"}\n");
	assert_int_equal(result.code, EXIT_ERROR);
	assert_contains(
		result.errors,
		"dray: stopped before line 2; this line and those after it were not enqueued\n");
	assert_counts(test, result, result.code, 0, 0);
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
	long peak = test_cli_peak(test, "enqueue", "--quiet", "--root", "/", "--bulk", path);

	assert_int_equal(unlink(path), 0);
	return peak;
}

DB_CASE(test_many_lines_in_flat_memory)
{
	long small = peak_memory(test, FEW);
	long large = peak_memory(test, MANY);

	assert_int_equal(rows_of(test, "ready_executions"), FEW + MANY);
	assert_number(test, FEW + MANY, "SELECT count(DISTINCT arguments) FROM solid_queue_jobs");
	if (large > small + MARGIN && !SANITIZED)
		fail_msg("%d lines took %ld KiB, %d lines %ld KiB", FEW, small, MANY, large);
}
