#include "tests/fault/cases.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

static void grow(struct cases *cases)
{
	size_t room = cases->room ? 2 * cases->room : FIRST_ROOM;
	struct CMUnitTest *tests = arena_array(cases->arena, room, sizeof(*tests));

	if (cases->count > 0)
		memcpy(tests, cases->tests, cases->count * sizeof(*tests));
	cases->tests = tests;
	cases->room = room;
}

void cases_add(struct cases *cases, struct CMUnitTest test)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	if (only && !strstr(test.name, only))
		return;
	if (cases->count == cases->room)
		grow(cases);
	cases->tests[cases->count++] = test;
}
