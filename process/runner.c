/*
 * The life of a role process, whatever its role: it joins (a connection, a row, the role's own
 * start), works (ticks and heartbeats, in one loop), and leaves.
 *
 * An outage of the database ends neither the start nor the work; only what the role itself cannot
 * do is final. A process whose row is gone, or not known to be there after a failover, claims
 * nothing: in each turn the server and the heartbeat come before the tick, for others may have
 * taken this process for dead and given its jobs away.
 *
 * It leaves in three steps. A stop tells the role to begin nothing new; when the time for that is
 * over the role hurries, which is told to its runs; and when their grace is over, or nothing runs,
 * the process deregisters. What cannot be deregistered then is left to who finds it silent: leaving
 * never waits for a database for long while a supervisor waits for it.
 */
#include "process/runner.h"

#include <signal.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "config/config.h"
#include "process/janitor.h"
#include "process/notice.h"
#include "process/runner_hear.h"

/* the row, and the server that has it */

#define CLASSES_PATIENCE (10 * CLOCK_SECOND) /* then it publishes its classes itself */
#define CLASSES_LOOK     (10 * CLOCK_MILLISECOND)

/*
 * The supervisor publishes the classes: of two processes that do so around a reload, the one with
 * the older classes might be the last. It does in its next turn, unless something holds it up.
 */
static bool await_classes(const struct runner *runner)
{
	const struct runner_options *options = runner->options;
	const int64_t deadline = clock_monotonic() + CLASSES_PATIENCE;

	if (!options->control)
		return false;
	while (!control_is_published(options->control, options->generation)) {
		if (runner->stop || clock_monotonic() >= deadline)
			return false;
		(void)loop_wait(runner->loop, clock_monotonic() + CLASSES_LOOK);
	}
	return true;
}

/*
 * The supervisor lives, though others presumed it dead (frozen, cut off), and its children need a
 * parent that lives.
 */
static void keep_number(struct runner *runner)
{
	struct control *control = runner->options->control;
	const int64_t before = control_supervisor(control);

	if (before != 0 && before != runner->member.row.id)
		log_event(LOG_WARN, "supervisor.lost", LOG_TEXT("name", runner->member.name),
			  LOG_TEXT("reason", "the process row is gone: registered again"));
	control_set_supervisor(control, runner->member.row.id);
}

/* The row, and what a process that works needs in the database. */
static enum status register_row(struct runner *runner, struct error *error)
{
	if (runner->member.row.id == 0 && !runner_is_janitor(runner))
		runner->member.published = runner->role == &watcher_role || await_classes(runner);
	enum status status = membership_register(&runner->member, error);
	if (status == STATUS_OK && runner_is_janitor(runner))
		keep_number(runner);
	return status;
}

/* After a heartbeat: the janitor's row is made again if it is gone. */
static enum status return_to_life(struct runner *runner, enum status status, struct error *error)
{
	if (status != STATUS_NONE || !runner_is_janitor(runner))
		return status;
	runner->member.row.id = 0;
	return register_row(runner, error);
}

/* The janitor: another configuration is in force once its classes are known everywhere. */
static enum status publish(struct runner *runner, struct error *error)
{
	enum status status = STATUS_OK;

	if (!runner_is_janitor(runner))
		return STATUS_OK;
	status = membership_publish(&runner->member, error);
	if (status == STATUS_OK)
		control_set_published(runner->options->control, runner->options->generation);
	return status;
}

/* A heartbeat, and what it tells the role. NONE: the row is gone. */
static enum status send_heartbeat(struct runner *runner, struct error *error)
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

/*
 * If another server answers than before, looks for our row there first.
 *
 * After a failover our row may be missing, or its id may belong to another process, whose claims we
 * would take for ours. So the heartbeat, which updates the row by its name, comes before any work.
 */
