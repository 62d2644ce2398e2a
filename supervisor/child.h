/*
 * A child of the supervisor: a lane, in which one process at a time runs, and the table of what
 * each event does in each state. Processes come and go, the lane stays.
 * docs/internals/supervisor.md has a drawing of the table, which a test compares with it.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/text/text.h"
#include "supervisor/roles.h"

/*
 * What to do when a child has ended: a pure function of its history, how it ended and the time. A
 * child that was ready is always replaced, the first time at once and, if it keeps dying, within a
 * second: jobs may kill their worker, and work must go on. A child that ends before it is ready is
 * given up if that happens five times in 30 seconds, or if it reports that its configuration is
 * wrong. Ends for other reasons (killed by hand, for lack of memory or for being late; the database
 * unavailable) never count towards giving up.
 */

#define RESTART_LIMIT       5
#define RESTART_REASON_SIZE 512

/* Of one lane; at first all zeros. */
struct restart_history {
	int64_t counted[RESTART_LIMIT]; /* ring: the times of its last counted ends */
	unsigned count;
	unsigned early; /* ends in a row before readiness */
	unsigned brief; /* ends in a row soon after readiness */
};

/* Times are clock_monotonic. */
struct restart_exit {
	const char *who;   /* "worker 2": for the reason */
	const char *error; /* what it reported before it ended; NULL or "" = nothing */
	int status;        /* of waitpid(2) */
	bool wanted;       /* false: we asked it to leave for good */
	bool vital;        /* it is never given up */
	int64_t ready_at;  /* 0 = it never was */
	int64_t now;
	uint64_t random;
};

enum restart_verdict { RESTART_AT, RESTART_NEVER, RESTART_GIVE_UP };

struct restart_decision {
	enum restart_verdict verdict;
	int64_t at;                       /* RESTART_AT */
	char reason[RESTART_REASON_SIZE]; /* RESTART_GIVE_UP: a sentence for a person */
};

/* Decides, and adds this end to *history. */
struct restart_decision restart_decide(struct restart_history *history,
				       const struct restart_exit *exit);

/* the lane */

#define CHILD_NAME_SIZE  64
#define CHILD_WHO_SIZE   40
#define CHILD_ERROR_SIZE 240

enum child_state {
	CHILD_EMPTY,    /* no process, none wanted */
	CHILD_STARTING, /* forked, not ready yet */
	CHILD_READY,
	CHILD_LEAVING,  /* claims nothing more and ends its runs; its lane has no other process */
	CHILD_STOPPING, /* asked to go */
	CHILD_BACKOFF,  /* no process, the next one comes when the timer ends */
	CHILD_STATES
};

enum child_event {
	CHILD_FORK,  /* we want a process here */
	CHILD_UP,    /* it reports that it is ready */
	CHILD_BEAT,  /* it reports that its loop turns */
	CHILD_EXIT,  /* it has ended and is to be replaced (restart_decide) */
	CHILD_GONE,  /* it has ended for good */
	CHILD_TIMER, /* child->timer has expired */
	CHILD_STOP,  /* finish and leave */
	CHILD_QUIT,  /* leave at once */
	CHILD_RENEW, /* stop, so that a process with the new configuration takes its place */
	CHILD_LEAVE, /* end what it runs and go: its place is another's, or nobody's */
	CHILD_EVENTS
};

struct child {
	unsigned lane;
	const struct role *role;
	unsigned seat;              /* of its process (children.h) */
	struct served serves;       /* by its process, of the configuration that it has */
	bool holds_lane;            /* from its fork until it has been buried */
	size_t entry;               /* of the configuration's list for this role */
	char who[CHILD_WHO_SIZE];   /* "worker 2" */
	char name[CHILD_NAME_SIZE]; /* of its process row: new with every fork */
	enum child_state state;
	bool wanted;                  /* replace it when it ends */
	bool renewed;                 /* it was asked to leave so that it can be replaced */
	bool away;                    /* the janitor: its database is */
	bool outdated;                /* it could not take over what it was last handed */
	bool retired;                 /* the configuration has no place for it any more */
	unsigned generation;          /* of leaving ones: which reload; 0 = was not told to */
	unsigned adopted;             /* the last reload that it was settled by */
	pid_t handed;                 /* the process that last was to take over changed files */
	bool given_up;                /* by restart_decide, and not forked since */
	bool left;                    /* it reported that it has deregistered */
	char error[CHILD_ERROR_SIZE]; /* the last trouble that it reported; "" = none */
	pid_t pid;                    /* 0 = no process */
	int64_t timer;                /* clock_monotonic; CLOCK_NEVER = none */
	int64_t ready_at;             /* 0 = not ready yet */
	int64_t restart_at;           /* by restart_decide */
	int64_t stop_timeout;         /* this and the next: by the configuration of its process */
	int64_t stall_limit;          /* from beat to beat */
	unsigned forks;               /* so far */
	struct restart_history history;
};

/* What the table's actions need from outside; tests provide their own. */
struct child_care {
	int64_t now;
	int64_t startup_timeout; /* from fork to readiness */
	int64_t stop_margin;     /* from STOP to SIGKILL, beyond its stop_timeout */
	int64_t quit_timeout;    /* from QUIT to SIGKILL */
	void *context;
	/* Forks child->name; the pid, or -1 (logged there). */
	pid_t (*fork)(void *context, struct child *child);
	void (*signal)(void *context, const struct child *child, int signal);
	/* Orders its process to claim nothing more, to end what it runs, and then to go. */
	void (*leave)(void *context, const struct child *child);
};

/* Moves the lane from its state to the next. An event without a row in the table is ignored. */
void child_event(struct child *child, enum child_event event, const struct child_care *care);

static inline bool child_is_janitor(const struct child *child)
{
	return child->role->tier == TIER_JANITOR;
}

/* Is it on its way out because of a reload? */
static inline bool child_is_leaving(const struct child *child)
{
	return child->generation > 0 && child->pid > 0;
}

const char *child_state_name(enum child_state state);
const char *child_event_name(enum child_event event);

/* The table as a Mermaid state diagram. */
void child_diagram(struct text *out);

#endif
