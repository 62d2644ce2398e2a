/* Nothing in a job can give orders to a terminal or turn its text around. */
#include "tests/support/sites/cli.h"

#define CSI  "\xc2\x9b"     /* U+009B: as ESC [ */
#define BACK "\xe2\x80\xae" /* U+202E: what follows goes from right to left */

/* NOLINTBEGIN(misc-misleading-bidirectional): that is what it is about */
static void assert_harmless(struct test_result result)
{
	assert_code(result, 0);
	assert_null(strchr(result.output, '\033'));
	assert_null(strstr(result.output, CSI));
	assert_null(strstr(result.output, BACK));
	assert_contains(result.output, "\\u009b31m");
	assert_contains(result.output, "\\u202egpj.exe");
}

DB_CASE(test_jobs)
{
	assert_told("deceit.class", 0,
		    test_cli(test, "enqueue", "A" CSI "31m\033[2J\nB", "a" CSI "31m",
			     BACK "gpj.exe", "gr\xc3\xbc\xc3\x9f"));
	assert_harmless(test_cli(test, "jobs"));
	assert_contains(test_cli(test, "jobs").output, "31m?[2J B");
	assert_harmless(test_cli(test, "job", "1"));
	assert_harmless(test_cli(test, "jobs", "--json"));
	assert_contains(test_cli(test, "job", "1").output, "gr\xc3\xbc\xc3\x9f");
	/* JSON says the same as before. */
	json_t *job = test_json(test_cli(test, "job", "1", "--json"));
	assert_string_equal(test_json_text(job, "class"), "A" CSI "31m\033[2J\nB");
	json_decref(job);
}

DB_CASE(test_names)
{
	struct test_result result = test_cli(test, "pause", "q" CSI "31m" BACK "gpj.exe");

	assert_null(strstr(result.errors, CSI));
	assert_null(strstr(result.output, CSI));
	assert_harmless(test_cli(test, "queues"));
	assert_harmless(test_cli(test, "audit"));
	result = test_cli(test, "jobs", "--limit", "1" CSI BACK);
	assert_null(strstr(result.errors, CSI));
	assert_contains(result.errors, "1\\u009b\\u202e");
}

/* What the C library says of options is told as everything else. */
DB_CASE(test_unknown_options)
{
	struct text said = { 0 };

	assert_refused(&said, test_cli(test, "jobs", "--x" CSI "31m" BACK));
	assert_refused(&said, test_cli(test, "--x" CSI "31m" BACK));
	assert_refused(&said, test_cli(test, "--x\033[31m"));
	assert_refused(&said, test_cli(test, "jobs", "-" CSI));
	assert_null(strpbrk(text_string(&said), "\xc2\033"));
	assert_null(strstr(text_string(&said), BACK));
	test_said("deceit.options", &said);
	assert_contains(test_cli(test, "jobs", "-" CSI).errors, "Try `dray jobs --help' or ");
}

/* NOLINTEND(misc-misleading-bidirectional) */
