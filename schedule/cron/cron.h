/*
 * schedule/cron/: cron expressions.
 *
 * A cron expression as sets of numbers, and the search in them. Here a second is one of a
 * calendar without zones: seconds since 1970-01-01 00:00 of whatever wall shows it. Plain values,
 * and every function is pure and takes bounded time.
 */
#ifndef CRON_H
#define CRON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRON_MODULOS 16
#define CRON_ANY_DAY 7              /* in a modulo: of days, not of weeks */
#define CRON_WEEK_0  INT64_C(17896) /* 2018-12-31, a Monday: weeks and days are counted from it */
#define CRON_MODULUS 520            /* the largest: ten years of weeks */

struct cron_modulo {
	int what; /* a weekday, 0 = Sunday, or CRON_ANY_DAY */
	int by, rest;
};

struct cron {
	uint64_t seconds, minutes; /* bit n: n */
	uint32_t hours;
	uint32_t months;
	uint32_t days;        /* bit n: the nth of the month */
	uint32_t days_back;   /* bit n: the nth from its end, 1 = last */
	uint32_t near;        /* bit n: the weekday nearest to the nth; bit 0: the last weekday */
	uint32_t weekdays;    /* bit 0 = Sunday */
	uint32_t nth[7];      /* of each weekday, bit n: its nth in the month */
	uint32_t nth_back[7]; /* the same from its end, 1 = last */
	struct cron_modulo modulos[CRON_MODULOS];
	size_t modulo_count;
	bool any_day, any_weekday; /* the field is not restricted */
	bool both;                 /* must both match, or does either do? */
};

/* The first matching second in [from, until), or until. */
int64_t cron_first(const struct cron *cron, int64_t from, int64_t until);

/* The last matching second in [from, until), or from - 1. */
int64_t cron_last(const struct cron *cron, int64_t from, int64_t until);

#endif
