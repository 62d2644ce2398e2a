/*
 * What becomes of one child: first when it has ended, then by the table of states and events.
 *
 * There is no system call here, and no time but what is given, so that every path can be tested
 * without a process. The table is the one place that says what an event does; what is not in it has
 * no effect, so an event that comes late or twice harms nothing. Its actions reach the world by
 * struct child_care.
 *
 * A child has a process in all states but EMPTY and BACKOFF. One that ended before it was ready is
 * replaced after growing pauses, and given up when that happens too often in a short time and is
 * somebody's mistake (a crash, an exit by itself); an outage of the database, KILL and TERM are
 * nobody's. One that ended after it had been ready is replaced within a second or so, and is never
 * given up, except where its configuration cannot run.
 */
#include "supervisor/child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/process.h"
#include "process/outage.h"

/* when one has ended */

#define WINDOW      (30 * CLOCK_SECOND)
#define SETTLED     (10 * CLOCK_SECOND) /* after being ready for so long, earlier ends do not count */
#define EARLY_FIRST (500 * CLOCK_MILLISECOND)
#define EARLY_LIMIT (30 * CLOCK_SECOND)
#define BRIEF_FIRST (100 * CLOCK_MILLISECOND)
#define BRIEF_LIMIT (1 * CLOCK_SECOND)

static bool is_somebodys_mistake(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGTERM;
	return WEXITSTATUS(status) != EXIT_STOPPED && WEXITSTATUS(status) != EXIT_DATABASE;
}

/* Remembers the time; true if the last RESTART_LIMIT of them are within the window. */
static bool too_often(struct restart_history *history, int64_t now)
{
	history->counted[history->count % RESTART_LIMIT] = now;
	history->count++;
	int64_t oldest = history->counted[history->count % RESTART_LIMIT];
	return history->count >= RESTART_LIMIT && now - oldest <= WINDOW;
}

static struct restart_decision give_up(const struct restart_exit *exit, const char *why)
{
	struct restart_decision decision = { .verdict = RESTART_GIVE_UP };
	char how[64];

	process_how(exit->status, how, sizeof(how));
	snprintf(decision.reason, sizeof(decision.reason), "%s %s; last: %s%s%s", exit->who, why,
		 how, exit->error && exit->error[0] ? ": " : "", exit->error ? exit->error : "");
	return decision;
}

static struct restart_decision after_early_end(struct restart_history *history,
					       const struct restart_exit *exit)
{
	history->early++;
	if (!exit->vital && is_somebodys_mistake(exit->status) && too_often(history, exit->now))
		return give_up(exit, "ended 5 times in 30 s before it was ready");
	int64_t delay = backoff_delay(history->early, EARLY_FIRST, EARLY_LIMIT, exit->random);
	return (struct restart_decision){ .verdict = RESTART_AT, .at = exit->now + delay };
}

static struct restart_decision after_ready(struct restart_history *history,
					   const struct restart_exit *exit)
{
	unsigned brief = exit->now - exit->ready_at < SETTLED ? history->brief + 1 : 0;

	*history = (struct restart_history){ .brief = brief };
	unsigned failures = brief > 0 ? brief - 1 : 0;
	int64_t delay = backoff_delay(failures, BRIEF_FIRST, BRIEF_LIMIT, exit->random);
	return (struct restart_decision){ .verdict = RESTART_AT, .at = exit->now + delay };
}

struct restart_decision restart_decide(struct restart_history *history,
				       const struct restart_exit *exit)
{
	if (!exit->wanted)
		return (struct restart_decision){ .verdict = RESTART_NEVER };
	if (!exit->vital && WIFEXITED(exit->status) && WEXITSTATUS(exit->status) == EXIT_USAGE)
		return give_up(exit, "cannot run as it is configured");
	return exit->ready_at > 0 ? after_ready(history, exit) : after_early_end(history, exit);
}

/* states and events */

#define FORK_AGAIN (1 * CLOCK_SECOND) /* the kernel had no process for us */

typedef void child_action(struct child *child, const struct child_care *care);

struct transition {
	child_action *act; /* NULL = the event has no effect here */
	enum child_state next;
	const char *does; /* for the diagram */
};

static void begin(struct child *child, const struct child_care *care)
{
	child->wanted = true;
	child->left = false;
	child->renewed = false;
	child->outdated = false;
	child->error[0] = '\0';
	child->ready_at = 0;
	child->timer = care->now + care->startup_timeout;
	child->pid = care->fork(care->context, child);
}

