/*
 * The janitor: the process in which a supervisor keeps its row and cares for its host (care.h). It
 * has the supervisor's row instead of one of its own, beats only while the supervisor's loop turns,
 * and has no other work. The runner runs it as it does a role; runner_is_janitor says where it
 * differs.
 *
 * And the watcher, which has no work either: a process of a host that only looks. It has a row, may
 * lead, and cares for nobody: it buries, heals and publishes nothing.
 */
#ifndef JANITOR_H
#define JANITOR_H

#include "common/role.h"

extern const struct role janitor_role;
extern const struct role watcher_role;

#endif
