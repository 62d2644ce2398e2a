#include "supervisor/supervisor.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "supervisor/pidfile.h"
#include "supervisor/state.h"

#define FEEDERS_MARGIN                                                                             \
	(1 * CLOCK_SECOND) /* after this time the workers are stopped in any case                  \
			    */
#define END_PATIENCE  (2 * CLOCK_SECOND)
#define QUIT_PATIENCE (400 * CLOCK_MILLISECOND)

static const char *const phase_names[] = {
	[PHASE_BOOT] = "waiting for the database",
	[PHASE_RUN] = "running",
	[PHASE_FEEDERS] = "stopping what brings work",
	[PHASE_WORKERS] = "stopping workers",
	[PHASE_QUIT] = "quitting",
	[PHASE_DONE] = "done",
};

static size_t count_leaving(const struct supervisor *supervisor)
{
	const struct children *children = &supervisor->children;
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		count += child_is_leaving(&children->list[i]);
	return count;
}

/* Otherwise only the log would show that a child was given up, or has left. */
static void tell_changes(struct supervisor *supervisor)
{
	const struct children *children = &supervisor->children;
	struct text names = { 0 };

	if (children_given_up(children, &names) != supervisor->given_up ||
	    count_leaving(supervisor) != supervisor->leaving)
		supervisor_describe(supervisor);
	text_free(&names);
}

static void ask_to_reload(struct supervisor *supervisor)
{
	if (supervisor->phase <= PHASE_RUN)
		supervisor->reload.asked = true;
	else
		log_event(LOG_WARN, "reload.refused", LOG_TEXT("reason", "dray is stopping"));
}

static void toggle_quiet(struct supervisor *supervisor)
{
	if (supervisor->phase > PHASE_RUN)
		return;
	bool quiet = children_toggle_quiet(&supervisor->children);
	log_event(LOG_INFO, quiet ? "supervisor.quiet" : "supervisor.resumed", LOG_END);
	supervisor_describe(supervisor);
}

static void dump(const struct supervisor *supervisor)
{
	const struct maintenance *maintenance = &supervisor->maintenance;
	int64_t now = clock_monotonic();

	log_event(LOG_INFO, "supervisor.state", LOG_TEXT("name", maintenance->member.name),
		  LOG_INT("process_id", maintenance->member.row.id),
		  LOG_TEXT("phase", phase_names[supervisor->phase]),
		  LOG_TEXT("mode", children_quiet(&supervisor->children) ? "quiet" : NULL),
		  LOG_INT("children", children_wanted(&supervisor->children)),
		  LOG_INT("ready", children_ready(&supervisor->children)),
		  LOG_INT("unburied", maintenance_unburied(maintenance)),
		  LOG_TEXT("outage", maintenance->outage.what),
		  log_ms("outage_ms", maintenance->outage.since, now),
		  log_ms("heartbeat_in_ms", now, maintenance->beat_at),
		  log_ms("healing_in_ms", now, maintenance->healing.at));
	children_dump(&supervisor->children);
}

/* A terminal that is gone may tell us more than once. */
static void hang_up(struct supervisor *supervisor)
{
	enum hangup meaning = hangup_meaning(loop_signal_code(supervisor->loop));

	if (meaning == HANGUP_RELOAD)
		ask_to_reload(supervisor);
	else if (meaning == HANGUP_STOP && !supervisor->asked)
		supervisor->asked = ASKED_STOP;
}

static void on_signal(void *context, int signal)
{
	struct supervisor *supervisor = context;

	if (signal == SIGQUIT || (supervisor->asked && (signal == SIGTERM || signal == SIGINT)))
		supervisor->asked = ASKED_QUIT;
	else if (signal == SIGTERM || signal == SIGINT)
		supervisor->asked = ASKED_STOP;
	else if (signal == SIGHUP)
		hang_up(supervisor);
	else if (signal == SIGUSR1)
		toggle_quiet(supervisor);
	else if (signal == SIGUSR2)
		dump(supervisor);
}

static bool waits(const struct supervisor *supervisor)
{
	return supervisor->maintenance.outage.what || children_wait(&supervisor->children);
}

/* For ps and for a service manager. */
static void set_title(struct supervisor *supervisor)
{
	char title[96];

	snprintf(title, sizeof(title), "dray: supervisor %zu/%zu ready%s%s%s",
		 children_ready(&supervisor->children), children_wanted(&supervisor->children),
		 children_quiet(&supervisor->children) ? ", quiet" : "",
		 waits(supervisor) ? ", waiting for the database" : "",
		 supervisor->phase > PHASE_RUN ? ", stopping" : "");
	process_title(title);
	service_status(&supervisor->service, title + strlen("dray: supervisor "));
}

/* First the processes that bring work, then those that do it. */
static void fork_all(struct supervisor *supervisor)
{
	for (enum role_tier tier = 0; tier < TIERS; tier++)
		children_raise(&supervisor->children, tier, CHILD_FORK);
}

