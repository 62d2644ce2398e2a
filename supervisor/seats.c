#include "supervisor/seats.h"

#include <stdio.h>
#include <string.h>

#include "process/control.h"

static bool is_wanted(const struct children *children, unsigned seat)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].seat == seat && !children->list[i].retired)
			return true;
	return false;
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

static void make_room(struct children *children)
{
	if (children->seat_count < children->seat_capacity)
		return;
	size_t capacity = children->seat_capacity ? 2 * children->seat_capacity : 8;
	struct seat *seats = arena_array(children->arena, capacity, sizeof(*seats));
	if (children->seat_count > 0)
		memcpy(seats, children->seats, children->seat_count * sizeof(*seats));
	children->seats = seats;
	children->seat_capacity = capacity;
}

static unsigned add(struct children *children, const struct role_kind *kind)
{
	size_t number = count_kind(children, kind) + 1;

	make_room(children);
	struct seat *seat = &children->seats[children->seat_count];
	*seat = (struct seat){ .kind = kind };
	(void)snprintf(seat->who, sizeof(seat->who), "%s %zu", kind->role->word, number);
	return (unsigned)children->seat_count++;
}

static unsigned find(struct children *children, const struct role_kind *kind, uint64_t serves)
{
	unsigned empty = CONTROL_SEATS;

	for (unsigned i = 0; i < children->seat_count; i++) {
		if (children->seats[i].kind != kind || is_wanted(children, i))
			continue;
		if (children->seats[i].serves == serves)
			return i;
		if (empty == CONTROL_SEATS && !has_processes(children, i))
			empty = i;
	}
	return empty < CONTROL_SEATS ? empty : add(children, kind);
}

unsigned seats_take(struct children *children, const struct role_kind *kind, uint64_t serves)
{
	unsigned seat = find(children, kind, serves);

	children->seats[seat].serves = serves;
	return seat;
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

void children_free_lanes(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (!child->holds_lane || child->pid > 0)
			continue;
		control_free_lane(children->control,
				  (struct control_place){ child->seat, child->lane });
		child->holds_lane = false;
		children_tell_room(children, child->seat);
	}
}
