/*
 * Isolated jobs: functions of a module that run in hosts, processes of their own (main.h).
 * A host runs one job at a time and many one after the other; when it dies, that job alone fails,
 * and the next one gets a new host. There are never more hosts than slots, but for those that have
 * been told to leave. Main thread only.
 */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include <stddef.h>
#include <stdint.h>

struct host;
struct host_group;
struct slot;
struct worker;

struct hosts {
	struct host *all;
	struct host *idle;         /* the last used first: its memory is warm */
	size_t count;              /* but for those that leave */
	struct host_group *groups; /* by handler->group */
	size_t group_count;
};

void hosts_open(struct worker *worker);

/*
 * Runs the slot's job when a host is free for it. In any case worker_ended follows,
 * with the job's own outcome, failed because its host died or could not load its module, or
 * released because this process is short of something (worker_rest was called).
 */
void host_run(struct slot *slot);

/* Starts hosts for what has waited long enough, kills those that do not leave. At every tick. */
void hosts_tick(struct worker *worker);

/* When hosts_tick has something to do: clock_monotonic, CLOCK_NEVER = nothing. */
int64_t hosts_due(const struct worker *worker);

/* Tells running jobs that the worker stops; gives back what waits; idle hosts leave. */
void hosts_stop(struct worker *worker);

/* Releases a slot that still waits for a host, and ends it. */
void host_withdraw(struct slot *slot);

/* Takes the results that have come in. */
void hosts_look(struct worker *worker);

/* Kills those that still run a job, which gets no outcome, and waits a moment for the others. */
void hosts_close(struct worker *worker);

/* For tests, whose program is not dray: what is started as a host. */
void hosts_use_program(const char *path);

#endif
