/*
 * The supervisor's life in phases: waiting for the janitor, running, stopping what brings work,
 * then what does it, then the janitor. A turn of its loop waits, obeys signals, reaps, does what
 * its phase does, and lets timers fork.
 *
 * It never calls a database, so nothing holds its loop up: its row, the dead and the host are the
 * janitor's work (process/janitor.h), and while that is away they wait, and nothing else does.
 *
 * Another configuration (HUP) is loaded and checked as a whole; a separate process checks its
 * modules and the database, because modules run code, while the supervisor continues. If anything
 * is wrong, the old configuration stays as it is.
 *
 * What people must know is in its row: quiet, what was given up or is leaving, how the last reload
 * went.
 */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "config/config.h"
#include "process/control.h"
#include "process/service.h"
#include "process/source.h"
#include "supervisor/children.h"
#include "supervisor/pidfile.h"
#include "worker/handler.h"

/* its state, and what its row says of it */

#define TOLD 4 /* reloads may follow each other before anybody has looked */

/* One that has an outcome. */
struct told {
	int64_t begun_at;
	bool worked;
	size_t unanswered;
	char outcome[SOURCE_OUTCOME_SIZE];
};

struct reload {
	const struct config_source *source; /* NULL = there is none: HUP is refused */
	struct config *own;                 /* the current one, if it was loaded here */
	struct config *next;                /* being checked; NULL = none */
	struct config_diff diff;
	pid_t checker;
	int report;        /* of the checker: a pipe's reading end */
	bool crowded;      /* the checker is only to name the jobs of those that are leaving */
	bool handing;      /* it has worked, and has an outcome when it is handed over */
	size_t adopting;   /* how many take it over; and of them, when it has an outcome: */
	size_t unanswered; /* how many have not done so yet */
	int64_t answer_by; /* clock_monotonic: we wait for them until then; 0 = not yet handed over
			    */
	bool asked;
	int64_t begun_at; /* clock_monotonic: the last one */
	char outcome[SOURCE_OUTCOME_SIZE];
	unsigned count;         /* reloads so far that have an outcome */
	struct told told[TOLD]; /* the last of these: number n at n % TOLD */
};

enum phase {
	PHASE_BOOT, /* waiting for the janitor */
	PHASE_RUN,
	PHASE_FEEDERS, /* stopping processes that bring work */
	PHASE_WORKERS, /* stopping processes that do it */
	PHASE_QUIT,
	PHASE_JANITOR, /* it buries who is left and deletes our row */
	PHASE_DONE
};

enum asked { ASKED_NOTHING, ASKED_STOP, ASKED_QUIT };

struct supervisor {
	const struct config *config;
	struct supervisor_options options;
	struct loop *loop;
	struct children children;
	size_t given_up; /* how many of them, by our row */
	size_t leaving;  /* the same */
	struct reload reload;
	struct service service;
	enum phase phase;
	enum asked asked;
	int64_t phase_ends; /* clock_monotonic */
	bool hurried;       /* the janitor was told to quit */
	bool retried;       /* another one was forked, because it had not deleted our row */
	bool refused;       /* at the start: it has never run */
	int code;
};

static void describe_leaving(struct supervisor *supervisor, struct text *members)
{
	struct arena *arena = arena_new();
	const char **names = arena_array(arena, supervisor->children.count + 1, sizeof(*names));

	supervisor->leaving = children_leaving(&supervisor->children, names);
	if (supervisor->leaving > 0) {
		text_printf(members, "%s\"leaving\":", members->length > 0 ? "," : "");
		text_json_texts(members, names, supervisor->leaving);
	}
	arena_free(arena);
}

static void describe_told(const struct told *told, struct text *members)
{
	text_printf(members, "\"reload_begun\":%lld,\"reload_worked\":%s,\"reload\":",
		    (long long)told->begun_at, told->worked ? "true" : "false");
	text_json(members, told->outcome);
	if (told->unanswered > 0)
		text_printf(members, ",\"reload_unanswered\":%zu", told->unanswered);
}

