/*
 * The payload of a run: provider_job_id put in as text, everything else left as it is; and what is
 * read of it.
 */
#include "common/clock.h"
#include "queue/payload/payload.h"
#include "tests/support/test.h"

static const struct {
	const char *stored, *run;
} cases[] = {
	{ "{\"job_id\":\"x\",\"provider_job_id\":null,\"a\":1}",
	  "{\"job_id\":\"x\",\"provider_job_id\":42,\"a\":1}" },
	{ "{\"provider_job_id\":null}", "{\"provider_job_id\":42}" },
	{ " { \"provider_job_id\" : \"a,}\" , \"a\" : 1 }",
	  " { \"provider_job_id\" : 42, \"a\" : 1 }" },
	{ "{\"provider_job_id\":{\"a\":[1,2]}}", "{\"provider_job_id\":42}" },
	{ "{}", "{\"provider_job_id\":42}" },
	{ "{\"a\":1}", "{\"provider_job_id\":42,\"a\":1}" },
	/* Deeper down and inside texts it is somebody else's. */
	{ "{\"arguments\":[{\"provider_job_id\":null},\"\\\"provider_job_id\\\":null\"],"
	  "\"provider_job_id\":null}",
	  "{\"arguments\":[{\"provider_job_id\":null},\"\\\"provider_job_id\\\":null\"],"
	  "\"provider_job_id\":42}" },
	/* What no parser of ours could write again. */
	{ "{\"n\":123456789012345678901234567890,\"t\":\"\\u0000\",\"provider_job_id\":null}",
	  "{\"n\":123456789012345678901234567890,\"t\":\"\\u0000\",\"provider_job_id\":42}" },
	/* No object, or broken: as it is, or at least no harm. */
	{ "[1]", "[1]" },
	{ "", "" },
	{ "{\"a", "{\"provider_job_id\":42,\"a" },
	{ "{\"a\\", "{\"provider_job_id\":42,\"a\\" },
};

ARENA_CASE(the_number_of_the_job_is_put_in)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(payload_for_run(arena, cases[i].stored, 42, "[]"),
				    cases[i].run);
}

/* Only where there are marks: what has none is left as it was written. */
ARENA_CASE(arguments_with_marks_become_the_plain_ones)
{
	assert_string_equal(
		payload_for_run(arena,
				"{\"a\":1, \"arguments\" :[{\"b\":2,\"_aj_symbol_keys\":"
				"[\"b\"]}],\"c\":3}",
				42, "[{\"b\":2}]"),
		"{\"provider_job_id\":42,\"a\":1, \"arguments\" :[{\"b\":2}],\"c\":3}");
	assert_string_equal(payload_for_run(arena, "{\"arguments\":[ 1.50 ]}", 42, "[1.5]"),
			    "{\"provider_job_id\":42,\"arguments\":[ 1.50 ]}");
}

CASE(a_timeout_that_is_too_long_is_none)
{
	assert_int_equal(payload_timeout("{\"dray_timeout\":31536000}"), 365 * CLOCK_DAY);
	assert_int_equal(payload_timeout("{\"dray_timeout\":31536000.1}"), 0);
	assert_int_equal(payload_timeout("{\"dray_timeout\":-1}"), 0);
}
