#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common/process.h"
#include "common/text/text.h"
#include "tests/support/test.h"

static char **arguments;

/* What ps would show: /proc's file up to the first NUL. */
static void read_proc(const char *path, char *text, size_t size)
{
	char *data;
	size_t length;
	must(file_read, path, 1 << 20, &data, &length);
	(void)snprintf(text, size, "%s", data);
	text[strcspn(text, "\n")] = '\0';
	free(data);
}

static void check_title(const char *title)
{
	char shown[1000];
	char comm[32];
	process_title(title);
	read_proc("/proc/self/cmdline", shown, sizeof(shown));
	assert_string_equal(shown, title);
	read_proc("/proc/self/comm", comm, sizeof(comm));
	assert_int_equal(strlen(comm), strlen(title) < 15 ? strlen(title) : 15);
	assert_memory_equal(comm, title, strlen(comm));
}

static void test_title(void **state)
{
	(void)state;
	char program[1000];
	char variable[1000];
	(void)snprintf(program, sizeof(program), "%s", arguments[0]);
	(void)snprintf(variable, sizeof(variable), "%s", getenv("PATH"));
	check_title("dray: worker [default] 2/3 busy");
	check_title("dray");
	/* Longer than the arguments were, into what the environment has left. */
	check_title(
		"dray: worker [default,mailers,something_else,yet_another_queue,and_one_more_for_"
		"good_measure] 12/64 busy, and a title that is as long as any may get to be");
	check_title("dray: dispatcher");
	/* What stood there before is elsewhere now. */
	assert_string_equal(arguments[0], program);
	assert_string_equal(getenv("PATH"), variable);
	assert_non_null(strstr(program, program_invocation_short_name));
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	assert_string_equal(getenv("PATH"), "/nowhere");
	assert_int_equal(setenv("PATH", variable, 1), 0);
}

static void test_endless_title(void **state)
{
	(void)state;
	static char title[1 << 20];
	char shown[64];
	memset(title, 'x', sizeof(title) - 1);
	process_title(title);
	read_proc("/proc/self/cmdline", shown, sizeof(shown));
	assert_memory_equal(shown, title, sizeof(shown) - 1);
	check_title("dray");
}

static void test_hostname(void **state)
{
	(void)state;
	char name[HOSTNAME_SIZE];
	char kernel[HOSTNAME_SIZE];
	size_t fault;
	process_hostname(name);
	read_proc("/proc/sys/kernel/hostname", kernel, sizeof(kernel));
	assert_true(name[0] != '\0');
	assert_true(utf8_valid(name, strlen(name), &fault));
	assert_string_equal(name, kernel);
}

static void test_pipe(void **state)
{
	(void)state;
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		int fds[2];
		assert_int_equal(process_pipe(fds, nonblocking == 1, NULL), STATUS_OK);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(fcntl(fds[i], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
			assert_int_equal((fcntl(fds[i], F_GETFL) & O_NONBLOCK) != 0, nonblocking);
			(void)close(fds[i]);
		}
	}
}

