/*
 * The program of a folder: test_FOLDER NAME runs the cases of NAME_test.c. Without a name it lists
 * the names. Which databases, and which cases of the file, is in the environment (database.h).
 */
#include "tests/support/database.h"

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names */
extern const struct test_case *const __start_dray_test_case[] __attribute__((weak));
extern const struct test_case *const __stop_dray_test_case[] __attribute__((weak));
extern const struct test_group *const __start_dray_test_group[] __attribute__((weak));
extern const struct test_group *const __stop_dray_test_group[] __attribute__((weak));
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_of(const char *file, const char *name)
{
	size_t length = strlen(name);

	return strncmp(base(file), name, length) == 0 &&
	       strcmp(base(file) + length, "_test.c") == 0;
}

static const struct test_group *group_of(const char *name)
{
	for (const struct test_group *const *group = __start_dray_test_group;
	     group != __stop_dray_test_group; group++)
		if (is_of((*group)->file, name))
			return *group;
	return NULL;
}

static bool is_selected(const struct test_case *test)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	return !only || strstr(test->name, only);
}

/* The file's cases of one kind; *count of them. */
static struct test_case *cases_of(struct arena *arena, const char *name, bool on_databases,
				  size_t *count)
{
	struct test_case *cases = NULL;

	*count = 0;
	for (const struct test_case *const *test = __start_dray_test_case;
	     test != __stop_dray_test_case; test++) {
		if (!is_of((*test)->file, name) || (*test)->on_databases != on_databases)
			continue;
		cases = arena_extend(arena, cases, *count, sizeof(*cases));
		cases[(*count)++] = **test;
	}
	return cases;
}

static int run_alone(const char *name, const struct test_case *cases, size_t count,
		     const struct test_group *group)
{
	struct CMUnitTest *tests = calloc(count, sizeof(*tests));
	size_t used = 0;

	if (!tests)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (is_selected(&cases[i]))
			tests[used++] =
				(struct CMUnitTest){ cases[i].name, cases[i].run, cases[i].set_up,
						     cases[i].tear_down, cases[i].state };
	int failures = test_run_group(name, tests, used, group ? group->set_up : NULL,
				      group ? group->tear_down : NULL);
	free(tests);
	return failures;
}

static int run_on_databases(const char *name, const struct test_case *cases, size_t count,
			    const struct test_group *group)
{
	void *state = NULL;

	if (group && group->set_up && group->set_up(&state) != 0)
		return 1;
	int failures = test_run_backends(name, cases, count);
	if (group && group->tear_down && group->tear_down(&state) != 0)
		failures++;
	return failures;
}

static int run(const char *name)
{
	const struct test_group *group = group_of(name);
	struct arena *arena = arena_new();
	size_t alone;
	size_t on_databases;
	const struct test_case *plain = cases_of(arena, name, false, &alone);
	const struct test_case *everywhere = cases_of(arena, name, true, &on_databases);
	int failures = 0;

	if (group && group->run)
		failures += group->run();
	else if (alone + on_databases == 0)
		failures = 1;
	if (alone > 0)
		failures += run_alone(name, plain, alone, group);
	if (on_databases > 0)
		failures +=
			run_on_databases(name, everywhere, on_databases, alone > 0 ? NULL : group);
	arena_free(arena);
	return failures;
}

static void list(void)
{
	const char *last = "";

	for (const struct test_case *const *test = __start_dray_test_case;
	     test != __stop_dray_test_case; test++) {
		const char *name = base((*test)->file);
		if (strcmp(name, last) != 0)
			(void)printf("%.*s\n", (int)(strlen(name) - strlen("_test.c")), name);
		last = name;
	}
}

int main(int argc, char **argv)
{
	/* A case is the same on a host that has an /etc/dray (config/load.c). */
	if (setenv("DRAY_TEST_HOST", TEST_NO_HOST, 0) != 0)
		return 2;
	if (argc == 2)
		return run(argv[1]);
	list();
	return argc == 1 ? 0 : 2;
}
