#include "common/hangup.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

static bool had_terminal;
static bool ignored;

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

void hangup_init(void)
{
	struct sigaction now;

	ignored = sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
	had_terminal = has_terminal();
}

/* The kernel's own comes before the terminal is gone, when the first process of the session ends.
 */
enum hangup hangup_meaning(int code)
{
	if (code == SI_QUEUE)
		return HANGUP_RELOAD;
	if (ignored)
		return HANGUP_NOTHING;
	return had_terminal && (code == SI_KERNEL || !has_terminal()) ? HANGUP_STOP : HANGUP_RELOAD;
}
