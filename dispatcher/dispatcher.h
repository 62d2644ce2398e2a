/*
 * The dispatcher: moves jobs whose time has come from scheduled to ready, a batch a tick. Several
 * dispatchers may run at once, on any number of hosts.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include "common/role.h"

extern const struct role dispatcher_role;

#endif
