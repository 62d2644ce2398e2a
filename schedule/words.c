/* What a schedule does, in English. */
#include <string.h>

#include "common/text/text.h"
#include "schedule/cron/cron.h"
#include "schedule/schedule.h"

#define ALL_OF_60     ((UINT64_C(1) << 60) - 1)
#define ALL_HOURS     ((UINT64_C(1) << 24) - 1)
#define ALL_MONTHS    UINT64_C(0x1ffe)
#define TIMES_MAXIMUM 6 /* that are listed one by one */

static const char *const weekday_names[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
					     "Thursday", "Friday", "Saturday" };
static const char *const month_names[] = { "",        "January",  "February", "March",  "April",
					   "May",     "June",     "July",     "August", "September",
					   "October", "November", "December" };

/* A list under way: "a, b and c" needs to know which is the last. */
struct list {
	struct text *text;
	int left;
	bool begun;
};

static void add_separator(struct list *list)
{
	if (list->begun)
		text_add(list->text, list->left == 1 ? " and " : ", ");
	list->begun = true;
	list->left--;
}

static int count(uint64_t set)
{
	return __builtin_popcountll(set);
}

static const char *suffix(int number)
{
	static const char *const suffixes[] = { "th", "st", "nd", "rd" };
	return number % 10 < 4 && number / 10 != 1 ? suffixes[number % 10] : "th";
}

/* How a member of a set reads. */
typedef void add_member(struct text *text, int member);

static void add_number(struct text *text, int number)
{
	text_printf(text, "%d", number);
}

static void add_ordinal(struct text *text, int number)
{
	text_printf(text, "%d%s", number, suffix(number));
}

static void add_weekday(struct text *text, int weekday)
{
	text_add(text, weekday_names[weekday]);
}

static void add_month(struct text *text, int month)
{
	text_add(text, month_names[month]);
}

/* The end of the run of members that begins at `from`; a run of two is none. */
static int run_end(uint64_t set, int from)
{
	int to = from;
	while (to < 63 && set >> (to + 1) & 1)
		to++;
	return to > from + 1 ? to : from;
}

/* "1, 3 and 5 to 9". */
static void add_set(struct text *text, uint64_t set, add_member *add)
{
	struct list list = { .text = text };
	for (int i = 0; i < 64; i++)
		if (set >> i & 1) {
			list.left++;
			i = run_end(set, i);
		}
	for (int i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		int end = run_end(set, i);
		add_separator(&list);
		add(text, i);
		if (end > i) {
			text_add(text, " to ");
			add(text, end);
		}
		i = end;
	}
}

/* Every how many, if the set is 0, n, 2n ... and they fill the period; else 0. */
static int even_step(uint64_t set, int period)
{
	int number = count(set);
	if (number < 2 || period % number != 0)
		return 0;
	int step = period / number;
	for (int i = 0; i < period; i += step)
		if (!(set >> i & 1))
			return 0;
	return step;
}

static void add_times(struct text *text, const struct cron *cron)
{
	struct list list = { .text = text, .left = count(cron->hours) * count(cron->minutes) };
	int second = __builtin_ctzll(cron->seconds);
	text_add(text, "at ");
	for (int hour = 0; hour < 24; hour++)
		for (int minute = 0; minute < 60; minute++) {
			if (!(cron->hours >> hour & 1) || !(cron->minutes >> minute & 1))
				continue;
			add_separator(&list);
			text_printf(text, "%02d:%02d", hour, minute);
			if (second > 0)
				text_printf(text, ":%02d", second);
		}
}

/* "every minute", "every 5 minutes", "at minute 12 and 42". */
static void add_frequency(struct text *text, uint64_t set, const char *unit, const char *at)
{
	int step = set == ALL_OF_60 ? 1 : even_step(set, 60);
	if (step == 1)
		text_printf(text, "every %s", unit);
	else if (step > 1)
		text_printf(text, "every %d %ss", step, unit);
	else {
		text_printf(text, "%s%s ", at, unit);
		add_set(text, set, add_number);
	}
}

/* What follows minutes: "of every hour", "in the hours 9 to 17". */
static void add_hours(struct text *text, const struct cron *cron)
{
	int step = even_step(cron->hours, 24);
	bool frequent = even_step(cron->minutes, 60) > 0;
	if (cron->hours == ALL_HOURS) {
		text_add(text, frequent ? "" : " of every hour");
	} else if (step > 0) {
		text_printf(text, " of every %d%s hour from 0", step, suffix(step));
	} else {
		text_printf(text, " of hour%s ", count(cron->hours) > 1 ? "s" : "");
		add_set(text, cron->hours, add_number);
	}
}

