/* Lines are a worker's queues, the last line a queue: matching agrees with its definition. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "queue/claim.h"

#define MAXIMUM_QUEUES 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The definition, written the slow way. */
static int expected(const char *const queues[], size_t count, const char *queue)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(queues[i], "*") == 0)
			return 0;
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(queues[i]);
		if (strcmp(queues[i], queue) == 0)
			return (int)i;
		if (queues[i][length - 1] == '*' && strncmp(queues[i], queue, length - 1) == 0)
			return (int)i;
	}
	return -1;
}

/* Cuts the text into lines; the number of them without the last. */
static size_t split(char *text, const char *queues[MAXIMUM_QUEUES + 1])
{
	size_t count = 0;

	do {
		char *end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		queues[count++] = text;
		text = end;
	} while (text && count <= MAXIMUM_QUEUES);
	return count - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const char *queues[MAXIMUM_QUEUES + 1];
	size_t count = split(arena_strndup(arena, (const char *)data, size), queues);
	const char *queue = queues[count];
	struct selector selector;
	struct error error;

	if (count > 0 && selector_compile(arena, queues, count, &selector, &error) == STATUS_OK) {
		bool starred = strchr(queue, '*') != NULL;
		if (!starred && selector_match(&selector, queue) != expected(queues, count, queue))
			abort();
		if (strlen(selector.text) > size)
			abort();
	}
	arena_free(arena);
	return 0;
}
