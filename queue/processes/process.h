/*
 * queue/processes/: the processes at work, and the jobs of those that died.
 *
 * Rows of solid_queue_processes: the living processes, and which jobs they have claimed.
 * queue/processes/loss.h handles the dead ones.
 */
#ifndef QUEUE_PROCESS_H
#define QUEUE_PROCESS_H

#include "queue/look/job.h"

struct process_row {
	int64_t id;
	const char *kind; /* "Supervisor(fork)", "Worker", "Dispatcher", "Scheduler", "Watcher" */
	const char *name; /* "worker-<20 hex>" */
	int pid;
	const char *hostname;
	int64_t supervisor_id; /* 0 = none */
	const char *metadata;  /* JSON object text, or NULL */
	int64_t last_heartbeat_at;
	int64_t created_at;
	bool told; /* jobs that it runs were cancelled: set by process_heartbeat, reset by others */
	/* process_list only: */
	int64_t claims;
	int64_t paused_at;    /* 0 = it is not paused */
	int64_t paused_until; /* 0 = until it is resumed */
	const char *paused_by;
	const char *pause_reason;
};

/* Inserts the row (kind, name, pid, hostname, supervisor_id, metadata) and sets row->id. */
enum status process_register(struct db *db, struct process_row *row,
			     struct error *error) MUST_CHECK;

/*
 * Also writes supervisor_id and metadata. NONE: the row (row->id with row->name) is gone, so the
 * process was taken for dead and must stop. Sets row->told (queue/settle/cancellations.h).
 */
enum status process_heartbeat(struct db *db, struct process_row *row,
			      struct error *error) MUST_CHECK;

/*
 * For leaving in good order: deletes the row and gives its claims back to ready, in one
 * transaction; *released counts them. For their jobs this is no loss.
 */
enum status process_deregister(struct db *db, int64_t id, int64_t *released,
			       struct error *error) MUST_CHECK;

/*
 * Deletes the row only, if its last heartbeat is older than that (0 = in any case): its claims are
 * orphans then, and lost as such. NONE: there is no such row.
 */
enum status process_forget(struct db *db, int64_t id, int64_t heartbeat_before,
			   struct error *error) MUST_CHECK;

/* The id of the row with this name. NONE when there is no such row. */
enum status process_find(struct db *db, const char *name, int64_t *id,
			 struct error *error) MUST_CHECK;

enum status process_list(struct db *db, struct arena *arena, struct process_row **out,
			 size_t *count, struct error *error) MUST_CHECK;

/* A job that a process has claimed: for people who wait for the process to leave. */
struct held {
	int64_t job;
	const char *class_name;
};

/* Those of the process with this name, by number; in the arena. */
enum status holds_read(struct db *db, struct arena *arena, const char *name, struct held **list,
		       size_t *count, struct error *error) MUST_CHECK;

/* Those of all these processes: "job 17 (Sleep), job 18 (Sleep) and 3 more"; NULL = none. */
enum status holds_describe(struct db *db, struct arena *arena, const char *const names[],
			   size_t count, const char **text, struct error *error) MUST_CHECK;

#endif
