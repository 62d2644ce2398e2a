/* Isolated jobs: hosts that die, do not start, or outstay their worker, and who pays for it. */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "rig.h"
#include "worker/host/host.h"
#include "worker/host/message.h"

static struct rig rig;

static size_t jobs_in(const int64_t ids[], size_t count, enum job_state state)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += rig_job(&rig, ids[i]).state == state;
	return found;
}

/* Hosts that have a job: what is claimed may still wait for one. */
static size_t busy(void)
{
	size_t count = 0;

	for (const struct host *host = rig_worker(&rig)->hosts.all; host != NULL; host = host->next)
		count += host->run != NULL;
	return count;
}

RIG_CASE(the_neighbours_of_a_crash_do_not_notice)
{
	int64_t ids[7];

	rig_isolated(&rig, "WaitJob", "probe");
	rig_isolated(&rig, "CrashJob", "unruly");
	for (size_t i = 0; i < 7; i++)
		ids[i] = rig_enqueue(&rig, "WaitJob", NULL);
	rig_start(&rig);
	while (busy() < 7)
		rig_step(&rig);
	for (int i = 0; i < 3; i++)
		assert_string_equal(rig_fail(&rig, "CrashJob", NULL).exception_class,
				    "Dray::ProcessExitError");
	assert_int_equal(jobs_in(ids, 7, JOB_CLAIMED), 7);
	rig_stop(&rig); /* for this they wait */
	assert_int_equal(jobs_in(ids, 7, JOB_FINISHED), 7);
}

/* hosts that die or do not start */

RIG_CASE(an_idle_host_that_dies_costs_nothing)
{
	rig_keep_log(&rig);
	rig_isolated(&rig, "LookJob", "unruly");
	long first = rig_look(&rig, "LookJob", NULL);
	assert_int_equal(kill((pid_t)first, SIGKILL), 0);
	assert_int_not_equal(rig_look(&rig, "LookJob", NULL), first);
	while (strstr(rig_read(&rig, "log"), "\"event\":\"job_host.died\"") == NULL)
		rig_step(&rig);
}

/* The host has not read it: it has not begun, and runs on another. */
RIG_CASE(a_job_sent_to_a_dying_host_is_not_lost)
{
	const char *path = rig_path(&rig, "look");

	rig_isolated(&rig, "LookJob", "unruly");
	long first = rig_look(&rig, "LookJob", NULL);
	assert_int_equal(kill((pid_t)first, SIGSTOP), 0);
	assert_int_equal(unlink(path), 0);
	int64_t id = rig_enqueue(&rig, "LookJob", rig_text(&rig, path));
	rig_await_claim(&rig, id);
	assert_int_equal(kill((pid_t)first, SIGKILL), 0);
	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_int_not_equal(strtol(rig_read(&rig, "look"), NULL, 10), first);
}

static void expect_failure(const char *class_name, const char *exception_class, const char *says)
{
	struct rig_failure failure = rig_fail(&rig, class_name, NULL);

	assert_string_equal(failure.exception_class, exception_class);
	assert_contains(failure.message, says);
}

RIG_CASE(a_module_that_cannot_be_loaded)
{
	rig_isolated(&rig, "OldJob", "other_abi");
	expect_failure("OldJob", "Dray::ModuleError", "interface 42");
}

static void put_module(const char *folder, const char *name, const char *module)
{
	const char *path = rig_path(&rig, folder);

	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(symlink(arena_printf(rig.arena, "%s%s.so", RIG_MODULES, module),
				 arena_printf(rig.arena, "%s/%s", path, name)),
			 0);
}

/* A relative module is looked for below the root, not below the directory of its process. */
RIG_CASE(a_decoy_in_its_directory_is_not_loaded)
{
	struct config_class *class = rig_isolated(&rig, "NoopJob", "probe");
	char *before = getcwd(NULL, 0);

	put_module("lib", "jobs.so", "probe");
	assert_int_equal(mkdir(rig_path(&rig, "work"), 0700), 0);
	put_module("work/lib", "jobs.so", "unruly");
	class->module = "lib/jobs.so";
	class->directory = "work";
	rig.config.root = ".";
	assert_int_equal(chdir(rig.folder), 0);
	rig_succeed(&rig, "NoopJob", NULL);
	assert_int_equal(chdir(before), 0);
	free(before);
}

RIG_CASE(a_class_that_the_module_does_not_have)
{
	rig_isolated(&rig, "MissingJob", "probe");
	expect_failure("MissingJob", "Dray::ModuleError", "no function for class MissingJob");
}