static void note_ready(struct child *child, const struct child_care *care)
{
	child->ready_at = care->now;
	child->error[0] = '\0';
	child->timer = care->now + child->stall_limit;
}

static void note_beat(struct child *child, const struct child_care *care)
{
	child->timer = care->now + child->stall_limit;
}

static void forget(struct child *child, const struct child_care *care)
{
	(void)care;
	child->pid = 0;
	child->wanted = false;
	child->timer = CLOCK_NEVER;
}

static void wait_to_replace(struct child *child, const struct child_care *care)
{
	(void)care;
	child->pid = 0;
	child->timer = child->restart_at;
}

static void ask_to_stop(struct child *child, const struct child_care *care)
{
	child->wanted = false;
	child->renewed = false;
	child->timer = care->now + child->stop_timeout + care->stop_margin;
	care->signal(care->context, child, SIGTERM);
}

/* The new configuration may have removed the cause: past ends do not count. */
static void begin_anew(struct child *child, const struct child_care *care)
{
	child->history = (struct restart_history){ 0 };
	begin(child, care);
}

static void ask_to_renew(struct child *child, const struct child_care *care)
{
	ask_to_stop(child, care);
	child->wanted = true;
	child->renewed = true;
}

/* Its signs of life are awaited as before. */
static void ask_to_leave(struct child *child, const struct child_care *care)
{
	child->wanted = false;
	child->renewed = false;
	care->leave(care->context, child);
}

/*
 * It may be up, and run jobs, without our having heard of it. If it is not, it goes at once, and
 * the next process has the new configuration.
 */
static void ask_to_leave_early(struct child *child, const struct child_care *care)
{
	child->renewed = true;
	care->leave(care->context, child);
}

static void replace_now(struct child *child, const struct child_care *care)
{
	child->history = (struct restart_history){ 0 };
	child->timer = care->now;
}

static void ask_to_quit(struct child *child, const struct child_care *care)
{
	child->wanted = false;
	child->renewed = false;
	child->timer = care->now + care->quit_timeout;
	care->signal(care->context, child, SIGQUIT);
}

/* Still wanted: another process takes its place once this one has ended. */
static void end_late_start(struct child *child, const struct child_care *care)
{
	child->timer = care->now + care->quit_timeout;
	care->signal(care->context, child, SIGTERM);
}

static void kill_child(struct child *child, const struct child_care *care)
{
	child->timer = CLOCK_NEVER;
	care->signal(care->context, child, SIGKILL);
}

/* The log then says why, as of one that is wanted. */
static void kill_leaving(struct child *child, const struct child_care *care)
{
	child->wanted = true;
	kill_child(child, care);
	child->wanted = false;
}

