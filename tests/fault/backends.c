#include "tests/fault/backends.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/database.h"

static bool is_wanted(const char *backend)
{
	struct arena *arena = arena_new();
	size_t count;
	const char *const *names = test_backends(arena, &count);
	bool wanted = false;

	for (size_t i = 0; i < count; i++)
		wanted = wanted || strcmp(names[i], backend) == 0;
	arena_free(arena);
	return wanted;
}

const char *fault_backend(int argc, char **argv)
{
	const char *backend = argc > 1 ? argv[1] : "sqlite";

	if (!is_wanted(backend))
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
