/*
 * What happens to the children, and what they are told: forks, exits, messages and timers become
 * events of child.h; what all of them must know is written into shared memory (control.h), and a
 * signal says that it is there.
 *
 * The processes of a seat are the one that is wanted and those that are leaving. A new one claims
 * nothing for a thread that another, whose queues it has now, still uses.
 *
 * Only our own children are waited for. One that died without deregistering is reported to the
 * janitor (deaths.h), and keeps its lane until it is buried, so that no job is claimed for a thread
 * whose job has not been given back. Time in which the supervisor itself did not run counts for no
 * timer.
 */
#include "supervisor/children.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/invariant.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "common/text/uuid.h"
#include "process/control.h"
#include "process/notice.h"
#include "process/runner.h"
#include "supervisor/child.h"
#include "supervisor/supervisor.h"

/* seats: one for each configured process */

/* NULL = none. */
static const struct child *wanted_in(const struct children *children, unsigned seat)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].seat == seat && !children->list[i].retired)
			return &children->list[i];
	return NULL;
}

static bool has_processes(const struct children *children, unsigned seat)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].seat == seat && children->list[i].holds_lane)
			return true;
	return false;
}

static size_t count_role(const struct children *children, const struct role *role)
{
	size_t count = 0;

	for (size_t i = 0; i < children->seat_count; i++)
		count += children->seats[i].role == role;
	return count;
}

static unsigned add_seat(struct children *children, const struct role *role)
{
	size_t number = count_role(children, role) + 1;

	children->seats = arena_extend(children->arena, children->seats, children->seat_count,
				       sizeof(*children->seats));
	struct seat *seat = &children->seats[children->seat_count];
	*seat = (struct seat){ .role = role };
	(void)snprintf(seat->who, sizeof(seat->who), "%s %zu", role->word, number);
	return (unsigned)children->seat_count++;
}

unsigned children_take_seat(struct children *children, const struct role *role)
{
	for (unsigned i = 0; i < children->seat_count; i++)
		if (children->seats[i].role == role && !wanted_in(children, i) &&
		    !has_processes(children, i))
			return i;
	return add_seat(children, role);
}

/* queues */

static struct served now_served(const struct children *children, const struct child *child)
{
	return role_serves(child->role, children->config, child->entry);
}

/* A name, or a prefix with an asterisk: does the first name every queue that the other names? */
static bool covers(const char *wide, const char *narrow)
{
	while (*wide && *wide == *narrow && *wide != '*')
		wide++, narrow++;
	return *wide == '*' || (!*wide && !*narrow);
}

static bool is_covered(const struct served *all, const char *queue)
{
	for (size_t i = 0; i < all->count; i++)
		if (covers(all->queues[i], queue))
			return true;
	return false;
}

/* Is there a queue that both name, and not all of these are in `left`? */
static bool share_more(const char *one, const char *other, const struct served *left)
{
	if (covers(one, other))
		return !is_covered(left, other);
	return covers(other, one) && !is_covered(left, one);
}

/*
 * A queue may be served by a name and by a prefix of it, so it is not enough that the one who is
 * wanted in the other's seat has a name that meets one of the child's: `mail` meets `*`, and leaves
 * all queues but one to the child.
 */
bool children_must_wait(const struct children *children, const struct child *child,
			const struct child *other)
{
	if (other == child || other->role != child->role || !other->holds_lane ||
	    !(other->retired || other->renewed))
		return false;
	const struct child *heir = wanted_in(children, other->seat);
	const struct served own = now_served(children, child);
	const struct served left =
		heir && heir != child ? now_served(children, heir) : (struct served){ 0 };
	for (size_t i = 0; i < own.count; i++)
		for (size_t j = 0; j < other->serves.count; j++)
			if (share_more(own.queues[i], other->serves.queues[j], &left))
				return true;
	return false;
}

