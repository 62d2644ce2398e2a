/*
 * schedule/phrase/: schedules in words.
 *
 * A schedule in words: "every weekday at 9am". The words are read into slots (how often, on which
 * days, at what times), and the slots are written as cron expressions. Private to schedule/.
 */
#ifndef PHRASE_H
#define PHRASE_H

#include "schedule/reading.h"

enum word_kind {
	WORD_END,
	WORD_NAME,   /* letters */
	WORD_NUMBER, /* digits */
	WORD_MARK,   /* any other byte */
	WORD_ZONE,
};

struct word {
	enum word_kind kind;
	struct part part;
	const char *text; /* in lower case */
	int number;       /* of digits, at most 9999 */
	bool glued;       /* to the word before */
};

enum phrase_unit {
	UNIT_NONE,
	UNIT_SECOND,
	UNIT_MINUTE,
	UNIT_HOUR,
	UNIT_DAY,
	UNIT_WEEK,
	UNIT_MONTH,
	UNIT_YEAR,
	UNITS,
};

struct phrase_range {
	int from, to;
	int nth; /* of a weekday: 0 = each, -1 = last of the month */
};

/* What one kind of element says: numbers, and where. */
#define SLOT_MAXIMUM 48

struct slot {
	struct phrase_range list[SLOT_MAXIMUM];
	size_t count;
	struct part part;
};

struct phrase {
	struct reading *reading;
	struct word *words; /* ended by a WORD_END */
	size_t at;
	enum phrase_unit unit;
	struct part interval; /* of the words that say the unit, "every" included */
	int number;           /* of units */
	int start;            /* "starting at": -1 = not said */
	bool other;           /* every other ... */
	bool weekday;         /* "every weekday" */
	struct slot weekdays; /* 0 = Sunday */
	struct slot days;     /* 32 = last */
	struct slot seconds;
	struct slot minutes;
	struct slot times;      /* minutes of the day, to 24:59 */
	struct slot hours;      /* one range */
	enum phrase_unit grain; /* "on the hour", "on the minute" of that range */
	struct part grain_part;
};

#define LAST_DAY_OF_MONTH 32

struct phrase_unit_kind {
	const char *name;
	int period; /* how many make the next larger one; 0 = not the same each time */
	int first;  /* the lowest number */
	int highest;
	const char *next; /* the larger one */
};
extern const struct phrase_unit_kind phrase_units[UNITS];

/* Cuts a text into words. NULL: failed. */
struct word *phrase_words(struct reading *reading);

/* The present word, or one further on. */
const struct word *word_at(const struct phrase *phrase, size_t further);

/* Steps over the present word if it is this. */
bool word_take(struct phrase *phrase, const char *text);

/* Is the word at `further` this name? */
bool word_is(const struct phrase *phrase, size_t further, const char *text);

/* Fails at the present word. */
bool word_fail(struct phrase *phrase);

/* From a word to the one before the present. */
struct part words_since(const struct phrase *phrase, size_t first);

/* Is the word at `further` such, and what? They do not step. */
bool word_weekday(const struct phrase *phrase, size_t further, int *weekday);
bool word_unit(const struct phrase *phrase, size_t further, enum phrase_unit *unit);

/* "1st", "first", "last", "twenty-first": how many words it takes, 0 = it is none. */
size_t word_ordinal(const struct phrase *phrase, size_t further, int *day);

/* "five", "twenty-five": below 60; how many words, 0 = it is none. */
size_t word_number(const struct phrase *phrase, size_t further, int *number);

/* After a member of a list: is there another, as `begins` tells? Steps over "," and "and". */
typedef bool phrase_begins(const struct phrase *phrase, size_t further);
bool phrase_more(struct phrase *phrase, phrase_begins *begins);

/* Adds to a slot; part counts from the word `first`. Too many: fails. */
bool phrase_add(struct phrase *phrase, struct slot *slot, struct phrase_range range, size_t first);

/* Fails when there is something in the slot. */
bool phrase_refuse(struct phrase *phrase, const struct slot *slot, const char *why);

/* Does a number that stands for itself begin at `further`? */
bool phrase_number_begins(const struct phrase *phrase, size_t further);

/* Writes the slots as cron expressions and reads those. */
bool phrase_compile(struct phrase *phrase);

#endif
