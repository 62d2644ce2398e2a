/*
 * queue/pauses/: pausing and resuming.
 *
 * Pauses of queues, classes and workers. What Solid Queue knows, the queues of solid_queue_pauses,
 * is what counts; beside it dray_pauses tells who paused what, why and until when. The two belong
 * together as long as they were made at the same time: when somebody else has resumed a queue, and
 * perhaps paused it anew, what we know of the pause before is stale and says nothing.
 */
#ifndef QUEUE_PAUSE_H
#define QUEUE_PAUSE_H

#include "common/process.h"
#include "queue/look/job.h"

/* What is to be told about a pause; NULL = not known. */
struct pause_note {
	const char *reason;
	const char *who;
	const char *host;
	int64_t ends_at; /* on the database's clock; 0 = when somebody ends it */
};

/* Who and where is what this process is; both live in the caller's buffers. */
void pause_note_init(struct pause_note *note, char who[USERNAME_SIZE], char host[HOSTNAME_SIZE]);

/* A row of dray_pauses, or of solid_queue_pauses and what is known about it. */
struct pause_row {
	const char *kind; /* "queue", "process", "class", "pattern" */
	const char *name;
	struct pause_note note;
	int64_t since;
	bool stale;
};

/*
 * Pauses queues, all in one transaction; changed[i]: was it not so before? One that is paused
 * already gets the new note. The audit trail gets a line for each that is paused or resumed, in the
 * same transaction. UNCERTAIN: do it again, that harms nothing.
 */
enum status pause_queues(struct db *db, const char *const names[], size_t count,
			 const struct pause_note *note, bool changed[],
			 struct error *error) MUST_CHECK;
enum status resume_queues(struct db *db, const char *const names[], size_t count,
			  const struct pause_note *note, bool changed[],
			  struct error *error) MUST_CHECK;

/*
 * A worker's process claims nothing, or nobody claims jobs of a class (patterns:
 * queue/pauses/pattern.h). A process's pause goes with its row: NONE when there is no worker of
 * that name.
 */
enum pause_kind { PAUSE_QUEUE, PAUSE_PROCESS, PAUSE_CLASS, PAUSE_PATTERN };
const char *pause_kind_name(enum pause_kind kind);
enum status pause_other(struct db *db, enum pause_kind kind, const char *name,
			const struct pause_note *note, bool *changed,
			struct error *error) MUST_CHECK;
enum status resume_other(struct db *db, enum pause_kind kind, const char *name,
			 const struct pause_note *note, bool *changed,
			 struct error *error) MUST_CHECK;

/* What is paused, by kind and name, also by others: that has a note without `who`. Of what a
 * pattern pauses only what has been paused by name, too. */
enum status pause_shown(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
			struct error *error) MUST_CHECK;

/* Every row, also stale ones, by kind and name. */
enum status pause_list(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
		       struct error *error) MUST_CHECK;

/*
 * Ends the pauses whose time has come, forgets what is stale, and pauses by name what appeared
 * under a pattern. *ended are those that this call ended, *next is when the next one ends
 * (microseconds from now, INT64_MAX = none is to end). Many may do it at once: one of them ends it.
 */
enum status pause_sweep(struct db *db, struct arena *arena, struct pause_row **ended, size_t *count,
			int64_t *next, struct error *error) MUST_CHECK;

#endif
