/* What is sent to the children, and what is reported about them. */
#include <signal.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "process/control.h"
#include "supervisor/children.h"
#include "supervisor/seats.h"

static void signal_all(const struct children *children, int signal)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].pid > 0)
			(void)kill(children->list[i].pid, signal);
}

bool children_toggle_quiet(struct children *children)
{
	bool quiet = control_toggle_quiet(children->control);

	signal_all(children, CONTROL_SIGNAL);
	return quiet;
}

void children_tell_room(const struct children *children, const struct child *other)
{
	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->list[i];
		if (child->pid > 0 && !child->retired && seats_wait(children, child, other))
			(void)kill(child->pid, CONTROL_SIGNAL);
	}
}

void children_set_log(struct children *children, enum log_level level, enum log_format format)
{
	control_set_log(children->control, level, format);
	signal_all(children, CONTROL_SIGNAL);
}

void children_tell_parent(struct children *children)
{
	control_set_supervisor(children->control, children->maintenance->member.row.id);
}

void children_hand(struct children *children)
{
	struct config_text texts[CONFIG_TEXTS];

	if (children->maintenance->unpublished)
		return;
	control_set_published(children->control, children->generation);
	if (!children->handing)
		return;
	children->handing = false;
	config_texts(children->config, texts);
	control_hand(children->control, texts);
	signal_all(children, CONTROL_SIGNAL);
}

size_t children_unanswered(const struct children *children)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->list[i];
		if (child->pid > 0 && child->pid == child->handed && !child->retired &&
		    !child->renewed)
			count += !control_has_answered(children->control, child->slot);
	}
	return count;
}

bool children_quiet(const struct children *children)
{
	return control_is_quiet(children->control);
}

static void dump(const struct child *child, int64_t now)
{
	log_event(LOG_INFO, "child.state", LOG_TEXT("child", child->who),
		  child->pid > 0 ? LOG_INT("child_pid", child->pid) : LOG_TEXT("child_pid", NULL),
		  LOG_TEXT("name", child->pid > 0 ? child->name : NULL),
		  LOG_TEXT("state", child_state_name(child->state)),
		  child->generation > 0 ? LOG_INT("generation", child->generation)
					: LOG_TEXT("generation", NULL),
		  log_ms("ready_ms", child->ready_at, now),
		  LOG_INT("restarts", child->forks > 0 ? child->forks - 1 : 0),
		  log_ms("timer_in_ms", now, child->timer));
}

void children_dump(const struct children *children)
{
	int64_t now = clock_monotonic();

	for (size_t i = 0; i < children->count; i++)
		dump(&children->list[i], now);
	signal_all(children, SIGUSR2);
}
