/* Commands, from the class's entry to the job's end, with real programs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/loop.h"
#include "rig.h"
#include "worker/run_exec.h"
#include "worker/state.h"
#include "worker/worker.h"

#define SHELL(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		"sh", "-c", __VA_ARGS__, NULL                                                      \
	}

static struct rig rig;

static int setup(void **state)
{
	(void)state;
	rig_open(&rig, 3);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_close(&rig);
	return 0;
}

static void expect_text(const char *text, const char *part)
{
	assert_non_null(text);
	if (strstr(text, part) == NULL)
		fail_msg("expected \"%s\" in: %s", part, text);
}

/* Gone, or a zombie that nobody has reaped. */
static bool is_dead(long pid)
{
	char path[64];
	char text[512] = "";
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	(void)!read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	return strstr(text, ") Z ") != NULL || text[0] == '\0';
}

static void wait_for_death(long pid)
{
	assert_true(pid > 1);
	while (!is_dead(pid))
		clock_sleep(CLOCK_MILLISECOND);
}

/* ------------------------------------------------------------------ how runs end */

static void status_0_is_success(void **state)
{
	(void)state;
	rig_command(&rig, "TrueJob", (const char *const[]){ "true", NULL });
	rig_succeed(&rig, "TrueJob", NULL);
}

static void another_status_is_a_failure_with_stderr(void **state)
{
	struct rig_failure failure;

	(void)state;
	rig_command(&rig, "ExitJob", SHELL("echo out; echo one >&2; echo two >&2; exit 3"));
	failure = rig_fail(&rig, "ExitJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::ExitStatusError");
	assert_string_equal(failure.message, "sh exited with status 3");
	assert_string_equal(failure.backtrace, "one\ntwo");
}

static void a_silent_failure_has_no_backtrace(void **state)
{
	struct rig_failure failure;

	(void)state;
	rig_command(&rig, "FalseJob", (const char *const[]){ "false", NULL });
	failure = rig_fail(&rig, "FalseJob", NULL);
	assert_string_equal(failure.message, "false exited with status 1");
	assert_null(failure.backtrace);
}

static void a_signal_is_a_failure_that_names_it(void **state)
{
	struct rig_failure failure;

	(void)state;
	rig_command(&rig, "KilledJob", SHELL("echo last words >&2; kill -9 $$"));
	failure = rig_fail(&rig, "KilledJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::SignalError");
	assert_string_equal(failure.message, "sh was killed by signal 9 (Killed)");
	assert_string_equal(failure.backtrace, "last words");
}

static void a_class_without_handler_fails_and_says_what_is_known(void **state)
{
	struct rig_failure failure;

	(void)state;
	rig_command(&rig, "OneJob", (const char *const[]){ "true", NULL });
	rig_command(&rig, "TwoJob", (const char *const[]){ "true", NULL });
	failure = rig_fail(&rig, "OtherJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::UnknownClassError");
	expect_text(failure.message, "OtherJob");
	expect_text(failure.message, "OneJob, TwoJob");
}

/* ------------------------------------------------------------------ programs that do not start */

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(rig_path(&rig, name), O_WRONLY | O_CREAT | O_CLOEXEC, mode);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
}

static void expect_exec_error(const char *class_name, const char *message)
{
	struct rig_failure failure = rig_fail(&rig, class_name, NULL);

	assert_string_equal(failure.exception_class, "Dray::ExecError");
	assert_string_equal(failure.message, message);
}

static void a_missing_program_is_named(void **state)
{
	(void)state;
	rig_command(&rig, "MissingJob", (const char *const[]){ "no-such-program", NULL });
	expect_exec_error("MissingJob",
			  "no-such-program could not be started: No such file or directory");
}

static void a_file_that_is_no_program(void **state)
{
	const char *plain = rig_path(&rig, "plain");
	const char *interpreter = rig_path(&rig, "interpreter");
	const char *text = rig_path(&rig, "text");

	(void)state;
	make_file("plain", "x", 0644);
	make_file("interpreter", "#!/no/such/interpreter\n", 0755);
	make_file("text", "just text\n", 0755);
	rig_command(&rig, "PlainJob", (const char *const[]){ plain, NULL });
	rig_command(&rig, "InterpreterJob", (const char *const[]){ interpreter, NULL });
	rig_command(&rig, "TextJob", (const char *const[]){ text, NULL });
	expect_exec_error(
		"PlainJob",
		arena_printf(rig.arena, "%s could not be started: Permission denied", plain));
	expect_exec_error("InterpreterJob",
			  arena_printf(rig.arena,
				       "%s could not be started: No such file or directory",
				       interpreter));
	expect_exec_error(
		"TextJob",
		arena_printf(rig.arena, "%s could not be started: Exec format error", text));
}

