/* cmocka, the headers that most tests use, and assertions on our statuses. */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/arena.h"
#include "common/clock.h"
#include "common/error.h"

/*
 * A case is written as CASE(what_must_hold) { ... }, or as CASE_WITH(what_must_hold, set_up,
 * tear_down) with cmocka's fixtures, and gets cmocka's `state`. Cases about databases are TEST(...)
 * of database.h. The linker gathers them all; main.c runs those of one file.
 */
enum test_start { TEST_MIGRATED, TEST_EMPTY };

struct test_case {
	const char *name;
	CMUnitTestFunction run;
	const char *file;
	CMFixtureFunction set_up; /* of a case without a database */
	CMFixtureFunction tear_down;
	void *state;
	bool on_databases; /* it runs on each of them: */
	enum test_start start;
	const char *only; /* the backends it is about, "mysql mariadb"; NULL = all */
	bool real;        /* it needs the clock as it is: only with DRAY_TEST_REAL */
};

/* A host without /etc/dray and /var/lib/dray: DRAY_TEST_HOST of every case that sets no other. */
#define TEST_NO_HOST "/nonexistent"

#define TEST_GATHER(type, name)                                                                    \
	static const struct type *const name##_gathered                                            \
		__attribute__((used, section("dray_" #type))) = &name

#define TEST_CASE(function, ...)                                                                   \
	static void function(void **state);                                                        \
	static const struct test_case function##_case = {                                          \
		.name = #function, .run = (function), .file = __FILE__, __VA_ARGS__                \
	};                                                                                         \
	TEST_GATHER(test_case, function##_case);                                                   \
	static void function(__attribute__((unused)) void **state)

/* A case that is given what `call` passes to it, in place of `state`. */
#define TEST_GIVEN(function, parameters, call, ...)                                                \
	static void function parameters;                                                           \
	static void function##_given(__attribute__((unused)) void **state)                         \
	{                                                                                          \
		call;                                                                              \
	}                                                                                          \
	static const struct test_case function##_case = {                                          \
		.name = #function, .run = function##_given, .file = __FILE__, __VA_ARGS__          \
	};                                                                                         \
	TEST_GATHER(test_case, function##_case);                                                   \
	static void function parameters

#define CASE(function) TEST_CASE(function, .on_databases = false)
#define CASE_WITH(function, before, after)                                                         \
	TEST_CASE(function, .set_up = (before), .tear_down = (after))

/* A case with an arena of its own, `arena`. */
#define ARENA_CASE(function)                                                                       \
	TEST_GIVEN(function, (struct arena * arena), function(*state), .set_up = test_arena_open,  \
		   .tear_down = test_arena_close)
int test_arena_open(void **state);
int test_arena_close(void **state);

/*
 * What happens before the first and after the last case of this file, of those without a database
 * if it has any; NULL: nothing.
 */
#define GROUP(before, after)                                                                       \
	static const struct test_group test_group_here = { .file = __FILE__,                       \
							   .set_up = (before),                     \
							   .tear_down = (after) };                 \
	TEST_GATHER(test_group, test_group_here)

/* A file that runs its cases itself: TEST_MAIN() { ... return failures; } */
#define TEST_MAIN()                                                                                \
	static int test_main_here(void);                                                           \
	static const struct test_group test_group_here = { .file = __FILE__,                       \
							   .run = test_main_here };                \
	TEST_GATHER(test_group, test_group_here);                                                  \
	static int test_main_here(void)

struct test_group {
	const char *file;
	CMFixtureFunction set_up;
	CMFixtureFunction tear_down;
	int (*run)(void);
};

/* Fails with the error's text when status is not OK. */
#define assert_ok(status, error)                                                                   \
	test_assert_status((status), STATUS_OK, (error), __FILE__, __LINE__)

#define assert_status(status, expected, error)                                                     \
	test_assert_status((status), (expected), (error), __FILE__, __LINE__)

/*
 * must(job_retry, db, id) calls job_retry(db, id, &error) and fails with the error's text when it
 * is not OK; must_be(STATUS_NONE, job_retry, db, id) when it is not that.
 */
#define must(verb, ...) must_be(STATUS_OK, verb, __VA_ARGS__)
#define must_be(expected, verb, ...)                                                               \
	do {                                                                                       \
		struct error must_error = { 0 };                                                   \
		assert_status(verb(__VA_ARGS__, &must_error), (expected), &must_error);            \
	} while (0)

/* Fails when text does not contain part. */
#define assert_contains(text, part) test_assert_contains((text), (part), __FILE__, __LINE__)

/*
 * cmocka_run_group_tests, with a group's set-up or tear-down that fails counted as one failure
 * more: cmocka prints it and leaves it at that. The exit code of the program.
 */
int test_run_group(const char *name, const struct CMUnitTest tests[], size_t count,
		   CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define test_group(tests, set_up, tear_down)                                                       \
	test_run_group(#tests, (tests), sizeof(tests) / sizeof((tests)[0]), (set_up), (tear_down))

/* A file as text, and a text as a file; both fail the test when that cannot be. */
char *test_read_file(struct arena *arena, const char *path);
void test_write_file(const char *path, const char *text);

/* Removes a file, or a folder with all that is in it; 0, or -1 when something is left. */
int test_remove(const char *path);

/* How often `part` is in the text. */
size_t test_count_text(const char *text, const char *part);

void test_assert_status(enum status status, enum status expected, const struct error *error,
			const char *file, int line);
void test_assert_contains(const char *text, const char *part, const char *file, int line);

#endif
