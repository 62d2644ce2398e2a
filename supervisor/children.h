/*
 * All children of a supervisor: their lanes, the pipes that they share, and everything that can
 * happen to them as an event of child.h. The first lane is the janitor's, which takes care of the
 * jobs of the dead and of the supervisor's row; it is not counted among the children that are
 * configured.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "process/membership.h"
#include "process/notice.h"
#include "supervisor/child.h"
#include "supervisor/deaths.h"

struct control;
struct supervisor_options;

/* What a configured process keeps while processes come, leave and go. */
struct seat {
	const struct role *role;
	char who[CHILD_WHO_SIZE]; /* "worker 2" */
};

struct children {
	const struct config *config;
	char name[MEMBERSHIP_NAME_SIZE]; /* of the supervisor's row */
	struct deaths deaths;
	const struct supervisor_options *options; /* of the start, for the janitor */
	bool begun;                               /* a janitor has been ready once */
	char server[NOTICE_TEXT_SIZE];            /* that has let it in: for the log */
	char degraded[NOTICE_TEXT_SIZE];          /* what stands, as it says; "" = nothing */
	struct loop *loop;
	const struct role *const *roles;
	size_t role_count;
	struct arena *arena;
	struct child *list; /* a lane keeps its number for good */
	size_t count;
	struct seat *seats;
	size_t seat_count;
	unsigned generation; /* how many configurations were adopted */
	struct control *control;
	int notices[2]; /* children write their notices to it */
	int death[2];   /* nobody writes: its other end, which only we have, is closed if we die */
	int64_t looked_at; /* clock_monotonic: when we last ran */
	bool handing;      /* some child is yet to be handed the configuration */
	bool ending;       /* children are no longer replaced */
	int code;          /* the exit code if all are given up */
};

/* Makes the lanes that the configuration asks for, all empty. `roles`, ended by NULL, must outlive
 * them. */
void children_init(struct children *children, struct arena *arena, const struct config *config,
		   const struct role *const roles[]);

/*
 * Applies another configuration, of which `parts` (enum config_part) differ: children that it
 * concerns are replaced at once if they have runs (role.h), which they end, or else when they have
 * stopped; superfluous ones leave, missing ones are forked, and those that
 * were given up get another chance. All others run on, some with what they are handed.
 */
struct children_changes {
	size_t renewed, added, removed;
	size_t adopting; /* take it over, once they are handed it */
};
struct children_changes children_adopt(struct children *children, const struct config *config,
				       unsigned parts);

/* Would it make processes with runs leave? */
bool children_would_leave(const struct children *children, const struct config *config,
			  unsigned parts);

/*
 * Hands the configuration to those that take it over, once its policies are in the database. Once a
 * turn.
 */
void children_hand(struct children *children);

/* How many of them have not said that they have dealt with it. */
size_t children_unanswered(const struct children *children);

/*
 * Replaces those that turned out to be up after they were to be replaced, and those that could not
 * take over what they were handed, if there is room. Once a turn.
 */
void children_replace_late(struct children *children);

/* May others leave without a reload, as max_leaving says? */
bool children_have_room(const struct children *children);

/*
 * How many earlier configurations have processes that are leaving; how many these are, and the
 * names of their rows, for which there must be room for children->count (NULL = not wanted).
 */
size_t children_generations(const struct children *children);
size_t children_leaving(const struct children *children, const char *names[]);

/*
 * Gives up the lanes of those that were buried, so that no job is claimed for a thread whose job
 * has not been given back yet; and of all that were reaped while nobody can bury.
 */
void children_free_lanes(struct children *children);

/* Opens the pipes and watches them in the loop. */
enum status children_open(struct children *children, struct loop *loop,
			  const struct supervisor_options *options, struct error *error) MUST_CHECK;

/* The janitor comes before all others, and goes after them: `event` is STOP or QUIT. */
struct child *children_janitor(const struct children *children);
void children_end_janitor(struct children *children, enum child_event event);

/* Tells the janitor who has died. Once a turn. */
void children_tell_deaths(struct children *children);

/* What our row says of us: members of JSON. */
void children_describe(struct children *children, const char *members);

/* Closes the pipes: children that still run see that we are gone. */
void children_close(struct children *children);

/* A seat of this role without processes that nobody is wanted in, or a new one. */
unsigned children_take_seat(struct children *children, const struct role *role);

/*
 * Must this child leave threads to the other, which ends its runs? Yes, if both have a queue that
 * the one who is wanted in the other's seat has not, or if it is that one.
 */
bool children_must_wait(const struct children *children, const struct child *child,
			const struct child *other);

/* Applies an event to one child. */
void children_event(struct children *children, struct child *child, enum child_event event);

/* From now on no child is replaced. Those that run are not told. */
void children_end(struct children *children);

/* Applies an event to every child of a tier. */
void children_raise(struct children *children, enum role_tier tier, enum child_event event);

/*
 * Makes all children quiet, or work again, and returns whether they are quiet now. It also applies
 * to children that are forked later.
 */
bool children_toggle_quiet(struct children *children);
bool children_quiet(const struct children *children);

/* Sets the log of running children; those forked later inherit it. */
void children_set_log(struct children *children, enum log_level level, enum log_format format);

/* Logs each lane, and asks running children to log their state. */
void children_dump(const struct children *children);

/* How many lanes of the tier have a process, or will have one. */
size_t children_alive(const struct children *children, enum role_tier tier);

/* How many lanes the configuration has; how many of them are ready. */
size_t children_wanted(const struct children *children);
size_t children_ready(const struct children *children);

/* Does one that starts wait for the database, or the janitor? */
bool children_wait(const struct children *children);

/*
 * Adds the children that were given up to the text, as "worker 2, worker 3", and returns how many
 * they are.
 */
size_t children_given_up(const struct children *children, struct text *names);

/*
 * Collects children that have ended: the janitor gets their claims, the restart policy their lanes.
 */
void children_reap(struct children *children);

/* Does the loop of every child turn, as far as is known? */
bool children_turn(const struct children *children);

/* Call it after every wait: puts off the timers of children by the time in which we did not run. */
void children_look(struct children *children);

/* The next timer of any child, clock_monotonic; and the events of timers that have expired. */
int64_t children_due(const struct children *children);
void children_ring(struct children *children);

#endif
