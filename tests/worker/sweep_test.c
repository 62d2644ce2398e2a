/* Hostile jobs that are stopped leave nothing; who a case starts is in its folder, and counted. */
#include <dirent.h>
#include <sys/wait.h>

#include "common/process.h"
#include "rig.h"
#include "worker/exec/sweep.h"
#include "worker/host/host.h"
#include "worker/stop.h"

static struct rig rig;

static int setup(void **state)
{
	(void)rig_set_up_log(state);
	rig.config.process.stop_grace = 100 * CLOCK_MILLISECOND;
	return 0;
}

#define SWEEP_CASE(name) TEST_CASE(name, .set_up = setup, .tear_down = rig_tear_down, .state = &rig)

static bool is_here(const char *pid)
{
	const char *path = arena_printf(rig.arena, "/proc/%s/cwd", pid);
	char folder[sizeof(rig.folder) + 1] = "";

	return readlink(path, folder, sizeof(folder) - 1) > 0 && strcmp(folder, rig.folder) == 0;
}

/* The living processes of this case. */
static int processes(void)
{
	DIR *folder = opendir("/proc");
	int count = 0;

	assert_non_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			count += is_here(entry->d_name);
	(void)closedir(folder);
	return count;
}

static struct config_class *mark(struct config_class *class)
{
	class->directory = rig.folder;
	return class;
}

static int64_t begin_class(const char *name)
{
	int64_t id = rig_enqueue(&rig, name, rig_text(&rig, rig_path(&rig, "begun")));

	while (access(rig_path(&rig, "begun"), F_OK) != 0)
		rig_nudge(&rig);
	return id;
}

/* A job of this script, which makes the file "begun" when it is ready to be stopped. */
static int64_t begin(const char *script)
{
	(void)rig_script(&rig, "ScriptJob", script);
	return begin_class("ScriptJob");
}

/* As the runner does at shutdown_timeout. */
static void shut_down(void)
{
	(void)rig_hurry(&rig);
	while (!worker_role.idle(&rig.context))
		rig_nudge(&rig);
}

static void expect_nothing_left(int64_t id, enum job_state state)
{
	shut_down();
	assert_int_equal(processes(), 0);
	assert_int_equal(rig_job(&rig, id).state, state);
}

#define DEAF_CHILD "setsid sh -c 'trap \"\" TERM; setsid sleep 1000 & echo > begun; sleep 1000' & "

SWEEP_CASE(what_left_the_group_of_a_deaf_command)
{
	int64_t id = begin("trap '' TERM; " DEAF_CHILD "while :; do sleep 0.01; done");

	assert_true(processes() >= 3);
	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"event\":\"job.killed\""));
	assert_true(rig_logged(&rig, "\"event\":\"job.orphans_killed\""));
}

/* The child has a group of its own, and the command is in it. */
#define REGROUPED                                                                                  \
	"exec perl -e '$SIG{{TERM}} = q(IGNORE); $child = fork; "                                  \
	"if (!$child) {{ setpgrp; sleep 1000 }} "                                                  \
	"select undef, undef, undef, 0.01 while getpgrp($child) != $child; "                       \
	"setpgrp 0, $child; open F, q(>begun); close F; sleep 1 while 1'"

SWEEP_CASE(what_has_itself_left_its_group)
{
	int64_t id = begin(REGROUPED);

	assert_int_equal(processes(), 2);
	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"event\":\"job.killed\""));
}

static bool may_make_cgroups(void)
{
	/* NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): a fixed command of a test */
	return system("own=$(sed -n s/^0:://p /proc/self/cgroup)\n"
		      "for at in /sys/fs/cgroup /sys/fs/cgroup/unified; do\n"
		      "new=$at$own/test-$$; test -e $at$own/cgroup.procs && mkdir $new && "
		      "test -w $new/cgroup.kill; can=$?; rmdir $new && exit $can\n"
		      "done 2>/dev/null; exit 1") == 0;
}

