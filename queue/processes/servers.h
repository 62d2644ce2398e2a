/*
 * The processes at work, from the rows of solid_queue_processes and their metadata: which queues a
 * worker serves, with how many threads, and whether it is likely to be alive.
 */
#ifndef SERVERS_H
#define SERVERS_H

#include "queue/look/look.h"
#include "queue/processes/loss.h"
#include "queue/processes/process.h"

/* What a process says that its configuration promises of a queue. */
struct promise {
	const char *queue;  /* a name, a prefix with * at its end, or * */
	int64_t late_after; /* how long a ready job may wait, microseconds */
};

struct server {
	struct process_row row;
	const char *queues; /* of a worker: "a,b*"; NULL = not known, or not a worker */
	int64_t threads;    /* of a worker; 0 = not known */
	/* The only classes it takes; NULL = any. */
	const char **classes;
	size_t class_count;
	/* Those that it does not take; NULL = none. */
	const char **others;
	size_t other_count;
	/* Of a supervisor: the children that it has given up, "worker 2"; NULL = none. */
	const char *given_up;
	bool silent; /* its last heartbeat is too old: it will soon be buried */
	bool quiet;  /* was asked to take nothing new */
	bool paused;
	bool held; /* waits for one that leaves and may still claim, for all that is known */
	/*
	 * It is being replaced: it claims nothing and ends its jobs. 0 = it is not. If only its
	 * supervisor says so, that is its last heartbeat.
	 */
	int64_t leaving_since;
	/* What it does fails, as the database says here, though its heartbeat works; NULL = no. */
	const char *trouble;
	int64_t trouble_since;
	/* It could not take over a reload, and is not replaced yet; 0 = it has. */
	int64_t outdated_since;
	const char **leaving; /* of a supervisor: the rows of these; NULL = none */
	size_t leaving_count;
	/* Jobs of its runs that take much longer than their class's usually do; NULL = none. */
	int64_t *slow_jobs;
	size_t slow_count;
	/* Of a supervisor, or a role that runs alone; NULL = none. */
	const struct promise *promises;
	size_t promise_count;
	bool alarms;           /* the same: its files have on_alarm */
	const char **expected; /* the same: hosts that have to be there; NULL = it says nothing */
	size_t expected_count;
};

struct servers {
	struct server *list;
	size_t count;
};

/*
 * All of them by number; everything is in the arena. `patience` says how long a process may be
 * silent.
 */
enum status servers_read(struct db *db, struct arena *arena, const struct prune *patience,
			 struct servers *servers, struct error *error) MUST_CHECK;

bool server_is_worker(const struct server *server);

/* One that only looks, for which nothing runs if nothing else does. */
#define WATCHER_KIND "Watcher"
bool kind_is_watcher(const char *kind);

/* Does an entry of this worker's list match the queue? */
bool server_serves(const struct db *db, const struct server *server, const char *queue);

/* Is there a queue that both may serve? */
bool server_shares(const struct db *db, struct arena *arena, const struct server *one,
		   const struct server *other);

/* May it claim jobs, as far as its life and a reload are concerned? */
bool server_is_here(const struct server *server);

/* How many workers serve the queue and are neither silent nor leaving; how many are leaving. */
size_t servers_of(const struct db *db, const struct servers *servers, const char *queue);
size_t servers_leaving(const struct db *db, const struct servers *servers, const char *queue);

/* Is there a process of this kind ("Dispatcher") that is not silent? */
bool servers_have(const struct servers *servers, const char *kind);

/*
 * How long a ready job of the queue may wait, microseconds; 0 = nothing is promised. Of each
 * process that is not silent the name itself counts, then the longest prefix, then *; of several
 * the strictest.
 */
int64_t servers_promise(const struct db *db, const struct servers *servers, const char *queue);

/*
 * Ready jobs that no worker of their queue takes, because none knows their class. Of a queue that
 * other software serves nothing is said, because that does not publish the classes that it knows.
 */

#define UNSERVED_MOST 10000 /* so many of a queue's first ready jobs are looked at */

struct unserved {
	const char *queue;
	const char *class_name;
	int64_t jobs;
};

struct unserveds {
	struct unserved *list;
	size_t count;
};

/* Adds those of one queue that is not paused; everything is in the arena. */
enum status unserved_add(struct db *db, struct arena *arena, const struct servers *servers,
			 const char *queue, struct unserveds *unserveds,
			 struct error *error) MUST_CHECK;

#endif