/* The last one, and those before it, for who has asked for one of these. */
static void describe_reloads(const struct reload *reload, struct text *members)
{
	if (reload->count == 0)
		return;
	text_printf(members, "%s\"reloads\":%u,", members->length > 0 ? "," : "", reload->count);
	describe_told(&reload->told[reload->count % TOLD], members);
	text_add(members, ",\"reloads_before\":[");
	for (unsigned n = reload->count - 1; n > 0 && n + TOLD > reload->count; n--) {
		text_add(members, n + 1 < reload->count ? ",{" : "{");
		describe_told(&reload->told[n % TOLD], members);
		text_add(members, "}");
	}
	text_add(members, "]");
}

/* Writes to our row's metadata: quiet, what was given up or is leaving, the outcomes of reloads. */
static void describe(struct supervisor *supervisor)
{
	struct text members = { 0 };
	struct text names = { 0 };

	if (children_quiet(&supervisor->children))
		text_add(&members, "\"quiet\":true");
	supervisor->given_up = children_given_up(&supervisor->children, &names);
	if (supervisor->given_up > 0) {
		text_printf(&members, "%s\"given_up\":", members.length > 0 ? "," : "");
		text_json(&members, text_string(&names));
	}
	describe_leaving(supervisor, &members);
	describe_reloads(&supervisor->reload, &members);
	children_describe(&supervisor->children, text_string(&members));
	text_free(&names);
	text_free(&members);
}

/* another configuration */

#define CHECK_SECONDS  30 /* a configuration whose modules take longer to load is refused */
#define CHECK_PATIENCE (5 * CLOCK_SECOND)
#define ANSWER         (2 * CLOCK_SECOND) /* who takes it over does so within moments */

static void conclude_reload(struct supervisor *supervisor, bool worked)
{
	struct reload *reload = &supervisor->reload;

	reload->handing = false;
	struct told *told = &reload->told[++reload->count % TOLD];
	*told = (struct told){ reload->begun_at, worked, reload->unanswered, "" };
	memcpy(told->outcome, reload->outcome, sizeof(told->outcome));
	if (!worked)
		log_event(LOG_ERROR, "reload.refused", LOG_TEXT("reason", reload->outcome),
			  LOG_TEXT("then", "the configuration stays as it was"));
	describe(supervisor);
	service_reloaded(&supervisor->service);
}

static void tell_mistake(void *context, bool doubt, const char *text)
{
	const bool *fatal = context;
	bool mistake = *fatal && !doubt;

	log_event(mistake ? LOG_ERROR : LOG_WARN, mistake ? "reload.mistake" : "reload.warning",
		  LOG_TEXT("text", text));
}

static enum status check_handlers(const struct config *config, struct error *error)
{
	const struct handlers *handlers;
	enum status status = handlers_open(config->arena, config, NULL, &handlers, error);
	bool fatal = status != STATUS_OK;

	(void)handler_check(config, tell_mistake, &fatal);
	return status;
}

/*
 * Each of them keeps its processes, memory and connections until its jobs have ended. The new
 * configuration says how many there may be, so that a reload can be let through.
 */
static bool too_many_leaving(const struct supervisor *supervisor)
{
	const struct reload *reload = &supervisor->reload;
	const struct children *children = &supervisor->children;

	return children_generations(children) >= (size_t)reload->next->process.max_leaving &&
	       children_would_leave(children, reload->next, reload->diff.parts);
}

/* The jobs that these processes hold: for people, if we can look. */
static const char *name_jobs(const struct config *config, struct arena *arena,
			     const char *const names[], size_t count)
{
	struct membership member;
	struct error error = { 0 };
	const char *text = NULL;

	membership_init(&member, config, "", "");
	member.patience = CHECK_PATIENCE;
	enum status status = membership_connect(&member, &error);
	if (status == STATUS_OK)
		status = holds_describe(member.db, arena, names, count, &text, &error);
	membership_clear(&member);
	if (status != STATUS_OK)
		return arena_strdup(arena, error.text);
	return text ? text : "no job";
}

/* Why there can be no other configuration now. */
static enum status tell_crowd(const struct supervisor *supervisor, struct error *error)
{
	const struct children *children = &supervisor->children;
	const size_t alive = children_generations(children);
	struct arena *arena = arena_new();
	const char **names = arena_array(arena, children->count + 1, sizeof(*names));
	const size_t count = children_leaving(children, names);