/* Nothing but its cgroup says whose it is. */
SWEEP_CASE(what_left_the_group_and_has_another_environment)
{
	if (!may_make_cgroups())
		return;
	int64_t id = begin("trap 'exit 0' TERM; "
			   "env -i setsid sh -c 'trap \"\" TERM; setsid sleep 1000 & echo > begun; "
			   "sleep 1000' & while :; do sleep 0.01; done");

	assert_true(processes() >= 3);
	expect_nothing_left(id, JOB_FINISHED);
	assert_true(rig_logged(&rig, "\"event\":\"job.orphans_killed\""));
}

SWEEP_CASE(a_command_after_one_that_was_stopped)
{
	rig_script(&rig, "HangJob", "env -i setsid sleep 1 & trap '' TERM; sleep 1000")->timeout =
		100 * CLOCK_MILLISECOND;
	(void)rig_script(&rig, "ShortJob", "sleep 0.1");
	int64_t id = rig_enqueue(&rig, "HangJob", NULL);

	while (rig_job(&rig, id).state != JOB_FAILED)
		rig_nudge(&rig);
	for (int i = 0; i < 3; i++)
		rig_succeed(&rig, "ShortJob", NULL);
}

SWEEP_CASE(what_left_the_group_of_a_polite_command)
{
	int64_t id = begin("trap 'exit 0' TERM; " DEAF_CHILD "while :; do sleep 0.01; done");

	expect_nothing_left(id, JOB_FINISHED);
	assert_false(rig_logged(&rig, "\"event\":\"job.killed\""));
}

SWEEP_CASE(what_holds_its_pipes)
{
	int64_t id = begin("setsid sh -c 'trap \"\" TERM PIPE; echo > begun; "
			   "while :; do echo x >&2; done' & wait; wait");

	expect_nothing_left(id, JOB_READY);
}

SWEEP_CASE(what_floods_its_output)
{
	int64_t id = begin("trap '' TERM; echo > begun; exec yes >&2");

	expect_nothing_left(id, JOB_READY);
}

SWEEP_CASE(what_suspends_itself)
{
	int64_t id =
		begin("trap 'kill -STOP $$' TERM; setsid sh -c 'echo > begun; kill -STOP $$' & "
		      "while :; do sleep 0.01; done");

	expect_nothing_left(id, JOB_READY);
}

/* Each lives for a few milliseconds only, and has started the next one by then. */
SWEEP_CASE(what_runs_away_by_forking)
{
	int64_t id = begin("export C='sleep 0.003; setsid sh -c \"$C\" & :'; setsid sh -c \"$C\" & "
			   "setsid sh -c \"$C\" & echo > begun; sleep 1000");

	expect_nothing_left(id, JOB_READY);
}

/* At QUIT there is no grace, and nobody ticks any more. */
SWEEP_CASE(what_is_there_when_the_worker_leaves_at_once)
{
	int64_t id = begin("trap '' TERM; " DEAF_CHILD "while :; do sleep 0.01; done");

	rig_leave(&rig);
	assert_int_equal(processes(), 0);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
}

SWEEP_CASE(one_that_ended_before_the_worker_leaves_was_not_stopped)
{
	int64_t id = begin("echo > begun; exit 3");
	siginfo_t info;

	(void)waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	rig_leave(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FAILED);
	assert_false(rig_logged(&rig, "\"event\":\"job.killed\""));
}

/* functions */

SWEEP_CASE(what_an_isolated_function_has_forked)
{
	(void)mark(rig_isolated(&rig, "DesertJob", "unruly"));
	int64_t id = begin_class("DesertJob");

	rig.context.quiet = true;
	(void)run_stop_all(rig_worker(&rig), STOP_FOR_LOSS);
	while (rig_worker(&rig)->hosts.all || rig_worker(&rig)->sweeps.all)
		rig_nudge(&rig);
	assert_int_equal(processes(), 0);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
}

SWEEP_CASE(what_a_deaf_isolated_function_has_forked)
{
	(void)mark(rig_isolated(&rig, "DesertHangJob", "unruly"));
	int64_t id = begin_class("DesertHangJob");

	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"event\":\"job.killed\""));
}

/* Nothing but its cgroup says whose it is. */
SWEEP_CASE(what_an_isolated_function_has_left_with_another_environment)
{
	if (!may_make_cgroups())
		return;
	(void)mark(rig_isolated(&rig, "UnnamedHangJob", "unruly"));
	int64_t id = begin_class("UnnamedHangJob");

	assert_int_equal(processes(), 2);
	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"event\":\"job.orphans_killed\""));
}

