#include "tests/support/sites/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "tests/support/test.h"

#define MAXIMUM_CHILDREN 64

/* The child begins when `gate` (-1 = none) is closed by the parent. */
static void run_child(const struct test_function *function, unsigned index, int gate)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	if (gate >= 0 && read(gate, &byte, 1) != 0)
		_exit(125);
	int result = function->run(index, function->data);
	fflush(NULL);
	_exit(result);
}

static pid_t fork_child(const struct test_function *function, unsigned index, const int gate[2])
{
	fflush(NULL);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	if (gate[1] >= 0)
		close(gate[1]);
	run_child(function, index, gate[0]);
	abort(); /* not reached */
}

pid_t test_fork(const struct test_function *function, unsigned index)
{
	return fork_child(function, index, (const int[2]){ -1, -1 });
}

void test_fork_all(const struct test_function *function, unsigned count, int results[],
		   int64_t timeout)
{
	pid_t pids[MAXIMUM_CHILDREN];
	int64_t deadline = clock_monotonic() + timeout;
	int gate[2];

	assert_true(count <= MAXIMUM_CHILDREN);
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	for (unsigned i = 0; i < count; i++)
		pids[i] = fork_child(function, i, gate);
	close(gate[0]);
	close(gate[1]);
	for (unsigned i = 0; i < count; i++)
		results[i] = test_wait_exit(pids[i], deadline - clock_monotonic());
}

void test_in_children(const struct test_function *function, unsigned count)
{
	int results[MAXIMUM_CHILDREN];

	test_fork_all(function, count, results, CLOCK_MINUTE);
	for (unsigned i = 0; i < count; i++)
		if (results[i] != 0)
			print_error("child %u: %d\n", i, results[i]);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(results[i], 0);
}

void *test_share(size_t size)
{
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(shared != MAP_FAILED);
	return shared;
}

bool test_read_stat(pid_t pid, char *state, pid_t *parent)
{
	char path[64];
	char line[512] = "";

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool read = fgets(line, sizeof(line), file) != NULL;
	(void)fclose(file);
	const char *end = strrchr(line, ')');
	if (!read || !end || strlen(end) < strlen(") S 1"))
		return false;
	*state = end[2];
	*parent = (pid_t)strtol(end + 3, NULL, 10);
	return true;
}

char test_state_of(pid_t pid)
{
	char state;
	pid_t parent;

	if (!test_read_stat(pid, &state, &parent))
		return '\0';
	return state;
}

unsigned long long test_status_of(pid_t pid, const char *name, int base)
{
	char path[64];
	char line[256];
	unsigned long long number = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, name, strlen(name)) == 0)
			number = strtoull(line + strlen(name), NULL, base);
	(void)fclose(file);
	return number;
}
