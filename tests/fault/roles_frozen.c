#include "tests/fault/roles_frozen.h"

#include "common/fault.h"
#include "tests/fault/life.h"

const char *const frozen_points[] = { "worker.claimed",     "worker.ended",  "worker.beating",
				      "dispatcher.beating", "scheduler.due", "janitor.beating",
				      "supervisor.started" };
const size_t frozen_count = sizeof(frozen_points) / sizeof(frozen_points[0]);

static bool is_pruned(void)
{
	return site_logged(life->site, "processes.pruned") > 0;
}

static bool knows_it(void)
{
	return site_logged(life->site, "process.lost") +
		       site_logged(life->site, "supervisor.lost") >
	       0;
}

/* Others finish the jobs. Awake again it changes nothing, and says that it was presumed dead. */
void frozen_run(void **state)
{
	const char *point = *state;

	life_begin(arena_printf(life->arena, "%s=stop", point));
	life_until(life_has_met_fault, "the fault");
	struct test_running first = life->site->start;
	int frozen = fault_actor();
	/* The row that the janitor keeps is its supervisor's. */
	site_silence(life->site, strcmp(point, "janitor.beating") == 0 ? first.pid : frozen);
	life->site->start = (struct test_running){ 0 };
	life_until(is_pruned, "the frozen process to be presumed dead");
	life_reuse_numbers();
	life_until(life_all_finished, "all jobs");
	kill(frozen, SIGCONT);
	life_until(knows_it, "the frozen process to learn of it");
	if (strcmp(point, "worker.ended") == 0)
		site_await_log(life->site, "job.lost", 1);
	life_stop();
	life->site->start = first;
	life_stop();
	life_judge();
}