static void expect_swept(const char *function)
{
	(void)mark(rig_isolated(&rig, function, "unruly"));
	int64_t id = begin_class(function);

	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"left\":\"none\""));
}

/* It is dying for a while, and shows nothing of itself, when the group has gone. */
SWEEP_CASE(what_is_behind_a_process_that_dies_slowly)
{
	expect_swept("DesertBehindJob");
}

SWEEP_CASE(what_goes_on_without_its_main_thread)
{
	expect_swept("HeadlessJob");
}

/* Its job has ended, but not what that has left: so the host has the job's grace, no longer. */
SWEEP_CASE(what_a_host_that_answers_and_stays_has_left)
{
	(void)mark(rig_isolated(&rig, "AnswerJob", "unruly"));
	int64_t id = begin_class("AnswerJob");
	struct worker *worker = rig_worker(&rig);

	rig.context.quiet = true;
	int64_t until = run_stop_all(worker, STOP_FOR_LOSS);
	const struct host *host = worker->hosts.all;
	assert_non_null(host);
	while (host->run)
		rig_nudge(&rig);
	assert_true(host->leave_by <= until);
	while (worker->hosts.all || worker->sweeps.all)
		rig_nudge(&rig);
	assert_int_equal(processes(), 0);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
}

/* Ticks may be seconds apart when the database is down: the first pass is not the last. */
SWEEP_CASE(what_is_looked_for_rarely)
{
	int64_t id = begin("trap 'exit 0' TERM; " DEAF_CHILD "while :; do sleep 0.01; done");

	(void)rig_hurry(&rig);
	const struct worker *worker = rig_worker(&rig);
	while (!worker->sweeps.all)
		(void)loop_wait(rig.context.loop, clock_monotonic() + CLOCK_MILLISECOND);
	while (!worker_role.idle(&rig.context)) {
		clock_sleep(CLOCK_SECOND);
		rig_nudge(&rig);
	}
	assert_true(rig_logged(&rig, "\"left\":\"none\""));
	assert_int_equal(processes(), 0);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* The host stays, although the signal's default is death, until its grace is over. */
SWEEP_CASE(a_host_survives_the_signal_of_its_class)
{
	mark(rig_isolated(&rig, "DesertHangJob", "unruly"))->stop.signal = SIGUSR1;
	int64_t id = begin_class("DesertHangJob");

	expect_nothing_left(id, JOB_READY);
	assert_true(rig_logged(&rig, "\"signal\":\"USR1\""));
	assert_true(rig_logged(&rig, "\"event\":\"job.killed\""));
}

/* A child of a function's own is not an orphan. */
SWEEP_CASE(a_function_waits_for_its_own_child)
{
	(void)rig_script(&rig, "NoopJob", ":");
	(void)rig_module(&rig, "WaitLateJob", "unruly");
	rig_succeed(&rig, "NoopJob", NULL);
	rig_succeed(&rig, "WaitLateJob", NULL);
}

SWEEP_CASE(a_function_waits_for_the_child_of_a_thread_that_has_ended)
{
	(void)rig_script(&rig, "NoopJob", ":");
	(void)rig_module(&rig, "WaitOtherJob", "unruly");
	rig_succeed(&rig, "NoopJob", NULL);
	rig_succeed(&rig, "WaitOtherJob", NULL);
}

/* what lives on */

static pid_t written(const char *name)
{
	return (pid_t)strtol(rig_read(&rig, name), NULL, 10);
}

/* A job that has finished leaves a process behind. */
#define LEAVING                                                                                    \
	"setsid sh -c 'echo $$ > left; exec sleep 1000' & while ! [ -s left ]; do sleep 0.01; "    \
	"done"

/* It becomes ours, and no zombie stays when it ends. */
SWEEP_CASE(what_left_a_finished_job_lives_and_is_reaped)
{
	(void)rig_script(&rig, "LeaveJob", LEAVING);
	rig_succeed(&rig, "LeaveJob", NULL);
	assert_int_equal(processes(), 1);
	assert_int_equal(kill(written("left"), SIGKILL), 0);
	while (kill(written("left"), 0) == 0)
		rig_nudge(&rig);
}

/* A child that the leader waits for is not reaped by what the jobs leave behind. */
SWEEP_CASE(what_somebody_waits_for_is_left)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		(void)setpgid(0, 0);
		_exit(7);
	}
	assert_true(child > 0);
	process_expect(child);
	(void)rig_script(&rig, "LeaveJob", LEAVING);
	rig_succeed(&rig, "LeaveJob", NULL);
	assert_int_equal(kill(written("left"), SIGKILL), 0);
	while (kill(written("left"), 0) == 0)
		rig_nudge(&rig);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	process_expect_no_more(child);
}

