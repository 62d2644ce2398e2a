/*
 * The scheduler: enqueues the jobs of recurring tasks, each at its occurrence by the database's
 * clock. Several schedulers may run at once, on any number of hosts and with different clocks: an
 * occurrence's row is unique, and the second scheduler skips it. Nothing is kept only in memory: if
 * a scheduler dies, undecided occurrences are left to the others, or to the next scheduler and the
 * tasks' misfire policy.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "common/role.h"

extern const struct role scheduler_role;

#endif