	error_set(error, STATUS_INVALID,
		  "the workers of %zu earlier %s still end their jobs (%s), and max_leaving is "
		  "%lld: reload again later, or cancel these jobs",
		  alive, alive == 1 ? "configuration" : "configurations",
		  name_jobs(supervisor->config, arena, names, count),
		  (long long)supervisor->reload.next->process.max_leaving);
	arena_free(arena);
	return error->status;
}

static enum status check_database(const struct config *config, struct error *error)
{
	struct membership member;

	membership_init(&member, config, "", "");
	member.patience = CHECK_PATIENCE;
	enum status status = membership_connect(&member, error);
	if (status != STATUS_OK)
		log_event(LOG_ERROR, "reload.mistake", LOG_TEXT("text", error->text));
	membership_clear(&member);
	return status;
}

/* Never returns. Mistakes are logged, and the first is sent to the supervisor. */
static void run_checker(const struct supervisor *supervisor, int report)
{
	const struct reload *reload = &supervisor->reload;
	struct error error = { 0 };

	loop_free(supervisor->loop);
	control_free(supervisor->children.control); /* modules could write to it */
	if (report > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, (unsigned)report - 1, 0);
	(void)close_range((unsigned)report + 1, ~0U, 0);
	loop_signals_reset();
	(void)alarm(CHECK_SECONDS);
	enum status status = reload->crowded ? tell_crowd(supervisor, &error)
					     : check_handlers(reload->next, &error);
	if (status == STATUS_OK && (reload->diff.parts & PART_DATABASE) != 0)
		status = check_database(reload->next, &error);
	if (status != STATUS_OK && write(report, error.text, strlen(error.text)) < 0)
		_exit(EXIT_ERROR);
	_exit(status == STATUS_OK ? EXIT_STOPPED : EXIT_USAGE);
}

static enum status fork_checker(struct supervisor *supervisor, struct error *error)
{
	struct reload *reload = &supervisor->reload;
	int fds[2];

	if (process_pipe(fds, true, error) != STATUS_OK)
		return error->status;
	(void)fflush(NULL);
	reload->checker = fork();
	if (reload->checker == 0)
		run_checker(supervisor, fds[1]);
	int code = errno;
	(void)close(fds[1]);
	reload->report = fds[0];
	if (reload->checker > 0)
		return STATUS_OK;
	reload->checker = 0;
	(void)close(fds[0]);
	return error_set(error, STATUS_FATAL, "cannot start a process to check it: %s",
			 strerrordesc_np(code));
}

static void drop_next(struct reload *reload)
{
	config_free(reload->next);
	reload->next = NULL;
}

static void say_adopting(struct reload *reload)
{
	const size_t length = strlen(reload->outcome);
	const size_t takers = reload->adopting - reload->unanswered;
	const int added = snprintf(reload->outcome + length, sizeof(reload->outcome) - length,
				   ", %zu %s it over", takers, takers == 1 ? "takes" : "take");

	if (reload->unanswered > 0)
		(void)snprintf(reload->outcome + length + added,
			       sizeof(reload->outcome) - length - (size_t)added,
			       ", %zu %s not answered yet", reload->unanswered,
			       reload->unanswered == 1 ? "has" : "have");
}

static void count_unanswered(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	const size_t unanswered = supervisor->children.handing /* nobody has got it yet */
					  ? reload->adopting
					  : children_unanswered(&supervisor->children);

	reload->unanswered = unanswered < reload->adopting ? unanswered : reload->adopting;
}

/* It is in force, also where some have not answered. */
static void end_handing(struct supervisor *supervisor)
{
	if (supervisor->reload.adopting > 0)
		say_adopting(&supervisor->reload);
	conclude_reload(supervisor, true);
}

