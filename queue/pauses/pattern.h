/*
 * Pauses of all queues whose names begin alike. A pattern, "prefix*" or "*", is a row of
 * dray_pauses that claims match a queue's name with, letter by letter, so that it holds for queues
 * that appear later. A queue that dray_pauses has a row of is not the pattern's: it was paused by
 * name, and that counts, or resumed, and then the row is stale. So that others see them, too, the
 * queues that there are get a row in solid_queue_pauses from whoever sweeps.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "queue/pauses/pause.h"

/* Of pause_list's rows the pattern that pauses a queue, the longest of them; NULL: none does. */
const struct pause_row *pattern_pausing(const struct pause_row rows[], size_t count,
					const char *queue);

/* Has the queue a pattern's name, whoever has resumed it since? */
bool pattern_matches_any(const struct pause_row rows[], size_t count, const char *queue);

/*
 * Pauses every queue of a pattern's name that is not paused, in one transaction, also what was
 * resumed under it before. UNCERTAIN: do it again, that harms nothing.
 */
enum status pattern_pause(struct db *db, const char *pattern, const struct pause_note *note,
			  bool *changed, struct error *error) MUST_CHECK;

/*
 * Ends the pattern and those within it ("a*" and "ab*" for "a*"): what appears later runs. The
 * queues that are paused by name stay so (resume_queues).
 */
enum status pattern_resume(struct db *db, const char *pattern, const struct pause_note *note,
			   bool *changed, struct error *error) MUST_CHECK;

/* Pauses by name what a pattern of pause_list's rows pauses. Asks nothing when there is none. */
enum status pattern_spread(struct db *db, struct arena *arena, const struct pause_row rows[],
			   size_t count, struct error *error) MUST_CHECK;

/* In the caller's transaction: the queue's own row instead of the pattern's. */
struct db_call pattern_spread_call(struct db *db, struct arena *arena,
				   const struct pause_row *pattern, const char *queue);

#endif