static void a_missing_working_directory(void **state)
{
	(void)state;
	rig_command(&rig, "AwayJob", (const char *const[]){ "true", NULL })->directory = "away";
	expect_exec_error("AwayJob",
			  "true could not enter its working directory: No such file or directory");
}

/* ------------------------------------------------------------------ what a program is given */

static void arguments_are_not_split_or_expanded(void **state)
{
	(void)state;
	rig_command(&rig, "PrintJob",
		    SHELL("printf '<%s>' \"$@\" > out", "sh", "{0}", "--n={n}", "{{}}"))
		->directory = rig.folder;
	rig_succeed(&rig, "PrintJob", "[\"a  b; $(id) `id` * '\\\"\", {\"n\": 12}]");
	assert_string_equal(rig_read(&rig, "out"), "<a  b; $(id) `id` * '\"><--n=12><{}>");
}

static void a_missing_argument_names_job_class_and_placeholder(void **state)
{
	struct rig_failure failure;
	int64_t id;
	struct job job;

	(void)state;
	rig_command(&rig, "CopyJob", (const char *const[]){ "cp", "{from}", "{to}", NULL });
	id = rig_enqueue(&rig, "CopyJob", "{\"from\": \"/etc/passwd\"}");
	job = rig_run(&rig, id);
	failure = rig_failure_of(&rig, &job);
	assert_string_equal(failure.exception_class, "Dray::ArgumentError");
	expect_text(failure.message, arena_printf(rig.arena, "job %lld", (long long)id));
	expect_text(failure.message, "CopyJob");
	expect_text(failure.message, "{to}");
}

static void the_payload_arrives_on_standard_input(void **state)
{
	struct job job;

	(void)state;
	rig_command(&rig, "CatJob", SHELL("cat > out"))->directory = rig.folder;
	job = rig_run(&rig, rig_enqueue(&rig, "CatJob", "[1, \"\\u00e4\"]"));
	assert_int_equal(job.state, JOB_FINISHED);
	assert_string_equal(rig_read(&rig, "out"), job.payload);
}

static void the_environment_is_an_allow_list_and_the_job(void **state)
{
	static const char *entries[] = { "PASSED", "SET=here", "DRAY_QUEUE=forged", NULL };
	const char *text;
	struct job job;

	(void)state;
	assert_int_equal(setenv("PASSED", "yes", 1), 0);
	assert_int_equal(setenv("DATABASE_URL", "postgres://u:secret@h/d", 1), 0);
	rig_command(&rig, "EnvJob", (const char *const[]){ "sh", "-c", "env > out", NULL })
		->environment = entries;
	rig.classes[0].directory = rig.folder;
	job = rig_run(&rig, rig_enqueue(&rig, "EnvJob", NULL));
	text = arena_printf(rig.arena, "\n%s", rig_read(&rig, "out"));
	expect_text(text, "\nPASSED=yes\n");
	expect_text(text, "\nSET=here\n");
	expect_text(text, "\nPATH=");
	expect_text(text, arena_printf(rig.arena, "\nDRAY_JOB_ID=%lld\n", (long long)job.id));
	expect_text(text, arena_printf(rig.arena, "\nDRAY_ACTIVE_JOB_ID=%s\n", job.active_job_id));
	expect_text(text, "\nDRAY_JOB_CLASS=EnvJob\n");
	expect_text(text, "\nDRAY_QUEUE=default\n");
	expect_text(text, "\nDRAY_PRIORITY=0\n");
	expect_text(text, "\nDRAY_ATTEMPT=1\n");
	expect_text(text, "\nDRAY_CLAIM_ID=");
	assert_null(strstr(text, "secret"));
}

