#include "tests/fault/cases.h"

#include <stdlib.h>
#include <string.h>

void cases_add(struct cases *cases, struct CMUnitTest test)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	if (only && !strstr(test.name, only))
		return;
	cases->tests =
		arena_extend(cases->arena, cases->tests, cases->count, sizeof(*cases->tests));
	cases->tests[cases->count++] = test;
}
