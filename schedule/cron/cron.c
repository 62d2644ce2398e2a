#include "schedule/cron/cron.h"

#include "common/clock.h"

#define DAY 86400

static bool has(uint32_t set, int member)
{
	return (set >> member & 1) != 0;
}

static bool modulo_matches(const struct cron_modulo *modulo, int64_t day)
{
	int64_t since = day - CRON_WEEK_0;
	int64_t count = modulo->what == CRON_ANY_DAY ? since : floor_divide(since, 7);
	if (modulo->what != CRON_ANY_DAY && modulo->what != calendar_weekday(day))
		return false;
	return count - floor_divide(count, modulo->by) * modulo->by == modulo->rest % modulo->by;
}

/* Of the modulos of days, or of those of weekdays. */
static bool any_modulo(const struct cron *cron, int64_t day, bool days)
{
	for (size_t i = 0; i < cron->modulo_count; i++)
		if ((cron->modulos[i].what == CRON_ANY_DAY) == days &&
		    modulo_matches(&cron->modulos[i], day))
			return true;
	return false;
}

static bool is_workday(int weekday)
{
	return weekday >= 1 && weekday <= 5;
}

/* Saturday moves to Friday, Sunday to Monday, but never into another month. */
static int nearest_workday(int day, int weekday, int length)
{
	if (weekday == 6)
		return day > 1 ? day - 1 : day + 2;
	if (weekday == 0)
		return day < length ? day + 1 : day - 2;
	return day;
}

static bool near_matches(uint32_t near, int day, int weekday, int length)
{
	if (!near || !is_workday(weekday))
		return false;
	if (has(near, 0) && (day == length || (weekday == 5 && day + 2 >= length)))
		return true;
	for (int target = day > 2 ? day - 2 : 1; target <= day + 2 && target <= length; target++) {
		int of_target = (weekday + target - day + 7) % 7;
		if (has(near, target) && nearest_workday(target, of_target, length) == day)
			return true;
	}
	return false;
}

static bool day_of_month_matches(const struct cron *cron, int64_t day, const struct date *date)
{
	int length = calendar_month_length(date->year, date->month);
	return has(cron->days, date->day) || has(cron->days_back, length - date->day + 1) ||
	       near_matches(cron->near, date->day, calendar_weekday(day), length) ||
	       any_modulo(cron, day, true);
}

static bool weekday_matches(const struct cron *cron, int64_t day, const struct date *date)
{
	int weekday = calendar_weekday(day);
	int length = calendar_month_length(date->year, date->month);
	return has(cron->weekdays, weekday) || has(cron->nth[weekday], (date->day + 6) / 7) ||
	       has(cron->nth_back[weekday], (length - date->day) / 7 + 1) ||
	       any_modulo(cron, day, false);
}

static bool matches(const struct cron *cron, int64_t day, const struct date *date)
{
	if (!has(cron->months, date->month))
		return false;
	if (cron->any_day)
		return cron->any_weekday || weekday_matches(cron, day, date);
	if (cron->any_weekday)
		return day_of_month_matches(cron, day, date);
	if (cron->both)
		return day_of_month_matches(cron, day, date) && weekday_matches(cron, day, date);
	return day_of_month_matches(cron, day, date) || weekday_matches(cron, day, date);
}

/* The lowest member of at least `from` or, backwards, the highest of at most `from`; or -1. */
static int nearest(uint64_t set, int from, bool backwards)
{
	uint64_t rest = 0;
	if (!backwards && from < 64)
		rest = set >> from << from;
	else if (backwards && from >= 0)
		rest = set << (63 - from) >> (63 - from);
	if (!rest)
		return -1;
	return backwards ? 63 - __builtin_clzll(rest) : __builtin_ctzll(rest);
}

static int at(int hour, int minute, int second)
{
	return hour * 3600 + minute * 60 + second;
}

/* The first time of a day of at least `from` seconds or, backwards, the last of at most; or -1. */
static int nearest_time(const struct cron *cron, int from, bool backwards)
{
	const int step = backwards ? -1 : 1;
	const int end = backwards ? 59 : 0;
	int hour = from / 3600;
	int minute = from / 60 % 60;
	int second = nearest(cron->seconds, from % 60, backwards);
	if (has(cron->hours, hour) && (cron->minutes >> minute & 1) && second >= 0)
		return at(hour, minute, second);
	second = nearest(cron->seconds, end, backwards);
	minute = nearest(cron->minutes, minute + step, backwards);
	if (has(cron->hours, hour) && minute >= 0)
		return at(hour, minute, second);
	hour = nearest(cron->hours, hour + step, backwards);
	return hour < 0 ? -1 : at(hour, nearest(cron->minutes, end, backwards), second);
}

/* A month that does not match is left at once, so that years cost little. */
int64_t cron_first(const struct cron *cron, int64_t from, int64_t until)
{
	int64_t day = floor_divide(from, DAY);
	int start = (int)(from - day * DAY);
	while (day * DAY < until) {
		struct date date = calendar_date(day);
		int time = matches(cron, day, &date) ? nearest_time(cron, start, false) : -1;
		if (time >= 0)
			return day * DAY + time < until ? day * DAY + time : until;
		if (has(cron->months, date.month))
			day++;
		else
			day += calendar_month_length(date.year, date.month) - date.day + 1;
		start = 0;
	}
	return until;
}

int64_t cron_last(const struct cron *cron, int64_t from, int64_t until)
{
	int64_t day = floor_divide(until - 1, DAY);
	int start = (int)(until - 1 - day * DAY);
	while ((day + 1) * DAY > from) {
		struct date date = calendar_date(day);
		int time = matches(cron, day, &date) ? nearest_time(cron, start, true) : -1;
		if (time >= 0)
			return day * DAY + time >= from ? day * DAY + time : from - 1;
		day -= has(cron->months, date.month) ? 1 : date.day;
		start = DAY - 1;
	}
	return from - 1;
}
