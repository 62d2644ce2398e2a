#include "process/stall.h"

#include "common/clock.h"

#define SHORTEST (5 * CLOCK_SECOND)
#define PATIENCE 4 /* a turn is a heartbeat and a tick, each of which waits for the database */
#define BEATS    8 /* within the limit */

int64_t stall_limit(const struct config *config)
{
	const struct config_database *database = &config->database;
	int64_t limit = PATIENCE *
			(database->connect_timeout + database->call_timeout + database->retry_for);

	if (limit < config->process.process_alive_threshold)
		limit = config->process.process_alive_threshold;
	return limit > SHORTEST ? limit : SHORTEST;
}

int64_t stall_beat(const struct config *config)
{
	return stall_limit(config) / BEATS;
}
