/*
 * One job host as its worker sees it: its process, what it is sent, and how it is let go. What it
 * sends, and what its death means, is hosts.c's.
 */
#include "worker/host/host.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "worker/exec/spawn.h"
#include "worker/handler.h"
#include "worker/host/main.h"
#include "worker/host/message.h"
#include "worker/state.h"

/* its messages, and its leaving */

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
		/* If its end is closed, it is dying, and hosts.c looks at what is unsent. */
		if (errno == EAGAIN)
			watch_writing(host, true);
		return;
	}
	watch_writing(host, false);
	sent_all(host);
}

void host_assign(struct host *host, struct run *run)
{
	const struct host_terms terms = {
		.cpu = run->handler->class->limits.cpu,
		.signal = run->handler->class->stop.signal,
		.log = log_enabled(LOG_INFO),
	};

	if (host->jobs > 0) /* what those have left is not this one's */
		host->cgroup = cgroup_renew(&host->worker->cgroups, host->cgroup, host->pid);
	host->run = run;
	run->host = host;
	run_begin(run);
	host->out.run = run;
	host->err.run = run;
	host_put_job(&host->unsent, &run->claim, &terms);
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
	if (!host->run && host->leave_by == CLOCK_NEVER)
		host->leave_by = clock_monotonic() + HOST_LEAVES_WITHIN;
}

void host_tell(struct host *host)
{
	const struct claim_name name = claim_name(&host->run->claim);

	atomic_store(&host->run->told, true);
	claim_token(&name, host->told);
	host_dismiss(host);
}

void host_sweep(struct host *host)
{
	host->ended = true;
	if (host->told[0] == '\0')
		return;
	sweep_begin(host->worker, host->told, host->pid, host->cgroup, host->run);
	host->cgroup = NULL;
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
	cgroup_give_back(&worker->cgroups, host->cgroup);
	text_free(&host->unsent);
	text_free(&host->received);
	free(host);
}

/* its start */

static const char *host_program = "/proc/self/exe"; /* works even if its file has been replaced */

void hosts_use_program(const char *path)
{
	host_program = path;
}

/* The run may be of an older edition, which its host may outlive. */
static struct host *host_new(struct worker *worker, const struct handler *handler)
{
	struct host *host = calloc(1, sizeof(*host));

	if (!host)
		out_of_memory();
	host->worker = worker;
	host->handler = handlers_find(worker->edition->handlers, handler->class->name);
	host->pidfd = host->socket = host->report = -1;
	host->leave_by = CLOCK_NEVER;
	stream_init(&host->out, worker, "stdout");
	stream_init(&host->err, worker, "stderr");
	host->err.tail = &host->tail;
	host->out.logged = host->err.logged = handler->class->output == OUTPUT_LOG;
	host->next = worker->hosts.all;
	worker->hosts.all = host;
	worker->hosts.count++;
	host_group_of(host)->count++;
	return host;
}

static enum status open_socket(struct host *host, struct spawn *what, struct error *error)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		return error_set(error, STATUS_FATAL, "cannot make a socket: %s",
				 strerrordesc_np(errno));
	host->socket = fds[0];
	what->standard[0] = fds[1];
	return STATUS_OK;
}

static enum status open_ends(struct host *host, struct spawn *what, struct error *error)
{
	enum status status = open_socket(host, what, error);

	if (status == STATUS_OK)
		status = stream_pipe(&host->err.fd, &what->standard[2], 0, error);
	if (status == STATUS_OK)
		status = stream_pipe(&host->report, &what->report, 0, error);
	if (status == STATUS_OK && host->out.logged)
		status = stream_pipe(&host->out.fd, &what->standard[1], 0, error);
	return status;
}

static enum status watch(struct host *host)
{
	struct loop *loop = host->worker->loop;
	enum status status =
		loop_watch(loop, host->pidfd, LOOP_READ, host->worker->hosts.on_exit, host);

	if (status == STATUS_OK)
		status = loop_watch(loop, host->socket, LOOP_READ, host->worker->hosts.on_socket,
				    host);
	if (status == STATUS_OK)
		status = loop_watch(loop, host->err.fd, LOOP_READ, stream_on_output, &host->err);
	if (status == STATUS_OK && host->out.fd >= 0)
		status = loop_watch(loop, host->out.fd, LOOP_READ, stream_on_output, &host->out);
	return status;
}

/* Processor time is limited for each job, which the host does itself. */
static struct config_limits limits_of(const struct config_class *class)
{
	struct config_limits limits = class->limits;

	limits.cpu = -1;
	return limits;
}

static enum status launch(struct host *host, struct spawn *what, struct error *error)
{
	host->cgroup = cgroup_take(&host->worker->cgroups);
	what->cgroup = cgroup_open(&host->worker->cgroups, host->cgroup);
	host->pid = spawn(what);
	if (host->pid < 0)
		return error_set(error, STATUS_FATAL, "fork: %s", strerrordesc_np(errno));
	FAULT_POINT("worker.host_started");
	sweeps_expect(host->worker);
	/* Nothing else reaps our children, so the pid is still the child's. */
	host->pidfd = (int)syscall(SYS_pidfd_open, host->pid, 0);
	if (host->pidfd >= 0 && watch(host) == STATUS_OK)
		return STATUS_OK;
	(void)error_set(error, STATUS_FATAL, "cannot watch a job host: %s", strerrordesc_np(errno));
	spawn_signal(host->pid, SIGKILL);
	(void)waitpid(host->pid, NULL, 0);
	return STATUS_FATAL;
}

enum status host_start(struct worker *worker, const struct handler *handler, struct host **host,
		       struct error *error)
{
	struct host *new = host_new(worker, handler);
	const struct config_limits limits = limits_of(new->handler->class);
	struct spawn what = {
		.program = host_program,
		.argv = (const char *const[]){ HOST_NAME, new->handler->module, NULL },
		.environment = new->handler->environment,
		.directory = new->handler->directory,
		.limits = &limits,
		.nice = new->handler->class->nice,
		.files = worker->files,
		.null = worker->null_fd,
		.standard = { -1, -1, -1 },
		.report = -1,
		.cgroup = -1,
	};
	enum status status = open_ends(new, &what, error);

	if (status == STATUS_OK)
		status = launch(new, &what, error);
	spawn_close(&what);
	if (status == STATUS_OK)
		*host = new;
	else
		host_free(new);
	return status;
}