/* Keeps the queues that a new process of this child serves: the configuration may not last. */
static void note_queues(const struct children *children, struct child *child)
{
	const struct served now = now_served(children, child);
	const char **queues;

	if (served_same(now, child->serves))
		return;
	queues = arena_array(children->arena, now.count, sizeof(*queues));
	for (size_t i = 0; i < now.count; i++)
		queues[i] = arena_strdup(children->arena, now.queues[i]);
	child->serves = (struct served){ queues, now.count };
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

/* One more of the last reload makes no other generation. */
bool children_have_room(const struct children *children)
{
	for (size_t i = 0; i < children->count; i++)
		if (child_is_leaving(&children->list[i]) &&
		    children->list[i].generation == children->generation)
			return true;
	return children_generations(children) < (size_t)children->config->process.max_leaving;
}

size_t children_leaving(const struct children *children, const char *names[])
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++) {
		if (!child_is_leaving(&children->list[i]))
			continue;
		if (names)
			names[count] = children->list[i].name;
		count++;
	}
	return count;
}

/* what the children are told, and what is said about them */

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

/* Tells those that wait for this child that it holds fewer runs. */
static void tell_room(const struct children *children, const struct child *other)
{
	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->list[i];
		if (child->pid > 0 && !child->retired && children_must_wait(children, child, other))
			(void)kill(child->pid, CONTROL_SIGNAL);
	}
}

void children_set_log(struct children *children, enum log_level level, enum log_format format)
{
	control_set_log(children->control, level, format);
	signal_all(children, CONTROL_SIGNAL);
}

static void signal_janitor(const struct children *children)
{
	const struct child *janitor = children_janitor(children);

	if (janitor->pid > 0)
		(void)kill(janitor->pid, CONTROL_SIGNAL);
}

void children_describe(struct children *children, const char *members)
{
	control_describe(children->control, members);
	signal_janitor(children);
}

void children_tell_deaths(struct children *children)
{
	if (deaths_tell(&children->deaths))
		signal_janitor(children);
}

void children_hand(struct children *children)
{
	struct config_text texts[CONFIG_TEXTS];

	if (!control_is_published(children->control, children->generation))
		return;
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
			count += !control_has_answered(children->control, child->lane);
	}
	return count;
}

bool children_quiet(const struct children *children)
{
	return control_is_quiet(children->control);
}

static void log_child(const struct child *child, int64_t now)
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
		log_child(&children->list[i], now);
	signal_all(children, SIGUSR2);
}

/* the fork: what a child must not inherit, and how it becomes a role process */

/*
 * Closes everything but the three standard descriptors and the child's own ends of the pipes; -1 is
 * none.
 */
static void close_others(const int kept[3])
{
	int fd = STDERR_FILENO + 1;

	for (int left = 3 - (kept[0] < fd) - (kept[1] < fd) - (kept[2] < fd); left > 0; fd++)
		if (fd == kept[0] || fd == kept[1] || fd == kept[2])
			left--;
		else
			(void)close(fd);
	(void)close_range((unsigned)fd, ~0U, 0);
}

/*
 * The supervisor's memory stays as it is, shared until written; the loop's descriptors are closed,
 * which does not affect the supervisor's. The child's signals stay blocked until its own loop
 * handles them, so that none is lost or ends it before.
 */
static int run_child(struct loop *loop, const struct role *role,
		     const struct runner_options *options)
{
	const int kept[] = { options->notice_fd, options->death_fd, options->deaths_fd };

	loop_free(loop);
	close_others(kept);
	control_seal(options->control);
	FAULT_ROLE_POINT(role->word, "forked");
	return runner_main(role, options);
}

/*
 * Forks child->name; the child runs its role and exits, so it never returns. -1 with errno if no
 * process can be made.
 */
static pid_t fork_role(struct loop *loop, const struct role *role, struct runner_options *options)
{
	/* The child has seen what is valid now; it is signalled about later changes. */
	options->seen = control_look(options->control);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		int code = run_child(loop, role, options);
		exit(code); /* NOLINT(concurrency-mt-unsafe): its only thread */
	}
	return pid;
}

/* events */

