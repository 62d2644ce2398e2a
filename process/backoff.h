/* How long to wait after the n-th failure in a row: pure. */
#ifndef BACKOFF_H
#define BACKOFF_H

#include <stdint.h>

/*
 * Microseconds to wait after `failures` failures in a row (0 = none yet, no wait): `first`
 * doubled with each further failure, at most `limit`, of which the upper half is random so that
 * many processes do not come back in step. `random` is any uniform 64-bit number.
 */
int64_t backoff_delay(unsigned failures, int64_t first, int64_t limit, uint64_t random);

#endif
