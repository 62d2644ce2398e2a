/*
 * queue/pauses/: pausing and resuming.
 *
 * Pauses of queues, classes and workers. For queues Solid Queue's own table, solid_queue_pauses,
 * decides; dray_pauses adds who paused what, why and until when. The two rows belong together if
 * they were made at the same time: when other software has resumed a queue, and perhaps paused it
 * anew, our row of the earlier pause is stale and does not count.
 */
#ifndef QUEUE_PAUSE_H
#define QUEUE_PAUSE_H

#include "common/process.h"
#include "queue/look/job.h"

/* Details of a pause; NULL = not known. */
struct pause_note {
	const char *reason;
	const char *who;
	const char *host;
	int64_t ends_at; /* on the database's clock; 0 = until somebody resumes it */
};

/* Fills in the user and the host of this process; both texts live in the caller's buffers. */
void pause_note_init(struct pause_note *note, char who[USERNAME_SIZE], char host[HOSTNAME_SIZE]);

/* A row of dray_pauses, or of solid_queue_pauses with the details that are known. */
struct pause_row {
	const char *kind; /* "queue", "process", "class", "pattern" */
	const char *name;
	struct pause_note note;
	int64_t since;
	bool stale;
};

/*
 * Pauses queues, all in one transaction; changed[i]: was it not paused before? A queue that is
 * paused already gets the new note. The audit trail gets a line for each queue that is paused or
 * resumed, in the same transaction. UNCERTAIN: call it again, which is harmless.
 */
enum status pause_queues(struct db *db, const char *const names[], size_t count,
			 const struct pause_note *note, bool changed[],
			 struct error *error) MUST_CHECK;
enum status resume_queues(struct db *db, const char *const names[], size_t count,
			  const struct pause_note *note, bool changed[],
			  struct error *error) MUST_CHECK;

/*
 * A worker's process claims nothing, or no worker claims jobs of a class (patterns:
 * pattern_pause). A process's pause is deleted with its row: NONE when there is no worker
 * of that name.
 */
enum pause_kind { PAUSE_QUEUE, PAUSE_PROCESS, PAUSE_CLASS, PAUSE_PATTERN };
const char *pause_kind_name(enum pause_kind kind);
enum status pause_other(struct db *db, enum pause_kind kind, const char *name,
			const struct pause_note *note, bool *changed,
			struct error *error) MUST_CHECK;
enum status resume_other(struct db *db, enum pause_kind kind, const char *name,
			 const struct pause_note *note, bool *changed,
			 struct error *error) MUST_CHECK;

/*
 * What is paused, by kind and name, also by other software: then the note has no `who`. Of the
 * queues that a pattern pauses, only those that have also been paused by name.
 */
enum status pause_shown(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
			struct error *error) MUST_CHECK;

/* Every row, also stale ones, by kind and name. */
enum status pause_list(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
		       struct error *error) MUST_CHECK;

/*
 * Ends the pauses whose time is over, deletes stale rows, and pauses by name the queues that have
 * appeared under a pattern. *ended are the pauses that this call ended, *next is when the next one
 * ends (microseconds from now, INT64_MAX = none does). Many processes may do this at once: one of
 * them ends a pause.
 */
enum status pause_sweep(struct db *db, struct arena *arena, struct pause_row **ended, size_t *count,
			int64_t *next, struct error *error) MUST_CHECK;

/*
 * Pauses of all queues whose names begin alike. A pattern, "prefix*" or "*", is a row of
 * dray_pauses that claims compare a queue's name with, so that it also holds for queues that appear
 * later. The pattern does not apply to a queue with a row of its own in dray_pauses: that queue was
 * paused by name, which then holds, or resumed, and then the row is stale. So that other software
 * sees these pauses, too, each sweep gives the queues that exist a row in solid_queue_pauses.
 */

/* The pattern among pause_list's rows that pauses a queue, the longest of them; NULL: none. */
const struct pause_row *pattern_pausing(const struct pause_row rows[], size_t count,
					const char *queue);

/* Does a pattern match the queue, even if the queue has been resumed since? */
bool pattern_matches_any(const struct pause_row rows[], size_t count, const char *queue);

/*
 * Pauses every queue that the pattern matches and that is not paused, in one transaction, also
 * those that were resumed under it before. UNCERTAIN: call it again, which is harmless.
 */
enum status pattern_pause(struct db *db, const char *pattern, const struct pause_note *note,
			  bool *changed, struct error *error) MUST_CHECK;

/*
 * Ends the pattern and those within it ("a*" and "ab*" for "a*"): queues that appear later run.
 * Queues that are paused by name stay paused (resume_queues).
 */
enum status pattern_resume(struct db *db, const char *pattern, const struct pause_note *note,
			   bool *changed, struct error *error) MUST_CHECK;

#endif