static void look_at_server(struct runner *runner)
{
	unsigned met = db_servers_met(runner->member.db);

	if (runner->servers_met == met)
		return;
	runner->servers_met = met;
	runner->unproven = !runner->context.presumed_dead;
	runner->beat_at = runner->unproven ? 0 : runner->beat_at;
	log_event(LOG_WARN, "database.other_server", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("text",
			   "another server answers than before: checking what this process holds"));
}

/*
 * A heartbeat has updated our row, or found that it is gone.
 *
 * A role that waits for its runs would otherwise not check them until they end.
 */
static void note_proven(struct runner *runner)
{
	if (runner->unproven)
		runner->tick_at = clock_monotonic();
	runner->unproven = false;
}

static bool may_tick(struct runner *runner)
{
	if (runner->unproven)
		runner->tick_at = runner->beat_at;
	return !runner->unproven && clock_monotonic() >= runner->tick_at;
}

/* joining */

static enum status start_role(struct runner *runner, struct error *error)
{
	if (runner->started)
		return STATUS_OK;
	FAULT_ROLE_POINT(runner->role->word, "registered");
	runner->context.db = runner->member.db;
	runner->context.process_id = runner->member.row.id;
	enum status status = runner->role->start(&runner->context, error);
	runner->started = status == STATUS_OK;
	return status;
}

/* Does it care for its host? */
static bool cares(const struct runner *runner)
{
	return runner_may_lead(runner) && runner->role != &watcher_role;
}

/*
 * The jobs of the dead are given back before a supervisor's first child takes others. Whether a
 * janitor before this one has waited for the database is not known.
 */
static enum status heal_first(struct runner *runner, struct error *error)
{
	const struct runner_options *options = runner->options;
	struct healing *healing = &runner->care.healing;

	if (cares(runner) && healing->at == CLOCK_NEVER)
		healing_begin(healing, runner->outage.what != NULL || options->again);
	return options->first && healing->at <= clock_monotonic()
		       ? healing_run(healing, &runner->member, error)
		       : STATUS_OK;
}

/*
 * Continues where the last attempt failed. The heartbeat writes the metadata, which is known once
 * the role has started.
 */
static enum status try_to_join(struct runner *runner, struct error *error)
{
	const struct runner_options *options = runner->options;
	enum status status =
		options->prepare ? options->prepare(options->context, error) : STATUS_OK;

	if (status == STATUS_OK)
		status = membership_connect(&runner->member, error);
	if (status == STATUS_OK)
		status = register_row(runner, error);
	if (status == STATUS_OK)
		status = start_role(runner, error);
	if (status == STATUS_OK)
		status = heal_first(runner, error);
	if (status != STATUS_OK)
		return status;
	FAULT_ROLE_POINT(runner->role->word, "prepared");
	runner_describe(runner);
	status = return_to_life(runner, membership_heartbeat(&runner->member, error), error);
	if (status != STATUS_NONE)
		return status;
	return error_set(error, status, "the process row vanished while starting");
}

static void wait_until(struct runner *runner, int64_t deadline)
{
	while (!runner->stop && clock_monotonic() < deadline) {
		service_feed(&runner->service, true);
		(void)loop_wait(runner->loop, clock_earlier(deadline, runner->service.feed_at));
	}
}

/* What no database has refused is the role's own: a module, its configuration, a thread. */
static bool is_own(const struct runner *runner)
{
	return runner->member.row.id > 0 && !db_refused(runner->member.db);
}

/*
 * A supervisor starts children only once the database has let it in, and a role alone that reloads
 * has worked, too. What is refused afterwards (a login, a table, a file that was moved) is an
 * outage: a process that gave up would be gone for good.
 */
static bool is_final(const struct runner *runner, enum status status)
{
	const struct runner_options *options = runner->options;
	const bool janitor = runner_is_janitor(runner);
	const bool first =
		janitor ? options->first : runner_is_alone(runner) && !options->restarted;

	if (is_own(runner) && !janitor)
		return !outage_passes(status);
	return first && membership_is_final(&runner->member, status, options->wait);
}

