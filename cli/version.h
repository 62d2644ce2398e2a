/* What `dray version` and --version print. */
#ifndef VERSION_H
#define VERSION_H

#include <argp.h>
#include <stdio.h>

/* The type of argp_program_version_hook; state may be NULL. */
void version_print(FILE *stream, struct argp_state *state);

#endif
