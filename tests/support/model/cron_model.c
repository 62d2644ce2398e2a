#include "tests/support/model/cron_model.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define WEEK_0       17896 /* 2018-12-31 in days since 1970 */

unsigned cron_model_pick(uint64_t *seed, unsigned below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*seed >> 33) % below;
}

static const int limits[MODEL_FIELDS][2] = { { 0, 59 }, { 0, 23 }, { 1, 31 }, { 1, 12 }, { 0, 6 } };

static struct cron_item random_item(int field, uint64_t *seed)
{
	int low = limits[field][0];
	int high = limits[field][1];
	unsigned width = (unsigned)(high - low + 1);
	struct cron_item item = { .kind = (enum cron_item_kind)cron_model_pick(seed, 4),
				  .step = (int)cron_model_pick(seed, 4) };
	item.from = low + (int)cron_model_pick(seed, width);
	item.to = low + (int)cron_model_pick(seed, width);
	item.rest = (int)cron_model_pick(seed, 3);
	if (field == MODEL_DAY && cron_model_pick(seed, 3) == 0) {
		item.from = -1 - (int)cron_model_pick(seed, 8);
		item.to = item.from + (int)cron_model_pick(seed, (unsigned)-item.from);
	}
	if (field == MODEL_DAY && cron_model_pick(seed, 8) == 0)
		item = (struct cron_item){
			ITEM_NEAR,
			cron_model_pick(seed, 4) ? 1 + (int)cron_model_pick(seed, 31) : -1, 0, 0, 0
		};
	if (field == MODEL_WEEKDAY && cron_model_pick(seed, 3) == 0)
		item = (struct cron_item){ ITEM_NTH, item.from, (int)cron_model_pick(seed, 11) - 5,
					   0, 0 };
	else if (field == MODEL_WEEKDAY && cron_model_pick(seed, 3) == 0)
		item = (struct cron_item){ ITEM_MODULO, item.from, 0,
					   1 + (int)cron_model_pick(seed, 5), item.rest };
	if (item.kind == ITEM_NTH && item.to == 0)
		item.to = 1;
	if (item.kind == ITEM_OPEN && item.step == 0)
		item.step = 1;
	return item;
}

static int print_item(char *text, size_t size, const struct cron_item *item)
{
	char step[16] = "";
	if (item->step > 0)
		(void)snprintf(step, sizeof(step), "/%d", item->step);
	switch (item->kind) {
	case ITEM_STAR:
		return snprintf(text, size, "*%s", step);
	case ITEM_ONE:
		return snprintf(text, size, "%d", item->from);
	case ITEM_RANGE:
		return snprintf(text, size, "%d-%d%s", item->from, item->to, step);
	case ITEM_OPEN:
		return snprintf(text, size, "%d%s", item->from, step);
	case ITEM_NTH:
		return snprintf(text, size, "%d#%d", item->from, item->to);
	case ITEM_MODULO:
		return snprintf(text, size, "%d%%%d+%d", item->from, item->step, item->rest);
	case ITEM_NEAR:
		break;
	}
	return item->from < 0 ? snprintf(text, size, "LW")
			      : snprintf(text, size, "%dW", item->from);
}

static void print_model(struct cron_model *model)
{
	size_t used = 0;
	for (int i = 0; i < MODEL_FIELDS; i++) {
		const struct cron_model_field *field = &model->fields[i];
		for (int j = 0; j < field->count; j++) {
			char item[64];
			(void)print_item(item, sizeof(item), &field->items[j]);
			used += (size_t)snprintf(model->text + used, sizeof(model->text) - used,
						 "%s%s",
						 j > 0   ? ","
						 : i > 0 ? " "
							 : "",
						 item);
		}
	}
	(void)snprintf(model->text + used, sizeof(model->text) - used, "%s",
		       model->both ? "&" : "");
}

void cron_model_random(struct cron_model *model, uint64_t *seed)
{
	memset(model, 0, sizeof(*model));
	for (int i = 0; i < MODEL_FIELDS; i++) {
		struct cron_model_field *field = &model->fields[i];
		bool open = i != MODEL_MINUTE && cron_model_pick(seed, 2);
		field->count =
			1 + (cron_model_pick(seed, 3) == 0) + (cron_model_pick(seed, 4) == 0);
		for (int j = 0; j < field->count && !open; j++)
			field->items[j] = random_item(i, seed);
	}
	model->both = cron_model_pick(seed, 3) == 0;
	print_model(model);
}

/* Is `value` among low..high, counted from `from` to `to` round the end, at a step? */
static bool in_range(int value, int from, int to, int step, const int bounds[2])
{
	int size = bounds[1] - bounds[0] + 1;
	int distance = (value - from + size) % size;
	return distance <= (to - from + size) % size && distance % (step > 0 ? step : 1) == 0;
}

/* The day of a month that DAYW means: the nearest that is no Saturday or Sunday. */
static int near_day(int day, int weekday_of_first, int length)
{
	static const int tries[] = { 0, -1, 1, -2, 2 };
	for (size_t i = 0; i < COUNT(tries); i++) {
		int candidate = day + tries[i];
		int weekday = (weekday_of_first + candidate - 1 + 70) % 7;
		if (candidate >= 1 && candidate <= length && weekday != 0 && weekday != 6)
			return candidate;
	}
	return 0;
}

/* A day as the expression sees it. */
struct day {
	int64_t since_epoch;
	int day, length, month, weekday;
};