static int refuse(const struct runner *runner, enum status status, const struct error *error)
{
	const bool janitor = runner_is_janitor(runner);

	log_event(LOG_ERROR, janitor ? "supervisor.refused" : "process.refused",
		  LOG_TEXT("error", error->text));
	runner_notify(runner, NOTICE_TROUBLE, error->text);
	return is_own(runner) && status != STATUS_INVALID && !janitor ? EXIT_ERROR : EXIT_USAGE;
}

/* EXIT_STOPPED also if we were told to stop before we were ready. */
static int join(struct runner *runner)
{
	struct error error = { 0 };

	while (!runner->stop) {
		enum status status = try_to_join(runner, &error);
		if (status == STATUS_OK) {
			outage_worked(&runner->outage, "start");
			return EXIT_STOPPED;
		}
		if (is_final(runner, status))
			return refuse(runner, status, &error);
		runner_notify(runner, NOTICE_TROUBLE, error.text);
		if (!runner->outage.what)
			text_add(&runner->title, ", waiting for the database");
		process_title(text_string(&runner->title));
		service_waits(&runner->service, text_string(&runner->title) + strlen("dray: "),
			      runner->options->wait);
		wait_until(runner,
			   clock_monotonic() + outage_failed(&runner->outage, "start", &error));
	}
	return EXIT_STOPPED;
}

/* working */

#define TITLE_INTERVAL (200 * CLOCK_MILLISECOND)

#define CARE "maintenance"
#define LEAD "findings"

/* Only what can send heartbeats can see to others. */
static bool sees_to_others(const struct runner *runner)
{
	const struct control *control = runner->options->control;
	const bool ending = control && control_is_ending(control); /* leave_the_row buries */

	return runner_may_lead(runner) && runner->beats && !ending;
}

/* When its care for others is due. */
static int64_t care_at(struct runner *runner)
{
	return sees_to_others(runner) && cares(runner) ? care_due(&runner->care) : CLOCK_NEVER;
}

/* The same of the lead; what is to be buried or healed comes first. */
static int64_t lead_at(struct runner *runner)
{
	const int64_t care = care_at(runner);

	if (clock_monotonic() >= care)
		return care;
	return sees_to_others(runner) ? lead_due(&runner->lead, &runner->member) : CLOCK_NEVER;
}

/*
 * Every event makes the role tick, also one that comes together with the deadline, because the
 * worker's threads report only once that runs have ended. In an outage the tick waits, but not
 * longer than the heartbeat: the role may have no other reason to tick again.
 */
static void wait_for_work(struct runner *runner)
{
	int64_t deadline = clock_earlier(clock_earlier(runner->tick_at, runner->beat_at),
					 clock_earlier(runner->title_at, runner->leave_by));

	deadline =
		clock_earlier(deadline, clock_earlier(runner->notice_at, runner->service.feed_at));
	deadline = clock_earlier(deadline, runner->tend_at);
	deadline = clock_earlier(deadline, care_at(runner));
	deadline = clock_earlier(deadline, lead_at(runner));
	deadline = clock_earlier(deadline, lead_tend_due(&runner->lead));
	if (loop_wait(runner->loop, deadline))
		runner->tick_at =
			runner->outage.what ? clock_earlier(runner->tick_at, runner->beat_at) : 0;
}

static void tick(struct runner *runner)
{
	struct error error = { 0 };
	int64_t wait = 0;
	enum status status = runner_tick_role(runner, &wait, &error);
	int64_t now = clock_monotonic();

	if (status == STATUS_OK) {
		runner->tick_at = wait < CLOCK_NEVER - now ? now + wait : CLOCK_NEVER;
		if (outage_worked(&runner->outage, RUNNER_TICK))
			runner->beat_at = now;
	} else {
		runner->tick_at = now + outage_failed(&runner->outage, RUNNER_TICK, &error);
	}
	runner_note_trouble(runner);
	runner->title_at = clock_earlier(runner->title_at, now + TITLE_INTERVAL);
}

