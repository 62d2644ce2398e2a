/* `isolation: process`: a crash costs one job, and no worker leaves a process behind. */
#include "tests/support/sites/site.h"

#define HARD_MODULE "module: " BINARY_DIR "/tests/modules/hard.so"
#define ISOLATED    "{" HARD_MODULE ", isolation: process, limits: {core: 0}}\n"

static void prepare(struct site *site, const char *grace)
{
	site_queue_yml(site, arena_printf(site->arena,
					  "shutdown_timeout: 0.5\nstop_grace: %s\n"
					  "workers:\n  - {threads: 9, polling_interval: 0.02}\n",
					  grace));
	site_jobs_yml(site, "  Crash: " ISOLATED "  WaitForStop: " ISOLATED "  NoteApart: " ISOLATED
			    "  Note: {" HARD_MODULE "}\n");
	site_start(site, 2);
}

static pid_t worker_pid(struct site *site)
{
	return (pid_t)site_await_row(site, "Worker", "", 0).pid;
}

struct hosts {
	struct site *site;
	pid_t worker;
	const char *title;
	pid_t last; /* that was found */
};

/* The worker's children with this title, as ps shows them. */
static size_t count_hosts(struct hosts *hosts)
{
	struct arena *arena = hosts->site->arena;
	const char *children =
		site_read(hosts->site, arena_printf(arena, "/proc/%d/task/%d/children",
						    hosts->worker, hosts->worker));
	char *rest = arena_strdup(arena, children);
	size_t count = 0;
	long pid;

	while ((pid = strtol(rest, &rest, 10)) > 0) {
		const char *title =
			site_read(hosts->site, arena_printf(arena, "/proc/%ld/cmdline", pid));

		if (strcmp(title, hosts->title) != 0)
			continue;
		hosts->last = (pid_t)pid;
		count++;
	}
	return count;
}

static pid_t await_hosts(struct site *site, pid_t worker, const char *title, size_t count)
{
	struct hosts hosts = { .site = site, .worker = worker, .title = title };

	site_until(site, count_hosts(&hosts) == count, title);
	return hosts.last;
}

SITE_CASE(test_a_crash_costs_one_job)
{
	prepare(site, "1h");
	pid_t worker = worker_pid(site);

	site_enqueue_many(site, "WaitForStop", "default", 7);
	(void)await_hosts(site, worker, "dray: job host WaitForStop", 7);
	for (int i = 0; i < 3; i++) {
		int64_t crash = site_enqueue(site, "Crash");
		site_await(site, crash, JOB_FAILED);
		assert_contains(site_dray(site, "job", site_number(site, crash)),
				"its process was killed by signal 11 (SEGV)");
	}
	site_enqueue_many(site, "NoteApart", "default", 10);
	site_enqueue_many(site, "Note", "default", 10);
	site_await_done(site, 20);
	assert_int_equal(site_jobs_in(site, JOB_CLAIMED), 7);
	assert_int_equal(worker_pid(site), worker);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_jobs_in(site, JOB_FINISHED), 27);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 3);
}

/* At the deadline its process is killed, and the job is given back. */
SITE_CASE(test_a_job_that_outstays_is_given_back)
{
	prepare(site, "0.5");
	int64_t job = site_enqueue(site, "WaitForStop", "never");
	pid_t host = await_hosts(site, worker_pid(site), "dray: job host WaitForStop", 1);

	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(kill(host, 0), -1);
}

/* Its jobs do not outlive it, and run again on its replacement. */
SITE_CASE(test_hosts_die_with_their_worker)
{
	prepare(site, "1h");
	int64_t job = site_enqueue(site, "WaitForStop");
	struct process_row worker = site_await_row(site, "Worker", "", 0);
	pid_t host = await_hosts(site, (pid_t)worker.pid, "dray: job host WaitForStop", 1);

	assert_int_equal(kill((pid_t)worker.pid, SIGKILL), 0);
	/* The row of the dead may still be there. */
	pid_t next = (pid_t)site_await_row(site, "Worker", "", worker.id).pid;
	assert_int_not_equal(await_hosts(site, next, "dray: job host WaitForStop", 1), host);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
}

/* It is tried in a process of its own, though the worker would not load it. */
SITE_CASE_ONLY(test_a_bad_module_is_refused_at_the_start, "sqlite")
{
	struct test_result result;

	site_jobs_yml(site, "  Missing: " ISOLATED);
	result = site_try(site, "start");
	assert_int_equal(result.code, EXIT_USAGE);
	assert_contains(result.errors, "no function for class Missing");
	result = site_try(site, "check");
	assert_int_equal(result.code, EXIT_USAGE);
	assert_contains(result.errors, "no function for class Missing");
}
