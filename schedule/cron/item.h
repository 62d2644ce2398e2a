/* The items of a cron expression's fields: "*", "5", "10-50/20", "mon#1". Private to schedule/. */
#ifndef CRON_ITEM_H
#define CRON_ITEM_H

#include "schedule/reading.h"

enum cron_field {
	CRON_SECOND,
	CRON_MINUTE,
	CRON_HOUR,
	CRON_DAY,
	CRON_MONTH,
	CRON_WEEKDAY,
	CRON_FIELDS,
};

struct cron_kind {
	const char *name;
	int low, high;            /* what may be written */
	int last;                 /* where ranges wrap and open steps end */
	const char *const *names; /* of `low` and on, three letters each */
	size_t name_count;
};

extern const struct cron_kind cron_kinds[CRON_FIELDS];

/* Where the reading of one field stands. */
struct cron_cursor {
	struct reading *reading;
	const struct cron_fields *fields;
	enum cron_field field;
	const struct cron_kind *kind;
	size_t at, end, item; /* in the text of fields; item: where the present one began */
	struct cron *cron;
	struct text *out; /* canonical */
};

/* One item of a list, up to its comma or the field's end, '&' included. */
bool cron_read_item(struct cron_cursor *cursor);

/* Steps over one byte if it comes next, letters in any case. */
bool cron_take(struct cron_cursor *cursor, char byte);

/* A number, a name, L, or a day from the end; fails at anything else. */
bool cron_take_value(struct cron_cursor *cursor, int *value);

/* One or two digits (three for a modulus) between low and high; `what` for the message. */
bool cron_take_number(struct cron_cursor *cursor, int low, int high, const char *what, int *number);

/* Of the present item, from its beginning to the cursor or a byte further. */
struct part cron_part(const struct cron_cursor *cursor);

/* A value as it is written: L for the last day. */
void cron_add_value(struct cron_cursor *cursor, int value);

/* Sets the member that a value stands for. */
void cron_set(struct cron_cursor *cursor, int value);

#endif