static bool day_item_matches(const struct cron_item *item, const struct day *day)
{
	static const int bounds[] = { 1, 31 };
	static const int back[] = { -31, -1 };
	int first = (day->weekday - day->day + 1 + 35) % 7;
	int value = item->from < 0 ? day->day - day->length - 1 : day->day;
	const int *limit = item->from < 0 ? back : bounds;
	if (item->kind == ITEM_NEAR && item->from < 0) {
		int last = day->length;
		while ((first + last - 1) % 7 % 6 == 0)
			last--;
		return day->day == last;
	}
	if (item->kind == ITEM_NEAR)
		return item->from <= day->length &&
		       day->day == near_day(item->from, first, day->length);
	if (item->kind == ITEM_STAR)
		return in_range(day->day, 1, 31, item->step, bounds);
	if (item->kind == ITEM_ONE)
		return value == item->from;
	return in_range(value, item->from, item->kind == ITEM_OPEN ? limit[1] : item->to,
			item->step, limit);
}

static bool weekday_item_matches(const struct cron_item *item, const struct day *day)
{
	int64_t weeks = (day->since_epoch - WEEK_0 + 70000) / 7 - 10000;
	int nth = (day->day - 1) / 7 + 1;
	int nth_back = -((day->length - day->day) / 7 + 1);
	if (item->kind == ITEM_NTH)
		return day->weekday == item->from && (item->to == nth || item->to == nth_back);
	if (item->kind == ITEM_MODULO)
		return day->weekday == item->from &&
		       ((weeks - item->rest) % item->step + item->step) % item->step == 0;
	if (item->kind == ITEM_STAR)
		return item->step > 0 &&
		       in_range(day->weekday, 0, 6, item->step, limits[MODEL_WEEKDAY]);
	if (item->kind == ITEM_ONE || item->kind == ITEM_OPEN)
		return day->weekday == item->from;
	return in_range(day->weekday, item->from, item->to, item->step, limits[MODEL_WEEKDAY]);
}

bool cron_model_matches(const struct cron_model *model, int index, int value)
{
	const struct cron_model_field *field = &model->fields[index];
	for (int i = 0; i < field->count; i++) {
		const struct cron_item *item = &field->items[i];
		const int *limit = limits[index];
		if (item->kind == ITEM_STAR ? in_range(value, limit[0], limit[1], item->step, limit)
		    : item->kind == ITEM_ONE
			    ? value == item->from
			    : in_range(value, item->from,
				       item->kind == ITEM_OPEN ? limit[1] : item->to, item->step,
				       limit))
			return true;
	}
	return false;
}

/* Nothing but bare stars: beside others a star is lost. */
static bool any_weekday(const struct cron_model_field *field)
{
	for (int i = 0; i < field->count; i++)
		if (field->items[i].kind != ITEM_STAR || field->items[i].step > 0)
			return false;
	return true;
}

static bool from_the_end(const struct cron_item *item)
{
	return item->kind == ITEM_NEAR || (item->kind != ITEM_STAR && item->from < 0);
}

/* Is one of the days up to `last` named by its number? */
static int days_named(const struct cron_model_field *field, int last)
{
	int count = 0;
	for (int day = 1; day <= last; day++) {
		struct day asked = { .day = day, .length = 31 };
		bool named = false;
		for (int i = 0; i < field->count; i++)
			named = named || (!from_the_end(&field->items[i]) &&
					  day_item_matches(&field->items[i], &asked));
		count += named;
	}
	return count;
}

/* A month that is named and has none of the days is left out. */
static bool month_left_out(const struct cron_model *model, int month)
{
	static const int lengths[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	const struct cron_model_field *days = &model->fields[MODEL_DAY];
	int months = 0;
	for (int i = 0; i < days->count; i++)
		if (from_the_end(&days->items[i]))
			return false;
	for (int i = 1; i <= 12; i++)
		months += cron_model_matches(model, MODEL_MONTH, i);
	return months < 12 && days_named(days, lengths[month - 1]) == 0;
}

static bool day_matches(const struct cron_model *model, const struct day *day)
{
	const struct cron_model_field *days = &model->fields[MODEL_DAY];
	const struct cron_model_field *weekdays = &model->fields[MODEL_WEEKDAY];
	bool any_day = days_named(days, 31) == 31;
	bool by_day = any_day;
	bool by_weekday = any_weekday(weekdays);
	for (int i = 0; i < days->count; i++)
		by_day = by_day || day_item_matches(&days->items[i], day);
	for (int i = 0; i < weekdays->count; i++)
		by_weekday = by_weekday || weekday_item_matches(&weekdays->items[i], day);
	if (!cron_model_matches(model, MODEL_MONTH, day->month))
		return false;
	if (any_day || any_weekday(weekdays) || model->both)
		return by_day && by_weekday;
	return !month_left_out(model, day->month) && (by_day || by_weekday);
}

static struct day day_of(int64_t since_epoch)
{
	time_t start = (time_t)(since_epoch * 86400);
	struct tm parts;
	(void)gmtime_r(&start, &parts);
	struct tm first =
		(struct tm){ .tm_year = parts.tm_year, .tm_mon = parts.tm_mon + 1, .tm_mday = 1 };
	time_t end = timegm(&first);
	return (struct day){ since_epoch, parts.tm_mday,
			     parts.tm_mday - 1 + (int)((end - start) / 86400), parts.tm_mon + 1,
			     parts.tm_wday };
}

bool cron_model_day(const struct cron_model *model, int64_t since_epoch)
{
	struct day day = day_of(since_epoch);
	return day_matches(model, &day);
}
