/* Private to worker/: what a worker process has, its runs first. Used by the main thread. */
#ifndef STATE_H
#define STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "config/config.h"
#include "queue/settle/settle.h"
#include "worker/exec/cgroup.h"
#include "worker/exec/sweep.h"
#include "worker/handler.h"
#include "worker/host/hosts.h"
#include "worker/pool.h"

#define JOB_GAVE_BACK "its function gave it back" /* for run_interrupt */

struct exec;
struct host;
struct worker;

/* The classes of one configuration: of the worker while it is the current one, and of its runs. */
struct edition {
	struct config *config; /* freed with the last that uses it; NULL = lives longer */
	const struct handlers *handlers;
	size_t users;
};

void edition_drop(struct edition *edition);

/*
 * One running job, or room for one. A worker has room for `threads`, and for some more outcomes
 * that the database refuses; each is free, or holds one claim from the time it is claimed until its
 * outcome is settled in the database. Main thread only, but while a module job is running it
 * belongs to the pool's thread.
 */
struct run {
	struct pool_task task; /* also links those that have ended */
	struct worker *worker;
	struct arena *arena;           /* cleared when the run is freed; made at first use */
	struct claim claim;            /* texts in arena */
	struct edition *edition;       /* what it began with */
	const struct handler *handler; /* NULL = the class has none */
	struct exec *exec;             /* a command's process, in arena; NULL for modules */
	struct host *host;             /* an isolated job's, while a job host runs it */
	atomic_bool told;              /* asked to stop; also read by its thread */
	bool moved; /* its job host had ended before reading it: it was given a second one */
	int64_t started_at; /* clock_monotonic */
	int64_t ended_at;
	int64_t kill_at;  /* clock_monotonic, once asked to stop; 0 = need not, CLOCK_NEVER = was */
	int64_t again_at; /* clock_monotonic: it was killed, and is killed again then; 0 = was not
			   */
	int64_t again_in; /* how long after the KILL before; 0 = there was none */
	int64_t timeout_at; /* clock_monotonic: stopped then; 0 = need not */
	int64_t slow_at; /* clock_monotonic: slow_look; 0 = has not begun, CLOCK_NEVER = is slow */
	int64_t held_until; /* clock_monotonic: TERM ended it, see stop.c; 0 = is not held */
	int64_t refused_at; /* clock_monotonic: the database refused its outcome first; 0 = never */
	int64_t offer_at;   /* the same: offered again then; 0 = is not set aside */
	struct outcome outcome;        /* valid once ended */
	int exit_status;               /* of a command; -1 = it did not exit */
	bool signalled;                /* a signal ended its process */
	int64_t cpu_time;              /* of its process, microseconds */
	int64_t peak_memory;           /* resident bytes of its process at most; 0 = not known */
	const struct config_end *said; /* what it said of its end; NULL = nothing */
	const char *failure_class;     /* in arena, for the log; NULL = succeeded */
	const char *last_line;         /* of a failed command's standard error; NULL = none */
	const char *cause;   /* the message without hints for people; NULL = it has none */
	const char *failure; /* the same; of a run that was asked to stop, how it ended */
	bool taken;
	bool ended;
	bool timed_out;  /* was told to stop because of its timeout */
	bool unkillable; /* KILL has not ended it, and that was said */
	bool in_time;    /* its function had returned before it was told, or never began */
	bool escaped;    /* its function had returned before it was cancelled */
	char *cancelled; /* malloc: the job was cancelled, by whom and why; NULL = it was not */
	atomic_bool cancelling; /* the same for its thread */
	bool gone; /* its claim is no longer in the database: another process has the job */
};

struct runs {
	struct run *all;
	size_t count;
	struct run **free;
	size_t free_count;
};

void runs_open(struct runs *runs, struct arena *arena, struct worker *worker, size_t count);
void runs_close(struct runs *runs);

/* Takes free room, which then holds a copy of the claim. There must be some. */
struct run *run_take(struct runs *runs, const struct claim *claim);

/* Frees it: its outcome is settled, or will never be. */
void run_free(struct runs *runs, struct run *run);

