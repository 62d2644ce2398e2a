/*
 * worker/host/: jobs that are functions run in processes of their own, the job hosts.
 *
 * Private to the files that run isolated jobs: one host as its worker sees it. run_host.c chooses
 * and ends hosts, start.c makes one, io.c moves the bytes, end.c turns its death
 * into an outcome.
 */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/text/text.h"
#include "worker/exec/stream.h"

struct handler;
struct pool_task;
struct slot;
struct worker;

struct host {
	struct host *next;      /* of hosts.all */
	struct host *next_idle; /* of hosts.idle */
	struct worker *worker;
	const struct handler *handler; /* the class that it was started for; its group matters */
	struct slot *slot;             /* whose job it runs; NULL = none */
	pid_t pid;
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
	const char *refusal; /* why it does not load its module; in the slot's arena */
	bool ready;          /* has loaded its module */
	bool leaving;        /* gets no more jobs */
	bool unread;         /* ended without having read all that it was sent */
	bool nonsense;       /* said what no host says */
	int64_t jobs;        /* that it has run */
	int64_t leave_by;    /* clock_monotonic: killed if it is still there */
};

/*
 * The hosts of classes that can share them, and the slots that wait for one, the oldest first. One
 * host of a group is started at a time: a burst of short jobs is done by few.
 */
struct host_group {
	struct pool_task *first;
	struct pool_task *last;
	size_t count;      /* hosts, but for those that leave */
	bool starting;     /* one of them is not yet ready */
	unsigned failures; /* to start, in a row */
	int64_t start_at;  /* clock_monotonic: none is started before */
};

/* A new host, watched, in hosts.all. FATAL: no process, descriptor or memory. */
enum status host_start(struct worker *worker, const struct handler *handler, struct host **host,
		       struct error *error) MUST_CHECK;

/* Gives an idle host a job. */
void host_assign(struct host *host, struct slot *slot);

/* Sends what can be sent now. */
void host_flush(struct host *host);

/* Loop callback: it can be written to, or has said something. */
void host_on_socket(void *context);

/* Takes what it has said until now, at most a fixed amount. */
void host_listen(struct host *host);

/* Loop callback: it has ended. Frees it. */
void host_on_exit(void *context);

/* Its slot has an outcome: the slot is handed over and the host is idle. */
void host_release(struct host *host);

/* It gets no more jobs, and leaves when it has done the one that it has. */
void host_dismiss(struct host *host);

/* Closes, forgets and frees a host whose process has been reaped or given up. */
void host_free(struct host *host);

/* A host that is to leave and has no job is killed after so long. */
#define HOST_LEAVES_WITHIN (10 * CLOCK_SECOND)

struct host_group *host_group_of(const struct host *host);

/* Gives what waits to hosts that are idle or, when it has waited for long enough, to a new one. */
void host_group_serve(struct worker *worker, struct host_group *group);

#endif
