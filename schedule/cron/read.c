#include <string.h>

#include "common/calendar.h"
#include "common/text/parse.h"
#include "schedule/cron/item.h"

#define DAY         86400
#define EVERY_MONTH UINT32_C(0x1ffe)
#define CYCLE_START INT64_C(10957) /* 2000-01-01 */

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct cron_fields cron_split(const char *text, struct part part, const struct part *made)
{
	struct cron_fields fields = { .text = text, .made = made };
	size_t end = part.offset + part.length;
	size_t at = part.offset;
	for (;;) {
		while (at < end && is_blank(text[at]))
			at++;
		if (at == end)
			return fields;
		size_t start = at;
		while (at < end && !is_blank(text[at]))
			at++;
		if (fields.count < CRON_CHUNKS)
			fields.chunks[fields.count] = (struct part){ start, at - start };
		fields.count++;
	}
}

static bool names_weekdays(const struct cron *cron)
{
	uint32_t any = cron->weekdays;
	for (int i = 0; i < 7; i++)
		any |= cron->nth[i] | cron->nth_back[i];
	for (size_t i = 0; i < cron->modulo_count; i++)
		any |= cron->modulos[i].what != CRON_ANY_DAY;
	return any != 0;
}

/* The model forgets a star beside other weekdays. */
static bool check_weekdays(struct cron_cursor *cursor)
{
	struct cron *cron = cursor->cron;
	if (!cron->any_weekday)
		return true;
	cron->any_weekday = !names_weekdays(cron);
	return cron->any_weekday ||
	       reading_warn(cursor->reading, cron_part(cursor), NULL,
			    "beside other weekdays a star is lost: it runs on those only");
}

/* Ends at the first comma that begins no item: superfluous ones are tolerated. */
static bool read_field(struct cron_cursor *cursor)
{
	bool any = false;
	size_t start = cursor->at;
	cursor->item = start;
	while (cursor->at < cursor->end) {
		if (cron_take(cursor, ','))
			continue;
		if (any)
			text_add(cursor->out, ",");
		if (!cron_read_item(cursor))
			return false;
		any = true;
	}
	if (!any)
		return reading_fail(cursor->reading, cron_part(cursor), "a %s is missing",
				    cursor->kind->name);
	cursor->item = start;
	return cursor->field == CRON_WEEKDAY ? check_weekdays(cursor) : true;
}

static bool read_fields(struct reading *reading, const struct cron_fields *fields,
			struct cron *cron, struct text *out)
{
	size_t first = fields->count == CRON_FIELDS ? CRON_SECOND : CRON_MINUTE;
	for (size_t i = 0; i < fields->count; i++) {
		struct cron_cursor cursor = {
			.reading = reading,
			.fields = fields,
			.field = (enum cron_field)(first + i),
			.kind = &cron_kinds[first + i],
			.at = fields->chunks[i].offset,
			.end = fields->chunks[i].offset + fields->chunks[i].length,
			.cron = cron,
			.out = out,
		};
		if (i > 0)
			text_add(out, " ");
		if (!read_field(&cursor))
			return false;
	}
	return true;
}

static struct part place(const struct cron_fields *fields, size_t first, size_t count)
{
	struct part last = fields->chunks[first + count - 1];
	if (fields->made)
		return *fields->made;
	return (struct part){ fields->chunks[first].offset,
			      last.offset + last.length - fields->chunks[first].offset };
}

/* Does one of the days come in one of the months, be it in a leap year? */
static bool has_date(const struct cron *cron)
{
	for (int month = 1; month <= 12; month++)
		if (cron->months >> month & 1 &&
		    cron->days & ((UINT32_C(2) << calendar_month_length(2000, month)) - 1))
			return true;
	return false;
}

/*
 * What names every day of the month restricts none. To the model that is true of * and 1-31 alone:
 * "18-17" restricts, so that a weekday beside it is another way to match and not a condition.
 */
static void find_any_day(const struct reading *reading, struct cron *cron)
{
	if (!reading->request->compatible)
		cron->any_day |= cron->days == UINT32_MAX - 1;
}

/* Where months are named the model leaves out such ones, weekdays and all. */
static bool prune_months(struct reading *reading, struct part part, struct cron *cron)
{
	uint32_t left = cron->months;
	for (int month = 1; month <= 12; month++) {
		uint32_t all = (UINT32_C(2) << calendar_month_length(2000, month)) - 1;
		if (!(cron->days & all))
			left &= ~(UINT32_C(1) << month);
	}
	if (cron->any_weekday || cron->both || cron->months == EVERY_MONTH || left == cron->months)
		return true;
	cron->months = left;
	return reading_warn(reading, part, NULL,
			    "in months that have none of these days it does not run on the "
			    "weekdays either");
}

/* The calendar repeats after 400 years: what does not run in them is a mistake. */
static bool check_dates(struct reading *reading, const struct cron_fields *fields,
			struct cron *cron)
{
	struct part part = place(fields, fields->count - 3, 3);
	bool only_dates = !cron->any_day && !cron->days_back && !cron->near && cron->days;
	int64_t start = CYCLE_START * DAY;
	int64_t end = (CYCLE_START + CALENDAR_CYCLE) * DAY;
	if (only_dates && !has_date(cron))
		return reading_fail(reading, part, "no such month has such a day: it never runs");
	if (only_dates && !prune_months(reading, part, cron))
		return false;
	if (cron_first(cron, start, end) == end)
		return reading_fail(reading, part, "no such day comes in 400 years: it never runs");
	return true;
}

