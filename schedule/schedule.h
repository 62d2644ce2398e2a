/*
 * When a recurring task runs: a cron expression or a phrase such as "every weekday at 9am
 * Europe/Madrid", read once and then asked for the occurrences it names. Everything here is a pure
 * function of its arguments and takes bounded time whatever the input. Instants are microseconds
 * since 1970 UTC (common/clock.h); those that come out have whole seconds. The language is told
 * in docs/schedules.md.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"
#include "schedule/task_keys.h"
#include "schedule/zone/zones.h"

#define SCHEDULE_TEXT_MAXIMUM 255 /* bytes, what the databases' column holds */

struct schedule_request {
	const char *text;
	const char *key;         /* the task's, which decides what ~ means; NULL: no task */
	struct zones *zones;     /* for zones named in the text */
	const struct zone *zone; /* where the text names none; NULL = UTC */
	enum schedule_gap gap;
	enum schedule_overlap overlap;
	bool strict;     /* what surely means something else than it does is refused */
	bool compatible; /* Solid Queue's language, without extensions, and its daylight saving */
};

/* Something to say about a part of the text. */
struct schedule_note {
	size_t offset, length; /* bytes */
	unsigned line, column; /* of offset, from 1; columns in characters */
	const char *text;
	const char *suggestion; /* a schedule that would be accepted, or NULL */
};

struct cron;

/* Constant once read; lives in the arena it was read into, as its zones do in theirs. */
struct schedule {
	const char *text;        /* as it was given */
	const char *cron;        /* canonical; several are joined by " | " and read back so */
	const struct zone *zone; /* in force */
	bool zone_given;         /* by the text; it is then at the end of `cron` too */
	bool phrase;             /* words, not a cron expression */
	bool random;             /* it has a ~ */
	enum schedule_gap gap;   /* as asked for */
	enum schedule_overlap overlap;
	const struct cron *crons; /* it runs whenever any of them does */
	size_t cron_count;
	const struct schedule_note *warnings;
	size_t warning_count;
};

/*
 * Reads a text. INVALID when it is no schedule, or one that never runs; error then says why in one
 * line, and *fault (may be NULL; in the arena) also where.
 */
enum status schedule_parse(struct arena *arena, const struct schedule_request *request,
			   const struct schedule **schedule, struct schedule_note *fault,
			   struct error *error) MUST_CHECK;

/* What a change of the clocks has to do with an occurrence. */
enum schedule_mark {
	SCHEDULE_PLAIN,
	SCHEDULE_MOVED,  /* its local time does not exist: the next valid instant */
	SCHEDULE_FIRST,  /* its local time comes twice, this is the first */
	SCHEDULE_SECOND, /* ... the second */
};

struct schedule_occurrence {
	int64_t instant;
	int offset; /* of the zone then, seconds east of UTC */
	enum schedule_mark mark;
	const char *abbreviation; /* of the zone then */
};

/*
 * The first occurrence strictly after an instant, the last strictly before it. false: there is none
 * within the years 1 to 9999.
 */
bool schedule_next(const struct schedule *schedule, int64_t after,
		   struct schedule_occurrence *occurrence);
bool schedule_previous(const struct schedule *schedule, int64_t before,
		       struct schedule_occurrence *occurrence);

/*
 * A schedule that means the same to Solid Queue's parser, but for changes of the clocks: the text
 * itself where it will do, otherwise a cron expression. NULL: there is none. In the arena.
 */
const char *schedule_rails(struct arena *arena, const struct schedule *schedule,
			   struct zones *zones);

/* What it does in English, without its zone: "at 09:00 from Monday to Friday". In the arena. */
const char *schedule_words(struct arena *arena, const struct schedule *schedule);

/* "moved", "first of two", ...; NULL for a plain one. */
const char *schedule_mark_name(enum schedule_mark mark);

#endif
