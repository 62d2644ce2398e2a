/* Nothing in a job can give orders to a terminal or turn its text around. */
#include <string.h>

#include "tests/support/sites/cli.h"

#define CSI  "\xc2\x9b"     /* U+009B: as ESC [ */
#define BACK "\xe2\x80\xae" /* U+202E: what follows goes from right to left */

/* NOLINTBEGIN(misc-misleading-bidirectional): that is what it is about */
static void assert_harmless(struct test_result result)
{
	assert_code(result, 0);
	assert_null(strstr(result.output, CSI));
	assert_null(strstr(result.output, BACK));
	assert_contains(result.output, "\\u009b31m");
	assert_contains(result.output, "\\u202egpj.exe");
}

TEST(test_jobs)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "enqueue", "A" CSI "31m", "a" CSI "31m",
					     BACK "gpj.exe", "gr\xc3\xbc\xc3\x9f");

	assert_code(result, 0);
	assert_contains(result.errors, "class A\\u009b31m is not in jobs.yml");
	assert_harmless(test_cli(test, "jobs"));
	assert_harmless(test_cli(test, "job", "1"));
	assert_harmless(test_cli(test, "jobs", "--json"));
	assert_contains(test_cli(test, "job", "1").output, "gr\xc3\xbc\xc3\x9f");
	/* JSON says the same as before. */
	json_t *job = test_json(test_cli(test, "job", "1", "--json"));
	assert_string_equal(test_json_text(job, "class"), "A" CSI "31m");
	json_decref(job);
}

TEST(test_names)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "pause", "q" CSI "31m" BACK "gpj.exe");

	assert_null(strstr(result.errors, CSI));
	assert_null(strstr(result.output, CSI));
	assert_harmless(test_cli(test, "queues"));
	assert_harmless(test_cli(test, "audit"));
	result = test_cli(test, "jobs", "--limit", "1" CSI BACK);
	assert_null(strstr(result.errors, CSI));
	assert_contains(result.errors, "1\\u009b\\u202e");
}

static void assert_complains(struct test_result result, const char *message)
{
	assert_int_equal(result.code, 2);
	assert_null(strstr(result.errors, "\xc2"));
	assert_null(strstr(result.errors, BACK));
	assert_contains(result.errors, message);
}

/* What the C library says of options is told as everything else. */
TEST(test_unknown_options)
{
	struct test_db *test = *state;

	assert_complains(test_cli(test, "jobs", "--x" CSI "31m" BACK),
			 "dray jobs: unrecognized option '--x\\u009b31m\\u202e'\n");
	assert_complains(test_cli(test, "--x" CSI "31m" BACK),
			 "unrecognized option '--x\\u009b31m\\u202e'\n");
	assert_complains(test_cli(test, "--x\033[31m"), "unrecognized option '--x?[31m'\n");
	assert_complains(test_cli(test, "jobs", "-" CSI), "dray jobs: invalid option -- '?'\n");
	assert_complains(test_cli(test, "jobs", "-" CSI),
			 "Try `dray jobs --help' or `dray jobs --usage' for more information.\n");
}

/* NOLINTEND(misc-misleading-bidirectional) */