/* After the tick, which may have set new clocks. In an outage the ticks are seconds apart. */
static void tend(struct runner *runner)
{
	if (runner->role->tend)
		runner->tend_at = runner->role->tend(&runner->context);
}

/* A supervisor that was presumed dead has a new row. */
static void name_parent(struct runner *runner)
{
	const struct control *control = runner->options->control;

	if (control && !runner_is_janitor(runner))
		runner->member.row.supervisor_id = control_supervisor(control);
}

/* When the next heartbeat is due: also what it could not do comes again with that. */
static void note_beat(struct runner *runner, enum status status, const struct error *error)
{
	const int64_t now = clock_monotonic();
	const int64_t interval = runner->options->config->process.process_heartbeat_interval;

	if (status != STATUS_OK) {
		const int64_t delay = outage_failed(&runner->outage, "heartbeat", error);
		runner->beat_at = now + clock_earlier(delay, interval);
		return;
	}
	outage_worked(&runner->outage, "heartbeat");
	runner->beat_at = now + interval;
}

#define TURN_LOOK CLOCK_SECOND /* while the supervisor stands still, its row looks dead */

/*
 * Other processes presumed us dead and released our jobs. Settling is guarded by the claim, so our
 * runs can do no harm to the queue, but the jobs run twice: the runs are stopped at once. Then we
 * leave, and the supervisor starts another process.
 */
static void beat(struct runner *runner)
{
	struct error error = { 0 };
	int64_t interval = runner->options->config->process.process_heartbeat_interval;
	if (!membership_may_beat(&runner->member)) {
		runner->beat_at = clock_monotonic() + clock_earlier(interval, TURN_LOOK);
		runner->notice_at = 0; /* it turns to hear it */
		return;
	}
	FAULT_ROLE_POINT(runner->role->word, "beating");
	name_parent(runner);
	enum status status = return_to_life(runner, send_heartbeat(runner, &error), &error);
	runner->beats = status == STATUS_OK;
	if (status == STATUS_OK)
		status = publish(runner, &error);

	FAULT_ROLE_POINT(runner->role->word, "beaten");
	if (status == STATUS_OK || status == STATUS_NONE)
		note_proven(runner);
	if (status == STATUS_NONE) {
		runner->context.presumed_dead = true;
		if (runner->context.stopping && !runner->hurried)
			runner->leave_by = clock_monotonic();
		runner->beat_at = CLOCK_NEVER;
		log_event(LOG_ERROR, "process.lost", LOG_TEXT("name", runner->member.name),
			  LOG_TEXT("reason", "the process row is gone: declared dead"));
		runner_ask(runner, STOP_GRACEFUL, "declared dead");
		return;
	}
	note_beat(runner, status, &error);
}

/* From a stop on runs have only so long; one that was seen before it was heard began then. */
static void limit_runs(struct runner *runner)
{
	const int64_t now = clock_monotonic();

	if (runner->context.presumed_dead)
		runner->leave_by = now;
	else if (runner->leave_by == CLOCK_NEVER)
		runner->leave_by = now + runner->options->config->process.shutdown_timeout;
}

/* The janitor does this for its supervisor's children; without one perhaps nobody else does. */
static void take_care(struct runner *runner)
{
	struct error error = { 0 };

	if (clock_monotonic() < care_at(runner))
		return;
	if (care_run(&runner->care, &runner->member, &error) == STATUS_OK) {
		(void)outage_worked(&runner->outage, CARE);
		return;
	}
	int64_t delay = outage_failed(&runner->outage, CARE, &error);
	runner->care.retry_at = clock_monotonic() + delay;
}

/*
 * What is wrong with the rounds alone (a table is missing) holds nothing else up; that the database
 * is away does anyway.
 */
