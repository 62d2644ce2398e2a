/*
 * The one way to stop a run before it has ended, whatever the reason: the process group of a
 * command or a host gets TERM and, if it is still there after stop_grace, KILL; a function learns
 * of it by dray_job_stopping. What then ends without having succeeded goes back to ready. Main
 * thread only.
 */
#ifndef STOP_H
#define STOP_H

#include <stdbool.h>
#include <stdint.h>

struct slot;
struct worker;

enum stop_reason {
	STOP_FOR_SHUTDOWN, /* shutdown_timeout is over */
	STOP_FOR_LOSS,     /* the job was given away: somebody else runs it, or will */
};

/* Does nothing when the run has ended or was told before. */
void run_stop(struct slot *slot, enum stop_reason why);
void run_stop_all(struct worker *worker, enum stop_reason why);

/*
 * A run ended, and did not succeed. True: it had been told to stop, so that is no failure of its
 * own, and the slot is released; `how` (in its arena, or for ever) is for the log.
 */
bool run_interrupted(struct slot *slot, const char *how);

/* Kills what its grace has not sufficed for. At every tick. */
void stops_tick(struct worker *worker);

/* When stops_tick has something to do: clock_monotonic, CLOCK_NEVER = nothing. */
int64_t stops_due(const struct worker *worker);

/* Says, once for each run, that it is killed. */
void run_say_killed(struct slot *slot);

#endif
