#include "process/outage.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/uuid.h"

int64_t backoff_delay(unsigned failures, int64_t first, int64_t limit, uint64_t random)
{
	int64_t span = first;

	if (failures == 0)
		return 0;
	while (--failures > 0 && span < limit)
		span *= 2;
	if (span > limit)
		span = limit;
	int64_t half = span / 2;
	return half + (int64_t)(random % (uint64_t)(span - half + 1));
}

#define FIRST_DELAY (100 * CLOCK_MILLISECOND)
#define LAST_DELAY  (5 * CLOCK_SECOND)

bool outage_passes(enum status status)
{
	return status == STATUS_DOWN || status == STATUS_RETRY || status == STATUS_UNCERTAIN;
}

int64_t outage_failed(struct outage *outage, const char *what, const struct error *error)
{
	if (!outage->what) {
		*outage = (struct outage){
			.what = what,
			.database = outage_passes(error->status),
			.since = clock_monotonic(),
		};
		log_event(LOG_ERROR, outage->database ? "database.away" : "process.trouble",
			  LOG_TEXT("during", what), LOG_TEXT("status", status_name(error->status)),
			  LOG_TEXT("error", error->text));
	}
	if (strcmp(outage->what, what) == 0)
		(void)snprintf(outage->text, sizeof(outage->text), "%s", error->text);
	outage->failures++;
	return backoff_delay(outage->failures, FIRST_DELAY, LAST_DELAY, random_below(UINT32_MAX));
}

bool outage_worked(struct outage *outage, const char *what)
{
	char span[CLOCK_TEXT_SIZE];

	if (!outage->what || strcmp(outage->what, what) != 0)
		return false;
	clock_span(clock_monotonic() - outage->since, span);
	log_event(LOG_INFO, outage->database ? "database.back" : "process.recovered",
		  LOG_TEXT("during", what), LOG_TEXT("after", span),
		  LOG_INT("attempts", outage->failures));
	*outage = (struct outage){ 0 };
	return true;
}
