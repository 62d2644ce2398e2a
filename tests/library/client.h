/* tests/library/: the client's calls on every database, as a program sees them. */
#ifndef LIBRARY_CLIENT_H
#define LIBRARY_CLIENT_H

#include "include/dray.h"
#include "tests/support/queue.h"

/* Fails with the error's text when the status is another. */
#define expect(status, expected, error) expect_at((status), (expected), (error), __LINE__)

static inline void expect_at(enum dray_status status, enum dray_status expected,
			     const struct dray_error *error, int line)
{
	if (status != expected)
		fail_msg("line %d: %s (%s), expected %s", line, dray_status_name(status),
			 error->text, dray_status_name(expected));
}

static inline struct dray_client *open_client(const char *url, const struct dray_options *options)
{
	struct dray_client *client = NULL;
	struct dray_error error = { 0 };

	expect(dray_open(url, options, &client, &error), DRAY_STATUS_OK, &error);
	return client;
}

/* A TEST with a client, which is closed after it; `error` is for its calls. */
#define CLIENT_CASE(function)                                                                      \
	static void function##_by(struct test_db *test, struct dray_client *client,                \
				  struct dray_error *error);                                       \
	TEST(function)                                                                             \
	{                                                                                          \
		struct test_db *test = *state;                                                     \
		struct dray_client *client = open_client(test->url, NULL);                         \
		struct dray_error error = { 0 };                                                   \
		function##_by(test, client, &error);                                               \
		dray_close(client);                                                                \
		test_invariant(test->db);                                                          \
	}                                                                                          \
	static void function##_by(__attribute__((unused)) struct test_db *test,                    \
				  struct dray_client *client, struct dray_error *error)

#endif
