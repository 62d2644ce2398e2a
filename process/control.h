/*
 * What a supervisor sends to its children: shared memory. It writes, then sends CONTROL_SIGNAL,
 * which means "look". However late a child looks, it finds what is wanted now, and nothing is lost
 * or done twice if signals merge. A child writes only what its own lane says.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/log/log.h"
#include "common/process.h"
#include "common/text/text.h"
#include "config/config.h"
#include "process/healing.h"

#define CONTROL_SIGNAL PROCESS_LOOK

/*
 * Each process has its lane's entry here. One that works knows the lanes of those that
 * end their runs and whose queues it has now, and together they run no more than its threads: it
 * claims nothing until each of them has said that it claims no more, and then only what they leave.
 */
#define CONTROL_LANES 65536 /* memory that nobody touches costs nothing */

struct control_lane {
	atomic_uint order; /* enum lane_order, by the supervisor */
	atomic_uint taken; /* how often */
	atomic_uint
		said; /* by its process: 0 = may still claim, else the number of its runs, plus 1 */
	atomic_uint seen; /* the same: which texts it has taken over, or cannot take over */
};

enum lane_order { LANE_FREE, LANE_WORK, LANE_LEAVE };

/* A process of this lane: the one that was the nth to take it. */
struct control_other {
	unsigned lane, taken;
};

#define CONTROL_SAID (1 << 20)

/* The texts of a configuration, and what the supervisor's row says. Children can only read it. */
struct control_texts {
	atomic_uint said_changes; /* odd: it is being written */
	size_t said_length;
	char said[CONTROL_SAID];
	atomic_uint changes;          /* the same of what follows */
	size_t lengths[CONFIG_TEXTS]; /* SIZE_MAX: there is no text */
	char room[CONFIG_TEXTS][CONFIG_FILE_MAXIMUM];
};

struct control {
	struct control_texts *texts;
	atomic_uint quiet_changes; /* odd: quiet */
	atomic_uint log_changes;
	atomic_int log_level; /* valid after the first change */
	atomic_int log_format;
	atomic_llong supervisor_id; /* of its row, which is a new one after it was presumed dead; 0
				       = none */
	atomic_uint published;      /* control_set_published; 0 = none yet */
	atomic_uint turns;          /* of the supervisor's loop */
	atomic_bool ending;         /* the janitor is to delete the supervisor's row */
	struct healing healing;     /* the janitor's, for the next one: what silence has meant */
	struct control_lane lanes[CONTROL_LANES];
};

/* Shared with every child that is forked later. NULL, with *error set, if there is no memory. */
struct control *control_new(struct error *error);
void control_free(struct control *control);

/*
 * Switches quiet on or off and returns whether it is on now. The caller then signals the children.
 */
bool control_toggle_quiet(struct control *control);
bool control_is_quiet(const struct control *control);

/* Sets the level and format of the log. */
void control_set_log(struct control *control, enum log_level level, enum log_format format);

/*
 * The janitor sets the supervisor's row, which every child writes into its own row with its next
 * heartbeat.
 */
void control_set_supervisor(struct control *control, int64_t id);
int64_t control_supervisor(const struct control *control);

/* The supervisor: what its row says of it (members of JSON); a longer text is not taken. */
void control_describe(struct control *control, const char *members);

/* The janitor: takes it, if it has changed since *seen. */
bool control_described(const struct control *control, unsigned *seen, struct text *members);

/* The supervisor's loop has turned once more; which turn was the last? */
void control_turn(struct control *control);
unsigned control_turns(const struct control *control);

/* The supervisor ends: its row is not needed any more. */
void control_end(struct control *control);
bool control_is_ending(const struct control *control);

/*
 * Sets the last configuration, by its generation, whose classes the janitor has published. A
 * child that starts late must not publish those of an older one again.
 */
void control_set_published(struct control *control, unsigned generation);
bool control_is_published(const struct control *control, unsigned generation);

/* Hands the texts over to children; the caller then signals them. */
void control_hand(struct control *control, const struct config_text texts[CONFIG_TEXTS]);

/*
 * Takes texts that were handed over after *seen, in the arena. False: there are none, or others are
 * being written, of which there will be a signal.
 */
bool control_handed(const struct control *control, unsigned *seen, struct arena *arena,
		    struct config_text texts[CONFIG_TEXTS]);

/* The process of the lane has dealt with texts, as control_handed said in *seen; or with the last?
 */
void control_answer(struct control *control, unsigned lane, unsigned seen);
bool control_has_answered(const struct control *control, unsigned lane);

/* In a child, which from now on cannot write to what is handed over. */
void control_seal(struct control *control);

/*
 * Before a fork: the lane is the new process's. False: there is no such lane. After the process was
 * reaped, its lane is free again.
 */
bool control_take(struct control *control, unsigned lane);
void control_free_lane(struct control *control, unsigned lane);

/* Orders the process to claim nothing more; was it ordered to? */
void control_leave(struct control *control, unsigned lane);
bool control_is_leaving(const struct control *control, unsigned lane);

/* It claims nothing more and still holds so many runs. False: it has said just that before. */
bool control_say(struct control *control, unsigned lane, size_t runs);

/* The process that has the lane now. */
struct control_other control_other(const struct control *control, unsigned lane);

/*
 * How many runs these hold, as far as they still live. CONTROL_UNSAID: one of them may still claim,
 * so nobody else may.
 */
#define CONTROL_UNSAID SIZE_MAX
size_t control_others(const struct control *control, const struct control_other list[],
		      size_t count);

/* What a child has seen of the page; at first, what was there when it was forked. */
struct control_view {
	unsigned quiet_changes;
	unsigned log_changes;
	unsigned text_changes;
};
struct control_view control_look(const struct control *control);

#endif
