#ifndef MEDIAN_H
#define MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The middle value, the upper of two; sorts them in ascending order. count > 0. */
int64_t median(int64_t values[], size_t count);

#endif
