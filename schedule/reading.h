/*
 * One text being read: what every part of the parser shares. Private to schedule/. Functions that
 * read return false once something is wrong; the first fault is the one that is reported.
 */
#ifndef READING_H
#define READING_H

#include "common/text/text.h"
#include "schedule/cron/cron.h"
#include "schedule/schedule.h"

#define READING_CRONS    24 /* several times a day need as many at most */
#define READING_WARNINGS 8

/* A part of the text. */
struct part {
	size_t offset, length;
};

struct reading {
	struct arena *arena;
	const struct schedule_request *request;
	const char *text;
	size_t length;
	const struct zone *zone; /* named by the text */
	struct cron crons[READING_CRONS];
	size_t cron_count;
	const char *canonical; /* of all crons, without zone */
	unsigned randoms;      /* how many ~ so far: each is told from the others by its number */
	bool phrase;
	bool failed;
	bool quiet; /* an attempt whose faults nobody reads */
	struct schedule_note fault;
	struct schedule_note warnings[READING_WARNINGS];
	size_t warning_count;
};

/* Always false. */
bool reading_fail(struct reading *reading, struct part part, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* The same with something that would be right, which may be NULL. */
bool reading_fail_with(struct reading *reading, struct part part, const char *suggestion,
		       const char *format, ...) PRINTF_LIKE(4, 5);

/* What surely was not meant so: false when the request is strict. */
bool reading_warn(struct reading *reading, struct part part, const char *suggestion,
		  const char *format, ...) PRINTF_LIKE(4, 5);

/* What Solid Queue does not know: false when the request is compatible. */
bool reading_extension(struct reading *reading, struct part part, const char *what);

/* Reads the name or offset of a zone. */
bool reading_zone(struct reading *reading, struct part part);

/* A copy of a part of the text. */
const char *reading_copy(const struct reading *reading, struct part part);

/* The same for a message: what is no plain character is '?', and a long one is cut. */
const char *reading_quote(const struct reading *reading, struct part part);

/* The text with a part of it replaced, for a suggestion. */
const char *reading_replaced(const struct reading *reading, struct part part, const char *by);

/* A cron expression, a shortcut, or several of them joined by '|', with a zone at the end. */
bool cron_read(struct reading *reading);

/* The fields of one cron expression: parts of the reading's text, or of one made from a phrase. */
#define CRON_CHUNKS 8

struct cron_fields {
	const char *text;
	const struct part *made; /* the phrase that text was made from; NULL: it is the reading's */
	struct part chunks[CRON_CHUNKS];
	size_t count; /* may be more than there is room for */
};

/* Splits text[part] at blanks. */
struct cron_fields cron_split(const char *text, struct part part, const struct part *made);

/* Adds what five or six fields say to the reading, and how they read in canonical form. */
bool cron_read_fields(struct reading *reading, const struct cron_fields *fields,
		      struct text *canonical);

/* A phrase. */
bool phrase_read(struct reading *reading);

#endif