/*
 * A child may use all of shutdown_timeout and the longest grace, kill and then must deregister; the
 * margin avoids a race.
 */
#define STOP_MARGIN     (3 * CLOCK_SECOND)
#define BLIND_LOOKS     2 /* may be late by one */
#define QUIT_TIMEOUT    (1200 * CLOCK_MILLISECOND)
#define JANITOR_RENEW   (1 * CLOCK_SECOND) /* others wait for the next one to publish */
#define JANITOR_TIMEOUT (5 * CLOCK_SECOND) /* to bury who is left and to delete our row */

/* Who waits for whom is settled when a process begins. */
static pid_t fork_waiting(struct children *children, struct child *child,
			  struct runner_options *options)
{
	struct control_other *others;
	struct arena *arena = arena_new();
	pid_t pid = -1;

	others = arena_array(arena, children->count, sizeof(*others));
	for (size_t i = 0; i < children->count; i++)
		if (children_must_wait(children, child, &children->list[i]))
			others[options->other_count++] =
				control_other(children->control, (unsigned)i);
	options->others = others;
	note_queues(children, child);
	child->holds_lane = control_take(children->control, child->lane);
	if (child->holds_lane)
		pid = fork_role(children->loop, child->role, options);
	arena_free(arena);
	return pid;
}

/* It has the supervisor's row, and hears of all deaths that are not buried. */
static void make_janitor(struct children *children, struct child *child,
			 struct runner_options *options)
{
	const struct supervisor_options *ours = children->options;

	(void)snprintf(child->name, sizeof(child->name), "%s", children->name);
	options->deaths_fd = children->deaths.pipe[0];
	options->parent = getpid();
	options->again = child->forks > 0;
	options->first = !children->begun;
	options->wait = ours->wait;
	if (options->first) {
		options->prepare = ours->prepare;
		options->context = ours->context;
	}
	deaths_begin(&children->deaths);
	(void)deaths_tell(&children->deaths); /* it looks when it begins */
}

static pid_t fork_child(void *context, struct child *child)
{
	struct children *children = context;
	const struct config_process *process = &children->config->process;
	struct runner_options options = {
		.config = children->config,
		.roles = all_roles,
		.entry = child->entry,
		.name = child->name,
		.lane = child->lane,
		.control = children->control,
		.generation = children->generation,
		.notice_fd = children->notices[1],
		.death_fd = children->death[0],
		.deaths_fd = -1,
	};

	INVARIANT(child->pid == 0 && child == &children->list[child->lane]);
	membership_name(child->role->word, child->name);
	if (child_is_janitor(child))
		make_janitor(children, child, &options);
	FAULT_POINT("supervisor.forking");
	errno = EAGAIN;
	pid_t pid = fork_waiting(children, child, &options);
	child->forks++;
	child->stop_timeout = child_is_janitor(child) ? JANITOR_RENEW
						      : process->shutdown_timeout +
								config_grace_most(children->config);
	child->given_up = false;
	child->stall_limit = stall_limit(children->config);
	FAULT_POINT("supervisor.forked");
	if (pid < 0)
		log_event(LOG_ERROR, "child.not_forked", LOG_TEXT("child", child->who),
			  LOG_TEXT("error", strerrordesc_np(errno)));
	return pid;
}

/* Also logs what is done, because each signal belongs to one transition. */
static void signal_child(void *context, const struct child *child, int signal)
{
	const struct children *children = context;
	bool late = child->wanted && !child->renewed;
	bool stalled = late && child->ready_at > 0;
	bool forced = signal == SIGKILL || late;
	const char *reason = stalled ? "its loop stands still" : "not ready in time";

	log_event(forced ? LOG_WARN : LOG_DEBUG, "child.signalled", LOG_TEXT("child", child->who),
		  LOG_INT("child_pid", child->pid), LOG_TEXT("signal", sigabbrev_np(signal)),
		  LOG_TEXT("reason", late ? reason : NULL),
		  LOG_TEXT("error", child->error[0] ? child->error : NULL));
	if (child_is_janitor(child)) /* it obeys no signal of the group */
		control_leave(children->control, child->lane);
	kill(child->pid, signal);
}

