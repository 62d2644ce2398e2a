/* What a worker and a host tell each other, whole, in pieces and spoiled. */
#include "queue/claim/claim.h"
#include "tests/support/test.h"
#include "worker/host/message.h"

static const char *const texts[] = { "Some::Error", "what went wrong" };

CASE(a_job_arrives_as_it_was)
{
	const struct claim claim = { .id = INT64_C(1) << 41,
				     .claimed_at = INT64_C(1) << 50,
				     .job = { .process_id = INT64_C(1) << 42,
					      .id = INT64_C(1) << 40,
					      .priority = -7,
					      .class_name = "AJob",
					      .queue = "default",
					      .payload = "{\"arguments\":[1]}" } };
	const struct host_terms terms = { .cpu = 9, .log = true };
	struct host_terms read;
	struct claim copy;
	struct text out = { 0 };
	size_t frame = sizeof(struct host_frame);

	host_put_job(&out, &claim, &terms);
	assert_true(host_get_job(out.data + frame, out.length - frame, &copy, &read));
	assert_int_equal(copy.id, claim.id);
	assert_int_equal(copy.claimed_at, claim.claimed_at);
	assert_int_equal(copy.job.process_id, claim.job.process_id);
	assert_int_equal(copy.job.id, claim.job.id);
	assert_int_equal(copy.job.priority, -7);
	assert_string_equal(copy.job.class_name, "AJob");
	assert_string_equal(copy.job.queue, "default");
	assert_string_equal(copy.job.active_job_id, "");
	assert_string_equal(copy.job.payload, claim.job.payload);
	assert_int_equal(read.cpu, 9);
	assert_true(read.log);
	for (size_t length = 0; length < out.length - frame; length++)
		assert_false(host_get_job(out.data + frame, length, &copy, &read));
	text_free(&out);
}

/* In a buffer of just that length, so that reading past it is seen. */
static enum status next_of(const char *data, size_t length, size_t *offset, const char *found[2])
{
	struct text in = { .data = malloc(length > 0 ? length : 1), .length = length };
	struct host_frame frame;
	const char *body = NULL;

	assert_non_null(in.data);
	memcpy(in.data, data, length);
	enum status status = host_next_reply(&in, offset, &frame, &body);
	if (status == STATUS_OK) {
		assert_true(body + frame.length <= in.data + length);
		if (!host_get_texts(body, frame.length, found, 2))
			found[0] = NULL;
	}
	text_free(&in);
	return status;
}

CASE(a_reply_is_taken_when_it_is_whole)
{
	struct text out = { 0 };
	const char *found[2] = { NULL, NULL };

	host_put_reply(&out, HOST_FAILED, texts, 2);
	for (size_t length = 0; length < out.length; length++) {
		size_t offset = 0;

		assert_int_equal(next_of(out.data, length, &offset, found), STATUS_NONE);
		assert_int_equal(offset, 0);
	}
	size_t offset = 0;
	assert_int_equal(next_of(out.data, out.length, &offset, found), STATUS_OK);
	assert_int_equal(offset, out.length);
	assert_non_null(found[0]);
	text_free(&out);
}

/* Whatever byte of it is changed, into whatever, nothing is read that is not there. */
CASE(a_spoiled_reply_does_no_harm)
{
	struct text out = { 0 };
	const char *found[2];

	host_put_reply(&out, HOST_FAILED, texts, 2);
	for (size_t at = 0; at < out.length; at++)
		for (int value = 0; value < 256; value++) {
			char before = out.data[at];
			size_t offset = 0;

			out.data[at] = (char)value;
			(void)next_of(out.data, out.length, &offset, found);
			assert_true(offset <= out.length);
			out.data[at] = before;
		}
	text_free(&out);
}

CASE(what_no_host_says_is_invalid)
{
	static const struct host_frame frames[] = {
		{ 0, 0 },
		{ HOST_JOB, 0 },
		{ HOST_GIVEN_BACK + 1, 0 },
		{ UINT32_MAX, 0 },
		{ HOST_SAID, (uint32_t)HOST_REPLY_MAXIMUM + 1 },
		{ HOST_SAID, UINT32_MAX },
	};
	const char *found[2];

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		size_t offset = 0;

		assert_int_equal(
			next_of((const char *)&frames[i], sizeof(frames[i]), &offset, found),
			STATUS_INVALID);
	}
}

CASE(texts_must_be_all_of_a_body)
{
	const char *found[2];

	assert_true(host_get_texts("a\0b", 4, found, 2));
	assert_string_equal(found[1], "b");
	assert_false(host_get_texts("a\0b", 3, found, 2)); /* no end */
	assert_false(host_get_texts("a\0b", 2, found, 2)); /* too few */
	assert_false(host_get_texts("a\0b", 4, found, 1)); /* too many */
	assert_false(host_get_texts("", 0, found, 1));
	assert_true(host_get_texts("", 0, found, 0));
}

CASE(long_texts_are_cut)
{
	struct text out = { 0 };
	char *text = malloc(HOST_TEXT_MAXIMUM * 2);
	const char *all[4] = { text, text, text, text };

	assert_non_null(text);
	memset(text, 'x', HOST_TEXT_MAXIMUM * 2);
	text[HOST_TEXT_MAXIMUM * 2 - 1] = '\0';
	host_put_reply(&out, HOST_ENDED, all, 4);
	assert_int_equal(out.length, sizeof(struct host_frame) + HOST_REPLY_MAXIMUM);
	free(text);
	text_free(&out);
}