static const struct transition transitions[CHILD_STATES][CHILD_EVENTS] = {
	[CHILD_EMPTY] = {
		[CHILD_FORK] = { begin_anew, CHILD_STARTING, "fork" },
		[CHILD_RENEW] = { begin_anew, CHILD_STARTING, "fork" },
		[CHILD_LEAVE] = { begin_anew, CHILD_STARTING, "fork" },
	},
	[CHILD_STARTING] = {
		[CHILD_UP] = { note_ready, CHILD_READY, "it works" },
		[CHILD_EXIT] = { wait_to_replace, CHILD_BACKOFF, "restart policy" },
		[CHILD_GONE] = { forget, CHILD_EMPTY, "given up" },
		[CHILD_TIMER] = { end_late_start, CHILD_STOPPING, "TERM, too late" },
		[CHILD_STOP] = { ask_to_stop, CHILD_STOPPING, "TERM" },
		[CHILD_QUIT] = { ask_to_quit, CHILD_STOPPING, "QUIT" },
		[CHILD_RENEW] = { ask_to_renew, CHILD_STOPPING, "TERM" },
		[CHILD_LEAVE] = { ask_to_leave_early, CHILD_STARTING, "unless it works" },
	},
	[CHILD_READY] = {
		[CHILD_BEAT] = { note_beat, CHILD_READY, "its loop turns" },
		[CHILD_TIMER] = { kill_child, CHILD_STOPPING, "KILL, stands still" },
		[CHILD_EXIT] = { wait_to_replace, CHILD_BACKOFF, "restart policy" },
		[CHILD_GONE] = { forget, CHILD_EMPTY, "given up" },
		[CHILD_STOP] = { ask_to_stop, CHILD_STOPPING, "TERM" },
		[CHILD_QUIT] = { ask_to_quit, CHILD_STOPPING, "QUIT" },
		[CHILD_RENEW] = { ask_to_renew, CHILD_STOPPING, "TERM" },
		[CHILD_LEAVE] = { ask_to_leave, CHILD_LEAVING, "claims no more" },
	},
	[CHILD_LEAVING] = {
		[CHILD_BEAT] = { note_beat, CHILD_LEAVING, "its loop turns" },
		[CHILD_TIMER] = { kill_leaving, CHILD_STOPPING, "KILL, stands still" },
		[CHILD_GONE] = { forget, CHILD_EMPTY, "as asked" },
		[CHILD_STOP] = { ask_to_stop, CHILD_STOPPING, "TERM" },
		[CHILD_QUIT] = { ask_to_quit, CHILD_STOPPING, "QUIT" },
	},
	[CHILD_STOPPING] = {
		[CHILD_EXIT] = { wait_to_replace, CHILD_BACKOFF, "late, or renewed" },
		[CHILD_GONE] = { forget, CHILD_EMPTY, "as asked" },
		[CHILD_TIMER] = { kill_child, CHILD_STOPPING, "KILL" },
		[CHILD_STOP] = { ask_to_stop, CHILD_STOPPING, "TERM" },
		[CHILD_QUIT] = { ask_to_quit, CHILD_STOPPING, "QUIT" },
	},
	[CHILD_BACKOFF] = {
		[CHILD_TIMER] = { begin, CHILD_STARTING, "fork" },
		[CHILD_STOP] = { forget, CHILD_EMPTY, "none comes" },
		[CHILD_QUIT] = { forget, CHILD_EMPTY, "none comes" },
		[CHILD_RENEW] = { replace_now, CHILD_BACKOFF, "now" },
		[CHILD_LEAVE] = { replace_now, CHILD_BACKOFF, "now" },
	},
};

static const char *const state_names[CHILD_STATES] = {
	[CHILD_EMPTY] = "EMPTY",       [CHILD_STARTING] = "STARTING", [CHILD_READY] = "READY",
	[CHILD_STOPPING] = "STOPPING", [CHILD_BACKOFF] = "BACKOFF",   [CHILD_LEAVING] = "LEAVING",
};

static const char *const event_names[CHILD_EVENTS] = {
	[CHILD_FORK] = "fork",   [CHILD_UP] = "ready",  [CHILD_BEAT] = "beat",
	[CHILD_EXIT] = "exit",   [CHILD_GONE] = "gone", [CHILD_TIMER] = "timer",
	[CHILD_STOP] = "stop",   [CHILD_QUIT] = "quit", [CHILD_RENEW] = "renew",
	[CHILD_LEAVE] = "leave",
};

static void take(struct child *child, enum child_event event, const struct child_care *care)
{
	INVARIANT(child->state < CHILD_STATES && event < CHILD_EVENTS);
	const struct transition *row = &transitions[child->state][event];

	if (!row->act)
		return;
	child->state = row->next;
	row->act(child, care);
	/* -1: the fork has failed, and the event of that comes next. */
	INVARIANT((child->state == CHILD_EMPTY || child->state == CHILD_BACKOFF) ==
		  (child->pid == 0));
}

void child_event(struct child *child, enum child_event event, const struct child_care *care)
{
	take(child, event, care);
	if (child->pid < 0) {
		child->restart_at = care->now + FORK_AGAIN;
		take(child, CHILD_EXIT, care);
	}
}

const char *child_state_name(enum child_state state)
{
	return state_names[state];
}

const char *child_event_name(enum child_event event)
{
	return event_names[event];
}

void child_diagram(struct text *out)
{
	text_add(out, "stateDiagram-v2\n    [*] --> EMPTY\n");
	for (size_t state = 0; state < CHILD_STATES; state++) {
		for (size_t event = 0; event < CHILD_EVENTS; event++) {
			const struct transition *row = &transitions[state][event];
			if (row->act)
				text_printf(out, "    %s --> %s: %s (%s)\n", state_names[state],
					    state_names[row->next], event_names[event], row->does);
		}
	}
}
