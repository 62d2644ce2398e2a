#include <signal.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "process/runner_state.h"

/* Shows it soon: to the role by a tick, to people by the title and a heartbeat. */
static void set_quiet(struct runner *runner, bool quiet)
{
	if (runner->context.quiet == quiet)
		return;
	runner->context.quiet = quiet;
	log_event(LOG_INFO, quiet ? "process.quiet" : "process.resumed",
		  LOG_TEXT("name", runner->member.name));
	if (!runner->started)
		return;
	runner_describe(runner);
	runner->tick_at = clock_monotonic();
	if (!runner->context.presumed_dead)
		runner->beat_at = runner->tick_at;
}

static void apply_log(const struct control *control)
{
	const struct log_options log = {
		.level = (enum log_level)atomic_load(&control->log_level),
		.format = (enum log_format)atomic_load(&control->log_format),
		.fd = STDERR_FILENO,
	};

	log_configure(&log);
}

static void look_at_control(struct runner *runner)
{
	const struct control *control = runner->options->control;

	if (!control)
		return;
	struct control_view view = control_look(control);
	if (view.quiet_changes != runner->seen.quiet_changes)
		set_quiet(runner, view.quiet_changes % 2 != 0);
	if (view.log_changes != runner->seen.log_changes)
		apply_log(control);
	view.text_changes = runner->seen.text_changes; /* runner_take_over sees to them */
	runner->seen = view;
	if (runner->role->runs && control_is_leaving(control, runner->options->slot))
		runner_leave(runner, "replaced");
	runner_take_over(runner);
}

static const char *mode(const struct runner *runner)
{
	if (runner->context.stopping)
		return "stopping";
	if (!runner->started)
		return "starting";
	if (runner->context.leaving)
		return "leaving";
	return runner->context.quiet ? "quiet" : "working";
}

static void dump(struct runner *runner)
{
	const struct outage *outage = &runner->outage;
	int64_t now = clock_monotonic();

	log_event(LOG_INFO, "process.state", LOG_TEXT("name", runner->member.name),
		  LOG_INT("process_id", runner->member.row.id), LOG_TEXT("mode", mode(runner)),
		  LOG_TEXT("database", runner->member.db ? db_server(runner->member.db) : NULL),
		  LOG_TEXT("outage", outage->what), log_ms("outage_ms", outage->since, now),
		  log_ms("tick_in_ms", now, runner->tick_at),
		  log_ms("heartbeat_in_ms", now, runner->beat_at),
		  log_ms("leave_in_ms", now, runner->leave_by));
	if (runner->started && runner->role->dump)
		runner->role->dump(&runner->context);
}

static void stop_gracefully(struct runner *runner, const char *name)
{
	bool again = runner_is_alone(runner) && runner->stop && !runner->restart;

	if (runner->restart && runner->context.stopping)
		service_stopping(&runner->service);
	runner->restart = false;
	runner_ask(runner, again ? STOP_AT_ONCE : STOP_GRACEFUL, name);
}

/*
 * HUP has no effect under a supervisor: a terminal that hangs up signals the whole group. It may do
 * so more than once.
 */
static void hang_up(struct runner *runner)
{
	enum hangup meaning = hangup_meaning(loop_signal_code(runner->loop));

	if (!runner_is_alone(runner))
		return;
	if (meaning == HANGUP_RELOAD)
		runner_reload(runner);
	else if (meaning == HANGUP_STOP && (!runner->stop || runner->restart))
		stop_gracefully(runner, "HUP");
}

static void on_signal(void *context, int signal)
{
	struct runner *runner = context;

	switch (signal) {
	case SIGTERM:
	case SIGINT:
		stop_gracefully(runner, signal == SIGTERM ? "TERM" : "INT");
		break;
	case SIGQUIT:
		runner->restart = false;
		runner_ask(runner, STOP_AT_ONCE, "QUIT");
		break;
	case SIGHUP:
		hang_up(runner);
		break;
	case SIGUSR1:
		look_at_control(runner); /* what the supervisor asked for before */
		set_quiet(runner, !runner->context.quiet);
		break;
	case SIGUSR2:
		dump(runner);
		break;
	case CONTROL_SIGNAL: /* from the supervisor, or `dray cancel` */
		look_at_control(runner);
		if (runner->role->told && runner->started && !runner->context.presumed_dead)
			runner->beat_at = clock_monotonic();
		break;
	default: /* handled so that they have no effect */
		break;
	}
}

static void on_death(void *context)
{
	struct runner *runner = context;

	loop_unwatch(runner->loop, runner->options->death_fd);
	runner_ask(runner, STOP_GRACEFUL, "the supervisor has vanished");
}

/*
 * PIPE is handled, not ignored, so that it has no effect here and its default effect after an exec.
 */
enum status runner_listen(struct runner *runner, struct error *error)
{
	static const int signals[] = { SIGTERM, SIGINT,  SIGQUIT, SIGPIPE,
				       SIGHUP,  SIGUSR1, SIGUSR2, CONTROL_SIGNAL };
	int death_fd = runner->options->death_fd;

	runner->loop = loop_new(error);
	if (!runner->loop)
		return error->status;
	enum status status = loop_signals(runner->loop, signals,
					  sizeof(signals) / sizeof(signals[0]), on_signal, runner);
	if (status == STATUS_OK && death_fd >= 0)
		status = loop_watch(runner->loop, death_fd, LOOP_READ, on_death, runner);
	if (status != STATUS_OK)
		error_set(error, status, "cannot watch signals or the supervisor");
	return status;
}
