/*
 * The one way to stop a run before it has ended, whatever the reason: the process group of a
 * command or a job host gets the signal of its class and, if it is still there after the grace,
 * KILL, and so does what has left the group (exec/sweep.h); a function learns of it by
 * dray_job_stopping. A run that then ends without success goes back to ready, but one that was
 * stopped because of its timeout has failed. Main thread only.
 */
#ifndef STOP_H
#define STOP_H

#include <stdbool.h>
#include <stdint.h>

struct run;
struct worker;

enum stop_reason {
	STOP_FOR_SHUTDOWN, /* shutdown_timeout is over */
	STOP_FOR_LOSS,     /* the job was given away: another process runs it, or will */
	STOP_FOR_TIMEOUT,  /* it has run for long enough, and fails */
	STOP_FOR_CANCEL,   /* a person has cancelled the job */
};

/* A person has cancelled its job. False: it has ended by itself. */
bool run_cancel(struct run *run);

/* Does nothing when the run has ended or was asked before. */
void run_stop(struct run *run, enum stop_reason why);

/* Returns when the last of them is to be killed: clock_monotonic. */
int64_t run_stop_all(struct worker *worker, enum stop_reason why);

/* Kills its process, wherever that has gone, with its group and its cgroup. */
void run_kill(const struct run *run);

/*
 * Its command has ended by TERM, not asked to by us: the run, which has the outcome of a failure,
 * ends in a second, or goes back when the worker is stopped before.
 */
void run_hold(struct run *run);

/* The worker is stopped: runs that are held go back. */
void runs_release_held(struct worker *worker);

/* It has ended: fails it when it was stopped because of its timeout, however it ended. */
void run_judge(struct run *run);

/*
 * Tells what is slow (slow_look), stops what has reached its timeout, kills what did not end within
 * its grace, ends what was held. Call it at every tick.
 */
void stops_tick(struct worker *worker);

/* When stops_tick has something to do: clock_monotonic, CLOCK_NEVER = never. */
int64_t stops_due(const struct worker *worker);

#endif
