#include "common/clock.h"
#include "common/log/log.h"
#include "process/runner_state.h"

/*
 * After a failover our row may be missing, or its id may belong to another process, whose claims we
 * would take for ours. So the heartbeat, which updates the row by its name, comes before any work.
 */
void runner_look_at_server(struct runner *runner)
{
	unsigned met = db_servers_met(runner->member.db);

	if (runner->servers_met == met)
		return;
	runner->servers_met = met;
	runner->unproven = !runner->context.presumed_dead;
	runner->beat_at = runner->unproven ? 0 : runner->beat_at;
	log_event(LOG_WARN, "database.other_server", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("text",
			   "another server answers than before: checking what this process holds"));
}

/* A role that waits for its runs would otherwise not check them until they end. */
void runner_proven(struct runner *runner)
{
	if (runner->unproven)
		runner->tick_at = clock_monotonic();
	runner->unproven = false;
}

bool runner_may_tick(struct runner *runner)
{
	if (runner->unproven)
		runner->tick_at = runner->beat_at;
	return !runner->unproven && clock_monotonic() >= runner->tick_at;
}
