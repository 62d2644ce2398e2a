#include "schedule/plain.h"

#include <stdbool.h>

#define MAXIMUM 40

const char *plain_text(struct arena *arena, const char *text, size_t length)
{
	bool cut = length > MAXIMUM;
	char *copy = arena_strndup(arena, text, cut ? MAXIMUM : length);
	for (char *byte = copy; *byte; byte++)
		if (*byte < ' ' || *byte > '~')
			*byte = '?';
	return cut ? arena_printf(arena, "%s...", copy) : copy;
}
