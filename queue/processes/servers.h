/*
 * Who is at work, as the rows of solid_queue_processes and what they say of themselves tell it:
 * which queues a worker serves, with how many threads, and whether it may be alive.
 */
#ifndef SERVERS_H
#define SERVERS_H

#include "queue/processes/loss.h"
#include "queue/processes/process.h"

struct server {
	struct process_row row;
	const char *queues; /* of a worker: "a,b*"; NULL = it does not say, or is none */
	int64_t threads;    /* of a worker; 0 = it does not say */
	/* The only classes it takes; NULL = any. */
	const char **classes;
	size_t class_count;
	/* Those that it does not take; NULL = none. */
	const char **others;
	size_t other_count;
	/* Of a supervisor: those of its children that it has given up, "worker 2"; NULL = none. */
	const char *given_up;
	bool silent; /* has not beaten for longer than it may: soon it will be buried */
	bool quiet;  /* takes nothing new since somebody has told it so */
	bool paused;
};

struct servers {
	struct server *list;
	size_t count;
};

/* All of them by number, everything in the arena. `patience` says how long one may be silent. */
enum status servers_read(struct db *db, struct arena *arena, const struct prune *patience,
			 struct servers *servers, struct error *error) MUST_CHECK;

bool server_is_worker(const struct server *server);

/* Does this worker's list name the queue, by whatever entry? */
bool server_serves(const struct db *db, const struct server *server, const char *queue);

/* Workers that serve the queue and are not silent. */
size_t servers_of(const struct db *db, const struct servers *servers, const char *queue);

/* Is there one of this kind ("Dispatcher") that is not silent? */
bool servers_have(const struct servers *servers, const char *kind);

#endif
