/*
 * The roles that a supervisor starts, in the order in which it starts them. A new role is one row
 * in roles.c.
 */
#ifndef ROLES_H
#define ROLES_H

#include "common/role.h"
#include "process/janitor.h"

extern const struct role *const all_roles[]; /* ended by NULL */

/* How many entries of its section a supervisor starts. */
size_t role_entries(const struct role *role, const struct config *config);

/* What its entry serves; and is that the same, in the same order? */
struct served role_serves(const struct role *role, const struct config *config, size_t entry);
bool served_same(struct served one, struct served other);

#endif