static void limits_directory_and_nice(void **state)
{
	struct config_class *class;

	(void)state;
	class = rig_command(&rig, "LimitJob",
			    SHELL("{{ pwd -P; ulimit -n; ulimit -t; ulimit -c; nice; }} > out"));
	class->directory = "."; /* below the root, which is the rig's folder */
	class->limits.files = 23;
	class->limits.cpu = 77;
	class->limits.core = 0;
	class->nice = 5;
	rig_succeed(&rig, "LimitJob", NULL);
	assert_string_equal(rig_read(&rig, "out"),
			    arena_printf(rig.arena, "%s\n23\n77\n0\n5\n", rig.folder));
}

static void too_much_memory_is_refused_to_the_program(void **state)
{
	struct config_class *class;

	(void)state;
	class = rig_command(&rig, "HungryJob",
			    (const char *const[]){ "dd", "if=/dev/zero", "of=/dev/null", "bs=256M",
						   "count=1", NULL });
	class->limits.memory = INT64_C(64) << 20;
	expect_text(rig_fail(&rig, "HungryJob", NULL).message, "dd exited with status 1");
}

/* 3 is the folder that ls itself reads. */
static void no_descriptor_of_ours_is_seen(void **state)
{
	int leaked = open("/dev/null", O_RDONLY); /* not close-on-exec, on purpose */

	(void)state;
	assert_true(leaked >= 3);
	rig_command(&rig, "FdJob", SHELL("exec ls /proc/self/fd > out"))->directory = rig.folder;
	rig_succeed(&rig, "FdJob", NULL);
	assert_string_equal(rig_read(&rig, "out"), "0\n1\n2\n3\n");
	(void)close(leaked);
}

static void signals_are_as_new(void **state)
{
	const char *text;

	(void)state;
	rig_command(&rig, "SigJob", SHELL("grep -E 'Sig(Blk|Ign)' /proc/self/status > out"))
		->directory = rig.folder;
	rig_succeed(&rig, "SigJob", NULL);
	text = rig_read(&rig, "out");
	expect_text(text, "SigBlk:\t0000000000000000");
	expect_text(text, "SigIgn:\t0000000000000000");
}

static void its_own_process_group(void **state)
{
	const char *text;
	char *rest;
	long pid;
	long group;

	(void)state;
	rig_command(&rig, "GroupJob", SHELL("cut -d' ' -f1,5 /proc/$$/stat > out"))->directory =
		rig.folder;
	rig_succeed(&rig, "GroupJob", NULL);
	text = rig_read(&rig, "out");
	pid = strtol(text, &rest, 10);
	group = strtol(rest, NULL, 10);
	assert_true(pid > 1);
	assert_int_equal(pid, group);
	assert_int_not_equal(group, getpgrp());
}

/* ------------------------------------------------------------------ output */

static long resident_kib(void)
{
	char text[4096] = "";
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	const char *line;

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	(void)close(fd);
	line = strstr(text, "VmRSS:");
	assert_non_null(line);
	return strtol(line + strlen("VmRSS:"), NULL, 10);
}

static void a_chatty_program_is_neither_blocked_nor_kept(void **state)
{
	struct rig_failure failure;
	long before;

	(void)state;
	rig_command(&rig, "ChattyJob",
		    SHELL("head -c 100000000 /dev/zero; yes some line of a chatty program | "
			  "head -c 100000000 >&2; echo >&2; echo end >&2; exit 1"));
	before = resident_kib();
	failure = rig_fail(&rig, "ChattyJob", NULL);
	assert_true(resident_kib() - before < 64 * 1024L); /* of 200 MB; sanitizers need some */
	expect_text(failure.backtrace, "\nend");
}

static void the_last_64_kib_of_stderr_are_kept(void **state)
{
	struct rig_failure failure;
	size_t length;

	(void)state;
	rig_command(&rig, "LinesJob", SHELL("seq 1 100000 >&2; exit 1"));
	failure = rig_fail(&rig, "LinesJob", NULL);
	length = strlen(failure.backtrace);
	/* Each line of the error's JSON takes three bytes more than its text. */
	assert_true(length > 30000 && length <= 65536);
	assert_string_equal(failure.backtrace + length - 13, "\n99999\n100000");
}

