/* DRAY_FAULT at the command line; in builds with -DDRAY_FAULTS=ON only. */
#ifndef CLI_FAULTS_H
#define CLI_FAULTS_H

#include <stdbool.h>

#include "common/arena.h"

/* Arms what DRAY_FAULT asks for; says what is wrong with it and returns false, if it is. */
bool faults_are_known(struct arena *arena);

#endif
