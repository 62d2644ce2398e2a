/* A message of a failure, of whatever bytes. */
#include "common/text/text.h"
#include "queue/payload/fingerprint.h"
#include "tests/fuzz/fuzz.h"

FUZZ()
{
	const char *normal = fingerprint_text(arena, text);
	const char *group = fingerprint(arena, "E", text);
	const size_t length = strlen(normal);
	size_t fault;

	require(length <= FINGERPRINT_MOST && length <= strlen(text));
	require(!utf8_valid(text, strlen(text), &fault) || utf8_valid(normal, length, &fault));
	require(!strpbrk(normal, "\t\r\n") && !strstr(normal, "  "));
	require(strspn(group, "0123456789abcdef") == FINGERPRINT_DIGITS && !group[8]);
	/* Nothing behind the first line that says something counts. */
	char *longer = arena_printf(arena, "%s\nmore", text);
	require(*normal == '\0' || strcmp(fingerprint_text(arena, longer), normal) == 0);
}
