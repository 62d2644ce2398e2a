/*
 * What healing remembers of the keys that do not add up, from one look to the next: whether a
 * difference is still the same, and for how long slots have been missing at every count.
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
	bool lasts;     /* in the same way at two looks: time to act */
	/* Slots that the semaphore does not have and nobody holds, counted under its lock. */
	int64_t since;   /* they have been missing at every count, clock_monotonic; 0 = they are not
			  */
	int64_t missing; /* never less than so many */
	int64_t counts;
	int64_t fewest; /* of these counts, that came to exactly `missing` */
};

struct heal_marks {
	struct heal_mark *list; /* owned */
	size_t count, room;
};

struct heal_memory {
	struct heal_marks before;  /* of the last look, by key */
	struct heal_marks current; /* of a look that is not over, as they came */
};

/* This key does not add up. Its place among the current marks. */
size_t heal_memory_see(struct heal_memory *memory, const char *key, uint64_t state);

/* The look is over: keys that it did not see, and those that are well now, are forgotten. */
void heal_memory_conclude(struct heal_memory *memory);

void heal_memory_clear(struct heal_memory *memory);

/* So many slots are missing. */
void heal_mark_count(struct heal_mark *mark, int64_t missing, int64_t now);

/*
 * How many are missing for good. A slot that somebody is just about to return is missing, too, but
 * not at every count of so long a time; and where many do so at once their number changes, so most
 * counts must have come to the fewest.
 */
int64_t heal_mark_leaked(const struct heal_mark *mark, int64_t patience, int64_t now);

/* Mixes a number into a fingerprint; that of a text. */
uint64_t heal_mix(uint64_t print, uint64_t number);
uint64_t heal_print(const char *text);

#endif
