/*
 * A random cron expression together with what it means, told a second time: plainly, value by
 * value, without the sets and shortcuts of schedule/. For tests that hold the two together.
 */
#ifndef CRON_MODEL_H
#define CRON_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum cron_item_kind {
	ITEM_STAR,
	ITEM_ONE,
	ITEM_RANGE,
	ITEM_OPEN,
	ITEM_NTH,
	ITEM_MODULO,
	ITEM_NEAR,
};

struct cron_item {
	enum cron_item_kind kind;
	int from, to, step, rest;
};

struct cron_model_field {
	struct cron_item items[3];
	int count;
};

enum { MODEL_MINUTE, MODEL_HOUR, MODEL_DAY, MODEL_MONTH, MODEL_WEEKDAY, MODEL_FIELDS };

struct cron_model {
	struct cron_model_field fields[MODEL_FIELDS];
	bool both;
	char text[256];
};

/* A number below `below`, of a sequence that the seed decides. */
unsigned cron_model_pick(uint64_t *seed, unsigned below);

void cron_model_random(struct cron_model *model, uint64_t *seed);

/* A phrase and what it means. */
void cron_model_phrase(struct cron_model *model, uint64_t *seed);

/* Of minutes and hours. */
bool cron_model_matches(const struct cron_model *model, int field, int value);

/* Of a day since 1970, its month included. */
bool cron_model_day(const struct cron_model *model, int64_t since_epoch);

#endif
