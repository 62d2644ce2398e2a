/*
 * schedule/zone/: time zones.
 *
 * A time zone as a sequence of spans in which the offset from UTC does not change, read from a
 * TZif file (RFC 9636) whose POSIX footer goes on for ever. The C library's own zone is one a
 * process, behind a lock and a variable of the environment; a zone here is a value: it never
 * changes, lives in the arena it was made in, and any thread may read it. All instants are whole
 * seconds since 1970 UTC, offsets seconds east of UTC.
 */
#ifndef ZONE_H
#define ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"

#define ZONE_ABBREVIATION_SIZE 16
#define ZONE_FILE_MAXIMUM      65536 /* bytes; the largest of the system has 4,000 */
#define ZONE_BEGINNING         (-(INT64_C(1) << 59)) /* before all that happens */
#define ZONE_END               (INT64_C(1) << 59)

/* How far offsets go: what RFC 9636 allows. */
#define ZONE_OFFSET_MINIMUM (-89999) /* -24:59:59 */
#define ZONE_OFFSET_MAXIMUM 93599    /* 25:59:59 */

/* The offset holds in [from, until). Neighbours may have the same offset. */
struct zone_span {
	int64_t from, until;
	int offset;
	int before; /* the offset just before `from`; at the beginning the same */
	bool daylight;
	const char *abbreviation; /* lives as long as the zone */
};

struct zone;

const char *zone_name(const struct zone *zone);

/* The span that holds a second; any value from the years 0 to 10000. */
struct zone_span zone_span(const struct zone *zone, int64_t second);

/* An offset that never changes. */
struct zone *zone_fixed(struct arena *arena, const char *name, int offset);

/* A POSIX rule such as "CET-1CEST,M3.5.0,M10.5.0/3". INVALID when it is none. */
enum status zone_posix(struct arena *arena, const char *name, const char *rule, struct zone **zone,
		       struct error *error) MUST_CHECK;

/*
 * The bytes of a TZif file, version 1 or later. INVALID for anything malformed, and for one that
 * counts leap seconds: the database's clock does not.
 */
enum status zone_read(struct arena *arena, const char *name, const void *data, size_t length,
		      struct zone **zone, struct error *error) MUST_CHECK;

#endif
