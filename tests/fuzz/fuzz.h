/* What the fuzzers share: each file has one FUZZ() { ... }, in which everything required holds. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

/*
 * The function gets the input as `data` of so many bytes and as `text`, which ends with a NUL and
 * is in memory of its own, so that reading past it is seen; and an arena.
 */
#define FUZZ()                                                                                     \
	static void fuzz(struct arena *arena, const char *text, const uint8_t *data, size_t size); \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                               \
	{                                                                                          \
		struct arena *arena = arena_new();                                                 \
		char *text = calloc(1, size + 1);                                                  \
		require(text != NULL);                                                             \
		if (size > 0)                                                                      \
			memcpy(text, data, size);                                                  \
		fuzz(arena, text, data, size);                                                     \
		free(text);                                                                        \
		arena_free(arena);                                                                 \
		return 0;                                                                          \
	}                                                                                          \
	static void fuzz(__attribute__((unused)) struct arena *arena,                              \
			 __attribute__((unused)) const char *text,                                 \
			 __attribute__((unused)) const uint8_t *data,                              \
			 __attribute__((unused)) size_t size)

#endif
