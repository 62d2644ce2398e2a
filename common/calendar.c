#include "common/calendar.h"

#include <stdbool.h>

#define DAYS_TO_EPOCH 719468 /* from 0000-03-01 to 1970-01-01 */

int64_t floor_divide(int64_t number, int64_t by)
{
	return number / by - (number % by < 0 ? 1 : 0);
}

/*
 * Years begin in March here, so that the leap day is the last day of a year and months follow a
 * formula.
 */
struct date calendar_date(int64_t day)
{
	int64_t days = day + DAYS_TO_EPOCH;
	int64_t era = floor_divide(days, CALENDAR_CYCLE);
	int64_t of_era = days - era * CALENDAR_CYCLE;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* 0 = March */
	struct date date = {
		.day = (int)(of_year - (153 * month + 2) / 5 + 1),
		.month = (int)(month < 10 ? month + 3 : month - 9),
	};
	date.year = year + era * 400 + (date.month <= 2 ? 1 : 0);
	return date;
}

int64_t calendar_day(struct date date)
{
	int64_t year = date.year - (date.month <= 2 ? 1 : 0);
	int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;
	int64_t era = floor_divide(year, 400);
	int64_t of_era = year - era * 400;
	int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
	return era * CALENDAR_CYCLE + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
	       DAYS_TO_EPOCH;
}

int calendar_month_length(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

int calendar_weekday(int64_t day)
{
	int64_t shifted = day + 4; /* 1970-01-01 was a Thursday */
	return (int)(shifted - floor_divide(shifted, 7) * 7);
}
