/*
 * The janitor: the process in which a supervisor keeps its row and cares for its host (care.h). It
 * has the supervisor's row instead of one of its own, beats only while the supervisor's loop turns,
 * and has no other work. The runner runs it as it does a role; runner_is_janitor says where it
 * differs.
 */
#ifndef JANITOR_H
#define JANITOR_H

#include "common/role.h"

extern const struct role janitor_role;

#endif
