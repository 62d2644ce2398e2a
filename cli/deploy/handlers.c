#include "cli/deploy/handlers.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "worker/handler.h"

static void report(void *context, const struct config_class *class, const char *text)
{
	const bool *fatal = context;

	(void)class;
	cli_complain("%s%s", *fatal ? "" : "warning: ", text);
}

/*
 * A missing program is not an error, because it may be installed later; a module that cannot be
 * loaded is.
 */
static int check(struct cli *cli)
{
	struct error error = { 0 };
	if (cli->config->worker_count > 0 && handlers_require(cli->config, &error) != STATUS_OK)
		return cli_fail(&error);
	bool fatal = handlers_try(cli->arena, cli->config, &error) != STATUS_OK;

	if (fatal || !cli->quiet)
		(void)handler_check(cli->config, report, &fatal);
	return fatal ? EXIT_USAGE : EXIT_STOPPED;
}

/* Checks in a child, because modules run code when they are loaded, and stay loaded. */
int check_handlers(struct cli *cli)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		cli_complain("fork: %s", strerrordesc_np(errno));
		return EXIT_ERROR;
	}
	if (pid == 0)
		_exit(check(cli));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) {
			cli_complain("waitpid: %s", strerrordesc_np(errno));
			return EXIT_ERROR;
		}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	cli_complain("loading the modules of jobs.yml crashed with signal SIG%s",
		     sigabbrev_np(WTERMSIG(status)));
	return EXIT_USAGE;
}
