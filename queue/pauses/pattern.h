/*
 * Pauses of all queues whose names begin alike. A pattern, "prefix*" or "*", is a row of
 * dray_pauses that claims compare a queue's name with, so that it also holds for queues that appear
 * later. The pattern does not apply to a queue with a row of its own in dray_pauses: that queue was
 * paused by name, which then holds, or resumed, and then the row is stale. So that other software
 * sees these pauses, too, each sweep gives the queues that exist a row in solid_queue_pauses.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "queue/pauses/pause.h"

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

/*
 * Pauses by name the queues that a pattern among pause_list's rows pauses. Without a pattern it
 * makes no call.
 */
enum status pattern_spread(struct db *db, struct arena *arena, const struct pause_row rows[],
			   size_t count, struct error *error) MUST_CHECK;

/*
 * For the caller's transaction: gives the queue its own row, which then holds instead of the
 * pattern.
 */
struct db_call pattern_spread_call(struct db *db, struct arena *arena,
				   const struct pause_row *pattern, const char *queue);

#endif