RIG_CASE(a_host_that_cannot_be_set_up)
{
	rig_isolated(&rig, "NoopJob", "probe")->directory = "nowhere";
	expect_failure("NoopJob", "Dray::ExecError",
		       "could not enter its working directory: No such file");
}

static size_t waiting(void)
{
	size_t count = 0;

	for (const struct pool_task *task = rig_worker(&rig)->hosts.groups[0].first; task;
	     task = task->next)
		count++;
	return count;
}

/* After a failure one attempt at a time, with growing pauses; what waits is not failed. */
RIG_CASE(hosts_that_die_at_their_start_are_not_started_in_a_loop)
{
	const char *sick = rig_path(&rig, "look");
	int64_t ids[5];

	test_write_file(sick, "");
	assert_int_equal(setenv("DRAY_TEST_VARIABLE", sick, 1), 0);
	rig_isolated(&rig, "StillbornJob", "stillborn");
	expect_failure("StillbornJob", "Dray::ProcessExitError",
		       "exited with status 9 while it loaded");
	assert_int_equal(rig_worker(&rig)->hosts.groups[0].failures, 1);
	for (size_t i = 0; i < 5; i++)
		ids[i] = rig_enqueue(&rig, "StillbornJob", NULL);
	while (rig_worker(&rig)->hosts.groups[0].failures < 3)
		rig_step(&rig);
	assert_int_equal(waiting(), 3);
	assert_int_equal(unlink(sick), 0);
	while (jobs_in(ids, 5, JOB_FINISHED) < 3)
		rig_step(&rig);
	assert_int_equal(jobs_in(ids, 5, JOB_FAILED), 2);
	assert_int_equal(rig_worker(&rig)->hosts.groups[0].failures, 0);
	assert_int_equal(unsetenv("DRAY_TEST_VARIABLE"), 0);
}

RIG_CASE(what_waits_for_a_host_is_given_back_when_the_worker_stops)
{
	const char *sick = rig_path(&rig, "look");

	test_write_file(sick, "");
	assert_int_equal(setenv("DRAY_TEST_VARIABLE", sick, 1), 0);
	rig_isolated(&rig, "StillbornJob", "stillborn");
	for (int i = 0; i < 4; i++)
		(void)rig_fail(&rig, "StillbornJob", NULL);
	int64_t id = rig_enqueue(&rig, "StillbornJob", NULL);
	while (waiting() == 0)
		rig_step(&rig);
	rig_stop(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	assert_int_equal(unsetenv("DRAY_TEST_VARIABLE"), 0);
}

static long stay(struct rig *own)
{
	const char *path = rig_path(own, "look");

	rig_isolated(own, "StayJob", "unruly");
	(void)rig_enqueue(own, "StayJob", arena_printf(own->arena, "[\"%s\"]", path));
	while (strchr(rig_read(own, "look"), '\n') == NULL)
		(void)rig_tick(own);
	return strtol(rig_read(own, "look"), NULL, 10);
}

RIG_CASE(what_does_not_end_is_killed)
{
	long host = stay(&rig);

	rig_leave(&rig);
	assert_true(rig_is_dead(host));
	assert_int_equal(rig_job(&rig, 1).state, JOB_READY);
}

RIG_CASE(a_host_dies_with_its_worker)
{
	int fds[2];
	int status;
	long host = 0;

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct rig own;

		rig_open(&own, 1);
		host = stay(&own);
		(void)test_remove(own.folder);
		(void)!write(fds[1], &host, sizeof(host));
		(void)raise(SIGKILL);
	}
	assert_int_equal(read(fds[0], &host, sizeof(host)), sizeof(host));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	while (!rig_is_dead(host))
		clock_sleep(CLOCK_MILLISECOND);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

/* What has ended but was not yet read when the process must leave is written. */
RIG_CASE(closing_writes_the_last_results)
{
	int said = 0;

	rig_isolated(&rig, "LookJob", "unruly");
	int64_t id = rig_enqueue(&rig, "LookJob", rig_text(&rig, rig_path(&rig, "look")));
	while (rig_job(&rig, id).state != JOB_CLAIMED)
		(void)rig_tick(&rig); /* no wait: the loop does not hear the host */
	do {
		clock_sleep(CLOCK_MILLISECOND);
		assert_int_equal(ioctl(rig_worker(&rig)->hosts.all->socket, FIONREAD, &said), 0);
	} while ((size_t)said < 2 * sizeof(struct host_frame)); /* ready, finished */
	rig_leave(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

GROUP(rig_quiet, NULL);
