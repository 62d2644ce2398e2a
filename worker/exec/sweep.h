/*
 * What belongs to a run beyond its process group. A worker adopts the orphans of the processes that
 * it has started (it is a subreaper), and reaps them. A living one belongs to the run that
 * DRAY_CLAIM in its environment names; when that run was stopped it is killed, and the run ends
 * when there is none of them any more. Main thread only.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdint.h>
#include <sys/types.h>

#include "queue/claim/claim_name.h"

struct cgroup;
struct run;
struct sweep;
struct worker;

#define SWEEP_VARIABLE "DRAY_CLAIM" /* of commands, job hosts and what they start */

struct sweeps {
	struct sweep *all; /* runs that were stopped */
	int64_t look_at;   /* clock_monotonic: for what is left of them */
	int64_t reap_at;   /* the same: for orphans that have ended; CLOCK_NEVER = there are none */
};

/* Once a worker, before its first process. */
void sweeps_open(struct worker *worker);

/* A process has been started, so there may be orphans from now on. */
void sweeps_expect(struct worker *worker);

/*
 * The process of a run that was stopped has been reaped: the next tick kills what is left, and
 * gives its cgroup back; NULL = it had none. The run has its outcome, and worker_ended follows;
 * NULL = it has ended already.
 */
void sweep_begin(struct worker *worker, const char token[CLAIM_TOKEN_SIZE], pid_t group,
		 struct cgroup *cgroup, struct run *run);

/* The same for the claim of a run. */
void sweep_run(struct run *run, pid_t group, struct cgroup *cgroup);

/* Call it at every tick, before runs that have ended are gathered. */
void sweeps_tick(struct worker *worker);

/* When sweeps_tick has something to do: clock_monotonic, CLOCK_NEVER = never. */
int64_t sweeps_due(const struct worker *worker);

/* The worker is leaving: waits, at most a second, until nothing is left of the runs. */
void sweeps_finish(struct worker *worker);

#endif
