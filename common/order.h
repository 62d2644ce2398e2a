/* For qsort and bsearch: what comes first. */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

/* The elements are const char *, or structs that begin with one: their key. */
static inline int order_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of such elements; the list may be NULL if it is empty. */
static inline void order_by_text(void *list, size_t count, size_t size)
{
	if (count > 1)
		qsort(list, count, size, order_texts);
}

/* Finds one in a list in this order; NULL: there is none. */
static inline void *order_find(const char *text, const void *list, size_t count, size_t size)
{
	return count > 0 ? bsearch(&text, list, count, size, order_texts) : NULL;
}

#endif