static void take_lead(struct runner *runner)
{
	struct lead *lead = &runner->lead;
	struct error error = { 0 };
	enum status status = STATUS_OK;
	char before[DEGRADED_SIZE];

	memcpy(before, lead->rounds.degraded, sizeof(before));
	lead_tend(lead, runner->options->config);
	if (clock_monotonic() < care_at(runner) && clock_monotonic() >= lead_at(runner))
		status = lead_run(lead, &runner->member, &error);
	else
		return;
	if (strcmp(before, lead->rounds.degraded) != 0) {
		runner->title_at = clock_monotonic();
		if (runner_is_janitor(runner))
			runner->notice_at = runner->title_at;
	}
	if (status == STATUS_OK) {
		(void)outage_worked(&runner->outage, LEAD);
		(void)outage_worked(&lead->outage, LEAD);
		return;
	}
	const int64_t now = clock_monotonic();
	const bool passes = outage_passes(status);
	if (!passes) {
		lead->unfit_until = now + LEAD_UNFIT;
		runner->title_at = now; /* others look whether we have on_alarm */
	}
	lead->retry_at =
		now + outage_failed(passes ? &runner->outage : &lead->outage, LEAD, &error);
}

static void begin_stop(struct runner *runner)
{
	FAULT_ROLE_POINT(runner->role->word, "stopping");
	log_event(LOG_INFO, "process.stopping", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("reason", runner->reason));
	if (!runner->restart)
		service_stopping(&runner->service);
	runner->context.stopping = true;
	limit_runs(runner);
	if (runner->role->stop)
		runner->role->stop(&runner->context);
	runner->tick_at = clock_monotonic();
}

/*
 * Time is up: runs are asked to stop, and have their grace for that. Until the loop has heard of
 * the stop, this is not the last time: what is claimed meanwhile is asked, too.
 */
static void hurry(struct runner *runner)
{
	const int64_t now = clock_monotonic();

	if (runner->hurried || now < runner->leave_by)
		return;
	runner->hurried = runner->context.stopping;
	if (!runner->role->hurry)
		return;
	const int64_t leave_by = runner->role->hurry(&runner->context);
	if (!runner->hurried)
		return;
	runner->leave_by = leave_by;
	runner->tick_at = now;
}

static bool stop_is_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

/*
 * The database holds the loop up, perhaps with a transaction open: what does not need it is not
 * late. The loop hears of a stop only afterwards.
 */
static void on_wait(void *data)
{
	struct runner *runner = data;

	if (!runner->context.stopping && !runner_is_janitor(runner) && stop_is_pending())
		limit_runs(runner);
	hurry(runner);
	tend(runner);
}

static bool may_leave(const struct runner *runner)
{
	const struct role *role = runner->role;

	if (runner->stop == STOP_AT_ONCE)
		return true;
	if (!runner->context.stopping)
		return false;
	return !role->idle || role->idle(&runner->context) ||
	       (runner->hurried && clock_monotonic() >= runner->leave_by);
}

/* Tells the supervisor, or the service manager, that this loop turns and its work advances. */
static void say_alive(struct runner *runner)
{
	const struct role *role = runner->role;
	bool advances = !role->advances || role->advances(&runner->context);
	int64_t now = clock_monotonic();

	service_feed(&runner->service, advances);
	if (runner_is_janitor(runner) && runner->away != (runner->outage.what != NULL))
		runner->notice_at = now;
	if (now < runner->notice_at)
		return;
	runner->away = runner_is_janitor(runner) && runner->outage.what;
	enum notice_kind kind = runner->outdated_since != 0 ? NOTICE_OUTDATED : NOTICE_BEAT;
	if (advances)
		runner_notify(runner, runner->away ? NOTICE_AWAY : kind,
			      runner->lead.rounds.degraded);
	runner->notice_at = now + stall_beat(runner->options->config);
}

