/*
 * What healing remembers of keys with differences, from one look to the next: whether a difference
 * is still the same, and for how long slots have been missing at every count.
 */
#ifndef HEAL_MEMORY_H
#define HEAL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One key. */
struct heal_mark {
	uint64_t key;
	uint64_t state; /* what did not add up */
	bool lasts;     /* the same at two looks: repair it */
	/* Slots that the semaphore does not have and no job holds, counted under its lock. */
	int64_t since;   /* some were missing at every count since; 0 = none is */
	int64_t missing; /* the fewest at any of these counts */
	int64_t counts;
	int64_t fewest; /* how many of these counts came to exactly `missing` */
};

struct heal_marks {
	struct heal_mark *list; /* owned */
	size_t count, room;
};

struct heal_memory {
	struct heal_marks before;  /* of the last look, by key */
	struct heal_marks current; /* of an unfinished look, in the order in which they were seen */
};

/* This key has a difference. Returns its place among the current marks. */
size_t heal_memory_see(struct heal_memory *memory, const char *key, uint64_t state);

/* The look is over: keys that it did not see, and those without a difference, are forgotten. */
void heal_memory_conclude(struct heal_memory *memory);

void heal_memory_clear(struct heal_memory *memory);

/* Notes that so many slots are missing. */
void heal_mark_count(struct heal_mark *mark, int64_t missing, int64_t now);

/*
 * How many are missing for good. A slot that is about to be returned is missing, too, but not at
 * every count over so long a time; and where many slots are being returned their number changes, so
 * most counts must have come to the fewest.
 */
int64_t heal_mark_leaked(const struct heal_mark *mark, int64_t patience, int64_t now);

#endif
