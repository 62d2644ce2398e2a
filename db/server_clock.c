#include "db/server_clock.h"

#include "common/clock.h"

#define SET_BACK CLOCK_SECOND /* less is the error of two measurements */
#define MARKS    8

/*
 * The true offset lies between `least` and `most`. What we had is kept where it can be: an answer
 * that took long, or found us frozen, tells little.
 */
void server_clock_measured(struct server_clock *clock, int64_t server, int64_t before,
			   int64_t after)
{
	int64_t least = server - after;
	int64_t most = server - before;

	if (!clock->known)
		clock->offset = least + (most - least) / 2;
	else if (clock->offset < least)
		clock->offset = least;
	else if (clock->offset > most)
		clock->offset = most;
	clock->known = true;
}

/*
 * A value marks what one call did. A clock that was set back is followed all the same, or due times
 * would come early for as long; so that its hours give other values when they come again, the
 * lowest bits count how often that was.
 */
int64_t server_clock_now(struct server_clock *clock, int64_t monotonic)
{
	int64_t now = monotonic + clock->offset;

	if (now < clock->last - SET_BACK) {
		clock->times_set_back++;
		clock->last = 0;
	}
	now = now / MARKS * MARKS + clock->times_set_back % MARKS;
	if (now <= clock->last)
		now = clock->last + MARKS;
	clock->last = now;
	return now;
}