static void begin_reload(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	struct error error = { 0 };

	if (reload->handing) { /* the one before has its own outcome, whatever becomes of this one
				*/
		count_unanswered(supervisor);
		end_handing(supervisor);
	}
	reload->begun_at = clock_monotonic();
	log_event(LOG_INFO, "reload.begun", LOG_END);
	reload->adopting = reload->unanswered = 0;
	reload->answer_by = 0;
	service_reloading(&supervisor->service);
	if (!reload->source)
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "there is no file to load it from");
	else
		reload->next = source_load(reload->source, supervisor->config, true, &reload->diff,
					   reload->outcome);
	if (reload->next) {
		reload->crowded = too_many_leaving(supervisor);
		if (fork_checker(supervisor, &error) == STATUS_OK)
			return;
		(void)snprintf(reload->outcome, sizeof(reload->outcome), "%s", error.text);
	}
	drop_next(reload);
	conclude_reload(supervisor, false);
}

static void apply_log(struct supervisor *supervisor, const struct config *config)
{
	const struct log_options log = { .level = config->log.level,
					 .format = config->log.format,
					 .fd = STDERR_FILENO };

	log_configure(&log);
	children_set_log(&supervisor->children, config->log.level, config->log.format);
}

/* From here on nothing can fail: every process has the new configuration, or will get it. */
static void apply_reload(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	struct config *before = reload->own;
	unsigned parts = reload->diff.parts;
	size_t changes = reload->diff.count;

	supervisor->config = reload->own = reload->next;
	reload->next = NULL;
	if (parts & PART_LOG)
		apply_log(supervisor, supervisor->config);
	struct children_changes done =
		children_adopt(&supervisor->children, supervisor->config, parts);
	config_free(before);
	(void)snprintf(reload->outcome, sizeof(reload->outcome),
		       "%zu %s changed, %zu %s to be replaced, %zu added, %zu removed", changes,
		       changes == 1 ? "setting" : "settings", done.renewed,
		       done.renewed == 1 ? "process" : "processes", done.added, done.removed);
	log_event(LOG_INFO, "reload.done", LOG_INT("changes", changes),
		  LOG_INT("replaced", done.renewed), LOG_INT("taken_over", done.adopting),
		  LOG_INT("added", done.added), LOG_INT("removed", done.removed));
	reload->adopting = done.adopting;
	reload->handing = true;
}

/* It is handed over. One that stands still, or waits for the database, may take it over later. */
static void await_answers(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	const int64_t now = clock_monotonic();

	if (reload->answer_by == 0)
		reload->answer_by = now + ANSWER;
	count_unanswered(supervisor);
	if (reload->unanswered == 0 || now >= reload->answer_by)
		end_handing(supervisor);
}

static void read_report(struct reload *reload, int status)
{
	ssize_t length = read(reload->report, reload->outcome, sizeof(reload->outcome) - 1);

	reload->outcome[length > 0 ? length : 0] = '\0';
	if (length > 0)
		return;
	if (WIFSIGNALED(status))
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "loading the modules of jobs.yml ended with signal SIG%s",
			       sigabbrev_np(WTERMSIG(status)));
	else
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "loading the modules of jobs.yml ended with status %d",
			       WEXITSTATUS(status));
}

static void end_check(struct supervisor *supervisor, int status)
{
	struct reload *reload = &supervisor->reload;
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_STOPPED;

	reload->checker = 0;
	if (!good)
		read_report(reload, status);
	(void)close(reload->report);
	if (good) {
		apply_reload(supervisor);
		return;
	}
	drop_next(reload);
	conclude_reload(supervisor, false);
}

/*
 * Continues a reload that was asked for, if any; called once for each turn of the supervisor's
 * loop.
 */
static void reload_step(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	int status;

	if (reload->checker > 0 && waitpid(reload->checker, &status, WNOHANG) == reload->checker)
		end_check(supervisor, status);
	if (reload->handing && !supervisor->children.handing)
		await_answers(supervisor);
	if (!reload->asked || reload->checker > 0)
		return;
	reload->asked = false;
	begin_reload(supervisor);
}

/* When to call it next, in any case: clock_monotonic. */
static int64_t reload_due(const struct reload *reload)
{
	return reload->handing && reload->answer_by > 0 ? reload->answer_by : CLOCK_NEVER;
}