static void work(struct runner *runner)
{
	struct error error = { 0 };

	runner->tick_at = clock_monotonic();
	runner->notice_at = runner_is_alone(runner) ? CLOCK_NEVER : runner->tick_at;
	runner->beats = true;
	note_beat(runner, publish(runner, &error), &error); /* others wait for the classes */
	runner_take_over(runner);
	db_while_waiting(runner->member.db, on_wait, runner);
	while (!may_leave(runner)) {
		look_at_server(runner);
		if (clock_monotonic() >= runner->beat_at)
			beat(runner);
		take_care(runner);
		take_lead(runner);
		runner_end_leaving(runner);
		/* Before another tick: a process that was presumed dead claims nothing more. */
		if (runner->stop == STOP_GRACEFUL && !runner->context.stopping)
			begin_stop(runner);
		hurry(runner);
		if (may_tick(runner))
			tick(runner);
		tend(runner);
		if (clock_monotonic() >= runner->title_at)
			runner_describe(runner);
		say_alive(runner);
		wait_for_work(runner);
	}
	db_while_waiting(runner->member.db, NULL, NULL);
}

/* leaving */

#define LEAVE_PATIENCE (1500 * CLOCK_MILLISECOND) /* deregistering, with the supervisor waiting */
#define LEAVE_AT_ONCE  (800 * CLOCK_MILLISECOND)

/*
 * A row that cannot be deleted now is left to the supervisor, which buries every dead child. A role
 * that runs alone has no supervisor, so it waits for a slow database for as long as it has time
 * left.
 */
static int64_t patience(const struct runner *runner)
{
	int64_t left = runner->leave_by - clock_monotonic();

	if (runner->stop == STOP_AT_ONCE)
		return LEAVE_AT_ONCE;
	return runner_is_alone(runner) && runner->leave_by < CLOCK_NEVER && left > LEAVE_PATIENCE
		       ? left
		       : LEAVE_PATIENCE;
}

#define END_PATIENCE  (2 * CLOCK_SECOND)
#define QUIT_PATIENCE (400 * CLOCK_MILLISECOND)

/*
 * The row is the supervisor's, and stays unless that ends, or its start is refused: another janitor
 * takes it over, or, if the supervisor has vanished, others find it silent.
 */
static int leave_the_row(struct runner *runner, int code)
{
	struct membership *member = &runner->member;
	struct error error = { 0 };
	int64_t released = 0;
	enum status status = STATUS_OK;

	if (!control_is_ending(runner->options->control) && code == EXIT_STOPPED)
		return code;
	FAULT_ROLE_POINT(runner->role->word, "stopping");
	const int64_t within = runner->reason && strcmp(runner->reason, "QUIT") == 0 ? QUIT_PATIENCE
										     : END_PATIENCE;
	if (!care_is_done(&runner->care)) {
		db_close(member->db);
		member->db = NULL;
		member->patience = within;
		status = membership_connect(member, &error);
	}
	while (status == STATUS_OK && !care_is_done(&runner->care))
		status = care_bury(&runner->care, member, &error);
	FAULT_ROLE_POINT(runner->role->word, "leaving");
	if (status == STATUS_OK)
		status = membership_leave(member, within, &released, &error);
	FAULT_ROLE_POINT(runner->role->word, "deregistered");
	if (status != STATUS_OK)
		log_event(LOG_WARN, "supervisor.not_deregistered", LOG_TEXT("name", member->name),
			  LOG_TEXT("error", error.text));
	runner_notify(runner, NOTICE_LEFT, NULL);
	FAULT_ROLE_POINT(runner->role->word, "left");
	return code;
}

static int leave(struct runner *runner, int code)
{
	struct error error = { 0 };
	int64_t released = 0;

	lead_end(&runner->lead);
	if (runner_is_janitor(runner))
		return leave_the_row(runner, code);
	runner->context.stopping = true;
	if (runner->started && runner->role->close)
		runner->role->close(&runner->context);
	if (runner->context.presumed_dead)
		return EXIT_ERROR;
	FAULT_ROLE_POINT(runner->role->word, "leaving");
	if (membership_leave(&runner->member, patience(runner), &released, &error) != STATUS_OK) {
		log_event(LOG_WARN, "process.not_deregistered",
			  LOG_TEXT("name", runner->member.name), LOG_TEXT("error", error.text));
		return code ? code : EXIT_DATABASE;
	}
	FAULT_ROLE_POINT(runner->role->word, "deregistered");
	runner_notify(runner, NOTICE_LEFT, NULL);
	FAULT_ROLE_POINT(runner->role->word, "left");
	if (code != EXIT_STOPPED)
		return code; /* process.refused has said it */
	log_event(LOG_INFO, "process.stopped", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("reason", runner->reason), LOG_INT("released", released));
	return code;
}

