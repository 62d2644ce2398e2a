/*
 * Which lanes there are: those that the configuration asks for, and, after it has changed, those
 * that remain of the previous one.
 *
 * A lane is never removed, because its number is in the notices of its process; a superfluous lane
 * is retired, and used again when one is needed and its last process is buried. The lanes of one
 * configured process have the same seat (children.c): the process that is wanted there, and retired
 * ones that are leaving.
 *
 * A reload pairs the old entries of the file with the new ones: first those that say the same,
 * wherever they stand, so that what did not change is left alone; then those that serve the same
 * queues; then the rest by their places.
 * From that follows the fate of each lane: left alone, handed the new files, renewed (another
 * process takes its seat), or retired. The plan is made in whole before the first process is told
 * anything.
 */
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "config/config.h"
#include "supervisor/children.h"

#define NOWHERE SIZE_MAX

static struct child *unused_lane(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (child->retired && child->state == CHILD_EMPTY && !child->holds_lane)
			return child;
	}
	children->list = arena_extend(children->arena, children->list, children->count,
				      sizeof(*children->list));
	return &children->list[children->count++];
}

/* Others' pointers into the list are void afterwards. */
static struct child *add_lane(struct children *children, unsigned seat, size_t entry)
{
	INVARIANT(seat < children->seat_count);
	struct child *child = unused_lane(children);
	const struct seat *its = &children->seats[seat];

	*child = (struct child){ .lane = (unsigned)(child - children->list),
				 .role = its->role,
				 .seat = seat,
				 .entry = entry,
				 .adopted = children->generation,
				 .timer = CLOCK_NEVER };
	(void)snprintf(child->who, sizeof(child->who), "%s", its->who);
	return child;
}

/* It has no entry in the configuration. */
static void add_janitor(struct children *children)
{
	struct child *janitor = add_lane(children, children_take_seat(children, &janitor_role), 0);

	(void)snprintf(janitor->who, sizeof(janitor->who), "%s", janitor_role.word);
}

static size_t processes_of(const struct role *role, const struct config *config, size_t entry)
{
	return config_processes(config, role->section, entry);
}

void children_init(struct children *children, struct arena *arena, const struct config *config,
		   const struct role *const roles[])
{
	*children = (struct children){ .config = config,
				       .roles = roles,
				       .arena = arena,
				       .notices = { -1, -1 },
				       .death = { -1, -1 } };
	deaths_init(&children->deaths);
	membership_name("supervisor(fork)", children->name);
	add_janitor(children);
	while (roles[children->role_count])
		children->role_count++;
	for (size_t i = 0; i < children->role_count; i++)
		for (size_t entry = 0; entry < role_entries(roles[i], config); entry++)
			for (size_t n = 0; n < processes_of(roles[i], config, entry); n++)
				(void)add_lane(children, children_take_seat(children, roles[i]),
					       entry);
}

/* What becomes of the entries of one role. */
struct plan {
	const struct role *role;
	const struct config *before;
	const struct config *after;
	size_t old_count, new_count;
	size_t *target;   /* of an old entry: the new one that takes its place, or NOWHERE */
	bool *same;       /* of an old entry: it says the same there */
	size_t *previous; /* of a new entry: the old one, or NOWHERE */
	size_t *filled;   /* of a new entry: how many lanes it has */
	struct children_changes *done;
};

static void pair(struct plan *plan, size_t old, size_t new, bool same)
{
	plan->target[old] = new;
	plan->same[old] = same;
	plan->previous[new] = old;
}

static bool says_the_same(const struct plan *plan, size_t old, size_t new)
{
	return config_same_entry(plan->before, plan->after, plan->role->section, old, new);
}

static bool serves_the_same(const struct plan *plan, size_t old, size_t new)
{
	return served_same(role_serves(plan->role, plan->before, old),
			   role_serves(plan->role, plan->after, new));
}

typedef bool pairs(const struct plan *plan, size_t old, size_t new);

