#include <pthread.h>
#include <sys/wait.h>

#include "common/process.h"
#include "common/text/uuid.h"
#include "tests/support/test.h"

CASE(test_form)
{
	char text[UUID_TEXT_SIZE];
	/* RFC 9562, A.6: 2022-02-22 14:22:22 -05:00 is 017F22E2-79B0-7... */
	uuid_v7(INT64_C(1645557742000) * 1000 + 500, text);
	assert_int_equal(strlen(text), 36);
	assert_memory_equal(text, "017f22e2-79b0-7800-", 19);
	assert_non_null(strchr("89ab", text[19]));
	assert_int_equal(text[23], '-');
	assert_int_equal(strspn(text, "0123456789abcdef-"), 36);
	uuid_v7(-1, text);
	assert_memory_equal(text, "00000000-0000-7", 15);
}

CASE(test_sorted)
{
	char last[UUID_TEXT_SIZE] = "";
	char next[UUID_TEXT_SIZE];
	int64_t now = clock_wall();
	/* At one instant, on a clock that steps, and on one that steps back a little. */
	for (int i = 0; i < 30000; i++) {
		uuid_v7(now + (i < 10000 ? 0 : i < 20000 ? i : -i), next);
		assert_true(strcmp(last, next) < 0);
		memcpy(last, next, sizeof(last));
	}
}

#define THREADS ((size_t)4)
#define EACH    5000

static void *make_many(void *memory)
{
	char(*ids)[UUID_TEXT_SIZE] = memory;
	for (size_t i = 0; i < EACH; i++)
		uuid_v7(INT64_C(1700000000000000), ids[i]);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

CASE(test_threads)
{
	static char ids[THREADS * EACH][UUID_TEXT_SIZE];
	pthread_t threads[THREADS];
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, make_many, ids[i * EACH]), 0);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	qsort(ids, THREADS * EACH, sizeof(ids[0]), compare);
	/* The random half alone differs, too: the first part is unique by construction. */
	for (size_t i = 1; i < THREADS * EACH; i++) {
		assert_string_not_equal(ids[i - 1], ids[i]);
		assert_string_not_equal(ids[i - 1] + 19, ids[i] + 19);
	}
}

/* A child has the parent's pool of random bytes in its memory and must not use it. */
CASE(test_fork)
{
	int fds[2];
	char parent[65];
	char child[65] = "";
	int status;
	random_hex(1, parent);
	assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
	pid_t pid = fork();
	if (pid == 0) {
		random_hex(32, child);
		_exit(write(fds[1], child, 64) == 64 ? 0 : 1);
	}
	assert_true(pid > 0);
	random_hex(32, parent);
	assert_int_equal(read(fds[0], child, 64), 64);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(strlen(parent), 64);
	assert_string_not_equal(parent, child);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

CASE(test_below)
{
	unsigned seen[7] = { 0 };
	assert_int_equal(random_below(0), 0);
	assert_int_equal(random_below(1), 0);
	for (int i = 0; i < 7000; i++)
		seen[random_below(7)]++;
	/* Expected 1000 each, deviation 29: 300 away is out of the question. */
	for (size_t i = 0; i < 7; i++)
		assert_in_range(seen[i], 700, 1300);
	for (int i = 0; i < 100; i++)
		assert_true(random_below((UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

CASE(test_hex)
{
	char text[13];
	random_hex(6, text);
	assert_int_equal(strlen(text), 12);
	assert_int_equal(strspn(text, "0123456789abcdef"), 12);
	random_hex(0, text);
	assert_string_equal(text, "");
}
