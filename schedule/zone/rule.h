/*
 * The rule in the footer of a TZif file, for the instants after its last transition: POSIX TZ with
 * the extension of RFC 9636 (changes from -167 to 167 hours). Private to the zones.
 */
#ifndef ZONE_RULE_H
#define ZONE_RULE_H

#include "schedule/zone/zone.h"

enum rule_day {
	RULE_JULIAN,  /* Jn: 1..365, 29 February is never counted */
	RULE_OF_YEAR, /* n: 0..365 */
	RULE_WEEKDAY, /* Mm.w.d: week 5 = last */
};

struct rule_change {
	enum rule_day kind;
	int month, week, day;
	int time; /* seconds after midnight of that day, in the time before the change */
};

struct rule_half {
	int offset;
	char abbreviation[ZONE_ABBREVIATION_SIZE];
};

struct zone_rule {
	bool present;
	bool changes; /* is there daylight saving at all? */
	struct rule_half standard, daylight;
	struct rule_change start, end; /* of daylight saving */
};

/* Reads all of text[0..length). false: it is no rule. */
bool zone_rule_parse(const char *text, size_t length, struct zone_rule *rule);

/* What the rule says at a second, as if it had held for ever; `before` is left alone. */
void zone_rule_span(const struct zone_rule *rule, int64_t second, struct zone_span *span);

#endif
