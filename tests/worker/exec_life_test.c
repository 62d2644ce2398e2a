/* What a command writes and reads, what it leaves behind, and what it dies of. */
#include <limits.h>
#include <sys/wait.h>

#include "rig.h"
#include "tests/support/sites/process.h"
#include "worker/exec/exec.h"

static struct rig rig;

static void wait_for_death(long pid)
{
	assert_true(pid > 1);
	while (!rig_is_dead(pid))
		clock_sleep(CLOCK_MILLISECOND);
}

/* output */

static long resident_kib(void)
{
	return (long)test_status_of(getpid(), "VmRSS:", 10);
}

RIG_CASE(a_chatty_program_is_neither_blocked_nor_kept)
{
	rig_command(&rig, "ChattyJob",
		    RIG_SHELL("head -c 100000000 /dev/zero; yes some line of a chatty program | "
			      "head -c 100000000 >&2; echo >&2; echo end >&2; exit 1"));
	long before = resident_kib();
	assert_true(before > 0);
	struct rig_failure failure = rig_fail(&rig, "ChattyJob", NULL);
	assert_true(resident_kib() - before < 64 * 1024L); /* of 200 MB; sanitizers need some */
	assert_contains(failure.backtrace, "\nend");
}

RIG_CASE(the_last_64_kib_of_stderr_are_kept)
{
	rig_command(&rig, "LinesJob", RIG_SHELL("seq 1 100000 >&2; exit 1"));
	struct rig_failure failure = rig_fail(&rig, "LinesJob", NULL);
	size_t length = strlen(failure.backtrace);
	/* Less the line whose beginning was lost, and the last newline. */
	assert_true(length > 65536 - 8 && length < 65536);
	assert_string_equal(failure.backtrace + length - 13, "\n99999\n100000");
}

RIG_CASE(output_is_logged_line_by_line)
{
	rig_command(&rig, "LogJob", RIG_SHELL("echo one; echo two >&2; printf three"))->output =
		OUTPUT_LOG;
	rig_keep_log(&rig);
	rig_succeed(&rig, "LogJob", NULL);
	const char *log = rig_read(&rig, "log");
	assert_contains(log, "\"stream\":\"stdout\",\"line\":\"one\"");
	assert_contains(log, "\"stream\":\"stderr\",\"line\":\"two\"");
	assert_contains(log, "\"stream\":\"stdout\",\"line\":\"three\"");
	assert_contains(log, "\"event\":\"job.finished\"");
}

/* What comes with the logged lines of these jobs; one worker runs them all. */
static const char *log_of(const char *class_name, int jobs)
{
	rig_keep_log(&rig);
	for (int i = 0; i < jobs; i++)
		rig_succeed(&rig, class_name, NULL);
	return rig_read(&rig, "log");
}

RIG_CASE(discarded_output_is_said_once)
{
	static const char said[] = "\"event\":\"job.output_discarded\"";

	rig_command(&rig, "LoudJob", RIG_SHELL("echo one"));
	rig_command(&rig, "ErrorJob", RIG_SHELL("echo one >&2"));
	rig_command(&rig, "QuietJob", RIG_SHELL("true"));
	rig_command(&rig, "LogJob", RIG_SHELL("echo one"))->output = OUTPUT_LOG;
	const char *log = log_of("LoudJob", 3);
	assert_contains(log, "\"class\":\"LoudJob\",\"stream\":\"stdout\"");
	assert_non_null(strstr(log, said));
	assert_null(strstr(strstr(log, said) + 1, said));
	assert_contains(log_of("ErrorJob", 1), "\"class\":\"ErrorJob\",\"stream\":\"stderr\"");
	assert_null(strstr(log_of("QuietJob", 2), said));
	assert_null(strstr(log_of("LogJob", 2), said));
}

/* children of the program */

RIG_CASE(what_it_leaves_running_is_killed_and_holds_nothing_up)
{
	rig_script(&rig, "ForkJob", "sleep 1000 & echo $! > pid; echo done >&2");
	rig_succeed(&rig, "ForkJob", NULL);
	wait_for_death(strtol(rig_read(&rig, "pid"), NULL, 10));
}

/* A grandchild that left the group and keeps the pipes open. */
RIG_CASE(an_escaped_grandchild_holds_nothing_up)
{
	long pid;

	rig_script(&rig, "EscapeJob",
		   "setsid sh -c 'echo $$ > pid; exec sleep 1000' & "
		   "while ! [ -s pid ]; do :; done");
	rig_succeed(&rig, "EscapeJob", NULL);
	pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	assert_false(rig_is_dead(pid));
	(void)kill((pid_t)pid, SIGKILL);
}

