/*
 * What dray says to people stands in tests/wording.txt and nowhere else in the tests: a case gives
 * a message a name and looks at facts (statuses, names of events, JSON keys) itself. The same name
 * in two places is the same message.
 *
 * The file has the name on a line of its own and the message below it, each line after a tab. `...`
 * in it stands for any text within a line: a path, a number of a process, a time. What comes after
 * the message's last line that is not empty does not count.
 *
 * The target `wording` writes the file anew from a run of the suite: what has changed replaces its
 * message, and the difference is there to be read. Put the `...` in by hand.
 */
#ifndef WORDING_H
#define WORDING_H

#include "tests/support/test.h"

/* Fails when `text` is not the message of this name. */
#define assert_wording(name, text) test_assert_wording((name), (text), __FILE__, __LINE__)

/* must_be, and the error is the message of this name. */
#define must_say(name, expected, verb, ...)                                                        \
	do {                                                                                       \
		struct error must_error = { 0 };                                                   \
		assert_status(verb(__VA_ARGS__, &must_error), (expected), &must_error);            \
		assert_wording((name), must_error.text);                                           \
	} while (0)

/* `...` in the pattern stands for any text within a line. */
bool test_agrees(const char *pattern, const char *text);

void test_assert_wording(const char *name, const char *text, const char *file, int line);

#endif
