/*
 * worker/host/: jobs that are functions run in processes of their own, the job hosts.
 *
 * Private to the files that run isolated jobs: one job host as its worker sees it. hosts.c chooses
 * one for a job, takes what it says and turns its death into an outcome; it calls host.c, which
 * makes a host, sends to it and lets it go.
 */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/text/text.h"
#include "queue/claim/claim_name.h"
#include "worker/exec/stream.h"

struct handler;
struct pool_task;
struct run;
struct worker;

struct host {
	struct host *next;      /* of hosts.all */
	struct host *next_idle; /* of hosts.idle */
	struct worker *worker;
	const struct handler
		*handler; /* the class it was started for; its group decides what it can run */
	struct run *run;  /* whose job it runs; NULL = none */
	pid_t pid;
	struct cgroup *cgroup; /* NULL = it has none of its own */
	int pidfd;
	int socket;
	int report; /* from spawn; closed once the host is ready */
	struct stream out;
	struct stream err;
	struct capture tail;
	struct text unsent;
	size_t sent;  /* of unsent */
	bool writing; /* it is watched for room */
	struct text received;
	const char *refusal;         /* why it could not load its module; in the run's arena */
	bool ready;                  /* has loaded its module */
	bool leaving;                /* gets no more jobs */
	bool unread;                 /* ended without having read all that it was sent */
	bool nonsense;               /* sent something that is not a message */
	int64_t jobs;                /* how many it has run */
	bool ended;                  /* it has been reaped */
	char told[CLAIM_TOKEN_SIZE]; /* the claim of its last job, which was told to stop; or "" */
	int64_t leave_by;            /* clock_monotonic: killed if it is still there then */
};

/*
 * The hosts of classes that can share them, and the runs that wait for one, the oldest first. One
 * host of a group is started at a time: a few can do a burst of short jobs.
 */
struct host_group {
	struct pool_task *first;
	struct pool_task *last;
	size_t count;      /* hosts, without those that leave */
	bool starting;     /* one of them is not yet ready */
	unsigned failures; /* failed starts in a row */
	int64_t start_at;  /* clock_monotonic: none is started before */
};

/* Makes a new host, watched, in hosts.all. FATAL: no process, descriptor or memory. */
enum status host_start(struct worker *worker, const struct handler *handler, struct host **host,
		       struct error *error) MUST_CHECK;

/* Gives an idle host a job. */
void host_assign(struct host *host, struct run *run);

/* Sends as much as can be sent now. */
void host_flush(struct host *host);

/* Reads what it has sent until now, at most a fixed amount. */
void host_listen(struct host *host);

/* It gets no more jobs, and leaves after the one that it has. */
void host_dismiss(struct host *host);

/* Its job is to stop: the host sees that, and so does the function. */
void host_tell(struct host *host);

/* It was reaped: what its last job has left is killed, if that was told to stop. */
void host_sweep(struct host *host);

/* Closes and frees a host whose process has been reaped or given up. */
void host_free(struct host *host);

/* A host that is to leave and has no job is killed after this time. */
#define HOST_LEAVES_WITHIN (10 * CLOCK_SECOND)

/* It is not among those that wait for a job any more. */
void host_unlink_idle(const struct host *host);

struct host_group *host_group_of(const struct host *host);

#endif
