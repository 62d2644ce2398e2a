/*
 * The roles that a supervisor starts, in the order in which it starts them. A new role is one row
 * in roles.c.
 */
#ifndef ROLES_H
#define ROLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/role.h"

/*
 * Which processes leave first when a supervisor stops: those that feed the workers, then the
 * workers.
 */
enum role_tier { TIER_FEEDERS, TIER_WORKERS, TIERS };

/* Queues: names, and prefixes with an asterisk. */
struct served {
	const char *const *queues;
	size_t count;
};

struct role_kind {
	const struct role *role;
	enum role_tier tier;
	size_t (*entries)(const struct config *config);
	size_t (*processes)(const struct config *config, size_t entry);
	/* Are two entries equal except for `processes`? NULL = always. */
	bool (*same)(const struct config *before, size_t entry, const struct config *after,
		     size_t other);
	struct served (*serves)(const struct config *config, size_t entry); /* NULL = no queues */
};

extern const struct role_kind role_kinds[];
extern const size_t role_kind_count;

#endif
