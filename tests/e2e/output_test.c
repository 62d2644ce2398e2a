/* Commands that say much or leave somebody behind, and a log that nobody reads, hold nothing up. */
#include <errno.h>

#include "tests/support/queue.h"
#include "tests/support/sites/site.h"

#define MOST_GROWTH 16384 /* KiB, for 200 MiB of output */
#define LARGE       60000

SITE_CASE(test_a_chatty_job_finishes_in_flat_memory)
{
	site_jobs_yml(site, "  Chat: {command: [sh, -c, 'yes | head -c 50M; yes | head -c 50M >&2; "
			    "exit $1', -, \"{0}\"]}\n");
	site_start(site, 3);
	int64_t warm = site_enqueue(site, "Chat", "1");
	pid_t worker = site_await_row(site, "Worker", "", 0).pid;
	site_await(site, warm, JOB_FAILED);
	unsigned long long before = test_status_of(worker, "VmHWM:", 10);
	assert_true(before > 0);
	int64_t job = site_enqueue(site, "Chat", "0");
	int64_t failing = site_enqueue(site, "Chat", "1");
	site_await(site, job, JOB_FINISHED);
	site_await(site, failing, JOB_FAILED);
	assert_in_range(test_status_of(worker, "VmHWM:", 10), before, before + MOST_GROWTH);
	assert_contains(site_dray(site, "job", site_number(site, failing), "--json"), "\"y\"");
}

/* More than a pipe's worth, to a program that reads it, one that closes it, one that does not. */
SITE_CASE(test_a_large_payload_is_read_or_not)
{
	const char *text = repeat(site->arena, 'a', LARGE);

	site_jobs_yml(site, "  Deaf: {command: [sleep, \"0.1\"]}\n"
			    "  Closed: {command: [sh, -c, 'exec <&-; sleep 0.1']}\n"
			    "  Reads: {command: [sh, -c, 'sleep 0.1; cat >payload']}\n");
	site_start(site, 3);
	(void)site_enqueue(site, "Deaf", text);
	(void)site_enqueue(site, "Closed", text);
	(void)site_enqueue(site, "Reads", text);
	site_await_jobs(site, JOB_FINISHED, 3);
	assert_contains(site_read(site, "payload"), text);
	assert_contains(site_read(site, "payload"), "\"job_class\"");
}

/* MySQL's text column would cut it, or its server refuse it after a retry or two. */
SITE_CASE_ONLY(test_a_payload_too_large_is_refused_at_once, "mysql mariadb")
{
	struct test_result result =
		site_try(site, "enqueue", "Append", repeat(site->arena, 'a', 65536));

	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "65535");
	assert_int_equal(site_int(site, "SELECT COUNT(*) FROM solid_queue_jobs"), 0);
}

/* What stays in the group dies with the job; what left it lives, and holds nothing up. */
SITE_CASE(test_grandchildren_hold_nothing_up)
{
	site_jobs_yml(site, "  Stays: {command: [sh, -c, 'sleep 600 & echo $! >stays']}\n"
			    "  Leaves: {command: [sh, -c, 'setsid sleep 600 & echo $! >leaves; "
			    "until test \"$(ps -o sid= -p $!)\" -eq $!; do :; done']}\n");
	site_start(site, 3);
	int64_t stays = site_enqueue(site, "Stays");
	int64_t leaves = site_enqueue(site, "Leaves");
	site_await(site, stays, JOB_FINISHED);
	site_await(site, leaves, JOB_FINISHED);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_processes(site), 1);
	pid_t left = (pid_t)strtol(site_read(site, "leaves"), NULL, 10);
	assert_true(left > 1);
	assert_int_equal(kill(left, SIGKILL), 0);
}

/* the log */

/* A pipe that is full, whose reader (kept open, in *fd) reads nothing. */
static void full_pipe(const struct site *site, int *fd)
{
	char block[4096];

	memset(block, 'x', sizeof(block));
	assert_int_equal(mkfifo(site_path(site, "log"), 0600), 0);
	*fd = open(site_path(site, "log"), O_RDWR | O_NONBLOCK | O_CLOEXEC);
	assert_true(*fd >= 0);
	while (write(*fd, block, sizeof(block)) > 0)
		;
	assert_int_equal(errno, EAGAIN);
}

static void start_with_log(struct site *site)
{
	const char *script =
		arena_printf(site->arena, "exec %s start 2>log", getenv("DRAY_BINARY"));

	site->start = site_spawn(site, "/bin/sh", (const char *[]){ "-c", script, NULL });
	site_await_rows(site, NULL, 3);
}

SITE_CASE(test_a_log_that_nobody_reads)
{
	int fd;

	full_pipe(site, &fd);
	start_with_log(site);
	site_enqueue_many(site, "Log", "default", 100);
	site_await_done(site, 100);
	(void)site_stop(site, SIGTERM);
	close(fd);
}

SITE_CASE(test_a_log_whose_reader_has_gone)
{
	int fd;

	full_pipe(site, &fd);
	start_with_log(site);
	close(fd);
	site_enqueue_many(site, "Log", "default", 100);
	site_await_done(site, 100);
}

/* Standard output, line by line, with the job's number. */
SITE_CASE(test_output_can_be_logged)
{
	site_jobs_yml(site, "  Say: {command: [sh, -c, 'echo hello; echo \"$1\" >&2', -, \"{0}\"], "
			    "output: log}\n");
	site_start(site, 3);
	int64_t job = site_enqueue(site, "Say", "world");
	site_await(site, job, JOB_FINISHED);
	assert_contains(site_log(site), arena_printf(site->arena,
						     "\"job\":%lld,\"class\":\"Say\",\"stream\":"
						     "\"stdout\",\"line\":\"hello\"",
						     (long long)job));
	assert_contains(site_log(site), "\"stream\":\"stderr\",\"line\":\"world\"");
}
