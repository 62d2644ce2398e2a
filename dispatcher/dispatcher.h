/*
 * The dispatcher: moves due jobs from scheduled to ready, one batch a tick. Several dispatchers may
 * run at once, on any number of machines.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include "common/role.h"

extern const struct role dispatcher_role;

#endif