static void order_to_leave(void *context, const struct child *child)
{
	const struct children *children = context;

	log_event(LOG_DEBUG, "child.leaving", LOG_TEXT("child", child->who),
		  LOG_INT("child_pid", child->pid));
	control_leave(children->control, child->lane);
	(void)kill(child->pid, CONTROL_SIGNAL);
}

/*
 * The first janitor may have to migrate; another one may have much to heal, of which the next goes
 * on with what is left.
 */
static int64_t startup_timeout(const struct children *children, const struct child *child)
{
	if (!child_is_janitor(child))
		return children->config->process.fork_startup_timeout;
	return children->begun ? stall_limit(children->config) : CLOCK_NEVER / 2;
}

void children_event(struct children *children, struct child *child, enum child_event event)
{
	struct child_care care = {
		.now = clock_monotonic(),
		.startup_timeout = startup_timeout(children, child),
		.stop_margin = child_is_janitor(child) ? 0 : STOP_MARGIN,
		.quit_timeout = QUIT_TIMEOUT,
		.context = children,
		.fork = fork_child,
		.signal = signal_child,
		.leave = order_to_leave,
	};

	child_event(child, event, &care);
}

void children_end(struct children *children)
{
	children->ending = true;
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].state == CHILD_BACKOFF &&
		    !child_is_janitor(&children->list[i]))
			children_event(children, &children->list[i], CHILD_STOP);
}

struct child *children_janitor(const struct children *children)
{
	return &children->list[0];
}

void children_end_janitor(struct children *children, enum child_event event)
{
	control_end(children->control);
	if (event == CHILD_STOP)
		children_janitor(children)->stop_timeout = JANITOR_TIMEOUT;
	children_tell_deaths(children);
	children_event(children, children_janitor(children), event);
}

void children_raise(struct children *children, enum role_tier tier, enum child_event event)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].role->tier == tier)
			children_event(children, &children->list[i], event);
}

/* How many lanes of this tier have a process, or will have one soon. */
size_t children_alive(const struct children *children, enum role_tier tier)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		count += children->list[i].role->tier == tier &&
			 children->list[i].state != CHILD_EMPTY;
	return count;
}

/* children_replace_late sees to it. While there is no room its loop is watched as any other. */
static void hear_outdated(struct children *children, struct child *child)
{
	const bool known = child->outdated;

	children_event(children, child, CHILD_BEAT);
	child->outdated = child->state == CHILD_READY;
	if (!child->outdated || known || children_have_room(children))
		return;
	log_event(LOG_WARN, "child.outdated", LOG_TEXT("child", child->who),
		  LOG_INT("child_pid", child->pid), LOG_TEXT("name", child->name),
		  LOG_INT("max_leaving", children->config->process.max_leaving),
		  LOG_TEXT("then", "it goes on as it is until fewer are leaving"));
}

static void hear_beat(struct children *children, struct child *child, const struct notice *notice)
{
	child->outdated = false;
	child->away = notice->kind == NOTICE_AWAY;
	if (child_is_janitor(child))
		memcpy(children->degraded, notice->text, sizeof(notice->text));
	children_event(children, child, CHILD_BEAT);
}

/* Nobody takes the place of a janitor that waits for its database: it would wait, too. */
static void hear_trouble(struct children *children, struct child *child,
			 const struct notice *notice)
{
	(void)snprintf(child->error, sizeof(child->error), "%s", notice->text);
	if (child_is_janitor(child) && child->state == CHILD_STARTING)
		child->timer = clock_monotonic() + startup_timeout(children, child);
}

/* Of the janitor we hear, too, which server it is that has let it in. */
static void hear_ready(struct children *children, struct child *child, const struct notice *notice)
{
	children_event(children, child, CHILD_UP);
	if (!child_is_janitor(child))
		return;
	child->away = false;
	children->begun = true;
	(void)snprintf(children->server, sizeof(children->server), "%s", notice->text);
}

