/* Processes that are frozen for longer than others wait for them, and then go on. */
#ifndef FAULT_ROLES_FROZEN_H
#define FAULT_ROLES_FROZEN_H

#include <stddef.h>

extern const char *const frozen_points[];
extern const size_t frozen_count;

/* A cmocka test; *state is the point. */
void frozen_run(void **state);

#endif