/* Ends a check that is under way and frees its configuration, which is not used. */
static void reload_end(struct reload *reload)
{
	if (reload->checker > 0) {
		(void)kill(reload->checker, SIGKILL);
		(void)waitpid(reload->checker, NULL, 0);
		(void)close(reload->report);
		reload->checker = 0;
	}
	drop_next(reload);
	config_free(reload->own);
	reload->own = NULL;
}

/* its life */

/* After this time the workers are stopped in any case. */
#define FEEDERS_MARGIN (1 * CLOCK_SECOND)

static const char *const phase_names[] = {
	[PHASE_BOOT] = "waiting for the janitor",
	[PHASE_RUN] = "running",
	[PHASE_FEEDERS] = "stopping what brings work",
	[PHASE_WORKERS] = "stopping workers",
	[PHASE_QUIT] = "quitting",
	[PHASE_JANITOR] = "stopping the janitor",
	[PHASE_DONE] = "done",
};

/* Otherwise only the log would show that a child was given up, or has left. */
static void tell_changes(struct supervisor *supervisor)
{
	const struct children *children = &supervisor->children;
	struct text names = { 0 };

	if (children_given_up(children, &names) != supervisor->given_up ||
	    children_leaving(children, NULL) != supervisor->leaving)
		describe(supervisor);
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
	describe(supervisor);
}

