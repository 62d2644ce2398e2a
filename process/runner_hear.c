/*
 * What a role process hears, from signals, from its supervisor and from another configuration, and
 * what it says of itself.
 *
 * Another configuration does not end long runs. A role that runs alone starts its program anew in
 * the same process, if the change concerns it; under a supervisor another process takes its place.
 * A process that may hold long runs (role.h) is leaving first: it takes nothing new and ends what
 * it holds, without a limit; shutdown_timeout is for stopping. Under a supervisor the other one
 * works meanwhile, with the threads that this one does not need any more (control.h).
 */
#include "process/runner_hear.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/hash.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "process/janitor.h"

/* what it is asked for, and what it says of itself */

void runner_ask(struct runner *runner, enum stop stop, const char *reason)
{
	if (stop <= runner->stop)
		return;
	runner->stop = stop;
	runner->reason = reason;
}

void runner_notify(const struct runner *runner, enum notice_kind kind, const char *text)
{
	notice_send(runner->options->notice_fd, kind, runner->options->lane, text);
}

bool runner_is_alone(const struct runner *runner)
{
	return runner->options->death_fd < 0;
}

/* The key of another member, whose value follows. */
static struct text *add_member(struct runner *runner, const char *key)
{
	text_printf(&runner->members, "%s\"%s\":", runner->members.length > 0 ? "," : "", key);
	return &runner->members;
}

/* `since` is the database's clock. */
static void add_since(struct runner *runner, const char *key, int64_t since)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_iso(since, text);
	text_json(add_member(runner, key), text);
}

bool runner_is_janitor(const struct runner *runner)
{
	return runner->role == &janitor_role;
}

bool runner_may_lead(const struct runner *runner)
{
	return runner_is_alone(runner) || runner_is_janitor(runner);
}

/* The row is the supervisor's: what it says, and who keeps it. */
static void describe_parent(struct runner *runner)
{
	(void)control_described(runner->options->control, &runner->said_seen, &runner->said);
	text_add(&runner->members, text_string(&runner->said));
	text_number(add_member(runner, "janitor"), getpid());
}

/* Who cares for its host says what the files promise of queues, in milliseconds. */
static void describe_promises(struct runner *runner)
{
	const struct config *config = runner->options->config;
	size_t count = 0;

	for (size_t i = 0; i < config->promise_count; i++) {
		const struct config_promise *promise = &config->promises[i];
		if (promise->late_after <= 0)
			continue;
		text_add(count == 0 ? add_member(runner, "late_after") : &runner->members,
			 count == 0 ? "{" : ",");
		text_json(&runner->members, promise->queue);
		text_add(&runner->members, ":");
		text_number(&runner->members, promise->late_after / CLOCK_MILLISECOND);
		count++;
	}
	text_add(&runner->members, count > 0 ? "}" : "");
}

/*
 * The same of hosts. A container is another host at each start; what minds containers minds that,
 * so where its first process is ours no host is expected unless the files say so. Nobody hears that
 * of a watcher: it has no say in whether the hosts of others are expected.
 */
static void describe_hosts(struct runner *runner)
{
	const struct config *config = runner->options->config;

	if (!config->expect_hosts && (!process_contained() || runner->role == &watcher_role))
		return;
	text_json_texts(add_member(runner, "expect_hosts"), config->expect_hosts,
			config->expect_host_count);
}

/* Could it not lead lately, for want of a right or a table? Others do, though without on_alarm. */
static bool is_unfit(const struct runner *runner)
{
	return clock_monotonic() < runner->lead.unfit_until;
}

