#include "queue/settle/run_end.h"

#include <inttypes.h>

#include "common/clock.h"
#include "common/text/text.h"

/* An instant of this machine's clock as one of the database's. */
static int64_t instant_of(struct db *db, int64_t monotonic)
{
	return db_now(db) - (monotonic > 0 ? clock_monotonic() - monotonic : 0);
}

void run_end_add(struct db *db, struct text *json, const struct outcome *outcome)
{
	text_add(json, "{");
	claim_name_add(json, &outcome->claim);
	text_printf(json, ",\"attempt\":%" PRId64, outcome->attempt);
	claim_time_add(json, "began_at", instant_of(db, outcome->began_at));
	claim_time_add(json, "ended_at", instant_of(db, outcome->ended_at));
	if (outcome_rules[outcome->kind].next == JOB_SCHEDULED)
		claim_time_add(json, "due", db_now(db) + outcome->wait);
	if (outcome->payload) {
		text_add(json, ",\"payload\":");
		text_json(json, outcome->payload);
	}
	if (outcome->group)
		text_printf(json, ",\"error_group\":\"%s\"", outcome->group);
	if (outcome->peak_memory > 0)
		text_printf(json, ",\"cpu_us\":%" PRId64 ",\"peak_memory\":%" PRId64,
			    outcome->cpu_time, outcome->peak_memory);
	if (outcome->error) {
		text_add(json, ",\"error\":");
		text_json(json, outcome->error);
	}
	text_add(json, "}");
}
