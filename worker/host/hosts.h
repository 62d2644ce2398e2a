/*
 * Isolated jobs: functions of a module that run in job hosts, processes of their own (main.h).
 * A host runs one job at a time and many one after the other; when it dies, only that job fails,
 * and the next one gets a new host. There are never more hosts than threads, not counting those
 * that were asked to leave. Main thread only.
 */
#ifndef HOSTS_H
#define HOSTS_H

#include <stddef.h>
#include <stdint.h>

struct handlers;
struct host;
struct host_group;
struct run;
struct worker;

struct hosts {
	struct host *all;
	struct host *idle;         /* the last used first: its memory is warm */
	size_t count;              /* without those that leave */
	struct host_group *groups; /* by handler->group */
	size_t group_count;

	/* What a host does: loop callbacks for its socket and its end, with the struct host. */
	void (*on_socket)(void *context);
	void (*on_exit)(void *context);
};

void hosts_open(struct worker *worker);

/* Before the worker has these handlers, which know the same modules, instead of its own. */
void hosts_adopt(struct worker *worker, const struct handlers *handlers);

/*
 * Runs its job as soon as a host is free for it. worker_ended follows in any case: with the
 * job's own outcome, failed because its host died or could not load its module, or released because
 * this process is short of something (worker_rest was called).
 */
void host_run(struct run *run);

/*
 * Starts hosts for runs that have waited long enough, kills hosts that do not leave. Call it at
 * every tick.
 */
void hosts_tick(struct worker *worker);

/* When hosts_tick has something to do: clock_monotonic, CLOCK_NEVER = never. */
int64_t hosts_due(const struct worker *worker);

/* Asks running jobs to stop, gives back the jobs that wait, and makes idle hosts leave. */
void hosts_stop(struct worker *worker);

/* Releases and ends a run that still waits for a host. */
void host_withdraw(struct run *run);

/* Takes the results that have arrived. */
void hosts_look(struct worker *worker);

/* Kills the hosts that still run a job, which is interrupted, and briefly waits for the others. */
void hosts_close(struct worker *worker);

/* For tests, whose program is not dray: what is started as a host. */
void hosts_use_program(const char *path);

#endif
