#include "cli/deploy/container.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "common/process.h"

#define KILLED 128 /* plus the signal, as in a shell */

static const int signals[] = { SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD };

/*
 * Collects all children that have ended. Returns the exit status of `child` if it is one of them,
 * otherwise -1.
 */
static int collect(pid_t child)
{
	int code = -1;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == child)
			code = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
	return code;
}

/*
 * A signal from the terminal has already reached the whole group; a second one would have another
 * meaning.
 */
static void pass_on(pid_t child, const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL)
		(void)kill(child, info->si_signo);
}

static void stay_behind(pid_t child, const sigset_t *set)
{
	int code = -1;

	process_title("dray: init");
	while (code < 0) {
		siginfo_t info;
		if (sigwaitinfo(set, &info) < 0)
			continue;
		if (info.si_signo == SIGCHLD)
			code = collect(child);
		else
			pass_on(child, &info);
	}
	_exit(code);
}

void container_enter(void)
{
	sigset_t set;
	sigset_t before;

	if (getpid() != 1)
		return;
	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)sigaddset(&set, signals[i]);
	(void)pthread_sigmask(SIG_BLOCK, &set, &before);
	pid_t child = fork();
	if (child > 0)
		stay_behind(child, &set);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		cli_complain("cannot fork: continuing as process 1");
}