static void dump(const struct supervisor *supervisor)
{
	const struct children *children = &supervisor->children;

	log_event(LOG_INFO, "supervisor.state", LOG_TEXT("name", children->name),
		  LOG_INT("process_id", control_supervisor(children->control)),
		  LOG_TEXT("phase", phase_names[supervisor->phase]),
		  LOG_TEXT("mode", children_quiet(children) ? "quiet" : NULL),
		  LOG_INT("children", children_wanted(children)),
		  LOG_INT("ready", children_ready(children)),
		  LOG_INT("unburied", deaths_open_count(&children->deaths)));
	children_dump(children);
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

/* For ps and for a service manager. */
static void set_title(struct supervisor *supervisor)
{
	const char *degraded = supervisor->children.degraded;
	char title[96 + NOTICE_TEXT_SIZE];

	snprintf(title, sizeof(title), "dray: supervisor %zu/%zu ready%s%s%s%s%s",
		 children_ready(&supervisor->children), children_wanted(&supervisor->children),
		 children_quiet(&supervisor->children) ? ", quiet" : "",
		 children_wait(&supervisor->children) ? ", waiting for the database" : "",
		 supervisor->phase > PHASE_RUN ? ", stopping" : "", *degraded ? ", " : "",
		 degraded);
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

/* After a QUIT it has less time: a database that does not answer must not delay us. */
static void stop_janitor(struct supervisor *supervisor)
{
	const struct child *janitor = children_janitor(&supervisor->children);

	if (supervisor->asked == ASKED_QUIT && !supervisor->hurried) {
		supervisor->hurried = true;
		children_end_janitor(&supervisor->children, CHILD_QUIT);
	}
	if (janitor->state != CHILD_EMPTY)
		return;
	if (!supervisor->retried && !janitor->left) {
		supervisor->retried = true;
		children_event(&supervisor->children, children_janitor(&supervisor->children),
			       CHILD_FORK);
		children_end_janitor(&supervisor->children,
				     supervisor->hurried ? CHILD_QUIT : CHILD_STOP);
		return;
	}
	supervisor->phase = PHASE_DONE;
	if (!janitor->left)
		log_event(LOG_WARN, "supervisor.not_deregistered",
			  LOG_TEXT("name", supervisor->children.name),
			  LOG_TEXT("error", "the janitor has not done it"));
}

static void end_janitor(struct supervisor *supervisor)
{
	FAULT_POINT("supervisor.leaving");
	supervisor->phase = PHASE_JANITOR;
	supervisor->phase_ends = CLOCK_NEVER;
	children_end(&supervisor->children);
	if (supervisor->asked != ASKED_QUIT)
		children_end_janitor(&supervisor->children, CHILD_STOP);
	stop_janitor(supervisor); /* there may be none, and then nothing would wake us */
}

/* A wrong URL or schema ends the start; while the database is away, the janitor waits for it. */
static void boot(struct supervisor *supervisor)
{
	struct children *children = &supervisor->children;
	const struct child *janitor = children_janitor(children);

	if (!janitor->wanted && janitor->state == CHILD_EMPTY && !janitor->given_up)
		children_event(children, children_janitor(children), CHILD_FORK);
	if (children->begun) {
		supervisor->phase = PHASE_RUN;
		log_event(LOG_INFO, "supervisor.started", LOG_TEXT("name", children->name),
			  LOG_TEXT("database", children->server),
			  LOG_INT("children", children_wanted(children)));
		FAULT_POINT("supervisor.started");
		fork_all(supervisor);
	} else if (janitor->given_up) {
		supervisor->code = children->code;
		supervisor->refused = true;
		end_janitor(supervisor);
	}
}

static void turn(struct supervisor *supervisor)
{
	tell_changes(supervisor);
	children_hand(&supervisor->children);
	children_free_lanes(&supervisor->children);
	children_replace_late(&supervisor->children);
	reload_step(supervisor);
	if (anyone(supervisor) > 0)
		return;
	log_event(LOG_ERROR, "supervisor.gave_up",
		  LOG_TEXT("reason", "none of the configured processes can be kept running"));
	supervisor->code = supervisor->children.code;
	end_janitor(supervisor);
}

static void stop_workers(struct supervisor *supervisor)
{
	if (anyone(supervisor) == 0)
		end_janitor(supervisor);
}

static void stop_feeders(struct supervisor *supervisor)
{
	if (children_alive(&supervisor->children, TIER_FEEDERS) > 0 &&
	    clock_monotonic() < supervisor->phase_ends)
		return;
	FAULT_POINT("supervisor.emptying");
	supervisor->phase = PHASE_WORKERS;
	supervisor->phase_ends = CLOCK_NEVER;
	children_raise(&supervisor->children, TIER_WORKERS, CHILD_STOP);
	stop_workers(supervisor); /* there may be no children, and then nothing would wake us */
}

static void (*const phases[])(struct supervisor *supervisor) = {
	[PHASE_BOOT] = boot,
	[PHASE_RUN] = turn,
	[PHASE_FEEDERS] = stop_feeders,
	[PHASE_WORKERS] = stop_workers,
	[PHASE_QUIT] = stop_workers,
	[PHASE_JANITOR] = stop_janitor,
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
	int64_t deadline = clock_earlier(supervisor->phase_ends, supervisor->service.feed_at);

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

	if (supervisor->options.wait && children_wait(&supervisor->children))
		return true;
	return supervisor->phase == PHASE_RUN && ready > 0 &&
	       ready + children_leaving(&supervisor->children, NULL) == anyone(supervisor);
}

static void tell_manager(struct supervisor *supervisor)
{
	set_title(supervisor);
	service_feed(&supervisor->service, children_turn(&supervisor->children));
	if (is_started(supervisor))
		service_started(&supervisor->service);
}

static void supervise(struct supervisor *supervisor)
{
	boot(supervisor);
	while (supervisor->phase != PHASE_DONE) {
		tell_manager(supervisor);
		loop_wait(supervisor->loop, next_deadline(supervisor));
		control_turn(supervisor->children.control);
		children_look(&supervisor->children);
		obey(supervisor);
		children_reap(&supervisor->children);
		children_tell_deaths(&supervisor->children);
		phases[supervisor->phase](supervisor);
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
	return children_open(&supervisor->children, supervisor->loop, &supervisor->options, error);
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
	FAULT_POINT("supervisor.left");
	if (!supervisor->refused)
		log_event(LOG_INFO, "supervisor.stopped", LOG_INT("status", supervisor->code));
	return supervisor->code;
}

static int run_with_pidfile(struct supervisor *supervisor)
{
	const char *pidfile = supervisor->config->process.supervisor_pidfile;
	struct error error = { 0 };

	if (children_wanted(&supervisor->children) == 0) {
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
	children_init(&supervisor.children, arena, config,
		      options && options->roles ? options->roles : all_roles);
	int code = run_with_pidfile(&supervisor);
	reload_end(&supervisor.reload);
	children_close(&supervisor.children);
	if (supervisor.loop)
		loop_free(supervisor.loop);
	arena_free(arena);
	return code;
}
