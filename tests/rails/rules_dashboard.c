/* Mission Control shows what is ours: its pages come, and the jobs stand on them. */
#include "tests/rails/shared.h"

static const char queue[] = "workers: [{queues: [dray], threads: 1, polling_interval: 0.05}]\n"
			    "dispatchers: [{polling_interval: 0.1}]\n"
			    "scheduler: {polling_interval: 0.5}\n";

/* A job of ours in every state; `ours` is what a page shows of its arguments. */
static void fill(struct site *site)
{
	int64_t failed = site_enqueue(site, "DrayFail", "--queue", "dray", "is failed");
	int64_t finished = site_enqueue(site, "DrayJob", "--queue", "dray", "is finished");

	site_await(site, failed, JOB_FAILED);
	site_await(site, finished, JOB_FINISHED);
	(void)site_enqueue(site, "DrayJob", "--queue", "idle", "is pending");
	(void)site_enqueue(site, "DrayJob", "--queue", "idle", "is scheduled", "--in", "1h");
	for (int i = 0; i < 3; i++)
		(void)site_enqueue(site, "DrayLim", "--queue", "idle", "is blocked", "1");
	int64_t claimed = site_enqueue(site, "SleepJob", "--queue", "dray", "is in progress", "60");
	site_await(site, claimed, JOB_CLAIMED);
}

static void has(struct site *site, const char *page, const char *text)
{
	const char *shown = ruby(site->arena, "page(%%q(%s))", page);

	if (!strstr(shown, text))
		fail_msg("%s has no '%s':\n%s", page, text, shown);
}

SHARED_CASE(every_row_of_ours_is_shown)
{
	static const char *const states[] = { "failed", "finished", "scheduled", "blocked" };

	site_write(site, "config/recurring.yml",
		   "ours:\n  class: DrayJob\n  args: [1]\n  schedule: every day at 3:00\n"
		   "odd:\n  class: DrayJob\n  args: [1]\n  schedule: every 2 weeks\n");
	site_queue_yml(site, queue);
	site_start(site, 4);
	fill(site);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		has(site, arena_printf(site->arena, "applications/shared/%s/jobs", states[i]),
		    arena_printf(site->arena, "is %s", states[i]));
	has(site, "applications/shared/in_progress/jobs", "is in progress");
	has(site, "applications/shared/failed/jobs", "sh exited with status 3");
	has(site, "applications/shared/queues/idle", "is pending");
	has(site, "applications/shared/workers", "PID: ");
	has(site, "applications/shared/recurring_tasks", "ours");
	const struct process_row worker = site_await_row(site, "Worker", "", 0);
	has(site,
	    arena_printf(site->arena, "applications/shared/workers/%lld", (long long)worker.id),
	    "is in progress");
	assert_string_equal(ruby(site->arena, "SolidQueue::RecurringTask.all.map(&:next_time)"
					      ".any?(&:nil?)"),
			    "false");
	shared_rails_content(site);
}

SHARED_CASES(dashboard, RULE("18", every_row_of_ours_is_shown));
