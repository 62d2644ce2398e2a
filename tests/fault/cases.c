#include "tests/fault/cases.h"

#include "tests/support/database.h"

void cases_add(struct cases *cases, struct CMUnitTest test)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	if (only && !strstr(test.name, only))
		return;
	cases->tests =
		arena_extend(cases->arena, cases->tests, cases->count, sizeof(*cases->tests));
	cases->tests[cases->count++] = test;
}

const char *fault_backend(int argc, char **argv)
{
	const char *backend = argc > 1 ? argv[1] : "sqlite";

	if (!test_is_wanted(backend))
		exit(77); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	return backend;
}

enum db_dialect fault_dialect(const char *backend)
{
	for (size_t i = 0; i < test_backend_count; i++)
		if (strcmp(test_all_backends[i].name, backend) == 0)
			return test_all_backends[i].dialect;
	fail_msg("unknown backend '%s'", backend);
	return DB_DIALECTS;
}