/* A stop waits for it as long as it advances. */
static void hear_buried(struct children *children, struct child *child, const struct notice *notice)
{
	deaths_end(&children->deaths, (unsigned)strtoul(notice->text, NULL, 10));
	if (child->state == CHILD_STOPPING && child->stop_timeout == JANITOR_TIMEOUT)
		child->timer = clock_monotonic() + JANITOR_TIMEOUT;
}

static void hear(struct children *children, struct child *child, const struct notice *notice)
{
	if (notice->kind == NOTICE_LEFT)
		child->left = true;
	else if (notice->kind == NOTICE_READY)
		hear_ready(children, child, notice);
	else if (notice->kind == NOTICE_BEAT || notice->kind == NOTICE_AWAY)
		hear_beat(children, child, notice);
	else if (notice->kind == NOTICE_BURIED)
		hear_buried(children, child, notice);
	else if (notice->kind == NOTICE_TROUBLE)
		hear_trouble(children, child, notice);
	else if (notice->kind == NOTICE_OUTDATED)
		hear_outdated(children, child);
	else if (notice->kind == NOTICE_ROOM)
		tell_room(children, child);
}

static void read_notices(void *context)
{
	struct children *children = context;
	struct notice notice;

	while (notice_read(children->notices[0], &notice)) {
		if (notice.lane >= children->count)
			continue;
		struct child *child = &children->list[notice.lane];
		if (child->pid != notice.pid)
			continue;
		hear(children, child, &notice);
	}
}

static void log_exit(const struct child *child, const char *how,
		     const struct restart_decision *decision)
{
	int64_t wait = decision->verdict == RESTART_AT ? decision->at - clock_monotonic() : 0;
	bool asked = (decision->verdict == RESTART_NEVER || child->renewed) &&
		     (child->left || child_is_janitor(child));

	log_event(asked ? LOG_DEBUG : LOG_WARN, "child.exited", LOG_TEXT("child", child->who),
		  LOG_INT("child_pid", child->pid), LOG_TEXT("name", child->name),
		  LOG_TEXT("how", how), LOG_TEXT("error", child->error[0] ? child->error : NULL),
		  LOG_TEXT("then", decision->verdict == RESTART_AT ? "replace" : NULL),
		  LOG_INT("wait_ms", wait > 0 ? wait / CLOCK_MILLISECOND : 0));
	if (decision->verdict == RESTART_GIVE_UP)
		log_event(LOG_ERROR, "child.given_up", LOG_TEXT("child", child->who),
			  LOG_TEXT("reason", decision->reason));
}

/* What left in good order has no row. */
static void record_death(struct children *children, const struct child *child, int status)
{
	if (!child->left)
		deaths_add(&children->deaths, child->lane, child->name, child->pid, status);
}

/* A start that was refused: the janitor has said why. */
static bool is_refusal(const struct child *child, int status)
{
	return child_is_janitor(child) && child->given_up && WIFEXITED(status) &&
	       WEXITSTATUS(status) == EXIT_USAGE;
}

static void child_ended(struct children *children, struct child *child, int status)
{
	char how[64];
	struct restart_exit end = {
		.who = child->who,
		.error = child->error,
		.status = status,
		.wanted = child->wanted && (!children->ending || child_is_janitor(child)),
		.vital = child_is_janitor(child) && children->begun,
		.ready_at = child->ready_at,
		.now = clock_monotonic(),
		.random = random_below(UINT32_MAX),
	};
	struct restart_decision decision = { .at = end.now };

	if (!child->renewed || !end.wanted)
		decision = restart_decide(&child->history, &end);
	process_how(status, how, sizeof(how));
	child->given_up = decision.verdict == RESTART_GIVE_UP;
	if (!child_is_janitor(child))
		record_death(children, child, status);
	if (!is_refusal(child, status))
		log_exit(child, how, &decision);
	if (child->given_up)
		children->code = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE
					 ? EXIT_USAGE
					 : EXIT_ERROR;
	child->restart_at = decision.at;
	children_event(children, child, decision.verdict == RESTART_AT ? CHILD_EXIT : CHILD_GONE);
}

