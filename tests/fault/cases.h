/* A suite on one database whose tests are known only at run time. */
#ifndef FAULT_CASES_H
#define FAULT_CASES_H

#include "db/db.h"
#include "tests/support/test.h"

/* Set the arena; DRAY_TEST_ONLY, a part of a name, leaves out the others. */
struct cases {
	struct arena *arena;
	struct CMUnitTest *tests;
	size_t count;
};

/* Adds TEST, whose name is the arena's or lives as long. */
void cases_add(struct cases *cases, struct CMUnitTest test);

/* The program's database: its argument or "sqlite"; exits with 77 when it is left out. */
const char *fault_backend(int argc, char **argv);
enum db_dialect fault_dialect(const char *backend);

#endif