static void test_standard_fds(void **state)
{
	(void)state;
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct stat at[3];
		struct stat null;
		(void)close(0);
		(void)close(2);
		process_settle();
		bool right = stat("/dev/null", &null) == 0;
		for (int fd = 0; fd < 3; fd++)
			right = right && fstat(fd, &at[fd]) == 0;
		right = right && at[0].st_rdev == null.st_rdev && at[2].st_rdev == null.st_rdev;
		_exit(right && write(2, "x", 1) == 1 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_timers(void **state)
{
	(void)state;
	int status;
	pid_t child = fork();
	if (child == 0) {
		(void)alarm(3600);
		process_settle();
		_exit(alarm(0) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void write_file(const char *path, const char *data, size_t length)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void refuse(const char *path, size_t maximum, enum status status, const char *part)
{
	struct error error = { 0 };
	char *data = NULL;
	size_t length = 7;
	assert_int_equal(file_read(path, maximum, &data, &length, &error), status);
	assert_int_equal(error.status, status);
	assert_memory_equal(error.text, path, strlen(path));
	assert_non_null(strstr(error.text, part));
	assert_null(data);
	assert_int_equal(length, 7);
}

static void test_file_read(void **state)
{
	(void)state;
	char directory[] = "/tmp/dray-process-XXXXXX";
	char path[64];
	char *data;
	size_t length;
	static char large[100000];
	assert_non_null(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/file", directory);
	refuse(path, 10, STATUS_NONE, "No such file");
	refuse(directory, 10, STATUS_INVALID, "is a directory");
	write_file(path, "", 0);
	must(file_read, path, 0, &data, &length);
	assert_int_equal(length, 0);
	assert_string_equal(data, "");
	free(data);
	memset(large, 'y', sizeof(large));
	large[5] = '\0';
	write_file(path, large, sizeof(large));
	must(file_read, path, sizeof(large), &data, &length);
	assert_int_equal(length, sizeof(large));
	assert_memory_equal(data, large, sizeof(large));
	assert_int_equal(data[length], '\0');
	free(data);
	refuse(path, sizeof(large) - 1, STATUS_INVALID, "longer than 99999 bytes");
	refuse("/dev/zero", 5000, STATUS_INVALID, "longer than 5000 bytes");
	assert_int_equal(test_remove(directory), 0);
}

static const char *const secrets[] = {
	"--database=postgres://app:s3cret@db.example/jobs",
	"mysql://app:s3cret@db.example/jobs?ssl-mode=REQUIRED",
	"postgres://db.example/jobs?password=s3cret&sslmode=require",
	"plain:s",
};

#define SECRETS (sizeof(secrets) / sizeof(*secrets))

/* In a program that was started with them: ps reads no secret, and main has them all. */
static int look_at_arguments(char **argv)
{
	char *data;
	size_t length;
	struct error error;
	if (file_read("/proc/self/cmdline", 1 << 20, &data, &length, &error) != STATUS_OK)
		return 1;
	bool told = memmem(data, length, "s3cret", 6) != NULL;
	bool others = memmem(data, length, "--database=postgres://app:", 26) &&
		      memmem(data, length, "@db.example/jobs?ssl-mode=REQUIRED", 34) &&
		      memmem(data, length, "plain:s", 8);
	free(data);
	for (size_t i = 0; i < SECRETS; i++)
		if (strcmp(argv[i + 1], secrets[i]) != 0)
			return 2;
	return told ? 3 : others ? 0 : 4;
}

static void test_secrets_in_arguments(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		char *list[SECRETS + 2] = { arguments[0] };
		for (size_t i = 0; i < SECRETS; i++)
			list[i + 1] = (char *)secrets[i];
		(void)execv("/proc/self/exe", list);
		_exit(127);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/*
 * A right is one thread's. The thread sanitizer has a second thread, which would keep it, and the
 * C library aborts where threads differ.
 */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SECOND_THREAD true
#endif
#endif
#ifndef SECOND_THREAD
#define SECOND_THREAD false
#endif

struct becoming {
	const char *folder;
	bool running, able; /* able: root has all its rights */
	uid_t expected;
};

/* Did it become somebody, or may go on as root? In a child, for there is no way back. */
static bool became(const struct becoming *becoming)
{
	struct error error = { 0 };

	if (!becoming->able) {
		/* What a container without the right has taken from root. */
		struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
		struct __user_cap_data_struct data[2];
		assert_int_equal(syscall(SYS_capget, &header, data), 0);
		data[0].effective &= ~(1U << CAP_SETUID);
		assert_int_equal(syscall(SYS_capset, &header, data), 0);
	}
	if (process_become_owner(becoming->folder, becoming->running, &error) == STATUS_OK)
		return true;
	assert_non_null(strstr(error.text, " belongs to the user "));
	return false;
}

static bool child_became(struct becoming becoming)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		const bool done = became(&becoming);
		char name[USERNAME_SIZE];
		process_user(name);
		assert_string_equal(name, "root");
		assert_int_equal(getuid(), becoming.expected);
		assert_int_equal(geteuid(), becoming.expected);
		assert_true(becoming.expected == 0 || getgroups(0, NULL) <= 1);
		assert_int_equal(strstr(process_reason(EACCES), " as the user ") != NULL,
				 becoming.expected != 0);
		_exit(done ? 10 : 11);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), 10, 11);
	return WEXITSTATUS(status) == 10;
}

static void test_become_owner(void **state)
{
	const uid_t nobody = 65534;
	const uid_t nameless = 65432;
	char folder[] = "/tmp/dray-process-XXXXXX";
	(void)state;

	if (geteuid() != 0) /* then nothing changes */
		return;
	assert_int_equal(unsetenv("SUDO_USER"), 0);
	assert_non_null(mkdtemp(folder));
	assert_true(child_became((struct becoming){ "/nowhere", false, true, 0 }));
	assert_true(SECOND_THREAD || child_became((struct becoming){ folder, true, false, 0 }));
	assert_int_equal(chown(folder, nobody, nobody), 0);
	assert_true(child_became((struct becoming){ folder, false, true, nobody }));
	assert_false(!SECOND_THREAD && child_became((struct becoming){ folder, false, false, 0 }));
	assert_false(child_became((struct becoming){ folder, true, true, 0 }));
	assert_int_equal(chown(folder, nameless, nameless), 0);
	assert_true(child_became((struct becoming){ folder, false, true, nameless }));
	assert_int_equal(rmdir(folder), 0);
}

int main(int argc, char **argv)
{
	process_init(argc, argv);
	process_init(argc, argv); /* the second time changes nothing */
	arguments = argv;
	if (argc > 1)
		return look_at_arguments(argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_secrets_in_arguments),
		cmocka_unit_test(test_title),
		cmocka_unit_test(test_endless_title),
		cmocka_unit_test(test_hostname),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_standard_fds),
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_file_read),
		cmocka_unit_test(test_become_owner),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