bool cron_read_fields(struct reading *reading, const struct cron_fields *fields,
		      struct text *canonical)
{
	struct part whole = { 0, reading->length };
	if (fields->count != 5 && fields->count != 6)
		return reading_fail(reading, fields->made ? *fields->made : whole,
				    "%zu fields: a cron expression has five (minute, hour, day, "
				    "month, weekday), or six with the second before them",
				    fields->count);
	if (reading->cron_count == READING_CRONS)
		return reading_fail(reading, whole, "more than %d cron expressions", READING_CRONS);
	struct cron *cron = &reading->crons[reading->cron_count];
	*cron = (struct cron){ .seconds = fields->count == 5 ? 1 : 0 };
	if (!read_fields(reading, fields, cron, canonical))
		return false;
	find_any_day(reading, cron);
	if (!check_dates(reading, fields, cron))
		return false;
	reading->cron_count++;
	return true;
}

/* "europe/madrid" is none, and is best told so as a zone. */
static bool is_path(const char *at)
{
	size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyz");
	return letters > 3 && at[letters] == '/';
}

/* A capital begins a zone unless it begins a weekday; a sign does so with two digits. */
static bool is_zone(const char *text, struct part part)
{
	static const char names[] = "SUNMONTUEWEDTHUFRISAT";
	const char *at = text + part.offset;
	if (*at == '+' || (*at == '-' && part.length > 2) || is_path(at))
		return true;
	if (*at < 'A' || *at > 'Z' || part.length < 2)
		return false;
	for (size_t i = 0; i + 1 < sizeof(names); i += 3)
		if (part.length >= 3 && strncasecmp(at, names + i, 3) == 0)
			return part.length > 3 && !strchr("#%,-/&", at[3]);
	return true;
}

/* One expression; the last of the text may have the zone. */
static bool read_one(struct reading *reading, struct part part, bool last, struct text *canonical)
{
	struct cron_fields fields = cron_split(reading->text, part, NULL);
	size_t count = fields.count;
	if (last && count > 5 && count <= CRON_CHUNKS &&
	    is_zone(fields.text, fields.chunks[count - 1])) {
		fields.count--;
		return cron_read_fields(reading, &fields, canonical) &&
		       reading_zone(reading, fields.chunks[count - 1]);
	}
	return cron_read_fields(reading, &fields, canonical);
}

static bool read_all(struct reading *reading, struct text *canonical)
{
	size_t start = 0;
	for (;;) {
		const char *bar = memchr(reading->text + start, '|', reading->length - start);
		size_t end = bar ? (size_t)(bar - reading->text) : reading->length;
		if (!read_one(reading, (struct part){ start, end - start }, !bar, canonical))
			return false;
		if (!bar)
			return true;
		if (!reading_extension(reading, (struct part){ end, 1 }, "several expressions"))
			return false;
		text_add(canonical, " | ");
		start = end + 1;
	}
}

struct shortcut {
	const char *name, *cron;
};

static const struct shortcut shortcuts[] = {
	{ "@yearly", "0 0 1 1 *" }, { "@annually", "0 0 1 1 *" }, { "@monthly", "0 0 1 * *" },
	{ "@weekly", "0 0 * * 0" }, { "@daily", "0 0 * * *" },    { "@midnight", "0 0 * * *" },
	{ "@noon", "0 12 * * *" },  { "@hourly", "0 * * * *" },
};
#define SHORTCUTS (sizeof(shortcuts) / sizeof(shortcuts[0]))

static bool unknown_shortcut(struct reading *reading, struct part part, const char *name)
{
	const char *names[SHORTCUTS];
	if (strcmp(name, "@reboot") == 0)
		return reading_fail(reading, part, "@reboot names no occurrence");
	for (size_t i = 0; i < SHORTCUTS; i++)
		names[i] = shortcuts[i].name;
	const char *nearest = nearest_word(name, names, SHORTCUTS);
	if (nearest)
		return reading_fail_with(reading, part, nearest, "\"%s\" is no shortcut",
					 reading_quote(reading, part));
	return reading_fail(reading, part, "\"%s\" is no shortcut such as @daily",
			    reading_quote(reading, part));
}

static bool read_shortcut(struct reading *reading, struct text *canonical)
{
	struct part whole = { 0, reading->length };
	struct cron_fields words = cron_split(reading->text, whole, NULL);
	const char *name = reading_copy(reading, words.chunks[0]);
	if (words.count > 2)
		return reading_fail(reading, words.chunks[2], "only a time zone follows %s",
				    reading_quote(reading, words.chunks[0]));
	for (size_t i = 0; i < SHORTCUTS; i++) {
		if (strcmp(shortcuts[i].name, name) != 0)
			continue;
		const char *cron = shortcuts[i].cron;
		struct cron_fields fields =
			cron_split(cron, (struct part){ 0, strlen(cron) }, &words.chunks[0]);
		return cron_read_fields(reading, &fields, canonical) &&
		       (words.count < 2 || reading_zone(reading, words.chunks[1]));
	}
	return unknown_shortcut(reading, words.chunks[0], name);
}

bool cron_read(struct reading *reading)
{
	struct text canonical = { 0 };
	size_t start = 0;
	while (is_blank(reading->text[start]))
		start++;
	bool read = reading->text[start] == '@' ? read_shortcut(reading, &canonical)
						: read_all(reading, &canonical);
	reading->canonical = text_take(&canonical, reading->arena);
	return read;
}
