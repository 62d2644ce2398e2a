#include "supervisor/stall.h"

#include "common/clock.h"

#define SHORTEST (5 * CLOCK_SECOND)
#define BEATS    8 /* within the limit */

int64_t stall_limit(const struct config *config)
{
	const struct config_database *database = &config->database;
	int64_t limit =
		2 * (database->connect_timeout + database->call_timeout + database->retry_for);

	return limit > SHORTEST ? limit : SHORTEST;
}

int64_t stall_beat(const struct config *config)
{
	return stall_limit(config) / BEATS;
}