static int live(struct runner *runner)
{
	const struct control *control = runner->options->control;
	const bool ending = control && control_is_ending(control); /* it is only to clear up */
	int code = ending ? EXIT_STOPPED : join(runner);

	if (code == EXIT_STOPPED && !runner->stop && !ending) {
		const char *server = db_server(runner->member.db);
		log_event(runner_is_janitor(runner) ? LOG_DEBUG : LOG_INFO, "process.started",
			  LOG_TEXT("name", runner->member.name), LOG_TEXT("database", server));
		FAULT_ROLE_POINT(runner->role->word, "joined");
		runner_notify(runner, NOTICE_READY, runner_is_janitor(runner) ? server : NULL);
		service_started(&runner->service);
		FAULT_ROLE_POINT(runner->role->word, "ready");
		work(runner);
	}
	return leave(runner, code);
}

static void take_its_row(struct runner *runner)
{
	const struct runner_options *options = runner->options;

	runner->member.row.pid = options->parent;
	runner->member.patience = END_PATIENCE; /* it is to hear of a stop */
	runner->member.unsure = options->again; /* one before us may have made it */
	runner->member.published = control_is_published(options->control, options->generation);
	runner->member.parent = options->control;
	runner->member.turn = control_turns(options->control) - 1; /* it has just forked us */
	runner->care.deaths_fd = options->deaths_fd;
	runner->care.notice_fd = options->notice_fd;
	runner->care.lane = options->lane;
	care_resume(&runner->care, options->config, &options->control->healing);
}

static void init(struct runner *runner, const struct role *role,
		 const struct runner_options *options)
{
	char name[MEMBERSHIP_NAME_SIZE];

	membership_name(role->word, name);
	*runner = (struct runner){
		.role = role,
		.options = options,
		.leave_by = CLOCK_NEVER,
		.tend_at = CLOCK_NEVER,
		.title_at = CLOCK_NEVER,
		.held_at = CLOCK_NEVER,
		.notice_at = CLOCK_NEVER,
		.service = { .feed_at = CLOCK_NEVER },
	};
	if (runner_is_alone(runner))
		service_open(&runner->service);
	membership_init(&runner->member, options->config, role->kind,
			options->name ? options->name : name);
	care_init(&runner->care, options->config);
	lead_init(&runner->lead, options->roles);
	if (runner_is_janitor(runner))
		take_its_row(runner);
	name_parent(runner);
	runner->context.config = options->config;
	runner->context.entry = options->entry;
	runner->context.name = runner->member.name;
	runner->context.quiet = options->seen.quiet_changes % 2 != 0;
	runner_expect_reload(runner);
	log_role(role->word);
	text_printf(&runner->title, "dray: %s starting", role->word);
	process_title(text_string(&runner->title));
}

int runner_main(const struct role *role, const struct runner_options *options)
{
	struct runner runner;
	struct error error = { 0 };
	int code = EXIT_ERROR;

	init(&runner, role, options);
	if (runner_listen(&runner, &error) == STATUS_OK) {
		runner.context.loop = runner.loop;
		code = live(&runner);
	} else {
		log_event(LOG_ERROR, "process.refused", LOG_TEXT("error", error.text));
	}
	membership_clear(&runner.member);
	text_free(&runner.said);
	text_free(&runner.title);
	text_free(&runner.members);
	if (runner.loop)
		loop_free(runner.loop);
	return runner.restart ? RUNNER_RESTART : code;
}
