/* The hosts of a worker from its start to its end, and what each of them says. */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "worker/host/host.h"
#include "worker/report.h"
#include "worker/state.h"

#define CLOSE_WAIT (500 * CLOCK_MILLISECOND) /* for idle hosts to leave when the worker does */
#define KILL_WAIT  CLOCK_SECOND              /* for killed ones to vanish */

void hosts_open(struct worker *worker)
{
	size_t count = handlers_groups(worker->edition->handlers);

	worker->hosts.groups = arena_array(worker->arena, count, sizeof(*worker->hosts.groups));
	worker->hosts.group_count = count;
	worker->hosts.on_socket = host_on_socket;
	worker->hosts.on_exit = host_on_exit;
}

void hosts_adopt(struct worker *worker, const struct handlers *handlers)
{
	for (struct host *host = worker->hosts.all; host; host = host->next)
		host->handler = handlers_find(handlers, host->handler->class->name);
}

void hosts_look(struct worker *worker)
{
	for (struct host *host = worker->hosts.all; host; host = host->next)
		if (host->slot)
			host_listen(host);
}

static bool is_gone(const struct host *host, int64_t until)
{
	struct pollfd wait = { .fd = host->pidfd, .events = POLLIN };
	int64_t left = until - clock_monotonic();

	return poll(&wait, 1, left > 0 ? (int)(left / CLOCK_MILLISECOND) : 0) == 1;
}

static void close_host(struct host *host, int64_t until)
{
	if (!is_gone(host, until)) {
		(void)kill(-host->pid, SIGKILL);
		until = clock_monotonic() + KILL_WAIT;
	}
	if (!is_gone(host, until)) {
		log_event(LOG_WARN, "job_host.unkillable", LOG_INT("pid", host->pid));
	} else if (host->slot) {
		host_on_exit(host);
		return;
	} else {
		(void)kill(-host->pid, SIGKILL); /* what its jobs left running */
		(void)waitpid(host->pid, NULL, 0);
		host_sweep(host);
	}
	host_free(host);
}

void hosts_close(struct worker *worker)
{
	int64_t until = clock_monotonic() + CLOSE_WAIT;

	for (struct host *host = worker->hosts.all; host; host = host->next) {
		if (!host->slot) {
			host_dismiss(host);
			continue;
		}
		report_killed(host->slot);
		host_tell(host);
		(void)kill(-host->pid, SIGKILL);
	}
	for (struct host *host = worker->hosts.all, *next; host; host = next) {
		next = host->next;
		close_host(host, until);
	}
}