/* The old entry for a new one, preferably of the same place. */
static size_t find_old(const struct plan *plan, size_t new, pairs *fit)
{
	for (size_t i = 0; i < plan->old_count; i++) {
		size_t old = (new + i) % plan->old_count;
		if (plan->target[old] == NOWHERE && (!fit || fit(plan, old, new)))
			return old;
	}
	return NOWHERE;
}

/* NULL: by their places. */
static void pair_all(struct plan *plan, pairs *fit)
{
	for (size_t new = 0; new < plan->new_count; new ++) {
		size_t old = plan->previous[new] == NOWHERE ? find_old(plan, new, fit) : NOWHERE;
		if (old != NOWHERE)
			pair(plan, old, new, fit == says_the_same);
	}
}

/*
 * Entries that say the same stay together wherever they stand. So do those that serve the same
 * queues: else another entry might wait for the jobs that the one for these queues waits for
 * (children_must_wait). Then what is left by its place.
 */
static void pair_entries(struct plan *plan)
{
	pair_all(plan, says_the_same);
	pair_all(plan, serves_the_same);
	pair_all(plan, NULL);
}

static struct plan make_plan(const struct children *children, struct arena *arena,
			     const struct role *role, const struct config *after)
{
	struct plan plan = { .role = role, .before = children->config, .after = after };

	plan.old_count = role_entries(role, plan.before);
	plan.new_count = role_entries(role, after);
	plan.target = arena_array(arena, plan.old_count + 1, sizeof(*plan.target));
	plan.same = arena_array(arena, plan.old_count + 1, sizeof(*plan.same));
	plan.previous = arena_array(arena, plan.new_count + 1, sizeof(*plan.previous));
	plan.filled = arena_array(arena, plan.new_count + 1, sizeof(*plan.filled));
	for (size_t i = 0; i < plan.old_count; i++)
		plan.target[i] = NOWHERE;
	for (size_t i = 0; i < plan.new_count; i++)
		plan.previous[i] = NOWHERE;
	pair_entries(&plan);
	return plan;
}

static void leave(struct children *children, struct child *child)
{
	if (child->generation == 0) /* else an earlier reload has told it so while it started */
		child->generation = children->generation;
	children_event(children, child, CHILD_LEAVE);
}

/* It works: another process takes its seat, and this one ends its runs. The lane for the other. */
static struct child *replace(struct children *children, struct child *old)
{
	const unsigned lane = old->lane;
	struct child *next = add_lane(children, old->seat, old->entry);

	old = &children->list[lane];
	next->forks = old->forks;
	old->retired = true;
	leave(children, old);
	return next;
}

static bool has_runs(const struct child *child)
{
	return child->role->runs != NULL;
}

static void renew(struct children *children, struct child *child, const struct plan *plan)
{
	plan->done->renewed++;
	if (has_runs(child) && child->state == CHILD_READY)
		(void)replace(children, child);
	else if (child->state != CHILD_EMPTY)
		children_event(children, child, has_runs(child) ? CHILD_LEAVE : CHILD_RENEW);
}

/* One that starts may be up already, as far as we know. */
static void retire(struct children *children, struct child *child, const struct plan *plan)
{
	plan->done->removed++;
	child->retired = true;
	if (has_runs(child) && (child->state == CHILD_READY || child->state == CHILD_STARTING))
		leave(children, child);
	else
		children_event(children, child, CHILD_STOP);
	child->wanted = false;
}

void children_replace_late(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (child->state != CHILD_READY)
			continue;
		if (!child->renewed && !(child->outdated && children_have_room(children)))
			continue;
		if (child->retired)
			leave(children, child);
		else
			children_event(children, replace(children, child), CHILD_FORK);
	}
}

/* One without a process gets it with its fork, and so does what comes after one that is to go. */
static void hand(struct children *children, struct child *child, const struct plan *plan)
{
	const int64_t timeout =
		plan->after->process.shutdown_timeout + config_grace_most(plan->after);

	if ((child->state != CHILD_READY && child->state != CHILD_STARTING) || child->renewed)
		return;
	if (child->stop_timeout < timeout) /* its older runs have the graces of their time */
		child->stop_timeout = timeout;
	children->handing = true;
	child->handed = child->pid;
	plan->done->adopting++;
}

