#include "db/server_clock.h"

#include "common/clock.h"

#define SET_BACK CLOCK_SECOND /* smaller steps are errors of measurement */
#define MARKS    8

/*
 * The true offset lies between `least` and `most`. The old offset is kept where it fits: an answer
 * that took long, or arrived while we were frozen, tells little.
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
 * A value marks the effects of one call. A clock that was set back is followed, or due times would
 * come early for as long as it was set back. Its times then come a second time, so the lowest bits
 * of a value count how often it was set back: no value is given twice.
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
