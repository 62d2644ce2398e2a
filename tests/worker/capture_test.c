

#include <stdlib.h>
#include <string.h>

#include "common/text/parse.h"
#include "tests/support/test.h"
#include "worker/exec/capture.h"

static int setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int teardown(void **state)
{
	arena_free(*state);
	return 0;
}

CASE_WITH(nothing_written_is_null, setup, teardown)
{
	struct capture capture = { 0 };

	assert_null(capture_text(&capture, *state));
}

CASE_WITH(short_text_is_kept_whole, setup, teardown)
{
	struct capture capture = { 0 };

	capture_add(&capture, *state, "one\ntw", 6);
	capture_add(&capture, *state, "o\n\n", 3);
	assert_string_equal(capture_text(&capture, *state), "one\ntwo");
}

/* Every line has a number, so what is kept can be checked to be the end. */
CASE_WITH(only_the_last_lines_are_kept, setup, teardown)
{
	struct capture capture = { 0 };
	char line[32];

	for (long i = 0; i < 100000; i++) {
		int length = snprintf(line, sizeof(line), "line %ld\n", i);

		capture_add(&capture, *state, line, (size_t)length);
	}
	const char *text = capture_text(&capture, *state);
	assert_true(strlen(text) <= CAPTURE_TAIL);
	assert_true(strlen(text) > CAPTURE_TAIL - 64);
	assert_int_equal(strncmp(text, "line ", 5), 0);
	long first = strtol(text + 5, NULL, 10);
	for (long i = first; i < 100000; i++) {
		int length = snprintf(line, sizeof(line), "line %ld", i);

		assert_int_equal(strncmp(text, line, (size_t)length), 0);
		text += length + (text[length] == '\n');
	}
	assert_string_equal(text, "");
}

CASE_WITH(one_piece_larger_than_the_ring, setup, teardown)
{
	struct capture capture = { 0 };
	size_t length = 3 * CAPTURE_TAIL + 17;
	char *data = malloc(length);

	assert_non_null(data);
	memset(data, 'x', length);
	data[length - 1] = 'y';
	capture_add(&capture, *state, data, length);
	free(data);
	const char *text = capture_text(&capture, *state);
	assert_int_equal(text[strlen(text) - 1], 'y');
	assert_true(strlen(text) >= CAPTURE_TAIL);
}

CASE_WITH(endless_lines_are_broken, setup, teardown)
{
	struct capture capture = { 0 };

	/* Two bytes a letter: a break must not fall into one. */
	capture_add(&capture, *state, "a", 1);
	for (int i = 0; i < 10000; i++)
		capture_add(&capture, *state, "\xc3\xa4", 2);
	const char *text = capture_text(&capture, *state);
	assert_true(utf8_valid(text, strlen(text), NULL));
	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
		assert_true(strcspn(text, "\n") <= CAPTURE_LINE + 1);
}

/* Where the ring begins within a character, that one is left out. */
CASE_WITH(a_tail_begins_with_a_whole_character, setup, teardown)
{
	for (int before = 0; before < 3; before++) {
		struct capture capture = { 0 };

		capture_add(&capture, *state, "abc", (size_t)before);
		for (size_t i = 0; i < CAPTURE_TAIL / 3 + 10; i++)
			capture_add(&capture, *state, "\xe2\x82\xac", 3);
		const char *text = capture_text(&capture, *state);
		assert_int_equal(strncmp(text, "\xe2\x82\xac", 3), 0);
		assert_null(strchr(text, '?'));
	}
}

CASE_WITH(other_bytes_become_question_marks, setup, teardown)
{
	struct capture capture = { 0 };

	capture_add(&capture, *state, "a\xff\0b\xc3\xa4\xc3", 7);
	assert_string_equal(capture_text(&capture, *state), "a??b\xc3\xa4?");
}

struct seen {
	struct arena *arena;
	int count;
	const char *lines[8];
};

static void see(void *context, const char *line)
{
	struct seen *seen = context;

	seen->lines[seen->count++] = arena_strdup(seen->arena, line);
}

CASE_WITH(lines_come_one_by_one, setup, teardown)
{
	struct seen seen = { .arena = *state };
	struct line_cutter lines = { .call = see, .context = &seen };

	lines_add(&lines, *state, "one\r\n\ntw", 8);
	assert_int_equal(seen.count, 1);
	lines_add(&lines, *state, "o\nthree", 7);
	lines_end(&lines);
	lines_end(&lines);
	assert_int_equal(seen.count, 3);
	assert_string_equal(seen.lines[0], "one");
	assert_string_equal(seen.lines[1], "two");
	assert_string_equal(seen.lines[2], "three");
}

CASE_WITH(long_lines_are_cut, setup, teardown)
{
	struct seen seen = { .arena = *state };
	struct line_cutter lines = { .call = see, .context = &seen };

	for (size_t i = 0; i < 3 * CAPTURE_LINE; i++)
		lines_add(&lines, *state, "z", 1);
	lines_add(&lines, *state, "\nshort\n", 7);
	assert_int_equal(seen.count, 2);
	assert_int_equal(strlen(seen.lines[0]), CAPTURE_LINE);
	assert_string_equal(seen.lines[1], "short");
}
