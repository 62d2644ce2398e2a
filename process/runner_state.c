#include "process/runner_state.h"

#include <string.h>

#include "common/clock.h"
#include "common/loop.h"
#include "common/process.h"

#define PATIENCE (10 * CLOCK_SECOND) /* then it publishes its classes itself */
#define LOOK     (10 * CLOCK_MILLISECOND)

void runner_ask(struct runner *runner, enum stop stop, const char *reason)
{
	if (stop <= runner->stop)
		return;
	runner->stop = stop;
	runner->reason = reason;
}

void runner_notify(const struct runner *runner, enum notice_kind kind, const char *text)
{
	notice_send(runner->options->notice_fd, kind, runner->options->slot, text);
}

bool runner_is_alone(const struct runner *runner)
{
	return runner->options->death_fd < 0;
}

/*
 * The supervisor publishes the classes: of two processes that do so around a reload, the one with
 * the older classes might be the last. It does in its next turn, unless something holds it up.
 */
static bool await_classes(const struct runner *runner)
{
	const struct runner_options *options = runner->options;
	const int64_t deadline = clock_monotonic() + PATIENCE;

	if (!options->control)
		return false;
	while (!control_is_published(options->control, options->generation)) {
		if (runner->stop || clock_monotonic() >= deadline)
			return false;
		(void)loop_wait(runner->loop, clock_monotonic() + LOOK);
	}
	return true;
}

enum status runner_register(struct runner *runner, struct error *error)
{
	if (runner->member.row.id == 0)
		runner->member.published = await_classes(runner);
	return membership_register(&runner->member, error);
}

enum status runner_heartbeat(struct runner *runner, struct error *error)
{
	struct process_row *row = &runner->member.row;
	enum status status = membership_heartbeat(&runner->member, error);

	if (status != STATUS_OK || !row->told || !runner->role->told)
		return status;
	status = runner->role->told(&runner->context, error);
	runner->tick_at = clock_earlier(runner->tick_at, clock_monotonic()); /* it has new clocks */
	row->told = status != STATUS_OK;
	return status;
}

void runner_describe(struct runner *runner)
{
	text_clear(&runner->members);
	text_clear(&runner->title);
	text_add(&runner->title, "dray: ");
	runner->role->describe(&runner->context, &runner->members, &runner->title);
	if (runner->context.quiet) {
		text_add(&runner->members, runner->members.length > 0 ? "," : "");
		text_add(&runner->members, "\"quiet\":true");
		text_add(&runner->title, ", quiet");
	}
	if (runner->leaves) {
		char since[CLOCK_TEXT_SIZE];
		clock_format_iso(runner->leaving_since, since);
		text_add(&runner->members, runner->members.length > 0 ? "," : "");
		text_printf(&runner->members, "\"leaving_since\":\"%s\"", since);
		text_add(&runner->title, ", leaving");
	}
	if (runner->outage.what)
		text_add(&runner->title, ", waiting for the database");
	membership_describe(&runner->member, text_string(&runner->members));
	process_title(text_string(&runner->title));
	service_status(&runner->service, text_string(&runner->title) + strlen("dray: "));
	runner->title_at = CLOCK_NEVER;
}
