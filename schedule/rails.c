/* What Rails is to read in place of a schedule that says more than its parser knows. */
#include <string.h>

#include "common/text/text.h"
#include "schedule/cron/cron.h"
#include "schedule/schedule.h"

#define EVERY_MONTH UINT32_C(0x1ffe)

static bool same_modulos(const struct cron *a, const struct cron *b)
{
	if (a->modulo_count != b->modulo_count)
		return false;
	for (size_t i = 0; i < a->modulo_count; i++)
		if (a->modulos[i].what != b->modulos[i].what ||
		    a->modulos[i].by != b->modulos[i].by ||
		    a->modulos[i].rest != b->modulos[i].rest)
			return false;
	return true;
}

static bool same_cron(const struct cron *a, const struct cron *b)
{
	return a->seconds == b->seconds && a->minutes == b->minutes && a->hours == b->hours &&
	       a->months == b->months && a->days == b->days && a->days_back == b->days_back &&
	       a->near == b->near && a->weekdays == b->weekdays &&
	       memcmp(a->nth, b->nth, sizeof(a->nth)) == 0 &&
	       memcmp(a->nth_back, b->nth_back, sizeof(a->nth_back)) == 0 && same_modulos(a, b) &&
	       a->any_day == b->any_day && a->any_weekday == b->any_weekday && a->both == b->both;
}

static bool is_utc(const struct zone *zone)
{
	const char *name = zone_name(zone);

	return strcmp(name, "UTC") == 0 || strcmp(name, "Etc/UTC") == 0;
}

static bool same_zone(const struct zone *a, const struct zone *b)
{
	return strcmp(zone_name(a), zone_name(b)) == 0 || (is_utc(a) && is_utc(b));
}

/* Does the text mean the same in Solid Queue's language? What is drawn by lot does in none. */
static bool will_do(const struct schedule *schedule, struct zones *zones, const char *text)
{
	const struct schedule_request request = { .text = text,
						  .zones = zones,
						  .compatible = true };
	const struct schedule *read = NULL;
	struct arena *arena = arena_new();
	bool same = schedule_parse(arena, &request, &read, NULL, NULL) == STATUS_OK &&
		    read->cron_count == 1 && !read->random &&
		    same_cron(&read->crons[0], &schedule->crons[0]) &&
		    same_zone(read->zone, schedule->zone);

	arena_free(arena);
	return same;
}

/* The numbers of the bits, or a star where all of them are set. */
static void add_bits(struct text *text, uint64_t bits, uint64_t all)
{
	const char *separator = "";

	if (bits == all) {
		text_add(text, "*");
		return;
	}
	for (int i = 0; i < 64; i++) {
		if (!(bits >> i & 1))
			continue;
		text_printf(text, "%s%d", separator, i);
		separator = ",";
	}
}

static void add_days(struct text *text, const struct cron *cron)
{
	if (cron->any_day) {
		text_add(text, "*");
		return;
	}
	add_bits(text, cron->days, UINT64_MAX);
	for (int i = 1; i < 32; i++)
		if (cron->days_back >> i & 1)
			text_printf(text, ",-%d", i);
}

static void add_weekdays(struct text *text, const struct cron *cron)
{
	if (cron->any_weekday) {
		text_add(text, "*");
		return;
	}
	add_bits(text, cron->weekdays, UINT64_MAX);
	for (int day = 0; day < 7; day++)
		for (int i = 1; i < 6; i++) {
			if (cron->nth[day] >> i & 1)
				text_printf(text, ",%d#%d", day, i);
			if (cron->nth_back[day] >> i & 1)
				text_printf(text, ",%d#-%d", day, i);
		}
	for (size_t i = 0; i < cron->modulo_count; i++)
		text_printf(text, ",%d%%%d+%d", cron->modulos[i].what, cron->modulos[i].by,
			    cron->modulos[i].rest);
	if (cron->both)
		text_add(text, "&");
}

/* Number by number: what was drawn by lot is known by now. What has no numbers will not do. */
static const char *spell(struct arena *arena, const struct cron *cron)
{
	struct text text = { 0 };

	if (cron->seconds != 1) {
		add_bits(&text, cron->seconds, (UINT64_C(1) << 60) - 1);
		text_add(&text, " ");
	}
	add_bits(&text, cron->minutes, (UINT64_C(1) << 60) - 1);
	text_add(&text, " ");
	add_bits(&text, cron->hours, (UINT64_C(1) << 24) - 1);
	text_add(&text, " ");
	add_days(&text, cron);
	text_add(&text, " ");
	add_bits(&text, cron->months, EVERY_MONTH);
	text_add(&text, " ");
	add_weekdays(&text, cron);
	return text_take(&text, arena);
}

static const char *with_zone(struct arena *arena, const struct schedule *schedule, const char *cron)
{
	return is_utc(schedule->zone)
		       ? cron
		       : arena_printf(arena, "%s %s", cron, zone_name(schedule->zone));
}

const char *schedule_rails(struct arena *arena, const struct schedule *schedule,
			   struct zones *zones)
{
	if (schedule->cron_count != 1)
		return NULL;
	const char *const texts[] = {
		schedule->text,
		schedule->zone_given ? schedule->cron : with_zone(arena, schedule, schedule->cron),
		with_zone(arena, schedule, spell(arena, &schedule->crons[0])),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strlen(texts[i]) <= SCHEDULE_TEXT_MAXIMUM && will_do(schedule, zones, texts[i]))
			return texts[i];
	return NULL;
}