/*
 * Waits only for our own children: other code in this process or container may have children, too.
 */
void children_reap(struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		int status;
		if (child->pid <= 0 || waitpid(child->pid, &status, WNOHANG) != child->pid)
			continue;
		FAULT_POINT("supervisor.reaped");
		/* What it reported before it ended is in the pipe by now. */
		read_notices(children);
		child_ended(children, child, status);
	}
}

void children_free_lanes(struct children *children)
{
	const struct child *janitor = children_janitor(children);
	const bool can_bury = janitor->state == CHILD_READY && !janitor->away;

	for (size_t i = 0; i < children->count; i++) {
		struct child *child = &children->list[i];
		if (!child->holds_lane || child->pid > 0 ||
		    (can_bury && deaths_hold(&children->deaths, child->lane)))
			continue;
		control_free_lane(children->control, child->lane);
		tell_room(children, child);
		child->holds_lane = false;
	}
}

/*
 * While the supervisor itself does not run (a suspended host, a frozen container, an overloaded
 * machine), it cannot know whether its children do. So time that it has not seen does not count for
 * their timers.
 */
void children_look(struct children *children)
{
	int64_t now = clock_monotonic();
	int64_t unseen = now - children->looked_at;

	children->looked_at = now;
	if (unseen <= BLIND_LOOKS * stall_beat(children->config))
		return;
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].timer != CLOCK_NEVER)
			children->list[i].timer += unseen;
}

void children_ring(struct children *children)
{
	int64_t now = clock_monotonic();

	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].timer <= now)
			children_event(children, &children->list[i], CHILD_TIMER);
}

bool children_turn(const struct children *children)
{
	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->list[i];
		if (child->state == CHILD_STOPPING && child->wanted && !child->renewed)
			return false;
	}
	return true;
}

size_t children_ready(const struct children *children)
{
	size_t count = 0;

	for (size_t i = 0; i < children->count; i++)
		count += children->list[i].state == CHILD_READY &&
			 !child_is_janitor(&children->list[i]);
	return count;
}

/* It said so itself, and has not been ready since. */
bool children_wait(const struct children *children)
{
	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].state == CHILD_STARTING && children->list[i].error[0])
			return true;
	return children_janitor(children)->away;
}

/*
 * While there is a timer, the loop turns often enough to notice it, and for each heartbeat of the
 * janitor, which may be busy.
 */
int64_t children_due(const struct children *children)
{
	int64_t due = CLOCK_NEVER;

	for (size_t i = 0; i < children->count; i++)
		if (children->list[i].timer < due)
			due = children->list[i].timer;
	due = clock_earlier(due, deaths_due(&children->deaths));
	int64_t look = children->looked_at +
		       clock_earlier(stall_beat(children->config),
				     children->config->process.process_heartbeat_interval);
	return look < due && due != CLOCK_NEVER ? look : due;
}

enum status children_open(struct children *children, struct loop *loop,
			  const struct supervisor_options *options, struct error *error)
{
	enum status status = process_pipe(children->notices, true, error);

	children->control = control_new(error);
	if (!children->control)
		return error->status;
	if (status == STATUS_OK)
		status = process_pipe(children->death, true, error);
	if (status == STATUS_OK)
		status = deaths_open(&children->deaths, error);
	if (status != STATUS_OK)
		return status;
	children->loop = loop;
	children->looked_at = clock_monotonic();
	children->options = options;
	status = loop_watch(loop, children->notices[0], LOOP_READ, read_notices, children);
	return status == STATUS_OK ? STATUS_OK
				   : error_set(error, status, "cannot listen to children");
}

static void close_pipe(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

void children_close(struct children *children)
{
	if (children->loop)
		loop_unwatch(children->loop, children->notices[0]);
	close_pipe(children->notices);
	close_pipe(children->death);
	deaths_close(&children->deaths);
	control_free(children->control);
	children->control = NULL;
}
