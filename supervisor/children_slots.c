/*
 * Which slots there are: those that the configuration asks for, and, after it has changed, those
 * that remain of the previous one. A slot is never removed, because its number is in the notices of
 * its process; a superfluous slot is retired, and used again when one is needed. The slots of one
 * configured process have the same seat (seats.c): the process that is wanted there, and
 * retired ones that are leaving.
 */
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "config/config.h"
#include "supervisor/children.h"
#include "supervisor/seats.h"

#define NOWHERE SIZE_MAX

static void make_room(struct children *children)
{
	if (children->count < children->capacity)
		return;
	size_t capacity = children->capacity ? 2 * children->capacity : 8;
	struct child *list = arena_array(children->arena, capacity, sizeof(*list));
	if (children->count > 0)
		memcpy(list, children->list, children->count * sizeof(*list));
	children->list = list;
	children->capacity = capacity;
}

static struct child *free_slot(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (child->retired && child->state == CHILD_EMPTY && !child->holds_lane)
			return child;
	}
	make_room(children);
	return &children->list[children->count++];
}

/* Others' pointers into the list are void afterwards. */
static struct child *seat_slot(struct children *children, unsigned seat, size_t entry)
{
	struct child *child = free_slot(children);
	const struct seat *its = &children->seats[seat];

	*child = (struct child){ .slot = (unsigned)(child - children->list),
				 .kind = its->kind,
				 .seat = seat,
				 .entry = entry,
				 .adopted = children->generation,
				 .timer = CLOCK_NEVER };
	(void)snprintf(child->who, sizeof(child->who), "%s", its->who);
	return child;
}

static struct child *take_slot(struct children *children, const struct role_kind *kind,
			       const struct config *config, size_t entry)
{
	unsigned seat = seats_take(children, kind, kind->serves ? kind->serves(config, entry) : 0);

	return seat_slot(children, seat, entry);
}

void children_init(struct children *children, struct arena *arena, const struct config *config,
		   const struct role_kind kinds[], size_t kind_count)
{
	*children = (struct children){ .config = config,
				       .kinds = kinds,
				       .kind_count = kind_count,
				       .arena = arena,
				       .notices = { -1, -1 },
				       .death = { -1, -1 } };
	for (size_t i = 0; i < kind_count; i++)
		for (size_t entry = 0; entry < kinds[i].entries(config); entry++)
			for (size_t n = 0; n < kinds[i].processes(config, entry); n++)
				(void)take_slot(children, &kinds[i], config, entry);
}

/* What becomes of the entries of one role. */
struct plan {
	const struct role_kind *kind;
	const struct config *before;
	const struct config *after;
	size_t old_count, new_count;
	size_t *target;   /* of an old entry: the new one that takes its place, or NOWHERE */
	bool *same;       /* of an old entry: it says the same there */
	size_t *previous; /* of a new entry: the old one, or NOWHERE */
	size_t *filled;   /* of a new entry: how many slots it has */
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
	return !plan->kind->same || plan->kind->same(plan->before, old, plan->after, new);
}

static bool serves_the_same(const struct plan *plan, size_t old, size_t new)
{
	return plan->kind->serves &&
	       plan->kind->serves(plan->before, old) == plan->kind->serves(plan->after, new);
}

static bool is_left(const struct plan *plan, size_t old, size_t new)
{
	return !plan->kind->shares || plan->kind->shares(plan->before, old, plan->after, new);
}

typedef bool fits(const struct plan *plan, size_t old, size_t new);

/* The old entry for a new one that fits, preferably of the same place. */
static size_t find_old(const struct plan *plan, size_t new, fits *fit)
{
	for (size_t i = 0; i < plan->old_count; i++) {
		size_t old = (new + i) % plan->old_count;
		if (plan->target[old] == NOWHERE && fit(plan, old, new))
			return old;
	}
	return NOWHERE;
}

