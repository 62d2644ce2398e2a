/*
 * The Gregorian calendar as arithmetic: days are counted from 1970-01-01. Computed here and not by
 * gmtime_r and timegm, because those take the C library's time zone lock, which a child forked from
 * a threaded process may find locked for ever.
 */
#ifndef CALENDAR_H
#define CALENDAR_H

#include <stdint.h>

#define CALENDAR_FIRST_DAY INT64_C(-719162) /* 0001-01-01 */
#define CALENDAR_LAST_DAY  INT64_C(2932896) /* 9999-12-31 */
#define CALENDAR_CYCLE     INT64_C(146097)  /* days of 400 years, after which everything repeats */

struct date {
	int64_t year;
	int month; /* 1..12 */
	int day;   /* 1..31 */
};

struct date calendar_date(int64_t day);
int64_t calendar_day(struct date date);

/* 28 to 31. */
int calendar_month_length(int64_t year, int month);

/* 0 = Sunday. */
int calendar_weekday(int64_t day);

/* Rounds down, also below zero. by > 0. */
int64_t floor_divide(int64_t number, int64_t by);

#endif
