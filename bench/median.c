#include "bench/median.h"

#include <stdlib.h>

static int by_size(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left;
	const int64_t b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

int64_t median(int64_t values[], size_t count)
{
	qsort(values, count, sizeof(*values), by_size);
	return values[count / 2];
}