/* The time of day; does it say "every" itself, so that "every day" would be too much? */
static bool add_time(struct text *text, const struct cron *cron)
{
	int hours = even_step(cron->hours, 24);
	bool whole = count(cron->seconds) == 1;
	bool few = count(cron->minutes) * count(cron->hours) <= TIMES_MAXIMUM;
	if (whole && few) {
		add_times(text, cron);
		return false;
	}
	whole = cron->seconds == 1;
	if (!whole) {
		add_frequency(text, cron->seconds, "second", "at ");
		if (cron->minutes == ALL_OF_60 && cron->hours == ALL_HOURS &&
		    (cron->seconds == ALL_OF_60 || even_step(cron->seconds, 60) > 0))
			return true;
		text_add(text, " of ");
	}
	if (whole && cron->minutes == 1 && hours > 0) {
		if (hours == 1)
			text_add(text, "every hour");
		else
			text_printf(text, "every %d hours", hours);
		return true;
	}
	add_frequency(text, cron->minutes, "minute", whole ? "at " : "");
	add_hours(text, cron);
	return cron->hours == ALL_HOURS;
}

static void add_back(struct text *text, int number)
{
	if (number == 1)
		text_add(text, "last");
	else
		text_printf(text, "%d%s last", number, suffix(number));
}

static void add_near(struct text *text, int day)
{
	if (day == 0)
		text_add(text, "last weekday");
	else
		text_printf(text, "weekday nearest to the %d%s", day, suffix(day));
}

static void add_part(struct text *text, bool *begun, const char *part)
{
	text_add(text, *begun ? " or " : "");
	text_add(text, part);
	*begun = true;
}

static void add_modulos(struct text *text, bool *begun, const struct cron *cron, bool days)
{
	for (size_t i = 0; i < cron->modulo_count; i++) {
		const struct cron_modulo *modulo = &cron->modulos[i];
		if ((modulo->what == CRON_ANY_DAY) != days)
			continue;
		add_part(text, begun, days ? "every" : "on ");
		if (days)
			text_printf(text, " %d days", modulo->by);
		else
			text_printf(text, "%s of every %d%s week", weekday_names[modulo->what],
				    modulo->by, suffix(modulo->by));
	}
}

static void add_days(struct text *text, const struct cron *cron)
{
	bool begun = false;
	uint64_t back = cron->days_back;
	if (cron->days) {
		add_part(text, &begun, "on the ");
		add_set(text, cron->days, add_ordinal);
	}
	if (back) {
		add_part(text, &begun, "on the ");
		add_set(text, back, add_back);
		text_add(text, back == 2 ? " day" : " days");
	}
	if (cron->near) {
		add_part(text, &begun, "on the ");
		add_set(text, cron->near, add_near);
	}
	if (begun && cron->months == ALL_MONTHS)
		text_add(text, " of the month");
	add_modulos(text, &begun, cron, true);
}

static void add_nth(struct text *text, bool *begun, const struct cron *cron)
{
	for (int weekday = 0; weekday < 7; weekday++) {
		if (cron->nth[weekday]) {
			add_part(text, begun, "on the ");
			add_set(text, cron->nth[weekday], add_ordinal);
			text_printf(text, " %s of the month", weekday_names[weekday]);
		}
		if (cron->nth_back[weekday]) {
			add_part(text, begun, "on the ");
			add_set(text, cron->nth_back[weekday], add_back);
			text_printf(text, " %s of the month", weekday_names[weekday]);
		}
	}
}

static void add_weekdays(struct text *text, const struct cron *cron)
{
	bool begun = false;
	if (cron->weekdays) {
		uint32_t set = cron->weekdays;
		bool run = run_end(set, __builtin_ctz(set)) == 31 - __builtin_clz(set) &&
			   count(set) > 2;
		add_part(text, &begun, run ? "from " : "on ");
		add_set(text, set, add_weekday);
	}
	add_nth(text, &begun, cron);
	add_modulos(text, &begun, cron, false);
}

static void add_cron(struct text *text, const struct cron *cron)
{
	bool every = add_time(text, cron);
	bool any = cron->any_day && cron->any_weekday;
	if (any && !every)
		text_add(text, " every day");
	if (!cron->any_day) {
		text_add(text, " ");
		add_days(text, cron);
	}
	if (!cron->any_day && !cron->any_weekday)
		text_add(text, cron->both ? " if it is also" : " or");
	if (!cron->any_weekday) {
		text_add(text, " ");
		add_weekdays(text, cron);
	}
	if (cron->months != ALL_MONTHS) {
		text_add(text, " in ");
		add_set(text, cron->months, add_month);
	}
}

const char *schedule_words(struct arena *arena, const struct schedule *schedule)
{
	struct text text = { 0 };
	for (size_t i = 0; i < schedule->cron_count; i++) {
		if (i > 0)
			text_add(&text, ", and ");
		add_cron(&text, &schedule->crons[i]);
	}
	return text_take(&text, arena);
}