/* No command runs in this worker. */
SWEEP_CASE(what_a_function_has_left_is_reaped)
{
	(void)rig_script(&rig, "NoopJob", ":");
	(void)rig_module(&rig, "LeaveBehindJob", "unruly");
	rig_succeed(&rig, "LeaveBehindJob", rig_text(&rig, rig_path(&rig, "left")));
	while (written("left") == 0)
		rig_nudge(&rig);
	while (kill(written("left"), 0) == 0)
		rig_nudge(&rig);
}

/* One host has run both, and is moved to a new cgroup between them. */
SWEEP_CASE(what_an_earlier_job_of_the_host_has_left_lives)
{
	(void)mark(rig_isolated(&rig, "UnnamedJob", "unruly"));
	(void)mark(rig_isolated(&rig, "UnnamedHangJob", "unruly"));
	rig_succeed(&rig, "UnnamedJob", rig_text(&rig, rig_path(&rig, "left")));
	int64_t id = begin_class("UnnamedHangJob");

	assert_int_equal(rig_worker(&rig)->hosts.all->jobs, 1);
	assert_int_equal(processes(), 3);
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	if (may_make_cgroups())
		assert_int_equal(processes(), 1);
	assert_int_equal(kill(written("left"), SIGKILL), 0);
}

SWEEP_CASE(what_belongs_to_another_run_lives)
{
	(void)rig_script(&rig, "LeaveJob", LEAVING);
	(void)rig_script(&rig, "ScriptJob",
			 "trap '' TERM; " DEAF_CHILD "while :; do sleep 0.01; done");
	rig_succeed(&rig, "LeaveJob", NULL);
	int64_t id = begin_class("ScriptJob");

	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	assert_int_equal(processes(), 1);
	assert_int_equal(kill(written("left"), SIGKILL), 0);
}

/* the class's own way */

SWEEP_CASE(the_signal_of_the_class)
{
	rig.config.process.stop_grace = CLOCK_MINUTE;
	rig_script(&rig, "IntJob",
		   "trap 'echo >> heard; exit 0' INT; trap '' TERM; echo > begun; "
		   "while :; do sleep 0.01; done")
		->stop.signal = SIGINT;
	int64_t id = begin_class("IntJob");

	expect_nothing_left(id, JOB_FINISHED);
	assert_string_equal(rig_read(&rig, "heard"), "\n");
	assert_true(rig_logged(&rig, "\"signal\":\"INT\""));
}

/* The worker stays for as long as the longest grace of what it stops, no longer. */
SWEEP_CASE(the_grace_of_the_class)
{
	rig_script(&rig, "LongJob", "trap '' TERM; echo > begun; while :; do sleep 0.01; done")
		->stop.grace = CLOCK_HOUR;
	rig_script(&rig, "ShortJob", "trap '' TERM; echo > short; while :; do sleep 0.01; done")
		->stop.grace = 0;
	(void)rig_script(&rig, "OtherJob", ":");
	int64_t short_job = rig_enqueue(&rig, "ShortJob", NULL);
	int64_t long_job = begin_class("LongJob");

	rig_await_file(&rig, "short");
	int64_t until = rig_hurry(&rig) - clock_monotonic();
	assert_true(until > 59 * CLOCK_MINUTE && until <= CLOCK_HOUR);
	while (rig_job(&rig, short_job).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, long_job).state, JOB_CLAIMED);
	assert_int_equal(processes() >= 1, 1);
	rig_leave(&rig);
	assert_int_equal(processes(), 0);
}
