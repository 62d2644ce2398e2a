/*
 * Memory by lifetime: program, configuration, connection, tick or job. A caller that passes an
 * arena decides how long the result lives; nothing in an arena is freed alone. Allocation never
 * returns NULL: when memory runs out the process reports that on stderr and exits, or, inside
 * arena_guard() (the public library), control returns to the guard.
 */
#ifndef ARENA_H
#define ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "common/error.h"

struct arena;

struct arena *arena_new(void);

/* Frees everything and the arena itself. NULL is allowed. */
void arena_free(struct arena *arena);

/* Frees everything but keeps the first block, ready for the next tick or job. */
void arena_clear(struct arena *arena);

/* Zeroed and aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull, malloc));

/* Zeroed array; an overflow of count * size counts as out of memory. */
void *arena_array(struct arena *arena, size_t count, size_t size)
	__attribute__((returns_nonnull, malloc));

/*
 * The list of `count` elements of `size` bytes, with room for one more: the same list or, whenever
 * count is a power of two, a copy with twice the room. Only for lists that this function made,
 * beginning with NULL.
 */
void *arena_extend(struct arena *arena, void *list, size_t count, size_t size)
	__attribute__((returns_nonnull));

char *arena_strdup(struct arena *arena, const char *text) __attribute__((returns_nonnull));

/* Copies length bytes and adds a NUL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length)
	__attribute__((returns_nonnull));

char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3)
	__attribute__((returns_nonnull));
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0)
	__attribute__((returns_nonnull));

/* Bytes allocated since new or clear: for tests that memory does not grow. */
size_t arena_used(const struct arena *arena);

/*
 * While a guard is set on this thread, running out of memory longjmps to it with value 1 instead
 * of exiting. Pass NULL to remove it.
 */
void arena_guard(jmp_buf *guard);

/*
 * Ends the process, or returns to the guard. Also for code that must use malloc and checks the
 * result.
 */
void out_of_memory(void) __attribute__((noreturn));

#endif
