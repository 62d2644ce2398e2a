#include "worker/host/host.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "worker/host/message.h"
#include "worker/state.h"

struct host_group *host_group_of(const struct host *host)
{
	return &host->worker->hosts.groups[host->handler->group];
}

void host_unlink_idle(const struct host *host)
{
	struct hosts *hosts = &host->worker->hosts;

	for (struct host **at = &hosts->idle; *at; at = &(*at)->next_idle)
		if (*at == host) {
			*at = host->next_idle;
			return;
		}
}

/* A host that cannot be watched for room would never get its job: it is killed instead. */
static void watch_writing(struct host *host, bool writing)
{
	unsigned events = writing ? LOOP_READ | LOOP_WRITE : LOOP_READ;

	if (host->writing == writing)
		return;
	host->writing = writing;
	if (loop_watch(host->worker->loop, host->socket, events, host->worker->hosts.on_socket,
		       host) != STATUS_OK)
		host->leave_by = 0;
}

/* Everything is sent: a host that is to leave sees the end of the stream after its job. */
static void sent_all(struct host *host)
{
	text_clear(&host->unsent);
	host->sent = 0;
	if (host->leaving)
		(void)shutdown(host->socket, SHUT_WR);
}

void host_flush(struct host *host)
{
	while (host->sent < host->unsent.length) {
		ssize_t part = send(host->socket, host->unsent.data + host->sent,
				    host->unsent.length - host->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			break;
		host->sent += (size_t)part;
	}
	if (host->sent < host->unsent.length) {
		/* If its end is closed, it is dying, and host_on_exit looks at what is unsent. */
		if (errno == EAGAIN)
			watch_writing(host, true);
		return;
	}
	watch_writing(host, false);
	sent_all(host);
}

void host_assign(struct host *host, struct slot *slot)
{
	const struct host_terms terms = {
		.cpu = slot->handler->class->limits.cpu,
		.signal = slot->handler->class->stop.signal,
		.log = log_enabled(LOG_INFO),
	};

	host->slot = slot;
	slot->host = host;
	slot_begin(slot);
	host->out.slot = slot;
	host->err.slot = slot;
	host_put_job(&host->unsent, &slot->claim, &terms);
	host_flush(host);
	FAULT_POINT("worker.host_assigned");
}

void host_dismiss(struct host *host)
{
	struct hosts *hosts = &host->worker->hosts;

	if (!host->leaving) {
		host->leaving = true;
		hosts->count--;
		host_group_of(host)->count--;
		host_unlink_idle(host);
		if (host->sent == host->unsent.length)
			host_flush(host);
	}
	if (!host->slot && host->leave_by == CLOCK_NEVER)
		host->leave_by = clock_monotonic() + HOST_LEAVES_WITHIN;
}

void host_tell(struct host *host)
{
	const struct claim_name name = claim_name(&host->slot->claim);

	atomic_store(&host->slot->told, true);
	claim_token(&name, host->told);
	host_dismiss(host);
}

void host_sweep(struct host *host)
{
	host->ended = true;
	if (host->told[0] != '\0')
		sweep_begin(host->worker, host->told, host->pid, host->slot);
}

void host_free(struct host *host)
{
	struct worker *worker = host->worker;
	struct host **at = &worker->hosts.all;

	host_dismiss(host);
	while (*at != host)
		at = &(*at)->next;
	*at = host->next;
	worker_close_fd(worker, &host->pidfd);
	worker_close_fd(worker, &host->socket);
	worker_close_fd(worker, &host->report);
	worker_close_fd(worker, &host->out.fd);
	worker_close_fd(worker, &host->err.fd);
	text_free(&host->unsent);
	text_free(&host->received);
	free(host);
}
