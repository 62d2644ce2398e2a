#include "process/backoff.h"

int64_t backoff_delay(unsigned failures, int64_t first, int64_t limit, uint64_t random)
{
	int64_t span = first;

	if (failures == 0)
		return 0;
	while (--failures > 0 && span < limit)
		span *= 2;
	if (span > limit)
		span = limit;
	int64_t half = span / 2;
	return half + (int64_t)(random % (uint64_t)(span - half + 1));
}
