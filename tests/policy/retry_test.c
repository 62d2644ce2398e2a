/* What becomes of a job that failed: when it is executed again, and whether. */
#include "policy/policy.h"
#include "queue/payload/payload.h"
#include "tests/support/test.h"

#define TABLE      SOURCE_DIR "/tests/unit/backoff_rails.txt"
#define TABLE_SIZE 1000

static void check_line(char *line)
{
	char *rest = line;
	const char *wait = strsep(&rest, "\t");
	bool fixed = strcmp(wait, "polynomially_longer") != 0;
	int64_t span = fixed ? strtoll(wait, NULL, 10) * CLOCK_SECOND : 0;
	int64_t count = strtoll(rest, &rest, 10);
	const struct config_retry retry = { .wait = fixed ? WAIT_FIXED : WAIT_POLYNOMIAL,
					    .waits = &span,
					    .wait_count = fixed,
					    .max_wait = 365 * CLOCK_DAY,
					    .jitter = strtod(rest, &rest) };
	double chance = strtod(rest, &rest);
	double seconds = strtod(rest, &rest);

	assert_int_equal(policy_wait(&retry, count, chance), (int64_t)(seconds * 1e6 + 0.5));
}

CASE(waits_as_active_job_computes_them)
{
	FILE *file = fopen(TABLE, "re");
	char line[256];
	size_t lines = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		check_line(line);
		lines++;
	}
	assert_int_equal(fclose(file), 0);
	assert_int_equal(lines, TABLE_SIZE);
}

static const int64_t list[] = { 10 * CLOCK_SECOND, CLOCK_MINUTE, 10 * CLOCK_MINUTE };

struct wait_case {
	enum config_wait wait;
	int64_t count;
	double jitter, chance;
	int64_t max_wait, expected;
};

CASE(waits_of_other_shapes)
{
	static const struct wait_case cases[] = {
		{ WAIT_LINEAR, 1, 0, 0, 0, 3 * CLOCK_SECOND },
		{ WAIT_LINEAR, 7, 0, 0, 0, 21 * CLOCK_SECOND },
		{ WAIT_LINEAR, 2, 0.5, 0.5, 0, 7500000 },
		{ WAIT_EXPONENTIAL, 1, 0, 0, 0, 3 * CLOCK_SECOND },
		{ WAIT_EXPONENTIAL, 2, 0, 0, 0, 6 * CLOCK_SECOND },
		{ WAIT_EXPONENTIAL, 5, 0, 0, 0, 48 * CLOCK_SECOND },
		{ WAIT_EXPONENTIAL, 5, 0, 0, 30 * CLOCK_SECOND, 30 * CLOCK_SECOND },
		{ WAIT_EXPONENTIAL, INT64_C(1) << 40, 1, 0.9, 0, 365 * CLOCK_DAY },
		{ WAIT_POLYNOMIAL, INT64_C(1) << 40, 1, 0.9, 0, 365 * CLOCK_DAY },
		{ WAIT_LINEAR, INT64_C(1) << 62, 1, 0.9, 0, 365 * CLOCK_DAY },
		{ WAIT_LIST, 1, 0, 0, 0, 10 * CLOCK_SECOND },
		{ WAIT_LIST, 2, 0, 0, 0, CLOCK_MINUTE },
		{ WAIT_LIST, 3, 0, 0, 0, 10 * CLOCK_MINUTE },
		{ WAIT_LIST, 4, 0, 0, 0, 10 * CLOCK_MINUTE },
		{ WAIT_LIST, INT64_C(1) << 40, 0, 0, 0, 10 * CLOCK_MINUTE },
		{ WAIT_LIST, 2, 0.1, 0.5, 0, 63 * CLOCK_SECOND },
		{ WAIT_LIST, 2, 0.1, 0.5, 61 * CLOCK_SECOND, 61 * CLOCK_SECOND },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct config_retry retry = { .wait = cases[i].wait,
						    .waits = list,
						    .wait_count = 3,
						    .jitter = cases[i].jitter,
						    .max_wait = cases[i].max_wait > 0
									? cases[i].max_wait
									: 365 * CLOCK_DAY };
		assert_int_equal(policy_wait(&retry, cases[i].count, cases[i].chance),
				 cases[i].expected);
	}
}

struct judge_case {
	struct config_retry retry;
	struct run_failure failure;
	enum retry_verdict verdict;
};

