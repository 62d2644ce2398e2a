/* One supervisor a pidfile: FS5 (written, removed), FS6 (living owner), FS7 (dead owner). */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/process.h"
#include "supervisor/pidfile.h"
#include "tests/support/test.h"

static char directory[] = "/tmp/dray-pidfile-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/run/dray/supervisor.pid", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	return test_remove(directory);
}

/* What comes of a claim. */
static void claims(enum status expected)
{
	must_be(expected, pidfile_claim, path);
}

static void put(const char *content)
{
	claims(STATUS_OK); /* for the directories */
	test_write_file(path, content);
}

static void assert_content(const char *content)
{
	char *data;
	size_t length;

	must(file_read, path, 100, &data, &length);
	assert_string_equal(data, content);
	free(data);
}

static void assert_ours(void)
{
	char content[32];

	snprintf(content, sizeof(content), "%d", (int)getpid());
	assert_content(content);
}

static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

/* A process of this program, which has the title by the time that this returns; NULL: none. */
static pid_t living(const char *title)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (title)
			process_title(title);
		for (;;)
			(void)raise(SIGSTOP);
	}
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	return pid;
}

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

CASE(test_fs5_written_and_removed)
{
	claims(STATUS_OK);
	assert_ours();
	pidfile_release(path);
	assert_int_equal(access(path, F_OK), -1);
}

CASE(test_fs6_a_living_owner_refuses)
{
	struct error error;
	char content[32];
	char message[160];
	pid_t owner = living("dray: supervisor 1/1 ready");

	snprintf(content, sizeof(content), "%d", (int)owner);
	put(content);
	assert_int_equal(pidfile_claim(path, &error), STATUS_CONFLICT);
	snprintf(message, sizeof(message), "A dray supervisor is already running. Check %s", path);
	assert_string_equal(error.text, message);
	assert_content(content);
	pidfile_release(path);
	assert_content(content);
	unlink(path);
	end(owner);
}

/* One that starts is an owner, and another command of ours is none. */
CASE(test_a_living_dray_that_is_no_supervisor)
{
	static const struct {
		const char *title;
		enum status expected;
	} cases[] = {
		{ PIDFILE_STARTING, STATUS_CONFLICT },
		{ NULL, STATUS_OK },
		{ "dray: worker [default] 0/3 idle", STATUS_OK },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char content[32];
		pid_t other = living(cases[i].title);

		snprintf(content, sizeof(content), "%d", (int)other);
		put(content);
		claims(cases[i].expected);
		unlink(path);
		end(other);
	}
}

/* Its number was given to another one since. */
CASE(test_another_program_is_no_owner)
{
	put("1\n");
	claims(STATUS_OK);
	assert_ours();
	pidfile_release(path);
}

CASE(test_fs7_a_dead_owner_is_replaced)
{
	char content[32];

	snprintf(content, sizeof(content), "%d", (int)dead_pid());
	put(content);
	claims(STATUS_OK);
	assert_ours();
	pidfile_release(path);
}

CASE(test_what_is_no_pid_is_replaced)
{
	static const char *const contents[] = {
		"", "0", "-1", "x", "99999999999999999999", "12 3"
	};

	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		put(contents[i]);
		claims(STATUS_OK);
		assert_ours();
	}
	pidfile_release(path);
}

/* In a container every start may have the same pid. */
CASE(test_our_own_pid_is_a_leftover)
{
	claims(STATUS_OK);
	claims(STATUS_OK);
	pidfile_release(path);
}

CASE(test_what_cannot_be_made)
{
	struct error error;

	assert_int_equal(pidfile_claim("/proc/no/such.pid", &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, "/proc/no"));
	assert_int_equal(pidfile_claim(directory, &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, directory));
	pidfile_release("/proc/no/such.pid");
}

/* Contenders wait for one pipe to close, claim at once, and hold what they got until the other. */
static void contend(int go, int hold)
{
	struct error error;
	char byte;
	ssize_t none = read(go, &byte, 1);
	enum status status = pidfile_claim(path, &error);

	_exit(none == 0 && status == STATUS_OK ? (int)read(hold, &byte, 1) + 10 : 20);
}

CASE(test_exactly_one_of_many_wins)
{
	enum { CONTENDERS = 8 };
	char content[32];
	int go[2];
	int hold[2];
	pid_t pids[CONTENDERS];
	int won = 0;

	snprintf(content, sizeof(content), "%d", (int)dead_pid());
	put(content);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	assert_int_equal(pipe2(hold, O_CLOEXEC), 0);
	for (int i = 0; i < CONTENDERS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			close(go[1]);
			close(hold[1]);
			process_title(PIDFILE_STARTING);
			contend(go[0], hold[0]);
		}
	}
	close(go[1]);
	/* All losers end by themselves; the winner only when it is let go. */
	int losers = 0;
	int status;
	while (losers < CONTENDERS - 1 && wait(&status) > 0) {
		assert_int_equal(WEXITSTATUS(status), 20);
		losers++;
	}
	close(hold[1]);
	while (wait(&status) > 0)
		won += WIFEXITED(status) && WEXITSTATUS(status) == 10;
	assert_int_equal(won, 1);
	close(go[0]);
	close(hold[0]);
	unlink(path);
}

GROUP(make_directory, remove_directory);
