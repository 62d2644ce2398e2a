#include "process/control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* All zeros; memory that nobody touches costs nothing. */
static void *share(size_t size, struct error *error)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory != MAP_FAILED)
		return memory;
	error_set(error, STATUS_FATAL, "cannot share memory with children: %s",
		  strerrordesc_np(errno));
	return NULL;
}

struct control *control_new(struct error *error)
{
	struct control *control = share(sizeof(*control), error);

	if (control)
		control->texts = share(sizeof(*control->texts), error);
	if (control && control->texts)
		return control;
	control_free(control);
	return NULL;
}

void control_free(struct control *control)
{
	if (control && control->texts)
		(void)munmap(control->texts, sizeof(*control->texts));
	if (control)
		(void)munmap(control, sizeof(*control));
}

void control_seal(struct control *control)
{
	(void)mprotect(control->texts, sizeof(*control->texts), PROT_READ);
}

void control_hand(struct control *control, const struct config_text texts[CONFIG_TEXTS])
{
	struct control_texts *handed = control->texts;

	atomic_fetch_add(&handed->changes, 1);
	atomic_thread_fence(memory_order_release);
	for (size_t i = 0; i < CONFIG_TEXTS; i++) {
		handed->lengths[i] = texts[i].text ? texts[i].length : SIZE_MAX;
		if (texts[i].text)
			memcpy(handed->room[i], texts[i].text, texts[i].length);
	}
	atomic_fetch_add(&handed->changes, 1);
}

bool control_handed(const struct control *control, unsigned *seen, struct arena *arena,
		    struct config_text texts[CONFIG_TEXTS])
{
	const struct control_texts *handed = control->texts;
	const unsigned changes = atomic_load(&handed->changes);

	if (changes == *seen || changes % 2 != 0)
		return false;
	for (size_t i = 0; i < CONFIG_TEXTS; i++) {
		const size_t length = handed->lengths[i];

		texts[i] = (struct config_text){ NULL, 0 };
		if (length <= sizeof(handed->room[i]))
			texts[i] =
				(struct config_text){ arena_strndup(arena, handed->room[i], length),
						      length };
	}
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load(&handed->changes) != changes)
		return false;
	*seen = changes;
	return true;
}

void control_answer(struct control *control, unsigned lane, unsigned seen)
{
	atomic_store(&control->lanes[lane].seen, seen);
}

bool control_has_answered(const struct control *control, unsigned lane)
{
	return atomic_load(&control->lanes[lane].seen) == atomic_load(&control->texts->changes);
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

void control_describe(struct control *control, const char *members)
{
	struct control_texts *handed = control->texts;
	const size_t length = strlen(members);

	if (length > sizeof(handed->said))
		return;
	atomic_fetch_add(&handed->said_changes, 1);
	atomic_thread_fence(memory_order_release);
	memcpy(handed->said, members, length);
	handed->said_length = length;
	atomic_fetch_add(&handed->said_changes, 1);
}

bool control_described(const struct control *control, unsigned *seen, struct text *members)
{
	const struct control_texts *handed = control->texts;
	const unsigned changes = atomic_load(&handed->said_changes);
	struct text read = { 0 };

	if (changes == *seen || changes % 2 != 0)
		return false;
	text_append(&read, handed->said, handed->said_length);
	atomic_thread_fence(memory_order_acquire);
	const bool whole = atomic_load(&handed->said_changes) == changes;
	if (whole) {
		text_clear(members);
		text_add(members, text_string(&read));
		*seen = changes;
	}
	text_free(&read);
	return whole;
}

void control_turn(struct control *control)
{
	atomic_fetch_add(&control->turns, 1);
}

unsigned control_turns(const struct control *control)
{
	return atomic_load(&control->turns);
}

void control_end(struct control *control)
{
	atomic_store(&control->ending, true);
}

bool control_is_ending(const struct control *control)
{
	return atomic_load(&control->ending);
}

void control_set_published(struct control *control, unsigned generation)
{
	atomic_store(&control->published, generation + 1);
}

bool control_is_published(const struct control *control, unsigned generation)
{
	return atomic_load(&control->published) > generation;
}

struct control_view control_look(const struct control *control)
{
	return (struct control_view){ .quiet_changes = atomic_load(&control->quiet_changes),
				      .log_changes = atomic_load(&control->log_changes),
				      .text_changes = atomic_load(&control->texts->changes) };
}

bool control_take(struct control *control, unsigned lane)
{
	if (lane >= CONTROL_LANES)
		return false;
	atomic_fetch_add(&control->lanes[lane].taken, 1);
	atomic_store(&control->lanes[lane].said, 0);
	control_answer(control, lane, atomic_load(&control->texts->changes));
	atomic_store(&control->lanes[lane].order, LANE_WORK);
	return true;
}

void control_free_lane(struct control *control, unsigned lane)
{
	atomic_store(&control->lanes[lane].order, LANE_FREE);
}

void control_leave(struct control *control, unsigned lane)
{
	atomic_store(&control->lanes[lane].order, LANE_LEAVE);
}

bool control_is_leaving(const struct control *control, unsigned lane)
{
	return atomic_load(&control->lanes[lane].order) == LANE_LEAVE;
}

bool control_say(struct control *control, unsigned lane, size_t runs)
{
	unsigned says = (unsigned)runs + 1;

	return atomic_exchange(&control->lanes[lane].said, says) != says;
}

struct control_other control_other(const struct control *control, unsigned lane)
{
	return (struct control_other){ lane, atomic_load(&control->lanes[lane].taken) };
}

size_t control_others(const struct control *control, const struct control_other list[],
		      size_t count)
{
	size_t runs = 0;

	for (size_t i = 0; i < count; i++) {
		const struct control_lane *lane = &control->lanes[list[i].lane];
		unsigned said = atomic_load(&lane->said);
		/* Who takes a lane says so first: what was read is its number, or that of the dead.
		 */
		if (atomic_load(&lane->order) == LANE_FREE ||
		    atomic_load(&lane->taken) != list[i].taken)
			continue;
		if (said == 0)
			return CONTROL_UNSAID;
		runs += said - 1;
	}
	return runs;
}
