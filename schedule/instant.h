/* Times as people say them to a command: "1h ago", "yesterday", "18:00", "tomorrow 9am". */
#ifndef INSTANT_H
#define INSTANT_H

#include "schedule/zone/zone.h"

/* Which of two is meant by what could be either: "1h" and "18:00" are behind us or before us. */
enum instant_side { INSTANT_PAST, INSTANT_FUTURE };

/*
 * Reads, in any case of letters and with the zone's days and hours:
 *
 *     now
 *     90s, 1h30m (before or after now, as `side` says), 2d ago, in 1h
 *     18:00, 9am, 9:30 pm, noon, midnight (the last before now, or the next)
 *     yesterday, today, tomorrow, 2026-12-24 (each at its midnight, or with an hour as above)
 *
 * An hour that a zone leaves out is where it goes on; of one that it has twice it is the first.
 * Pure; INVALID without touching *instant for anything else, and for what lies after the year 9999.
 */
enum status instant_parse(const char *text, int64_t now, const struct zone *zone,
			  enum instant_side side, int64_t *instant) MUST_CHECK;

/* Does it begin with a date? Such a time is as exact as one of ISO 8601. */
bool instant_is_dated(const char *text);

#endif
