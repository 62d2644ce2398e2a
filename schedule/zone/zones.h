/*
 * The time zones of the system by name, each read once: its data lies in the arena that the set
 * was made in, and a file that the system replaces meanwhile is seen by the next set. Names are
 * those of files, so what is kept is bounded by what is installed. One thread uses a set; the
 * zones it gives out are anybody's.
 */
#ifndef ZONES_H
#define ZONES_H

#include "schedule/zone/zone.h"

#define ZONES_MAXIMUM 1024 /* the system has 600 names */

struct zones;

/* directory NULL: $TZDIR, else /usr/share/zoneinfo. Nothing is read yet. */
struct zones *zones_new(struct arena *arena, const char *directory);

/*
 * "Europe/Madrid", "UTC", or an offset in quarters of an hour ("+09:00", "-0330", "+01"). INVALID
 * for any other, with the nearest name there is.
 */
enum status zones_find(struct zones *zones, const char *name, const struct zone **zone,
		       struct error *error) MUST_CHECK;

/*
 * The same for a setting, which may come from a Rails application: "Eastern Time (US & Canada)"
 * and the like are known there too.
 */
enum status zones_find_setting(struct zones *zones, const char *name, const struct zone **zone,
			       struct error *error) MUST_CHECK;

/* Is there a zone of this name? An offset is none. */
bool zones_has(struct zones *zones, const char *name);

/*
 * The zone that most people mean by a short name that is none, such as PST, if there is such a
 * zone, and the offset that "UTC+2" means; NULL: neither.
 */
const char *zones_meant(struct zones *zones, const char *name);

/* Is text an offset such as zones_find takes? It need not end there; *length is how far it goes. */
bool zones_offset(const char *text, size_t *length, int *seconds);

/*
 * What this host keeps its time in: $TZ (a name, a file or a POSIX rule), else /etc/localtime, else
 * UTC. INVALID when that is none. Only reads the variable; nothing of the process changes.
 */
enum status zones_system(struct zones *zones, const struct zone **zone,
			 struct error *error) MUST_CHECK;

/* Never fails, and needs no data. */
const struct zone *zones_utc(struct zones *zones);

#endif