/*
 * Entries that say the same stay together wherever they stand; then those that serve the same
 * queues, so that their processes share the threads; then what is left by its place, if a queue is
 * served by both. An entry for other queues gets a seat of its own: the seat of the old one is then
 * found again when those queues come back while its jobs still run.
 */
static void pair_entries(struct plan *plan)
{
	static fits *const fitting[] = { says_the_same, serves_the_same, is_left };

	for (size_t i = 0; i < sizeof(fitting) / sizeof(fitting[0]); i++) {
		for (size_t new = 0; new < plan->new_count; new ++) {
			if (plan->previous[new] != NOWHERE)
				continue;
			size_t old = find_old(plan, new, fitting[i]);
			if (old != NOWHERE)
				pair(plan, old, new, i == 0);
		}
	}
}

static struct plan make_plan(const struct children *children, struct arena *arena,
			     const struct role_kind *kind, const struct config *after)
{
	struct plan plan = { .kind = kind, .before = children->config, .after = after };

	plan.old_count = kind->entries(plan.before);
	plan.new_count = kind->entries(after);
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

/* It works: another process takes its seat, and this one ends its runs. */
static void replace(struct children *children, struct child *old)
{
	const unsigned slot = old->slot;
	struct child *next = seat_slot(children, old->seat, old->entry);

	old = &children->list[slot];
	next->forks = old->forks;
	old->retired = true;
	leave(children, old);
	children_event(children, next, CHILD_FORK);
}

static bool has_runs(const struct child *child)
{
	return child->kind->role->runs != NULL;
}

static void renew(struct children *children, struct child *child, const struct plan *plan)
{
	struct seat *seat = &children->seats[child->seat];

	plan->done->renewed++;
	if (plan->kind->serves)
		seat->serves = plan->kind->serves(plan->after, child->entry);
	if (has_runs(child) && child->state == CHILD_READY)
		replace(children, child);
	else
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

static void add(struct children *children, struct plan *plan, size_t entry)
{
	plan->done->added++;
	children_event(children, take_slot(children, plan->kind, plan->after, entry), CHILD_FORK);
}

void children_replace_late(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (child->state != CHILD_READY || !child->renewed)
			continue;
		if (child->retired)
			leave(children, child);
		else
			replace(children, child);
	}
}

static void settle_slot(struct children *children, struct child *child, const struct plan *plan,
			unsigned parts)
{
	size_t old = child->entry;
	size_t new = plan->target[old];

	if (new == NOWHERE || plan->filled[new] == plan->kind->processes(plan->after, new)) {
		retire(children, child, plan);
		return;
	}
	child->adopted = children->generation;
	plan->filled[new]++;
	child->entry = new;
	/*
	 * A child that was given up may work now: it also depends on things outside the
	 * configuration.
	 */
	if (child->state == CHILD_EMPTY || !plan->same[old] ||
	    (parts & plan->kind->role->parts) != 0)
		renew(children, child, plan);
}

static void carry_out(struct children *children, struct plan *plan, unsigned parts)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].kind == plan->kind && !children->list[i].retired &&
		    children->list[i].adopted != children->generation)
			settle_slot(children, &children->list[i], plan, parts);
	for (size_t new = 0; new < plan->new_count; new ++)
		for (size_t n = plan->filled[new]; n < plan->kind->processes(plan->after, new); n++)
			add(children, plan, new);
}

struct children_changes children_adopt(struct children *children, const struct config *config,
				       unsigned parts)
{
	struct children_changes done = { 0 };
	struct arena *arena = arena_new();
	struct plan *plans = arena_array(arena, children->kind_count, sizeof(*plans));

	for (size_t i = 0; i < children->kind_count; i++) {
		plans[i] = make_plan(children, arena, &children->kinds[i], config);
		plans[i].done = &done;
	}
	children->generation++;
	children->config = config; /* children that are forked from now on have it */
	for (size_t i = 0; i < children->kind_count; i++)
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
		count += !children->list[i].retired;
	return count;
}
