/* DRAY_FAULT on the command line; only in builds with -DDRAY_FAULTS=ON. */
#ifndef CLI_FAULTS_H
#define CLI_FAULTS_H

#include <stdbool.h>

#include "common/arena.h"

/* Arms the points that DRAY_FAULT names. Reports a mistake in it and returns false. */
bool faults_are_known(struct arena *arena);

#endif