void runner_describe(struct runner *runner)
{
	text_clear(&runner->members);
	text_clear(&runner->title);
	text_add(&runner->title, "dray: ");
	runner->role->describe(&runner->context, &runner->members, &runner->title);
	if (runner_is_janitor(runner))
		describe_parent(runner);
	if (runner_may_lead(runner)) {
		describe_promises(runner);
		if (runner->options->config->process.on_alarm && !is_unfit(runner))
			text_add(add_member(runner, "on_alarm"), "true");
		describe_hosts(runner);
	}
	if (runner->context.quiet) {
		text_add(add_member(runner, "quiet"), "true");
		text_add(&runner->title, ", quiet");
	}
	if (runner->held) {
		text_add(add_member(runner, "held"), "true");
		text_add(&runner->title, ", held");
	}
	if (runner->leaves) {
		add_since(runner, "leaving_since", runner->leaving_since);
		text_add(&runner->title, ", leaving");
	}
	if (runner->outdated_since != 0)
		add_since(runner, "outdated_since", runner->outdated_since);
	if (runner->trouble_since != 0) {
		text_json(add_member(runner, "trouble"), runner->outage.text);
		add_since(runner, "trouble_since", runner->trouble_since);
	}
	if (runner->outage.what)
		text_add(&runner->title, ", waiting for the database");
	if (*runner->lead.rounds.degraded)
		text_printf(&runner->title, ", %s", runner->lead.rounds.degraded);
	membership_describe(&runner->member, text_string(&runner->members));
	process_title(text_string(&runner->title));
	service_status(&runner->service, *runner->lead.rounds.degraded
						 ? runner->lead.rounds.degraded
						 : text_string(&runner->title) + strlen("dray: "));
	runner->title_at = is_unfit(runner) ? runner->lead.unfit_until : CLOCK_NEVER;
}

/* another configuration */

#define LOOK CLOCK_SECOND /* in case a message of the others was lost */

static bool has_runs(const struct runner *runner)
{
	return runner->role->idle && !runner->role->idle(&runner->context);
}

/* The row is to say something else. */
static void beat_soon(struct runner *runner)
{
	if (!runner->context.presumed_dead)
		runner->beat_at = clock_monotonic();
}

/*
 * Leaving, because another process takes its place: takes nothing new, and stops when what runs has
 * ended, however long that takes.
 */
static void begin_to_leave(struct runner *runner, const char *reason)
{
	if (runner->leaves || runner->stop)
		return;
	if (!runner->started) {
		runner_ask(runner, STOP_GRACEFUL, reason);
		return;
	}
	runner->leaves = reason;
	runner->leaving_since = db_now(runner->member.db);
	runner->context.leaving = true;
	log_event(LOG_INFO, "process.leaving", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("reason", reason),
		  LOG_INT("runs", runner->role->runs(&runner->context)));
	runner_describe(runner);
	runner->tick_at = clock_monotonic();
	beat_soon(runner);
}

/* The configuration as the files are now, to be freed; NULL if it cannot be used (logged). */
static struct config *load_again(const struct runner *runner, struct config_diff *diff)
{
	const struct runner_options *options = runner->options;
	char outcome[SOURCE_OUTCOME_SIZE];
	struct config *next = source_load(options->source, options->config, false, diff, outcome);

	if (!next)
		log_event(LOG_ERROR, "reload.refused", LOG_TEXT("reason", outcome),
			  LOG_TEXT("then", runner->leaves ? "claims nothing until a reload works"
							  : "the configuration stays as it was"));
	return next;
}

/* The files may have changed since it began to leave: with a mistake it would not start again. */
void runner_end_leaving(struct runner *runner)
{
	if (!runner->leaves || runner->stop || runner->refused || has_runs(runner))
		return;
	if (runner->restart) {
		struct config_diff diff;
		struct config *next = load_again(runner, &diff);
		runner->refused = !next;
		if (!next)
			return;
		config_free(next);
		service_reloading(&runner->service);
	}
	runner_ask(runner, STOP_GRACEFUL, runner->leaves);
}

/*
 * Also when the tick has failed: that nothing more is claimed is true in any case. One that is
 * stopping says it, too: it may have a replacement before it has ended.
 */
