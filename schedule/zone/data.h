/* What a zone is made of. Private to zone.c and file.c. */
#ifndef ZONE_DATA_H
#define ZONE_DATA_H

#include <string.h>

#include "schedule/zone/rule.h"

struct zone_kind {
	int offset;
	bool daylight;
	const char *abbreviation;
};

struct zone {
	const char *name;
	int64_t *transitions; /* ascending */
	unsigned char *kind;  /* what begins at each; before the first it is kind 0 */
	size_t count;
	struct zone_kind *kinds; /* none only where there is a rule and no transition */
	struct zone_rule rule;   /* from the last transition on */
};

#endif
