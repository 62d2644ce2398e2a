/* Private to worker/: what a worker process has. Used by the main thread. */
#ifndef STATE_H
#define STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "config/config.h"
#include "queue/settle/settle.h"
#include "worker/exec/cgroup.h"
#include "worker/exec/sweep.h"
#include "worker/host/run_host.h"
#include "worker/slot.h"

struct worker {
	const struct config *config;
	const struct config_worker *options;
	struct loop *loop;
	struct arena *arena;      /* lives as long as the worker */
	struct arena *tick_arena; /* cleared with each round trip */
	struct edition *edition;  /* what new runs begin with; config has its older classes */
	bool passes;              /* it leaves jobs of unknown classes from the start */
	struct selector selector;
	struct claim_request claim;
	bool batches; /* the database has Solid Queue's batches */
	struct slots slots;
	struct pool *pool;
	struct hosts hosts;
	struct sweeps sweeps;
	struct cgroups cgroups;
	struct pool_task *ended; /* ended on the main thread, not yet gathered */
	struct slot **pending;   /* gathered, not yet settled; at most slots.count */
	size_t pending_count;
	struct outcome *outcomes; /* those of pending, during a round trip */
	struct claim_name *held;  /* room for slots_held */
	size_t aside_count;       /* slots that are set aside (aside.h) */
	int64_t offer_at;         /* clock_monotonic: when the first of them is offered again */
	int64_t next_poll;        /* clock_monotonic: no claim before, unless runs ended */
	int64_t rest_until;       /* clock_monotonic: no claim at all before */
	int64_t submitted_at;     /* clock_monotonic: when tasks were last given to the pool */
	int64_t recheck_at;       /* clock_monotonic: resolve once more; 0 = need not */
	bool quiet;               /* claim nothing; also when leaving */
	size_t others;            /* threads that processes which it replaces still use */
	bool wary;                /* last_chance.c: several jobs are on their last chance */
	int64_t recheck_wait;     /* the pause before it */
	int64_t kill_at;          /* clock_monotonic: the earliest of the slots' */
	unsigned servers_met;     /* db_servers_met when we last looked */
	bool uncertain;           /* a commit's outcome is unknown: settle_resolve comes first */
	bool healthy;             /* the last round trip succeeded */
	atomic_bool stopping;     /* also read by job threads */
	size_t error_maximum;     /* how many bytes of a job's error the database takes */
	char *buffer;             /* EXEC_BUFFER bytes for reading pipes; NULL without processes */
	int null_fd;
	rlim_t files; /* soft limit of descriptors for children */
};

#define EXEC_BUFFER ((size_t)64 * 1024)

/* A run has ended on the main thread: its slot has an outcome. Wakes the loop. */
void worker_ended(struct slot *slot);

/* The runs that have ended and are not settled yet; their outcomes are worker->outcomes. */
struct settle_request worker_request(struct worker *worker);

/* The machine is short of something that a run needs: logs that and claims nothing for a second. */
void worker_rest(struct worker *worker, const char *reason);

#endif