CASE(which_errors_are_retried)
{
	static const char *network[] = { "Net::*", "75", "70-72", NULL };
	static const char *signals[] = { "signal", NULL };
	static const char *gone[] = { "Gone", NULL };
	const struct config_retry any = { .given = true, .attempts = 3 };
	const struct config_retry some = { .given = true, .attempts = 3, .retry_on = network };
	const struct config_retry killed = { .given = true, .attempts = 3, .retry_on = signals };
	const struct config_retry not_gone = { .given = true, .attempts = 3, .discard_on = gone };
	const struct judge_case cases[] = {
		{ { .attempts = 3 }, { "E", -1, false, 0 }, VERDICT_FAIL },
		{ any, { "E", -1, false, 0 }, VERDICT_RETRY },
		{ any, { "E", -1, false, 1 }, VERDICT_RETRY },
		{ any, { "E", -1, false, 2 }, VERDICT_FAIL },
		{ any, { "E", 1, false, 0 }, VERDICT_RETRY },
		{ any, { "E", 64, false, 0 }, VERDICT_FAIL },
		{ any, { "E", 74, false, 0 }, VERDICT_FAIL },
		{ any, { "E", 75, false, 0 }, VERDICT_RETRY },
		{ any, { "E", 78, false, 0 }, VERDICT_FAIL },
		{ any, { "E", 79, false, 0 }, VERDICT_RETRY },
		{ some, { "Net::Open", -1, false, 0 }, VERDICT_RETRY },
		{ some, { "Net", -1, false, 0 }, VERDICT_FAIL },
		{ some, { "E", 71, false, 0 }, VERDICT_RETRY },
		{ some, { "E", 73, false, 0 }, VERDICT_FAIL },
		{ some, { "E", -1, true, 0 }, VERDICT_FAIL },
		{ killed, { "E", -1, true, 0 }, VERDICT_RETRY },
		{ killed, { "E", 1, false, 0 }, VERDICT_FAIL },
		{ killed, { "E", 75, false, 0 }, VERDICT_RETRY },
		{ any, { .error_class = "E", .exit_status = -1, .lost = true }, VERDICT_FAIL },
		{ some,
		  { .error_class = "Net::A", .exit_status = 75, .lost = true },
		  VERDICT_FAIL },
		{ not_gone, { "Gone", -1, false, 0 }, VERDICT_DISCARD },
		{ not_gone, { "Gone", -1, false, 9 }, VERDICT_DISCARD },
		{ not_gone, { "Going", -1, false, 0 }, VERDICT_RETRY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (policy_judge(&cases[i].retry, &cases[i].failure) != cases[i].verdict)
			fail_msg("case %zu", i);
}

/* What a status says goes before everything else, and the narrower range before the wider. */
CASE(what_exit_statuses_say)
{
	static const char *statuses[] = { "0-255", NULL };
	static const struct config_exit exits[] = {
		{ 65, 65, { SAYS_DISCARD, 0 } },   { 64, 78, { SAYS_FAIL, 0 } },
		{ 99, 99, { SAYS_SNOOZE, 5 } },    { 0, 0, { SAYS_OK, 0 } },
		{ 66, 66, { SAYS_RETRY, 0 } },     { 120, 130, { SAYS_RETRY, 0 } },
		{ 120, 130, { SAYS_SNOOZE, 60 } },
	};
	const struct config_retry none = { .attempts = 3 };
	const struct config_retry all = { .given = true, .attempts = 3, .discard_on = statuses };
	const struct judge_case cases[] = {
		{ all, { "E", 65, false, 9 }, VERDICT_DISCARD },
		{ all, { "E", 75, false, 0 }, VERDICT_FAIL },
		{ all, { "E", 99, false, 9 }, VERDICT_SNOOZE },
		{ all, { "E", 66, false, 1 }, VERDICT_RETRY },
		{ all, { "E", 66, false, 2 }, VERDICT_FAIL },
		{ all, { "E", 125, false, 0 }, VERDICT_SNOOZE },
		{ all, { "E", 1, false, 0 }, VERDICT_DISCARD },
		{ none, { "E", 66, false, 0 }, VERDICT_RETRY },
		{ none, { "E", 66, false, 2 }, VERDICT_FAIL },
		{ none, { "E", 75, false, 0 }, VERDICT_FAIL },
		{ none, { "E", -1, true, 0 }, VERDICT_FAIL },
	};

	const struct config_class class = { .handler = HANDLER_COMMAND,
					    .exit = exits,
					    .exit_count = sizeof(exits) / sizeof(exits[0]) };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_failure failure = cases[i].failure;
		failure.said = policy_exit(&class, failure.exit_status);
		if (policy_judge(&cases[i].retry, &failure) != cases[i].verdict)
			fail_msg("case %zu", i);
	}
	assert_null(policy_exit(
		&(struct config_class){ .handler = HANDLER_MODULE, .exit = exits, .exit_count = 1 },
		65));
}

/* Statuses that a message explains: nobody has said what they mean. */
CASE(statuses_that_do_not_mend_themselves)
{
	static const char *patterns[] = { "70", NULL };
	static const struct config_exit exits[] = { { 66, 66, { SAYS_RETRY, 0 } } };
	struct config_class class = { .handler = HANDLER_COMMAND,
				      .exit = exits,
				      .exit_count = 1,
				      .retry = { .given = true, .attempts = 3 } };

	assert_true(policy_is_final(&class, 64));
	assert_true(policy_is_final(&class, 70));
	assert_true(policy_is_final(&class, 78));
	assert_false(policy_is_final(&class, 63));
	assert_false(policy_is_final(&class, 66));
	assert_false(policy_is_final(&class, 75));
	assert_false(policy_is_final(&class, 79));
	class.retry.retry_on = patterns;
	assert_false(policy_is_final(&class, 64));
	class.retry = (struct config_retry){ .attempts = 3 };
	assert_false(policy_is_final(&class, 70));
}

/* Through the text that is published for those who find a dead process. */
static struct loss_end lost_end(struct arena *arena, const struct config_retry *retry,
				int executions)
{
	const char *declared = policy_lost_declared(arena, retry);

	return declared ? policy_lost_end(arena, declared, executions)
			: (struct loss_end){ LOSS_FAILS, -1, NULL };
}

ARENA_CASE(losses_are_retried_where_the_class_says_so)
{
	static const char *lost[] = { "Net::*", "lost", NULL };
	static const int64_t pauses[] = { 5 * CLOCK_SECOND, CLOCK_MINUTE };
	struct config_retry retry = { .given = true,
				      .attempts = 3,
				      .wait = WAIT_LIST,
				      .waits = pauses,
				      .wait_count = 2,
				      .max_wait = CLOCK_DAY };

	assert_int_equal(lost_end(arena, &retry, 0).wait, -1);
	retry.retry_on = lost;
	struct loss_end end = lost_end(arena, &retry, 1);
	assert_int_equal(end.fate, LOSS_RETRIES);
	assert_int_equal(end.wait, CLOCK_MINUTE);
	assert_string_equal(end.rule, "[Net::*, lost]");
	assert_int_equal(lost_end(arena, &retry, 2).fate, LOSS_FAILS);
	retry.wait = WAIT_POLYNOMIAL;
	retry.wait_count = 0;
	assert_int_equal(lost_end(arena, &retry, 1).wait, 18 * CLOCK_SECOND);
	retry.discard_on = lost;
	assert_int_equal(lost_end(arena, &retry, 9).fate, LOSS_DISCARDS);
	retry.given = false;
	assert_null(policy_lost_declared(arena, &retry));
	assert_int_equal(policy_lost_end(arena, "{\"attempts\":3}", 0).fate, LOSS_FAILS);
	assert_int_equal(policy_lost_end(arena, "[", 0).fate, LOSS_FAILS);
}

ARENA_CASE(an_execution_is_counted_as_active_job_does)
{
	static const char *network[] = { "Net::Open", "75", NULL };
	const struct config_retry any = { .given = true };
	const struct config_retry some = { .given = true, .retry_on = network };
	const char *text;

	must(payload_count_execution, arena,
	     "{\"job_class\":\"A\",\"executions\":0,\"exception_executions\":{},"
	     "\"n\":123456789012345678901234567890}",
	     policy_retry_rule(arena, &any), 65535, &text);
	assert_string_equal(text, "{\"job_class\":\"A\",\"executions\":1,\"exception_executions\":{"
				  "\"[StandardError]\":1},\"n\":123456789012345678901234567890}");
	must(payload_count_execution, arena, text, policy_retry_rule(arena, &some), 65535, &text);
	assert_string_equal(text, "{\"job_class\":\"A\",\"executions\":2,\"exception_executions\":{"
				  "\"[StandardError]\":1,\"[Net::Open, 75]\":1},"
				  "\"n\":123456789012345678901234567890}");
	must(payload_count_execution, arena, "{}", "[E]", 65535, &text);
	assert_string_equal(text, "{\"executions\":1,\"exception_executions\":{\"[E]\":1}}");
	must_be(STATUS_INVALID, payload_count_execution, arena, "[]", "[E]", 65535, &text);
}

/* Where a column's bytes are few, the retry matters more than Active Job's count of its rule. */
ARENA_CASE(an_execution_is_counted_without_its_rule)
{
	static const char text[] = "{\"executions\":8,\"exception_executions\":{\"[E]\":8}}";
	const char *counted;

	must(payload_count_execution, arena, text, "[E]", strlen(text), &counted);
	assert_string_equal(counted, "{\"executions\":9,\"exception_executions\":{\"[E]\":9}}");
	must(payload_count_execution, arena, text, "[F]", strlen(text), &counted);
	assert_string_equal(counted, "{\"executions\":9,\"exception_executions\":{\"[E]\":8}}");
	must_be(STATUS_INVALID, payload_count_execution, arena, counted, "[F]", strlen(text),
		&counted);
}

CASE(a_payload_with_escapes)
{
	assert_false(payload_has_escapes("[\"\xc3\xa4 \\u003c \\n\\u007f\"]"));
	assert_true(payload_has_escapes("[\"\\u003c \\u0080\"]"));
	assert_true(payload_has_escapes("[\"\\ud83d\\ude00\"]"));
	assert_false(payload_has_escapes("[\"\\u00"));
}

/* Where the database's character set lacks a character. */
ARENA_CASE(a_payload_in_ascii)
{
	static const char text[] = "{\"a\":\"\xc3\xa4 \xf0\x9f\x98\x80 b\"}";

	assert_string_equal(payload_ascii(arena, text, 100),
			    "{\"a\":\"\\u00e4 \\ud83d\\ude00 b\"}");
	assert_null(payload_ascii(arena, text, 20));
}
