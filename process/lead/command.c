#include "process/lead/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/loop.h"
#include "common/process.h"

#define GRACE     (5 * CLOCK_SECOND)
#define LOOK      (50 * CLOCK_MILLISECOND)
#define LAST_TIME 60 /* seconds: only when nobody has looked for so long */

/* A file in memory, from its beginning; -1 with errno. */
static int input_file(const char *input)
{
	const size_t length = strlen(input);
	int fd = memfd_create("dray-input", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (write(fd, input, length) != (ssize_t)length || lseek(fd, 0, SEEK_SET) != 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* execvp takes char *const[] for historical reasons and changes nothing. */
static char *const *mutable(const char *const *texts)
{
	const union {
		const char *const *given;
		char *const *wanted;
	} same = { .given = texts };

	return same.wanted;
}

/* What it prints goes where the log goes: standard output may be a pipe that nobody reads. */
static void __attribute__((noreturn)) child(const char *const argv[], int input, pid_t parent)
{
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* died before the line above took effect */
		_exit(1);
	(void)alarm(LAST_TIME); /* lasts over the exec */
	for (int number = 1; number < NSIG; number++)
		(void)sigaction(number, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	loop_signals_reset();
	if (dup2(input, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
	    close_range(STDERR_FILENO + 1, ~0U, 0) == 0)
		(void)execvp(argv[0], mutable(argv));
	_exit(errno == ENOENT ? 127 : 126);
}

bool command_begin(struct command *command, const char *const argv[], const char *input)
{
	const pid_t parent = getpid();
	int fd = input_file(input);
	pid_t pid = fd < 0 ? -1 : fork();

	if (pid == 0)
		child(argv, fd, parent);
	*command = (struct command){ .failed = pid < 0,
				     .ends_at = clock_monotonic() + COMMAND_PATIENCE };
	if (pid < 0)
		(void)snprintf(command->how, sizeof(command->how), "cannot be started: %s",
			       strerrordesc_np(errno));
	if (fd >= 0)
		(void)close(fd);
	if (pid < 0)
		return false;
	(void)setpgid(pid, pid); /* parent and child both do: when one has, the group exists */
	command->pid = pid;
	process_expect(pid);
	return true;
}

static void forget(struct command *command)
{
	process_expect_no_more(command->pid);
	command->pid = 0;
}

static void send_signal(const struct command *command, int number)
{
	(void)kill(-command->pid, number);
	(void)kill(command->pid, number);
}

static void press(struct command *command)
{
	const int64_t now = clock_monotonic();

	if (now < command->ends_at)
		return;
	command->signal = command->signal == 0 ? SIGTERM : SIGKILL;
	command->ends_at = now + GRACE;
	send_signal(command, command->signal);
}

/* What is left of its group when time is up goes with it. */
bool command_ended(struct command *command)
{
	int status = 0;

	if (command->pid == 0)
		return false;
	const pid_t ended = waitpid(command->pid, &status, WNOHANG);
	if (ended == 0) {
		press(command);
		return false;
	}
	command->failed = ended < 0 || status != 0 || command->signal != 0;
	process_how(status, command->how, sizeof(command->how));
	if (ended < 0) { /* it is no child of ours any more, and its number may be anybody's */
		(void)snprintf(command->how, sizeof(command->how), "ended, nobody knows how");
		forget(command);
		return true;
	}
	if (command->signal != 0) {
		(void)kill(-command->pid, SIGKILL);
		(void)snprintf(command->how, sizeof(command->how), "took longer than %d seconds",
			       (int)(COMMAND_PATIENCE / CLOCK_SECOND));
	}
	forget(command);
	return true;
}

int64_t command_due(const struct command *command)
{
	return command->pid == 0 ? CLOCK_NEVER : clock_monotonic() + LOOK;
}

void command_stop(struct command *command)
{
	if (command->pid == 0)
		return;
	send_signal(command, SIGKILL);
	(void)waitpid(command->pid, NULL, 0);
	forget(command);
}
