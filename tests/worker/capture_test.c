#include "common/text/text.h"
#include "tests/support/test.h"
#include "worker/exec/stream.h"

ARENA_CASE(nothing_written_is_null)
{
	struct capture capture = { 0 };

	assert_null(capture_text(&capture, arena));
}

ARENA_CASE(short_text_is_kept_whole)
{
	struct capture capture = { 0 };

	capture_add(&capture, arena, "one\ntw", 6);
	capture_add(&capture, arena, "o\n\n", 3);
	assert_string_equal(capture_text(&capture, arena), "one\ntwo");
}

/* Every line has a number, so what is kept can be checked to be the end. */
ARENA_CASE(only_the_last_lines_are_kept)
{
	struct capture capture = { 0 };
	char line[32];

	for (long i = 0; i < 100000; i++) {
		int length = snprintf(line, sizeof(line), "line %ld\n", i);

		capture_add(&capture, arena, line, (size_t)length);
	}
	const char *text = capture_text(&capture, arena);
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

ARENA_CASE(one_piece_larger_than_the_ring)
{
	struct capture capture = { 0 };
	size_t length = 3 * CAPTURE_TAIL + 17;
	char *data = malloc(length);

	assert_non_null(data);
	memset(data, 'x', length);
	data[length - 1] = 'y';
	capture_add(&capture, arena, data, length);
	free(data);
	const char *text = capture_text(&capture, arena);
	assert_int_equal(text[strlen(text) - 1], 'y');
	assert_true(strlen(text) >= CAPTURE_TAIL);
}

ARENA_CASE(endless_lines_are_broken)
{
	struct capture capture = { 0 };

	/* Two bytes a letter: a break must not fall into one. */
	capture_add(&capture, arena, "a", 1);
	for (int i = 0; i < 10000; i++)
		capture_add(&capture, arena, "\xc3\xa4", 2);
	const char *text = capture_text(&capture, arena);
	assert_true(utf8_valid(text, strlen(text), NULL));
	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
		assert_true(strcspn(text, "\n") <= CAPTURE_LINE + 1);
}

/* Where the ring begins within a character, that one is left out. */
ARENA_CASE(a_tail_begins_with_a_whole_character)
{
	for (int before = 0; before < 3; before++) {
		struct capture capture = { 0 };

		capture_add(&capture, arena, "abc", (size_t)before);
		for (size_t i = 0; i < CAPTURE_TAIL / 3 + 10; i++)
			capture_add(&capture, arena, "\xe2\x82\xac", 3);
		const char *text = capture_text(&capture, arena);
		assert_int_equal(strncmp(text, "\xe2\x82\xac", 3), 0);
		assert_null(strchr(text, '?'));
	}
}

ARENA_CASE(other_bytes_become_question_marks)
{
	struct capture capture = { 0 };

	capture_add(&capture, arena, "a\xff\0b\xc3\xa4\xc3", 7);
	assert_string_equal(capture_text(&capture, arena), "a??b\xc3\xa4?");
}

struct seen {
	struct arena *arena;
	int count;
	const char *lines[8];
	size_t lacks[8];
};

static void see(void *context, const char *line, size_t lacks)
{
	struct seen *seen = context;

	seen->lacks[seen->count] = lacks;
	seen->lines[seen->count++] = arena_strdup(seen->arena, line);
}

ARENA_CASE(lines_come_one_by_one)
{
	struct seen seen = { .arena = arena };
	struct line_cutter lines = { .call = see, .context = &seen };

	lines_add(&lines, arena, "one\r\n\ntw", 8);
	assert_int_equal(seen.count, 2);
	lines_add(&lines, arena, "o\nthree", 7);
	lines_end(&lines);
	lines_end(&lines);
	assert_int_equal(seen.count, 4);
	assert_string_equal(seen.lines[0], "one");
	assert_string_equal(seen.lines[1], "");
	assert_string_equal(seen.lines[2], "two");
	assert_string_equal(seen.lines[3], "three");
	assert_int_equal(seen.lacks[3], 0);
}

ARENA_CASE(long_lines_are_cut)
{
	struct seen seen = { .arena = arena };
	struct line_cutter lines = { .call = see, .context = &seen };

	for (size_t i = 0; i < 3 * CAPTURE_LINE; i++)
		lines_add(&lines, arena, "z", 1);
	lines_add(&lines, arena, "\nshort\n", 7);
	assert_int_equal(seen.count, 2);
	assert_int_equal(strlen(seen.lines[0]), CAPTURE_LINE);
	assert_int_equal(seen.lacks[0], 2 * CAPTURE_LINE);
	assert_int_equal(seen.lacks[1], 0);
	assert_string_equal(seen.lines[1], "short");
}