static void output_is_logged_line_by_line(void **state)
{
	int fd = open(rig_path(&rig, "log"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	struct log_options options = { .level = LOG_INFO, .format = LOG_FORMAT_JSON, .fd = fd };
	const char *log;

	(void)state;
	assert_true(fd >= 0);
	rig_command(&rig, "LogJob", SHELL("echo one; echo two >&2; printf three"))->output =
		OUTPUT_LOG;
	log_configure(&options);
	rig_succeed(&rig, "LogJob", NULL);
	log_configure(&(struct log_options){ .level = LOG_ERROR, .fd = STDERR_FILENO });
	(void)close(fd);
	log = rig_read(&rig, "log");
	expect_text(log, "\"stream\":\"stdout\",\"line\":\"one\"");
	expect_text(log, "\"stream\":\"stderr\",\"line\":\"two\"");
	expect_text(log, "\"stream\":\"stdout\",\"line\":\"three\"");
	expect_text(log, "\"event\":\"job.finished\"");
}

/* ------------------------------------------------------------------ children of the program */

static void what_it_leaves_running_is_killed_and_holds_nothing_up(void **state)
{
	(void)state;
	rig_command(&rig, "ForkJob", SHELL("sleep 1000 & echo $! > pid; echo done >&2"))
		->directory = rig.folder;
	rig_succeed(&rig, "ForkJob", NULL);
	wait_for_death(strtol(rig_read(&rig, "pid"), NULL, 10));
}

/* A grandchild that left the group and keeps the pipes open. */
static void an_escaped_grandchild_holds_nothing_up(void **state)
{
	long pid;

	(void)state;
	rig_command(&rig, "EscapeJob",
		    SHELL("setsid sh -c 'echo $$ > pid; exec sleep 1000' & "
			  "while ! [ -s pid ]; do :; done"))
		->directory = rig.folder;
	rig_succeed(&rig, "EscapeJob", NULL);
	pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	assert_false(is_dead(pid));
	(void)kill((pid_t)pid, SIGKILL);
}

static void a_program_that_closes_its_pipes_goes_on(void **state)
{
	(void)state;
	rig_command(&rig, "CloseJob", SHELL("exec <&- >&- 2>&-; sleep 0.1; echo late > out"))
		->directory = rig.folder;
	rig_succeed(&rig, "CloseJob", NULL);
	assert_string_equal(rig_read(&rig, "out"), "late\n");
}

/* ------------------------------------------------------------------ large payloads */

static struct slot *start_with_payload(const char *class_name, size_t size)
{
	struct worker *worker;
	char *payload = malloc(size);
	struct claim claim = { .id = 1 };
	struct slot *slot;

	assert_non_null(payload);
	memset(payload, ' ', size);
	payload[0] = '{';
	payload[size - 2] = '}';
	payload[size - 1] = '\0';
	rig_start(&rig);
	worker = rig.context.state;
	claim.job =
		(struct job){ .id = 7, .class_name = class_name, .queue = "q", .payload = payload };
	slot = slot_take(&worker->slots, &claim);
	free(payload);
	slot->handler = handlers_find(worker->handlers, class_name);
	assert_true(exec_start(slot));
	return slot;
}

static void wait_for_end(struct slot *slot)
{
	struct worker *worker = rig.context.state;

	while (worker->ended == NULL)
		loop_wait(rig.context.loop, CLOCK_NEVER);
	assert_ptr_equal(slot_of_task(worker->ended), slot);
	worker->ended = NULL;
	assert_int_equal(slot->outcome.kind, OUTCOME_FINISHED);
	slot_free(&worker->slots, slot);
}

static void a_large_payload_is_read_slowly(void **state)
{
	(void)state;
	rig_command(&rig, "SlowJob", SHELL("sleep 0.1; wc -c > out"))->directory = rig.folder;
	wait_for_end(start_with_payload("SlowJob", (size_t)1 << 20));
	assert_int_equal(strtol(rig_read(&rig, "out"), NULL, 10), (1 << 20) - 1);
}

static void a_large_payload_is_not_read_at_all(void **state)
{
	(void)state;
	rig_command(&rig, "DeafJob", SHELL("sleep 0.1"));
	wait_for_end(start_with_payload("DeafJob", (size_t)1 << 20));
}

static void a_large_payload_meets_a_closed_input(void **state)
{
	(void)state;
	rig_command(&rig, "ShutJob", SHELL("exec <&-; sleep 0.1"));
	wait_for_end(start_with_payload("ShutJob", (size_t)1 << 20));
}

/* ------------------------------------------------------------------ the worker's end */

static void closing_kills_what_runs(void **state)
{
	long pid = 0;

	(void)state;
	rig_command(&rig, "SleepJob", SHELL("trap '' TERM; echo $$ > pid; sleep 1000; sleep 1000"))
		->directory = rig.folder;
	(void)rig_enqueue(&rig, "SleepJob", NULL);
	while (pid == 0) {
		rig_step(&rig);
		pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	}
	assert_false(worker_role.idle(&rig.context));
	rig_leave(&rig);
	assert_true(is_dead(pid));
}

/* The worker is killed with no time to do anything: its commands die with it. */
static void commands_die_with_their_worker(void **state)
{
	pid_t worker = fork();
	char folder[PATH_MAX];
	long pid = 0;
	int status;

	(void)state;
	if (worker == 0) {
		struct rig own;

		rig_open(&own, 1);
		assert_int_equal(symlink(own.folder, rig_path(&rig, "folder")), 0);
		rig_command(&own, "SleepJob",
			    SHELL("echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; sleep 1000", "sh",
				  rig_path(&rig, "pid")));
		(void)rig_enqueue(&own, "SleepJob", NULL);
		for (;;)
			rig_step(&own);
	}
	while (pid == 0) {
		clock_sleep(CLOCK_MILLISECOND);
		pid = strtol(rig_read(&rig, "pid"), NULL, 10);
	}
	assert_false(is_dead(pid));
	assert_int_equal(kill(worker, SIGKILL), 0);
	assert_int_equal(waitpid(worker, &status, 0), worker);
	wait_for_death(pid);
	rig_remove(realpath(rig_path(&rig, "folder"), folder));
}

static void several_run_at_once(void **state)
{
	int64_t ids[3];

	(void)state;
	/* Each waits for all three, so they finish only if they run side by side. */
	rig_command(
		&rig, "MeetJob",
		SHELL("touch \"met-$1\"; while [ $(ls met-* | wc -l) -lt 3 ]; do sleep 0.01; done",
		      "sh", "{0}"))
		->directory = rig.folder;
	ids[0] = rig_enqueue(&rig, "MeetJob", "[1]");
	ids[1] = rig_enqueue(&rig, "MeetJob", "[2]");
	ids[2] = rig_enqueue(&rig, "MeetJob", "[3]");
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(rig_run(&rig, ids[i]).state, JOB_FINISHED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(status_0_is_success),
		CASE(another_status_is_a_failure_with_stderr),
		CASE(a_silent_failure_has_no_backtrace),
		CASE(a_signal_is_a_failure_that_names_it),
		CASE(a_class_without_handler_fails_and_says_what_is_known),
		CASE(a_missing_program_is_named),
		CASE(a_file_that_is_no_program),
		CASE(a_missing_working_directory),
		CASE(arguments_are_not_split_or_expanded),
		CASE(a_missing_argument_names_job_class_and_placeholder),
		CASE(the_payload_arrives_on_standard_input),
		CASE(the_environment_is_an_allow_list_and_the_job),
		CASE(limits_directory_and_nice),
		CASE(too_much_memory_is_refused_to_the_program),
		CASE(no_descriptor_of_ours_is_seen),
		CASE(signals_are_as_new),
		CASE(its_own_process_group),
		CASE(a_chatty_program_is_neither_blocked_nor_kept),
		CASE(the_last_64_kib_of_stderr_are_kept),
		CASE(output_is_logged_line_by_line),
		CASE(what_it_leaves_running_is_killed_and_holds_nothing_up),
		CASE(an_escaped_grandchild_holds_nothing_up),
		CASE(a_program_that_closes_its_pipes_goes_on),
		CASE(a_large_payload_is_read_slowly),
		CASE(a_large_payload_is_not_read_at_all),
		CASE(a_large_payload_meets_a_closed_input),
		CASE(closing_kills_what_runs),
		CASE(commands_die_with_their_worker),
		CASE(several_run_at_once),
	};

	log_configure(&(struct log_options){ .level = LOG_ERROR, .fd = STDERR_FILENO });
	return cmocka_run_group_tests(tests, NULL, NULL);
}