static void say_runs(const struct runner *runner)
{
	const struct runner_options *options = runner->options;
	const struct role_context *context = &runner->context;

	if (!(context->leaving || context->stopping) || !options->control || !runner->role->runs)
		return;
	if (control_say(options->control, options->lane, runner->role->runs(&runner->context)))
		runner_notify(runner, NOTICE_ROOM, NULL);
}

/* One that is to leave has not said that it claims no more. People know only if that lasts. */
static void note_held(struct runner *runner)
{
	const int64_t now = clock_monotonic();

	if (runner->context.others != CONTROL_UNSAID)
		runner->held_at = CLOCK_NEVER;
	else if (runner->held_at == CLOCK_NEVER)
		runner->held_at = now + LOOK;
	if (runner->held == (now >= runner->held_at))
		return;
	runner->held = !runner->held;
	runner_describe(runner);
	beat_soon(runner);
}

/* One whose heartbeat works while its ticks fail would look well to everybody. */
void runner_note_trouble(struct runner *runner)
{
	const struct outage *outage = &runner->outage;
	const bool fails = outage->what && strcmp(outage->what, RUNNER_TICK) == 0;
	const int64_t span = clock_monotonic() - outage->since;

	if (runner->trouble_since != 0 ? fails : !fails || span < LOOK)
		return;
	runner->trouble_since = fails ? db_now(runner->member.db) - span : 0;
	runner_describe(runner);
	beat_soon(runner);
}

enum status runner_tick_role(struct runner *runner, int64_t *wait, struct error *error)
{
	const struct runner_options *options = runner->options;
	struct role_context *context = &runner->context;

	if (options->control)
		context->others =
			control_others(options->control, options->others, options->other_count);
	note_held(runner);
	enum status status = runner->role->tick(context, wait, error);
	if (context->others > 0)
		*wait = clock_earlier(*wait, LOOK);
	if (context->leaving && !runner->refused && !has_runs(runner))
		*wait = 0;
	say_runs(runner);
	return status;
}

/* handed over by the supervisor */

static uint64_t hash_environment(void)
{
	uint64_t hash = HASH_START;

	for (char **variable = environ; variable && *variable; variable++)
		hash = hash_number(hash_text(hash, *variable), 0);
	return hash;
}

void runner_expect_reload(struct runner *runner)
{
	runner->seen = runner->options->seen;
	runner->environment = hash_environment();
}

/*
 * The supervisor's environment stays what it was at its start; ours does not if a function, or a
 * library that it uses, sets a variable. Then the same texts may mean something else here.
 */
static enum status adopt(struct runner *runner, const struct config_text texts[CONFIG_TEXTS],
			 struct error *error)
{
	struct config *config;
	enum status status = config_again(&config, runner->options->config, texts, error);

	if (status != STATUS_OK)
		return status;
	if (hash_environment() == runner->environment)
		status = runner->role->adopt(&runner->context, config, error);
	else
		status = error_set(error, STATUS_INVALID,
				   "the environment is not what it was when the process started: "
				   "a function of a module has changed it");
	if (status != STATUS_OK)
		config_free(config);
	return status;
}

void runner_take_over(struct runner *runner)
{
	struct control *control = runner->options->control;
	struct config_text texts[CONFIG_TEXTS];
	struct error error = { 0 };

	if (!control || !runner->role->adopt || !runner->started || runner->stop ||
	    control_is_leaving(control, runner->options->lane))
		return;
	struct arena *arena = arena_new();
	if (control_handed(control, &runner->seen.text_changes, arena, texts)) {
		const bool outdated = adopt(runner, texts, &error) != STATUS_OK;
		if (!outdated)
			runner->outdated_since = 0;
		else if (runner->outdated_since == 0)
			runner->outdated_since = db_now(runner->member.db);
		if (outdated)
			log_event(LOG_WARN, "process.outdated",
				  LOG_TEXT("name", runner->member.name),
				  LOG_TEXT("error", error.text),
				  LOG_TEXT("then", "another process takes its place"));
		control_answer(control, runner->options->lane, runner->seen.text_changes);
		runner_describe(runner);
		runner->tick_at = runner->beat_at = runner->notice_at = clock_monotonic();
	}
	arena_free(arena);
}

