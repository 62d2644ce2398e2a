/*
 * Memory by lifetime: what is allocated together is freed together.
 *
 * An arena is a list of blocks, the newest first; an allocation is a few bytes further in the
 * newest block, and is zeroed. Nothing is freed by itself. arena_clear keeps the first block, so
 * that an arena that is cleared once a tick soon needs no memory from the system any more.
 *
 * Allocation never returns NULL, also for a size that nobody can have meant (a product that
 * overflowed): the process ends, or in the library the call that is under way, by a jump to its
 * guard. The arena is whole afterwards.
 *
 * Under AddressSanitizer every allocation gets a block of its own, so that an overrun of one is
 * seen.
 */
#include "common/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/invariant.h"
#include "common/process.h"

/* Blocks double up to a limit. */
#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_FIRST 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_FIRST 0
#endif
#endif
#ifndef BLOCK_FIRST
#define BLOCK_FIRST 4000
#endif
#define BLOCK_LIMIT 64000

struct block {
	struct block *next;
	size_t size, used;
	max_align_t data[];
};

struct arena {
	struct block *newest;
	size_t next_size; /* of the next ordinary block */
	size_t handed_out;
};

static _Thread_local jmp_buf *guard_of_thread;

void arena_guard(jmp_buf *guard)
{
	guard_of_thread = guard;
}

void out_of_memory(void)
{
	static const char message[] = "dray: out of memory\n";
	jmp_buf *guard = guard_of_thread;
	if (guard) {
		guard_of_thread = NULL;
		longjmp(*guard, 1);
	}
	ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
	(void)written;
	/* No atexit handlers: they may need memory, too. */
	_exit(EXIT_ERROR);
}

struct arena *arena_new(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));
	if (!arena)
		out_of_memory();
	arena->next_size = BLOCK_FIRST;
	return arena;
}

/* Frees the blocks that are newer than `keep`. */
static void free_blocks(struct arena *arena, const struct block *keep)
{
	while (arena->newest != keep) {
		INVARIANT(arena->newest);
		struct block *next = arena->newest->next;
		free(arena->newest);
		arena->newest = next;
	}
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	free_blocks(arena, NULL);
	free(arena);
}

void arena_clear(struct arena *arena)
{
	struct block *first = arena->newest;
	while (first && first->next)
		first = first->next;
	/* A first block that was made for one large allocation is not kept. */
	if (first && (BLOCK_FIRST == 0 || first->size > BLOCK_LIMIT))
		first = NULL;
	free_blocks(arena, first);
	if (first)
		first->used = 0;
	else
		arena->next_size = BLOCK_FIRST;
	arena->handed_out = 0;
}

static void *block_take(struct block *block, size_t size)
{
	INVARIANT(size <= block->size - block->used);
	void *memory = (char *)block->data + block->used;
	block->used += size;
	return memset(memory, 0, size);
}

static struct block *block_add(struct arena *arena, size_t size)
{
	size_t room = size > arena->next_size ? size : arena->next_size;
	struct block *block = malloc(sizeof(*block) + room);
	if (!block)
		out_of_memory();
	block->next = arena->newest;
	block->size = room;
	block->used = 0;
	arena->newest = block;
	if (arena->next_size < BLOCK_LIMIT / 2)
		arena->next_size *= 2;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t unit = sizeof(max_align_t);
	if (size > PTRDIFF_MAX - 2 * unit - sizeof(struct block))
		out_of_memory();
	size_t rounded = BLOCK_FIRST == 0 ? size : (size + unit - 1) / unit * unit;
	struct block *block = arena->newest;
	if (!block || BLOCK_FIRST == 0 || block->size - block->used < rounded)
		block = block_add(arena, rounded);
	arena->handed_out += size;
	return block_take(block, rounded);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		out_of_memory();
	return arena_alloc(arena, bytes);
}

void *arena_extend(struct arena *arena, void *list, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return list;
	void *longer = arena_array(arena, count > 0 ? 2 * count : 1, size);
	if (count > 0)
		memcpy(longer, list, count * size);
	return longer;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	if (length == SIZE_MAX)
		out_of_memory();
	char *copy = arena_alloc(arena, length + 1);
	if (length > 0)
		memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	if (length < 0) {
		va_end(again);
		return arena_strdup(arena, "");
	}
	char *text = arena_alloc(arena, (size_t)length + 1);
	(void)vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

size_t arena_used(const struct arena *arena)
{
	return arena->handed_out;
}
