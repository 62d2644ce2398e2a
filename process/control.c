#include "process/control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct control *control_new(struct error *error)
{
	void *page = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (page == MAP_FAILED) {
		error_set(error, STATUS_FATAL, "cannot share memory with children: %s",
			  strerrordesc_np(errno));
		return NULL;
	}
	return page; /* all zeros */
}

void control_free(struct control *control)
{
	if (control)
		(void)munmap(control, sizeof(*control));
}

bool control_toggle_quiet(struct control *control)
{
	return (atomic_fetch_add(&control->quiet_changes, 1) + 1) % 2 != 0;
}

bool control_is_quiet(const struct control *control)
{
	return atomic_load(&control->quiet_changes) % 2 != 0;
}

void control_set_log(struct control *control, enum log_level level, enum log_format format)
{
	atomic_store(&control->log_level, (int)level);
	atomic_store(&control->log_format, (int)format);
	atomic_fetch_add(&control->log_changes, 1);
}

void control_set_supervisor(struct control *control, int64_t id)
{
	atomic_store(&control->supervisor_id, id);
}

int64_t control_supervisor(const struct control *control)
{
	return atomic_load(&control->supervisor_id);
}

struct control_view control_look(const struct control *control)
{
	return (struct control_view){ .quiet_changes = atomic_load(&control->quiet_changes),
				      .log_changes = atomic_load(&control->log_changes) };
}

static struct control_lane *lane_of(struct control *control, struct control_place place)
{
	return &control->seats[place.seat][place.lane];
}

bool control_take(struct control *control, unsigned seat, unsigned *lane)
{
	for (*lane = 0; seat < CONTROL_SEATS && *lane < CONTROL_LANES; ++*lane) {
		struct control_lane *one = &control->seats[seat][*lane];
		if (atomic_load(&one->order) != LANE_FREE)
			continue;
		atomic_store(&one->said, 0);
		atomic_store(&one->order, LANE_WORK);
		return true;
	}
	return false;
}

void control_free_lane(struct control *control, struct control_place place)
{
	atomic_store(&lane_of(control, place)->order, LANE_FREE);
}

void control_leave(struct control *control, struct control_place place)
{
	atomic_store(&lane_of(control, place)->order, LANE_LEAVE);
}

bool control_is_leaving(const struct control *control, struct control_place place)
{
	return atomic_load(&control->seats[place.seat][place.lane].order) == LANE_LEAVE;
}

bool control_say(struct control *control, struct control_place place, size_t runs)
{
	unsigned says = (unsigned)runs + 1;

	return atomic_exchange(&lane_of(control, place)->said, says) != says;
}

size_t control_others(const struct control *control, struct control_place place)
{
	const struct control_lane *lanes = control->seats[place.seat];
	size_t runs = 0;

	for (unsigned i = 0; i < CONTROL_LANES; i++) {
		if (i == place.lane || atomic_load(&lanes[i].order) == LANE_FREE)
			continue;
		unsigned said = atomic_load(&lanes[i].said);
		if (said == 0)
			return CONTROL_UNSAID;
		runs += said - 1;
	}
	return runs;
}
