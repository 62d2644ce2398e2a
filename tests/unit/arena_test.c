#include "common/process.h"
#include "tests/support/test.h"
#include "tests/support/wait.h"

CASE(test_zeroed_and_aligned)
{
	struct arena *arena = arena_new();
	for (size_t size = 1; size < 3000; size += 37) {
		unsigned char *memory = arena_alloc(arena, size);
		assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(memory[i], 0);
		memset(memory, 0xff, size);
	}
	arena_free(arena);
}

CASE(test_pieces_do_not_overlap)
{
	struct arena *arena = arena_new();
	unsigned char *pieces[500];
	for (size_t i = 0; i < 500; i++) {
		pieces[i] = arena_alloc(arena, 1 + i * 7 % 900);
		memset(pieces[i], (int)(i % 251), 1 + i * 7 % 900);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t j = 0; j < 1 + i * 7 % 900; j++)
			assert_int_equal(pieces[i][j], i % 251);
	arena_free(arena);
}

CASE(test_large_and_empty)
{
	struct arena *arena = arena_new();
	unsigned char *large = arena_alloc(arena, 10000000);
	assert_int_equal(large[9999999], 0);
	assert_non_null(arena_alloc(arena, 0));
	assert_non_null(arena_array(arena, 0, 8));
	arena_free(arena);
	arena_free(NULL);
}

CASE(test_a_list_grows)
{
	struct arena *arena = arena_new();
	size_t *list = NULL;
	for (size_t i = 0; i < 1000; i++) {
		list = arena_extend(arena, list, i, sizeof(*list));
		list[i] = i;
	}
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(list[i], i);
	assert_true(arena_used(arena) <= 2048 * sizeof(*list));
	arena_free(arena);
}

CASE(test_clear_zeroes_again)
{
	struct arena *arena = arena_new();
	for (int round = 0; round < 20; round++) {
		unsigned char *memory = arena_alloc(arena, 100000);
		memset(memory, 0xff, 100000);
		unsigned char *small = arena_alloc(arena, 100);
		for (size_t i = 0; i < 100; i++)
			assert_int_equal(small[i], 0);
		memset(small, 0xff, 100);
		assert_int_equal(arena_used(arena), 100100);
		arena_clear(arena);
		assert_int_equal(arena_used(arena), 0);
	}
	arena_free(arena);
}

CASE(test_strings)
{
	struct arena *arena = arena_new();
	assert_string_equal(arena_strdup(arena, ""), "");
	assert_string_equal(arena_strdup(arena, "abc"), "abc");
	assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(arena, NULL, 0), "");
	assert_string_equal(arena_printf(arena, "%s-%d", "x", 5), "x-5");
	const char *wide = arena_printf(arena, "%*d", 20000, 1);
	assert_int_equal(strlen(wide), 20000);
	arena_free(arena);
}

CASE(test_guard_catches_out_of_memory)
{
	jmp_buf guard;
	struct arena *arena = arena_new();
	volatile int caught = 0;
	if (setjmp(guard) == 0) {
		arena_guard(&guard);
		(void)arena_array(arena, SIZE_MAX / 2, 3);
		fail();
	}
	caught++;
	if (setjmp(guard) == 0) {
		arena_guard(&guard);
		(void)arena_alloc(arena, SIZE_MAX - 100);
		fail();
	}
	caught++;
	arena_guard(NULL);
	assert_int_equal(caught, 2);
	/* The arena is whole afterwards. */
	assert_string_equal(arena_strdup(arena, "still here"), "still here");
	arena_free(arena);
}

static void run_out(int fd)
{
	(void)dup2(fd, STDERR_FILENO);
	(void)arena_array(arena_new(), SIZE_MAX, SIZE_MAX);
}

/* Without a guard: a word on standard error and EXIT_ERROR. */
CASE(test_exit_without_guard)
{
	char said[64];

	assert_int_equal(test_last_words(run_out, said, sizeof(said)), EXIT_ERROR);
	assert_string_equal(said, "dray: out of memory\n");
}