enum fate { FATE_RETIRED, FATE_RENEWED, FATE_HANDED, FATE_LEFT_ALONE };

/* Call it once for each lane of a plan. */
static enum fate decide(const struct child *child, const struct plan *plan, unsigned parts)
{
	const size_t old = child->entry;
	INVARIANT(old < plan->old_count);
	const size_t new = plan->target[old];

	if (new == NOWHERE || plan->filled[new] == processes_of(plan->role, plan->after, new))
		return FATE_RETIRED;
	plan->filled[new]++;
	/*
	 * A child that was given up may work now: it also depends on things outside the
	 * configuration.
	 */
	if (child->state == CHILD_EMPTY || !plan->same[old] || (parts & plan->role->parts) != 0)
		return FATE_RENEWED;
	return (parts & plan->role->adopts) != 0 ? FATE_HANDED : FATE_LEFT_ALONE;
}

static void settle_lane(struct children *children, struct child *child, const struct plan *plan,
			unsigned parts)
{
	const enum fate fate = decide(child, plan, parts);

	if (fate == FATE_RETIRED) {
		retire(children, child, plan);
		return;
	}
	child->adopted = children->generation;
	child->entry = plan->target[child->entry];
	INVARIANT(child->entry < plan->new_count);
	if (fate == FATE_RENEWED)
		renew(children, child, plan);
	else if (fate == FATE_HANDED)
		hand(children, child, plan);
}

bool children_would_leave(const struct children *children, const struct config *config,
			  unsigned parts)
{
	struct arena *arena = arena_new();
	bool found = false;

	for (size_t k = 0; k < children->role_count; k++) {
		const struct plan plan = make_plan(children, arena, children->roles[k], config);
		for (size_t i = 0; i < children->count; i++) {
			const struct child *child = &children->list[i];
			if (child->role == plan.role && !child->retired &&
			    decide(child, &plan, parts) <= FATE_RENEWED)
				found = found || (has_runs(child) && child->pid > 0);
		}
	}
	arena_free(arena);
	return found;
}

/* When all have been told to leave for whom they may have to wait. */
static void fork_missing(struct children *children, const struct role *role)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].role == role && !children->list[i].retired &&
		    children->list[i].state == CHILD_EMPTY)
			children_event(children, &children->list[i], CHILD_FORK);
}

static void carry_out(struct children *children, struct plan *plan, unsigned parts)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].role == plan->role && !children->list[i].retired &&
		    children->list[i].adopted != children->generation)
			settle_lane(children, &children->list[i], plan, parts);
	for (size_t new = 0; new < plan->new_count; new ++)
		for (size_t n = plan->filled[new]; n < processes_of(plan->role, plan->after, new);
		     n++) {
			plan->done->added++;
			(void)add_lane(children, children_take_seat(children, plan->role), new);
		}
	fork_missing(children, plan->role);
}

struct children_changes children_adopt(struct children *children, const struct config *config,
				       unsigned parts)
{
	struct children_changes done = { 0 };
	struct arena *arena = arena_new();
	struct plan *plans = arena_array(arena, children->role_count, sizeof(*plans));

	for (size_t i = 0; i < children->role_count; i++) {
		plans[i] = make_plan(children, arena, children->roles[i], config);
		plans[i].done = &done;
	}
	children->generation++;
	children->config = config; /* children that are forked from now on have it */
	children_event(children, children_janitor(children), CHILD_RENEW); /* it publishes first */
	for (size_t i = 0; i < children->role_count; i++)
		carry_out(children, &plans[i], parts);
	arena_free(arena);
	return done;
}

size_t children_given_up(const struct children *children, struct text *names)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].given_up && !children->list[i].retired)
			text_printf(names, "%s%s", count++ > 0 ? ", " : "", children->list[i].who);
	return count;
}

size_t children_wanted(const struct children *children)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		count += !children->list[i].retired && !child_is_janitor(&children->list[i]);
	return count;
}
