/* Which database a program of this suite is for: its argument, "sqlite" without one. */
#ifndef FAULT_BACKENDS_H
#define FAULT_BACKENDS_H

#include "db/db.h"

/* Exits with 77 (skipped) when DRAY_TEST_BACKENDS leaves this one out. */
const char *fault_backend(int argc, char **argv);

enum db_dialect fault_dialect(const char *backend);

#endif
