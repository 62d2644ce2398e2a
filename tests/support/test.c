#include "tests/support/test.h"

#include <ftw.h>

#include "common/process.h"

/* The fixtures of the group under way; a failed assertion in one does not come back from it. */
static CMFixtureFunction group_set_up;
static CMFixtureFunction group_tear_down;
static int broken_fixtures;

static int run_fixture(CMFixtureFunction fixture, void **state)
{
	broken_fixtures++;
	int result = fixture ? fixture(state) : 0;
	if (result == 0)
		broken_fixtures--;
	return result;
}

static int set_up_group(void **state)
{
	return run_fixture(group_set_up, state);
}

static int tear_down_group(void **state)
{
	return run_fixture(group_tear_down, state);
}

int test_run_group(const char *name, const struct CMUnitTest tests[], size_t count,
		   CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	group_set_up = set_up;
	group_tear_down = tear_down;
	broken_fixtures = 0;
	int failed = _cmocka_run_group_tests(name, tests, count, set_up_group, tear_down_group);
	return failed + broken_fixtures;
}

size_t test_count_text(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		count++;
	return count;
}

void test_assert_status(enum status status, enum status expected, const struct error *error,
			const char *file, int line)
{
	if (status == expected)
		return;
	print_error("status %s, expected %s%s%s\n", status_name(status), status_name(expected),
		    status != STATUS_OK && error ? ": " : "",
		    status != STATUS_OK && error ? error->text : "");
	_fail(file, line);
}

void test_assert_contains(const char *text, const char *part, const char *file, int line)
{
	if (text && strstr(text, part))
		return;
	print_error("'%s' does not contain '%s'\n", text ? text : "(null)", part);
	_fail(file, line);
}

int test_arena_open(void **state)
{
	*state = arena_new();
	return 0;
}

int test_arena_close(void **state)
{
	arena_free(*state);
	return 0;
}

char *test_read_file(struct arena *arena, const char *path)
{
	char *data = NULL;
	size_t length;

	must(file_read, path, 1 << 22, &data, &length);
	char *text = arena_strndup(arena, data, length);
	free(data);
	return text;
}

void test_write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

int test_remove(const char *path)
{
	return nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
