/*
 * Which slots there are: those that the configuration asks for, and, after it has changed, those
 * that remain of the previous one. A slot is never removed, because its number is in the notices of
 * its process; a superfluous slot is retired, and used again when one is needed.
 */
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "config/config.h"
#include "supervisor/children.h"

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

static size_t count_kind(const struct children *children, const struct role_kind *kind)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		count += children->list[i].kind == kind;
	return count;
}

static struct child *add_slot(struct children *children, const struct role_kind *kind)
{
	size_t number = count_kind(children, kind) + 1;

	make_room(children);
	struct child *child = &children->list[children->count];
	*child = (struct child){ .slot = (unsigned)children->count++,
				 .kind = kind,
				 .timer = CLOCK_NEVER };
	snprintf(child->who, sizeof(child->who), "%s %zu", kind->role->word, number);
	return child;
}

static struct child *free_slot(struct children *children, const struct role_kind *kind)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (child->kind == kind && child->retired && child->state == CHILD_EMPTY)
			return child;
	}
	return add_slot(children, kind);
}

static struct child *take_slot(struct children *children, const struct role_kind *kind,
			       size_t entry)
{
	struct child *child = free_slot(children, kind);

	child->retired = false;
	child->entry = entry;
	return child;
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
				(void)take_slot(children, &kinds[i], entry);
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

/* The old entry for a new one: preferably of the same place, `same` or else any that is left. */
static size_t find_old(const struct plan *plan, size_t new, bool same)
{
	for (size_t i = 0; i < plan->old_count; i++) {
		size_t old = (new + i) % plan->old_count;
		if (plan->target[old] == NOWHERE && (!same || says_the_same(plan, old, new)))
			return old;
	}
	return NOWHERE;
}

/* Entries that say the same stay together wherever they stand; then what is left by its place. */
static void pair_entries(struct plan *plan)
{
	for (int same = 1; same >= 0; same--) {
		for (size_t new = 0; new < plan->new_count; new ++) {
			if (plan->previous[new] != NOWHERE)
				continue;
			size_t old = find_old(plan, new, same != 0);
			if (old != NOWHERE)
				pair(plan, old, new, same != 0);
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

static void renew(struct children *children, struct child *child, struct plan *plan)
{
	plan->done->renewed++;
	children_event(children, child, CHILD_RENEW);
}

static void retire(struct children *children, struct child *child, struct plan *plan)
{
	plan->done->removed++;
	child->retired = true;
	children_event(children, child, CHILD_STOP);
}

static void add(struct children *children, struct plan *plan, size_t entry)
{
	plan->done->added++;
	children_event(children, take_slot(children, plan->kind, entry), CHILD_FORK);
}

static void settle_slot(struct children *children, struct child *child, struct plan *plan,
			unsigned parts)
{
	size_t old = child->entry;
	size_t new = plan->target[old];

	if (new == NOWHERE || plan->filled[new] == plan->kind->processes(plan->after, new)) {
		retire(children, child, plan);
		return;
	}
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
		if (children->list[i].kind == plan->kind && !children->list[i].retired)
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