static size_t anyone(const struct supervisor *supervisor)
{
	return children_alive(&supervisor->children, TIER_FEEDERS) +
	       children_alive(&supervisor->children, TIER_WORKERS);
}

/* What has been prepared is not prepared again. */
static enum status enter(struct supervisor *supervisor, struct error *error)
{
	struct supervisor_options *options = &supervisor->options;

	if (options->prepare && options->prepare(options->context, error) != STATUS_OK)
		return error->status;
	options->prepare = NULL;
	return maintenance_boot(&supervisor->maintenance, error);
}

/* A wrong URL or schema ends the start; while the database is unavailable, the supervisor waits. */
static void boot(struct supervisor *supervisor)
{
	struct maintenance *maintenance = &supervisor->maintenance;
	struct error error = { 0 };

	if (clock_monotonic() < maintenance->retry_at)
		return;
	enum status status = enter(supervisor, &error);
	if (status == STATUS_OK) {
		outage_worked(&maintenance->outage, "start");
		maintenance->retry_at = 0;
		log_event(LOG_INFO, "supervisor.started",
			  LOG_TEXT("name", maintenance->member.name),
			  LOG_TEXT("database", db_server(maintenance->member.db)),
			  LOG_INT("children", children_wanted(&supervisor->children)));
		supervisor->phase = PHASE_RUN;
		FAULT_POINT("supervisor.started");
		fork_all(supervisor);
	} else if (!membership_is_final(&maintenance->member, status, supervisor->options.wait)) {
		int64_t delay = outage_failed(&maintenance->outage, "start", &error);
		maintenance->retry_at = clock_monotonic() + delay;
	} else {
		log_event(LOG_ERROR, "supervisor.refused", LOG_TEXT("error", error.text));
		supervisor->code = EXIT_USAGE;
		supervisor->refused = true;
		supervisor->phase = PHASE_DONE;
	}
}

static void run(struct supervisor *supervisor)
{
	tell_changes(supervisor);
	maintenance_run(&supervisor->maintenance);
	children_hand(&supervisor->children);
	children_free_lanes(&supervisor->children);
	children_replace_late(&supervisor->children);
	reload_step(supervisor);
	if (anyone(supervisor) > 0)
		return;
	log_event(LOG_ERROR, "supervisor.gave_up",
		  LOG_TEXT("reason", "none of the configured processes can be kept running"));
	supervisor->code = supervisor->children.code;
	supervisor->phase = PHASE_DONE;
}

static void stop_workers(struct supervisor *supervisor)
{
	maintenance_run(&supervisor->maintenance);
	if (anyone(supervisor) == 0)
		supervisor->phase = PHASE_DONE;
}

static void stop_feeders(struct supervisor *supervisor)
{
	maintenance_run(&supervisor->maintenance);
	if (children_alive(&supervisor->children, TIER_FEEDERS) > 0 &&
	    clock_monotonic() < supervisor->phase_ends)
		return;
	FAULT_POINT("supervisor.emptying");
	supervisor->phase = PHASE_WORKERS;
	supervisor->phase_ends = CLOCK_NEVER;
	children_raise(&supervisor->children, TIER_WORKERS, CHILD_STOP);
	stop_workers(supervisor); /* there may be no children, and then nothing would wake us */
}

/* No maintenance here: a database that does not answer must not delay us. */
static void quit(struct supervisor *supervisor)
{
	if (anyone(supervisor) == 0)
		supervisor->phase = PHASE_DONE;
}

static void (*const phases[])(struct supervisor *supervisor) = {
	[PHASE_BOOT] = boot,
	[PHASE_RUN] = run,
	[PHASE_FEEDERS] = stop_feeders,
	[PHASE_WORKERS] = stop_workers,
	[PHASE_QUIT] = quit,
};

static void obey(struct supervisor *supervisor)
{
	if (supervisor->asked == ASKED_STOP && supervisor->phase < PHASE_FEEDERS) {
		FAULT_POINT("supervisor.stopping");
		log_event(LOG_INFO, "supervisor.stopping", LOG_END);
		supervisor->code = EXIT_STOPPED;
		service_stopping(&supervisor->service);
		children_end(&supervisor->children);
		supervisor->phase = PHASE_FEEDERS;
		supervisor->phase_ends = clock_monotonic() + FEEDERS_MARGIN;
		children_raise(&supervisor->children, TIER_FEEDERS, CHILD_STOP);
	} else if (supervisor->asked == ASKED_QUIT && supervisor->phase < PHASE_QUIT) {
		log_event(LOG_INFO, "supervisor.quitting", LOG_END);
		service_stopping(&supervisor->service);
		supervisor->code = EXIT_STOPPED;
		supervisor->phase = PHASE_QUIT;
		supervisor->phase_ends = CLOCK_NEVER;
		children_raise(&supervisor->children, TIER_FEEDERS, CHILD_QUIT);
		children_raise(&supervisor->children, TIER_WORKERS, CHILD_QUIT);
	}
}

