/* Classes of Ruby that jobs.yml declares as run by others: only their limits are ours. */
#include "tests/rails/shared.h"

#define EACH 12 /* jobs that a side enqueues, half of them for later */

static const char declared[] =
	"  LimJob: {run_by: other, queue: ruby, "
	"concurrency: {to: 2, key: \"{0}\", group: Shared, duration: 2m}}\n"
	"  DrayJob: {command: [sh, -c, 'echo \"dray $1\" >>effects', -, \"{0}\"]}\n";

/* Its worker takes every queue, and fails what nobody declared. */
static void start_dray(struct site *site)
{
	size_t before;

	(void)site_rows(site, NULL, &before);
	site_queue_yml(site, "workers:\n"
			     "  - {queues: '*', threads: 4, polling_interval: 0.05, "
			     "unknown_classes: fail}\n"
			     "dispatchers:\n"
			     "  - {polling_interval: 0.1, concurrency_maintenance_interval: 1}\n"
			     "other_process_alive_threshold: 30\n"
			     "process_heartbeat_interval: 0.4\n");
	site_start(site, before + 3);
}

/* Effects are in order: a start or an end is written while the slot is held. */
static void never_more_than_two(const struct site *site)
{
	int running = 0;

	for (const char *line = shared_effects(site); *line != '\0'; line++) {
		running += strncmp(line, "start ", 6) == 0;
		running -= strncmp(line, "end ", 4) == 0;
		if (running > 2)
			fail_msg("three at once: %.80s", line);
		line += strcspn(line, "\n");
	}
}

SHARED_CASE(a_limit_is_declared_without_claiming_the_class)
{
	site_jobs_yml(site, declared);
	start_dray(site);
	for (int i = 0; i < EACH; i += 2) {
		(void)ruby(site->arena,
			   "put(LimJob, %%q(k), %d, queue: %%q(ruby)); "
			   "put(LimJob, %%q(k), %d, queue: %%q(ruby), set: { wait: 0.5.seconds })",
			   i, i + 1);
		(void)site_enqueue(site, "LimJob", "--json-args", "[\"k\", 1]");
		(void)site_enqueue(site, "LimJob", "--json-args", "[\"k\", 2]", "--in", "0.5s");
	}
	site_run(site, "DrayJob", "own");
	site_await_jobs(site, JOB_READY, 2);
	site_await_jobs(site, JOB_BLOCKED, 2 * EACH - 2);
	clock_sleep(CLOCK_SECOND); /* twenty polls */
	assert_int_equal(site_jobs_in(site, JOB_READY), 2);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
	pid_t rails = shared_rails_start(site, "[ruby]");
	site_await_jobs(site, JOB_FINISHED, 2 * EACH + 1);
	never_more_than_two(site);
	assert_int_equal(shared_effects_of(site, "start k "), 2 * EACH);
	assert_int_equal(shared_effects_of(site, "end k "), 2 * EACH);
	assert_count(site, 2 * EACH, "solid_queue_jobs WHERE concurrency_key = 'Shared/k'");
	assert_int_equal(shared_effects_of(site, "dray own"), 1);
	shared_rails_content(site);
	shared_rails_stop(site, rails);
}

SHARED_CASES(declared, RULE("5, 6, 7", a_limit_is_declared_without_claiming_the_class));
