/*
 * The scheduler: enqueues the jobs of recurring tasks, each at its occurrence by the database's
 * clock. Several schedulers may run at once, on any number of hosts and with clocks apart: an
 * occurrence's row is unique, and whoever comes second leaves it. Nothing is kept in memory only: a
 * scheduler that dies leaves undecided occurrences to the others, or to the next one and the tasks'
 * misfire policy.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "common/role.h"

extern const struct role scheduler_role;

#endif
