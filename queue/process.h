/* Rows of solid_queue_processes: who is alive, and what becomes of a dead process's claims. */
#ifndef QUEUE_PROCESS_H
#define QUEUE_PROCESS_H

#include "queue/job.h"

struct process_row {
	int64_t id;
	const char *kind; /* "Supervisor(fork)", "Worker", "Dispatcher", "Scheduler" */
	const char *name; /* "worker-<20 hex>" */
	int pid;
	const char *hostname;
	int64_t supervisor_id; /* 0 = none */
	const char *metadata;  /* JSON object text, or NULL */
	int64_t last_heartbeat_at;
	int64_t created_at;
	int64_t claims; /* process_list only */
};

/* Inserts the row (kind, name, pid, hostname, supervisor_id, metadata) and sets row->id. */
enum status process_register(struct db *db, struct process_row *row,
			     struct error *error) MUST_CHECK;

/* Also writes metadata. NONE: the row is gone, the process was declared dead and must stop. */
enum status process_heartbeat(struct db *db, int64_t id, const char *metadata,
			      struct error *error) MUST_CHECK;

/* Deletes the row and gives its claims back to ready, in one transaction; *released counts them. */
enum status process_deregister(struct db *db, int64_t id, int64_t *released,
			       struct error *error) MUST_CHECK;

/*
 * What a supervisor does for a child of its own that died: as process_deregister, found by name.
 * NONE when there is no such row.
 */
enum status process_bury(struct db *db, const char *name, int64_t *released,
			 struct error *error) MUST_CHECK;

/*
 * Declares processes dead whose heartbeat is older than their own threshold (published in their
 * metadata by ours; other_threshold for rows of other software), except `self`; their claims go
 * back to ready. *pruned and *released count.
 */
struct prune_result {
	int64_t pruned;
	int64_t released;
};
enum status process_prune(struct db *db, int64_t self, int64_t threshold, int64_t other_threshold,
			  struct prune_result *result, struct error *error) MUST_CHECK;

/* Claims whose process row does not exist go back to ready. */
enum status process_release_orphans(struct db *db, int64_t *released,
				    struct error *error) MUST_CHECK;

enum status process_list(struct db *db, struct arena *arena, struct process_row **out,
			 size_t *count, struct error *error) MUST_CHECK;

#endif