/* Runs that hold a claim. */
size_t runs_busy(const struct runs *runs);

/* The runs that have not ended, or are set aside, and their claims; at most runs->count of them. */
size_t runs_held(const struct runs *runs, struct run *holders[], struct claim_name claims[]);

/* The same, one by one: the one after `run`; NULL = the first. */
struct run *runs_next_held(const struct runs *runs, const struct run *run);

struct run *run_of_task(struct pool_task *task);

/* Its process or function begins now: so does its timeout. */
void run_begin(struct run *run);

/* How long it may run; 0 = has no limit. */
int64_t run_timeout(const struct run *run);

/* How the run ended. Copies nothing: texts live in run->arena, or for ever. */
void run_succeed(struct run *run);

/*
 * The job fails, is retried later or is discarded, as its class says. `lines` is the backtrace,
 * separated by newlines; NULL = none.
 */
void run_fail(struct run *run, const char *failure_class, const char *message, const char *lines);

/* The run did not take place: the job goes back to ready. */
void run_release(struct run *run);

/*
 * The run was cut short: the job goes back to ready. `how` (in its arena, or for ever) is for the
 * log and the history.
 */
void run_interrupt(struct run *run, const char *how);

/* The run has ended: if it was cancelled before that, it ends so, whatever its own end is. */
bool run_end_cancelled(struct run *run);

/* The same of a run of which the worker did not know that it was: the database has that end. */
void run_told(struct run *run, const char *how);

/*
 * A run ended without success. True: it had been asked to stop, so this is not its failure but an
 * interruption.
 */
bool run_interrupted(struct run *run, const char *how);

/* the worker */

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
	struct runs runs;
	struct pool *pool;
	struct hosts hosts;
	struct sweeps sweeps;
	struct cgroups cgroups;
	struct pool_task *ended; /* ended on the main thread, not yet gathered */
	struct run **pending;    /* gathered, not yet settled; at most runs.count */
	size_t pending_count;
	struct outcome *outcomes; /* those of pending, during a round trip */
	struct run **holders;     /* room for runs_held */
	struct claim_name *held;  /* the same */
	size_t aside_count;       /* runs that are set aside */
	int64_t offer_at;         /* clock_monotonic: when the first of them is offered again */
	int64_t next_poll;        /* clock_monotonic: no claim before, unless runs ended */
	int64_t rest_until;       /* clock_monotonic: no claim at all before */
	int64_t submitted_at;     /* clock_monotonic: when tasks were last given to the pool */
	int64_t recheck_at;       /* clock_monotonic: resolve once more; 0 = need not */
	bool quiet;               /* claim nothing; also when leaving */
	size_t others;            /* threads that processes which it replaces still use */
	bool wary;                /* several jobs are on their last chance */
	int64_t recheck_wait;     /* the pause before it */
	int64_t kill_at;          /* clock_monotonic: the earliest of the runs' */
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

/* A run has ended on the main thread: it has an outcome. Wakes the loop. */
void worker_ended(struct run *run);

/* The runs that have ended and are not settled yet; their outcomes are worker->outcomes. */
struct settle_request worker_request(struct worker *worker);

/* The machine is short of something that a run needs: logs that and claims nothing for a second. */
void worker_rest(struct worker *worker, const char *reason);

/*
 * Runs that take much longer than their class's usually do. The worker remembers how long the last
 * runs of each class took, those that nobody had stopped; when it has seen twenty, a run that takes
 * ten times their median, and five minutes, is slow. That is said once in the log and stands in the
 * worker's metadata, where `dray jobs --slow` reads it. Nothing is stopped: for that there is
 * `timeout`. Main thread only.
 */

/* The run has ended: its class's pace. */
void slow_learn(const struct run *run);

/* Tells when it is slow, else looks again later (worker->kill_at). */
void slow_look(struct run *run, int64_t now);

/* Adds the jobs of the slow runs to the metadata: ,"slow_jobs":[1,2]; nothing when there are none.
 */
void slow_describe(const struct worker *worker, struct text *metadata);

#endif
