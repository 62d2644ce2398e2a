#include "supervisor/seats.h"

#include <stdio.h>
#include <string.h>

/* NULL = none. */
static const struct child *wanted_in(const struct children *children, unsigned seat)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].seat == seat && !children->list[i].retired)
			return &children->list[i];
	return NULL;
}

static bool has_processes(const struct children *children, unsigned seat)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].seat == seat && children->list[i].holds_lane)
			return true;
	return false;
}

static size_t count_kind(const struct children *children, const struct role_kind *kind)
{
	size_t count = 0;

	for (size_t i = 0; i < children->seat_count; i++)
		count += children->seats[i].kind == kind;
	return count;
}

static unsigned add(struct children *children, const struct role_kind *kind)
{
	size_t number = count_kind(children, kind) + 1;

	children->seats = arena_extend(children->arena, children->seats, children->seat_count,
				       sizeof(*children->seats));
	struct seat *seat = &children->seats[children->seat_count];
	*seat = (struct seat){ .kind = kind };
	(void)snprintf(seat->who, sizeof(seat->who), "%s %zu", kind->role->word, number);
	return (unsigned)children->seat_count++;
}

unsigned seats_take(struct children *children, const struct role_kind *kind)
{
	for (unsigned i = 0; i < children->seat_count; i++)
		if (children->seats[i].kind == kind && !wanted_in(children, i) &&
		    !has_processes(children, i))
			return i;
	return add(children, kind);
}

/* queues */

static struct served now_served(const struct children *children, const struct child *child)
{
	return child->kind->serves ? child->kind->serves(children->config, child->entry)
				   : (struct served){ 0 };
}

/* A name, or a prefix with an asterisk: is there a queue that both name? */
static bool overlap(const char *one, const char *other)
{
	while (*one && *one == *other && *one != '*')
		one++, other++;
	return *one == '*' || *other == '*' || *one == *other;
}

static bool is_served(const struct served *all, const char *queue)
{
	for (size_t i = 0; i < all->count; i++)
		if (overlap(all->queues[i], queue))
			return true;
	return false;
}

bool seats_wait(const struct children *children, const struct child *child,
		const struct child *other)
{
	if (other == child || other->kind != child->kind || !other->holds_lane ||
	    !(other->retired || other->renewed))
		return false;
	const struct child *heir = wanted_in(children, other->seat);
	const struct served own = now_served(children, child);
	const struct served left =
		heir && heir != child ? now_served(children, heir) : (struct served){ 0 };
	for (size_t i = 0; i < own.count; i++)
		if (is_served(&other->serves, own.queues[i]) && !is_served(&left, own.queues[i]))
			return true;
	return false;
}

static bool same(const struct served *one, const struct served *other)
{
	size_t i = 0;

	while (i < one->count && i < other->count && strcmp(one->queues[i], other->queues[i]) == 0)
		i++;
	return i == one->count && i == other->count;
}

void seats_note(const struct children *children, struct child *child)
{
	const struct served now = now_served(children, child);
	const char **queues;

	if (same(&now, &child->serves))
		return;
	queues = arena_array(children->arena, now.count, sizeof(*queues));
	for (size_t i = 0; i < now.count; i++)
		queues[i] = arena_strdup(children->arena, now.queues[i]);
	child->serves = (struct served){ queues, now.count };
}

/* leaving */

size_t children_generations(const struct children *children)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++) {
		bool first = child_is_leaving(&children->list[i]);
		for (size_t j = 0; first && j < i; j++)
			first = !child_is_leaving(&children->list[j]) ||
				children->list[j].generation != children->list[i].generation;
		count += first;
	}
	return count;
}

size_t children_leaving(const struct children *children, const char *names[])
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		if (child_is_leaving(&children->list[i]))
			names[count++] = children->list[i].name;
	return count;
}