RIG_CASE(a_program_that_closes_its_pipes_goes_on)
{
	rig_script(&rig, "CloseJob", "exec <&- >&- 2>&-; sleep 0.1; echo late > out");
	rig_succeed(&rig, "CloseJob", NULL);
	assert_string_equal(rig_read(&rig, "out"), "late\n");
}

/* large payloads */

static struct run *start_with_payload(const char *class_name, size_t size)
{
	static const char beginning[] = "{\"arguments\":[]";
	char *payload = malloc(size);
	struct claim claim = { .id = 1 };

	assert_non_null(payload);
	memset(payload, ' ', size);
	memcpy(payload, beginning, sizeof(beginning) - 1);
	payload[size - 2] = '}';
	payload[size - 1] = '\0';
	rig_start(&rig);
	struct worker *worker = rig.context.state;
	claim.job =
		(struct job){ .id = 7, .class_name = class_name, .queue = "q", .payload = payload };
	struct run *run = run_take(&worker->runs, &claim);
	free(payload);
	run->handler = handlers_find(worker->edition->handlers, class_name);
	assert_true(exec_start(run));
	return run;
}

static void wait_for_end(struct run *run)
{
	struct worker *worker = rig.context.state;

	while (worker->ended == NULL)
		loop_wait(rig.context.loop, CLOCK_NEVER);
	assert_ptr_equal(run_of_task(worker->ended), run);
	worker->ended = NULL;
	assert_int_equal(run->outcome.kind, OUTCOME_FINISHED);
	run_free(&worker->runs, run);
}

RIG_CASE(a_large_payload_is_read_slowly)
{
	rig_script(&rig, "SlowJob", "sleep 0.1; wc -c > out");
	wait_for_end(start_with_payload("SlowJob", (size_t)1 << 20));
	/* Of one byte less, and with the number that a run gets. */
	assert_int_equal(strtol(rig_read(&rig, "out"), NULL, 10),
			 (1 << 20) - 1 + (long)strlen(",\"provider_job_id\":7"));
}

RIG_CASE(a_large_payload_is_not_read_at_all)
{
	rig_command(&rig, "DeafJob", RIG_SHELL("sleep 0.1"));
	wait_for_end(start_with_payload("DeafJob", (size_t)1 << 20));
}

RIG_CASE(a_large_payload_meets_a_closed_input)
{
	rig_command(&rig, "ShutJob", RIG_SHELL("exec <&-; sleep 0.1"));
	wait_for_end(start_with_payload("ShutJob", (size_t)1 << 20));
}

/* the worker's end */

RIG_CASE(closing_kills_what_runs)
{
	long pid = 0;

	rig_script(&rig, "SleepJob", "trap '' TERM; echo $$ > pid; sleep 1000; sleep 1000");
	(void)rig_enqueue(&rig, "SleepJob", NULL);
	while (pid == 0) {
		rig_step(&rig);
		pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	}
	assert_false(worker_role.idle(&rig.context));
	rig_leave(&rig);
	assert_true(rig_is_dead(pid));
}

/* The worker is killed with no time to do anything: its commands die with it. */
RIG_CASE(commands_die_with_their_worker)
{
	pid_t worker = fork();
	char folder[PATH_MAX];
	long pid = 0;
	int status;

	if (worker == 0) {
		struct rig own;

		rig_open(&own, 1);
		assert_int_equal(symlink(own.folder, rig_path(&rig, "folder")), 0);
		rig_command(&own, "SleepJob",
			    RIG_SHELL("echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; exec sleep 1000",
				      "sh", rig_path(&rig, "pid")));
		(void)rig_enqueue(&own, "SleepJob", NULL);
		for (;;)
			rig_step(&own);
	}
	while (pid == 0) {
		clock_sleep(CLOCK_MILLISECOND);
		pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	}
	assert_false(rig_is_dead(pid));
	assert_int_equal(kill(worker, SIGKILL), 0);
	assert_int_equal(waitpid(worker, &status, 0), worker);
	wait_for_death(pid);
	(void)test_remove(realpath(rig_path(&rig, "folder"), folder));
}

RIG_CASE(several_run_at_once)
{
	/* Each waits for all three, so they finish only if they run side by side. */
	static const char meet[] =
		"touch met-$1; while [ $(ls met-* | wc -l) -lt 3 ]; do sleep 0.01; done";
	int64_t ids[3];

	rig_script(&rig, "MeetJob", meet, "sh", "{0}");
	ids[0] = rig_enqueue(&rig, "MeetJob", "[1]");
	ids[1] = rig_enqueue(&rig, "MeetJob", "[2]");
	ids[2] = rig_enqueue(&rig, "MeetJob", "[3]");
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(rig_run(&rig, ids[i]).state, JOB_FINISHED);
}

GROUP(rig_quiet, NULL);