static int64_t next_deadline(const struct supervisor *supervisor)
{
	const struct maintenance *maintenance = &supervisor->maintenance;
	int64_t deadline = clock_earlier(supervisor->phase_ends, supervisor->service.feed_at);

	if (supervisor->phase == PHASE_BOOT)
		return clock_earlier(deadline, maintenance->retry_at);
	if (supervisor->phase != PHASE_QUIT)
		deadline = clock_earlier(deadline, maintenance_due(maintenance));
	if (supervisor->phase == PHASE_RUN)
		deadline = clock_earlier(deadline, reload_due(&supervisor->reload));
	return clock_earlier(deadline, children_due(&supervisor->children));
}

/*
 * The start is complete once all children are ready, except those that were given up or leave. With
 * --wait it is complete, too, when it waits for the database: who starts it need not wait with it.
 */
static bool is_started(struct supervisor *supervisor)
{
	const size_t ready = children_ready(&supervisor->children);

	if (supervisor->options.wait && waits(supervisor))
		return true;
	return supervisor->phase == PHASE_RUN && ready > 0 &&
	       ready + count_leaving(supervisor) == anyone(supervisor);
}

static void tell_manager(struct supervisor *supervisor)
{
	set_title(supervisor);
	service_feed(&supervisor->service, children_turn(&supervisor->children));
	if (is_started(supervisor))
		service_started(&supervisor->service);
}

/* Dead children are buried (in their phase) before timers fork their replacements. */
static void supervise(struct supervisor *supervisor)
{
	while (supervisor->phase != PHASE_DONE) {
		tell_manager(supervisor);
		loop_wait(supervisor->loop, next_deadline(supervisor));
		children_look(&supervisor->children);
		obey(supervisor);
		children_reap(&supervisor->children);
		phases[supervisor->phase](supervisor);
		children_tell_parent(&supervisor->children);
		children_ring(&supervisor->children);
	}
}

/* beginning and end */

static enum status listen_to_world(struct supervisor *supervisor, struct error *error)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGQUIT, SIGCHLD,
				       SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2 };

	supervisor->loop = loop_new(error);
	if (!supervisor->loop)
		return error->status;
	enum status status =
		loop_signals(supervisor->loop, signals, sizeof(signals) / sizeof(signals[0]),
			     on_signal, supervisor);
	if (status != STATUS_OK)
		return error_set(error, status, "cannot watch signals");
	return children_open(&supervisor->children, supervisor->loop, &supervisor->maintenance,
			     error);
}

static int refuse(const struct error *error, int code)
{
	log_event(LOG_ERROR, "supervisor.refused", LOG_TEXT("error", error->text));
	return code;
}

static int run_with_loop(struct supervisor *supervisor)
{
	struct error error = { 0 };

	if (listen_to_world(supervisor, &error) != STATUS_OK)
		return refuse(&error, EXIT_ERROR);
	supervise(supervisor);
	FAULT_POINT("supervisor.leaving");
	maintenance_end(&supervisor->maintenance,
			supervisor->asked == ASKED_QUIT ? QUIT_PATIENCE : END_PATIENCE);
	FAULT_POINT("supervisor.left");
	if (!supervisor->refused)
		log_event(LOG_INFO, "supervisor.stopped", LOG_INT("status", supervisor->code));
	return supervisor->code;
}

static int run_with_pidfile(struct supervisor *supervisor)
{
	const char *pidfile = supervisor->config->process.supervisor_pidfile;
	struct error error = { 0 };

	if (supervisor->children.count == 0) {
		error_set(&error, STATUS_INVALID,
			  "no processes are configured: nothing to supervise");
		return refuse(&error, EXIT_USAGE);
	}
	process_title(PIDFILE_STARTING);
	if (pidfile && pidfile_claim(pidfile, &error) != STATUS_OK)
		return refuse(&error, EXIT_ERROR);
	int code = run_with_loop(supervisor);
	if (pidfile)
		pidfile_release(pidfile);
	return code;
}

int supervisor_run(const struct config *config, const struct supervisor_options *options)
{
	struct supervisor supervisor = {
		.config = config,
		.options = options ? *options : (struct supervisor_options){ 0 },
		.reload = { .source = options ? options->source : NULL },
		.phase_ends = CLOCK_NEVER,
	};
	struct arena *arena = arena_new();

	log_role("supervisor");
	service_open(&supervisor.service);
	if (options && options->roles)
		children_init(&supervisor.children, arena, config, options->roles,
			      options->role_count);
	else
		children_init(&supervisor.children, arena, config, role_kinds, role_kind_count);
	maintenance_init(&supervisor.maintenance, config);
	int code = run_with_pidfile(&supervisor);
	reload_end(&supervisor.reload);
	children_close(&supervisor.children);
	maintenance_clear(&supervisor.maintenance);
	if (supervisor.loop)
		loop_free(supervisor.loop);
	arena_free(arena);
	return code;
}