/* alone */

#define ENTRY_SIZE 64

static bool begins(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

/* Is it "workers[0]", or "scheduler", of which there is one, or one of its tasks? */
static bool is_ours(const struct runner *runner, const char *path)
{
	const struct role *role = runner->role;
	char entry[ENTRY_SIZE];

	(void)snprintf(entry, sizeof(entry), "%s[%zu]", role->section, runner->options->entry);
	if (begins(path, entry) || (role->also && begins(path, role->also)))
		return true;
	return begins(path, role->section) && strchr(".", path[strlen(role->section)]);
}

static bool concerns(const struct runner *runner, const struct config_diff *diff)
{
	unsigned parts = runner->role->parts | runner->role->adopts | PART_FIXED | PART_LOG |
			 PART_SUPERVISOR;

	if (diff->parts & parts)
		return true;
	for (size_t i = 0; i < diff->count; i++)
		if (diff->list[i].part == PART_ENTRIES && is_ours(runner, diff->list[i].path))
			return true;
	return false;
}

/* HUP to a role that runs alone. */
static void reload_alone(struct runner *runner)
{
	struct config_diff diff;

	if (!runner->options->source || runner->stop)
		return;
	log_event(LOG_INFO, "reload.begun", LOG_END);
	struct config *next = load_again(runner, &diff);
	if (!next)
		return;
	runner->refused = false;
	runner->restart = runner->leaves || concerns(runner, &diff);
	log_event(LOG_INFO, "reload.done", LOG_INT("changes", diff.count),
		  LOG_TEXT("then", runner->restart ? "restart" : NULL));
	config_free(next);
	if (!runner->restart || runner->leaves)
		return;
	if (runner->role->runs) {
		begin_to_leave(runner, "reload");
		return;
	}
	service_reloading(&runner->service);
	runner_ask(runner, STOP_GRACEFUL, "reload");
}

/* signals and the supervisor */

/* Shows it soon: to the role by a tick, to people by the title and a heartbeat. */
static void set_quiet(struct runner *runner, bool quiet)
{
	if (runner->context.quiet == quiet || runner_is_janitor(runner))
		return;
	runner->context.quiet = quiet;
	log_event(LOG_INFO, quiet ? "process.quiet" : "process.resumed",
		  LOG_TEXT("name", runner->member.name));
	if (!runner->started)
		return;
	runner_describe(runner);
	runner->tick_at = clock_monotonic();
	beat_soon(runner);
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
	if (runner_is_janitor(runner) && runner->started &&
	    control_described(control, &runner->said_seen, &runner->said)) {
		runner_describe(runner);
		beat_soon(runner);
	}
	if (runner->role->runs && control_is_leaving(control, runner->options->lane))
		begin_to_leave(runner, "replaced");
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

	if (runner_is_janitor(runner)) { /* it has nothing that would take time */
		runner->leave_by = clock_monotonic();
		again = true;
	}

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
		reload_alone(runner);
	else if (meaning == HANGUP_STOP && (!runner->stop || runner->restart))
		stop_gracefully(runner, "HUP");
}

/*
 * A terminal or a service manager signals the whole group; the janitor is needed until its
 * supervisor has said otherwise.
 */
static bool is_for_the_group(const struct runner *runner, int signal)
{
	return runner_is_janitor(runner) &&
	       (signal == SIGTERM || signal == SIGINT || signal == SIGQUIT) &&
	       !control_is_leaving(runner->options->control, runner->options->lane);
}

static void on_signal(void *context, int signal)
{
	struct runner *runner = context;

	if (is_for_the_group(runner, signal))
		return;
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
	runner_ask(runner, runner_is_janitor(runner) ? STOP_AT_ONCE : STOP_GRACEFUL,
		   "the supervisor has vanished");
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
