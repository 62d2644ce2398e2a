/* For qsort and bsearch: what comes first. */
#ifndef ORDER_H
#define ORDER_H

#include <stdint.h>
#include <string.h>

static inline int order_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* The elements are int64_t. */
static inline int order_ids(const void *a, const void *b)
{
	return order_numbers(*(const int64_t *)a, *(const int64_t *)b);
}

/* The elements are const char *. */
static inline int order_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#endif
