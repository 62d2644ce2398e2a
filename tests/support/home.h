/*
 * The database that the cases of a program share, one after the other. To create one, migrate it
 * and drop it takes a server a quarter of a second and more; to empty its tables takes a few
 * milliseconds. So each case finds what a new database would have: the tables of the migrations,
 * empty, their numbers beginning at 1, and nobody else in it. A case that changed the tables
 * themselves (a trigger, a column, an index) leaves a home that is given up, and the next one gets
 * another.
 */
#ifndef TEST_HOME_H
#define TEST_HOME_H

#include "common/arena.h"

/* A migrated database without rows; its url is the arena's. Fails the test when there is none. */
const char *home_open(struct arena *arena, const char *backend);

/* The url of the one at hand; "" = there is none. */
const char *home_url(void);

/* Drops it. */
void home_drop(void);

#endif
