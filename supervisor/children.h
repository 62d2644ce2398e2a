/*
 * All children of a supervisor: their slots, the two pipes they share, and everything that can
 * happen to them turned into events of child.h. What becomes of a dead child's jobs is
 * maintenance's, whom this tells.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "supervisor/child.h"
#include "supervisor/maintenance.h"

struct control;

struct children {
	const struct config *config;
	struct maintenance *maintenance;
	struct loop *loop;
	const struct role_kind *kinds;
	size_t kind_count;
	struct arena *arena;
	struct child *list; /* a slot keeps its number for ever */
	size_t count, capacity;
	struct control *control;
	int notices[2];    /* children write what they have to say */
	int death[2];      /* nobody writes: the end that only we hold closes when we die */
	int64_t looked_at; /* clock_monotonic: when we last ran */
	bool ending;       /* nobody is replaced any more */
	int code;          /* the exit code for when all are given up */
};

/* The slots that the configuration asks for, all empty. kinds must outlive it. */
void children_init(struct children *children, struct arena *arena, const struct config *config,
		   const struct role_kind kinds[], size_t kind_count);

/*
 * Takes over another configuration, of which `parts` (enum config_part) differ: who is concerned
 * finishes and is replaced, who is not wanted any more leaves, who is missing is forked, and who
 * was given up gets another chance. All others run on.
 */
struct children_changes {
	size_t renewed, added, removed;
};
struct children_changes children_adopt(struct children *children, const struct config *config,
				       unsigned parts);

/* Opens the pipes and listens in loop. */
enum status children_open(struct children *children, struct loop *loop,
			  struct maintenance *maintenance, struct error *error) MUST_CHECK;

/* Ends the pipes: whoever still runs sees us gone. */
void children_close(struct children *children);

/* Something happens to one child. */
void children_event(struct children *children, struct child *child, enum child_event event);

/* From now on nobody is replaced. Whoever runs is not told. */
void children_end(struct children *children);

/* The same event for every child of a tier. */
void children_raise(struct children *children, enum role_tier tier, enum child_event event);

/* Quiet, or work again, everyone; returns what it is now. Before the first fork it holds as well.
 */
bool children_toggle_quiet(struct children *children);
bool children_quiet(const struct children *children);

/* What the log of running children is to be like; those forked later are to inherit it. */
void children_set_log(struct children *children, enum log_level level, enum log_format format);

/* Which row is the supervisor's now: another one when it was presumed dead and registered again. */
void children_tell_parent(struct children *children);

/* Logs each slot; those that have a process are asked to log theirs. */
void children_dump(const struct children *children);

/* How many slots of the tier have a process, or will have one. */
size_t children_alive(const struct children *children, enum role_tier tier);

/* How many slots the configuration has; how many of them are ready. */
size_t children_wanted(const struct children *children);
size_t children_ready(const struct children *children);

/* Those that were given up, as "worker 2, worker 3", added to the text; returns how many. */
size_t children_given_up(const struct children *children, struct text *names);

/* Collects those that have ended: their claims go to maintenance, their slots to the policy. */
void children_reap(struct children *children);

/* Does the loop of every child turn, as far as anybody can tell? */
bool children_turn(const struct children *children);

/* After every wait: timers of children are put off by the time in which we did not run. */
void children_look(struct children *children);

/* The next timer of any child, clock_monotonic; and what is due of them. */
int64_t children_due(const struct children *children);
void children_ring(struct children *children);

#endif
