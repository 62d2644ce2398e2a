#ifndef MEDIAN_H
#define MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The one in the middle, the upper of two; sorts them, the smallest first. count > 0. */
int64_t median(int64_t values[], size_t count);

#endif
