/*
 * Times are int64_t microseconds: since 1970-01-01 UTC for instants, otherwise plain spans. The
 * queue's rules use the database's clock (db_now); these functions are for waiting and logging.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"

#define CLOCK_SECOND      INT64_C(1000000)
#define CLOCK_MILLISECOND INT64_C(1000)
#define CLOCK_MINUTE      (60 * CLOCK_SECOND)
#define CLOCK_HOUR        (60 * CLOCK_MINUTE)
#define CLOCK_DAY         (24 * CLOCK_HOUR)
#define CLOCK_NEVER       INT64_MAX
#define CLOCK_LAST        INT64_C(253402300799999999) /* the last instant of the year 9999 */
#define CLOCK_TEXT_SIZE   40

/* Wall clock of this machine. */
int64_t clock_wall(void);

/* Never steps; counts while the machine is suspended (CLOCK_BOOTTIME). For timers. */
int64_t clock_monotonic(void);

/* Sleeps, resuming after signals. */
void clock_sleep(int64_t microseconds);

/* The earlier of two instants, or the shorter of two spans; and the later or longer one. */
static inline int64_t clock_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t clock_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The whole seconds of an instant or a span. */
static inline int64_t clock_whole(int64_t microseconds)
{
	return microseconds - microseconds % CLOCK_SECOND;
}

/* "2026-11-21 02:56:07.533381" in UTC; with fraction always six digits. */
void clock_format(int64_t instant, char text[CLOCK_TEXT_SIZE]);

/* SQLite's text form as Rails writes it: no fraction when it is zero. */
void clock_format_short(int64_t instant, char text[CLOCK_TEXT_SIZE]);

/* "2026-11-21T02:56:07.533381000Z" (nine digits), the form in Active Job payloads. */
void clock_format_iso(int64_t instant, char text[CLOCK_TEXT_SIZE]);

/*
 * Reads "YYYY-MM-DD[ T]HH:MM[:SS[.f{1,9}]][Z|+hh[:mm]|-hh[:mm]]" or "YYYY-MM-DD"; without a zone
 * it is UTC. Digits past the microsecond are cut. INVALID for anything else, impossible dates
 * and years outside 1..9999.
 */
enum status clock_parse(const char *text, int64_t *instant) MUST_CHECK;

/* "350ms", "2.1s", "4m 10s", "3h 5m", "2d 4h": for people. */
void clock_span(int64_t microseconds, char text[CLOCK_TEXT_SIZE]);

/* For sentences, in the arena: an instant in whole seconds, without its UTC, and a span. */
const char *clock_say(struct arena *arena, int64_t instant);
const char *clock_say_span(struct arena *arena, int64_t microseconds);

/* The Gregorian calendar as arithmetic: days are counted from 1970-01-01. */

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
