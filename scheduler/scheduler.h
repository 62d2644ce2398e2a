/*
 * The scheduler's place in the house: a role that starts, waits and leaves. Recurring tasks come
 * with a later version; until then the supervisor starts it only where the configuration asks for
 * dynamic tasks, and it says in the log that nothing will be scheduled.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "common/role.h"

extern const struct role scheduler_role;

#endif
