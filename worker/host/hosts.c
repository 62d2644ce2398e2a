/*
 * All job hosts of a worker: which of them runs a job, what they say, and what their end means.
 *
 * A job host is a process that runs the functions of one module, one job at a time; a group is the
 * hosts and the waiting runs of one module. To start a host costs some milliseconds, and a memory
 * of its own for as long as it lives. So while a group has hosts a job waits a few milliseconds for
 * an idle one before another is started, one host of a group is started at a time, and a start that
 * fails is followed by growing pauses. A job that waits has begun nothing yet: it can be withdrawn
 * and goes back to its queue.
 *
 * A host that dies fails the job that it has, and no other; a job that it had not read gets one
 * more host. Its run is handed over once, by whichever comes first of its answer and its end.
 * Everything that a host sends is checked, since a job may have corrupted its memory: after
 * something that is not a message nothing more is read from it, and it is killed.
 */
#include "worker/host/hosts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "worker/exec/spawn.h"
#include "worker/host/host.h"
#include "worker/host/message.h"
#include "worker/report.h"
#include "worker/state.h"

/* which host runs a job */

#define PATIENCE (5 * CLOCK_MILLISECOND) /* about what it costs to start a host */

static struct host *take_idle(struct hosts *hosts, size_t group)
{
	for (struct host *host = hosts->idle; host; host = host->next_idle)
		if (host->handler->group == group) {
			host_unlink_idle(host);
			return host;
		}
	return NULL;
}

/* There are as many hosts as threads, and one run wants a host: so some host is idle. */
static void make_room(struct worker *worker)
{
	struct hosts *hosts = &worker->hosts;
	struct host *oldest = hosts->idle;

	if (hosts->count < (size_t)worker->options->threads || !oldest)
		return;
	while (oldest->next_idle)
		oldest = oldest->next_idle;
	host_dismiss(oldest);
}

/* Resident memory in bytes; 0 when it is unknown. */
static int64_t resident(pid_t pid)
{
	char path[64];
	char *text = NULL;
	char *second;
	size_t length;
	int64_t pages = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	if (file_read(path, 4096, &text, &length, NULL) != STATUS_OK)
		return 0;
	(void)strtoll(text, &second, 10);
	pages = strtoll(second, NULL, 10);
	free(text);
	return pages * sysconf(_SC_PAGESIZE);
}

static bool worn_out(const struct host *host, const struct config_class *class)
{
	if (class->recycle_after > 0 && host->jobs >= class->recycle_after)
		return true;
	return class->recycle_above > 0 && resident(host->pid) > class->recycle_above;
}

/* The output of this job ends here; its memory goes with its run. */
static void hand_back(struct stream *stream)
{
	stream_drain(stream);
	stream->run = NULL;
	stream->lines.data = NULL;
	stream->lines.length = 0;
}

/*
 * Gives the runs that wait to idle hosts or, when they have waited for long enough, to a new one.
 */
static void serve(struct worker *worker, struct host_group *group);

/* Its run has an outcome: it is handed over and the host becomes idle. */
static void release(struct host *host)
{
	struct run *run = host->run;
	struct hosts *hosts = &host->worker->hosts;

	hand_back(&host->out);
	hand_back(&host->err);
	host->tail = (struct capture){ 0 };
	host->run = NULL;
	run->host = NULL;
	host->jobs++;
	if (!host->ended || host->told[0] == '\0') /* else with what it has left */
		worker_ended(run);
	if (host->leaving || worn_out(host, run->handler->class)) {
		host_dismiss(host);
		if (host->told[0] != '\0' && !host->ended) /* what the job has left waits for it */
			host->leave_by = clock_earlier(host->leave_by, run->kill_at);
		return;
	}
	host->next_idle = hosts->idle;
	hosts->idle = host;
	serve(host->worker, host_group_of(host));
}

static void append_waiting(struct host_group *group, struct run *run)
{
	run->task.next = NULL;
	if (!group->first)
		group->first = &run->task;
	else
		group->last->next = &run->task;
	group->last = &run->task;
}

/* NULL when none waits. */
static struct run *take_first(struct host_group *group)
{
	struct pool_task *task = group->first;

	if (!task)
		return NULL;
	group->first = task->next;
	return run_of_task(task);
}

static void give_back_waiting(struct host_group *group)
{
	struct run *run;

	while ((run = take_first(group))) {
		run_release(run);
		worker_ended(run);
	}
}

void host_withdraw(struct run *run)
{
	struct host_group *group = &run->worker->hosts.groups[run->handler->group];
	struct pool_task *before = NULL;
	struct pool_task *task = group->first;

	while (task && task != &run->task) {
		before = task;
		task = task->next;
	}
	if (!task)
		return;
	if (!before)
		group->first = task->next;
	else
		before->next = task->next;
	if (group->last == task)
		group->last = before;
	run_release(run);
	worker_ended(run);
}

/* When the group may start a host for a run that waits; CLOCK_NEVER = not before another event. */
static int64_t start_due(const struct host_group *group)
{
	int64_t patient_until;

	if (!group->first || group->starting)
		return CLOCK_NEVER;
	patient_until = run_of_task(group->first)->started_at + PATIENCE;
	return group->count == 0 || group->start_at > patient_until ? group->start_at
								    : patient_until;
}

/* Starts a new host for the run. A job that cannot be run here is given back. */
static void start_for(struct run *run)
{
	struct worker *worker = run->worker;
	struct host_group *group = &worker->hosts.groups[run->handler->group];
	struct host *host = NULL;
	struct error error;

	make_room(worker);
	if (host_start(worker, run->handler, &host, &error) != STATUS_OK) {
		worker_rest(worker, error.text);
		run_release(run);
		worker_ended(run);
		give_back_waiting(group);
		return;
	}
	group->starting = true;
	host_assign(host, run);
	if (atomic_load(&worker->stopping))
		host_dismiss(host);
}

static void serve(struct worker *worker, struct host_group *group)
{
	size_t number = (size_t)(group - worker->hosts.groups);
	struct run *run;
	struct host *host;

	while (group->first && (host = take_idle(&worker->hosts, number)))
		host_assign(host, take_first(group));
	run = start_due(group) <= clock_monotonic() ? take_first(group) : NULL;
	if (run)
		start_for(run);
}

void host_run(struct run *run)
{
	struct worker *worker = run->worker;
	struct host_group *group = &worker->hosts.groups[run->handler->group];

	append_waiting(group, run);
	serve(worker, group);
}

static void kill_late(struct host *host, int64_t now)
{
	if (host->leave_by > now)
		return;
	log_event(LOG_WARN, "job_host.killed", LOG_TEXT("module", host->handler->module),
		  LOG_INT("host_pid", host->pid),
		  LOG_TEXT("reason", "it did not exit when it was asked to"));
	host->leave_by = CLOCK_NEVER;
	spawn_signal(host->pid, SIGKILL);
}

void hosts_tick(struct worker *worker)
{
	struct hosts *hosts = &worker->hosts;

	for (size_t i = 0; i < hosts->group_count; i++)
		serve(worker, &hosts->groups[i]);
	for (struct host *host = hosts->all; host; host = host->next)
		kill_late(host, clock_monotonic());
}

int64_t hosts_due(const struct worker *worker)
{
	const struct hosts *hosts = &worker->hosts;
	int64_t due = CLOCK_NEVER;

	for (const struct host *host = hosts->all; host; host = host->next)
		due = clock_earlier(due, host->leave_by);
	for (size_t i = 0; i < hosts->group_count; i++)
		due = clock_earlier(due, start_due(&hosts->groups[i]));
	return due;
}

void hosts_stop(struct worker *worker)
{
	for (size_t i = 0; i < worker->hosts.group_count; i++)
		give_back_waiting(&worker->hosts.groups[i]);
	for (struct host *host = worker->hosts.all; host; host = host->next)
		host_dismiss(host);
}

/* what hosts say */

#define LISTEN_READS 64 /* of EXEC_BUFFER: more than a socket holds */

static bool on_ready(struct host *host, const char *body, size_t length)
{
	struct host_group *group = host_group_of(host);

	(void)body;
	host->ready = true;
	group->failures = 0;
	group->starting = false;
	worker_close_fd(host->worker, &host->report);
	serve(host->worker, group);
	return length == 0;
}

static bool on_refused(struct host *host, const char *body, size_t length)
{
	const char *text;

	if (host->ready || !host->run || !host_get_texts(body, length, &text, 1))
		return false;
	host->refusal = arena_strdup(host->run->arena, text);
	return true;
}

static bool on_said(struct host *host, const char *body, size_t length)
{
	const char *text;

	if (!host->run || !host_get_texts(body, length, &text, 1))
		return false;
	report_said(&host->run->claim.job, text);
	return true;
}

static bool on_finished(struct host *host, const char *body, size_t length)
{
	(void)body;
	if (!host->ready || !host->run || length != 0)
		return false;
	run_succeed(host->run);
	FAULT_POINT("worker.host_finished");
	release(host);
	return true;
}

static bool on_failed(struct host *host, const char *body, size_t length)
{
	struct run *run = host->run;
	const char *texts[2];
	const char *message;

	if (!host->ready || !run || !host_get_texts(body, length, texts, 2))
		return false;
	message = arena_strdup(run->arena, texts[1]);
	/*
	 * The programs that it had started got the signal too: it may have failed because of that.
	 */
	if (!run_interrupted(run, message))
		run_fail(run, arena_strdup(run->arena, texts[0]), message, NULL);
	release(host);
	return true;
}

/* What it says holds, whether or not it was asked to stop. */
static bool on_ended(struct host *host, const char *body, size_t length)
{
	struct run *run = host->run;
	const char *texts[4];
	int64_t what, wait;

	if (!host->ready || !run || !host_get_texts(body, length, texts, 4) ||
	    parse_int(texts[2], SAYS_DISCARD, SAYS_RETRY, &what) != STATUS_OK ||
	    parse_int(texts[3], 0, CONFIG_WAIT_MOST, &wait) != STATUS_OK)
		return false;
	struct config_end *said = arena_alloc(run->arena, sizeof(*said));
	*said = (struct config_end){ .what = (enum config_says)what, .wait = wait };
	run->said = said;
	run_fail(run, arena_strdup(run->arena, texts[0]), arena_strdup(run->arena, texts[1]), NULL);
	release(host);
	return true;
}

/* Only a job that was asked to stop may do so. */
static bool on_given_back(struct host *host, const char *body, size_t length)
{
	(void)body;
	if (!host->ready || !host->run || !host->leaving || length != 0)
		return false;
	run_interrupt(host->run, JOB_GAVE_BACK);
	release(host);
	return true;
}

typedef bool reply_function(struct host *host, const char *body, size_t length);

static reply_function *const replies[] = {
	[HOST_READY] = on_ready,           [HOST_REFUSED] = on_refused, [HOST_SAID] = on_said,
	[HOST_FINISHED] = on_finished,     [HOST_FAILED] = on_failed,   [HOST_ENDED] = on_ended,
	[HOST_GIVEN_BACK] = on_given_back,
};

/* After something that is not a message nothing more is read from it. */
static void take_replies(struct host *host)
{
	struct host_frame frame;
	const char *body = NULL;
	size_t offset = 0;
	enum status status = STATUS_OK;

	while (!host->nonsense && status == STATUS_OK) {
		status = host_next_reply(&host->received, &offset, &frame, &body);
		if (status == STATUS_OK && !replies[frame.kind](host, body, frame.length))
			status = STATUS_INVALID;
		host->nonsense = status == STATUS_INVALID;
	}
	if (host->nonsense) {
		offset = host->received.length;
		(void)kill(host->pid, SIGKILL);
	}
	if (offset == 0)
		return;
	memmove(host->received.data, host->received.data + offset, host->received.length - offset);
	host->received.length -= offset;
}

/* A host that closes its end is ending; if it does not end, it is made to. */
static void on_end_of_stream(struct host *host, bool unread)
{
	host->unread = host->unread || unread;
	loop_unwatch(host->worker->loop, host->socket);
	host_dismiss(host);
	if (host->leave_by == CLOCK_NEVER)
		host->leave_by = clock_monotonic() + HOST_LEAVES_WITHIN;
}

/*
 * One read; false when there is nothing to read now. A socket whose other end was closed with
 * unread bytes in it reports ECONNRESET.
 */
static bool receive(struct host *host)
{
	char *buffer = host->worker->buffer;
	ssize_t length = recv(host->socket, buffer, EXEC_BUFFER, MSG_DONTWAIT);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (length <= 0) {
		on_end_of_stream(host, length < 0 && errno == ECONNRESET);
		return false;
	}
	text_append(&host->received, buffer, (size_t)length);
	take_replies(host);
	return true;
}

/* Loop callback: it can be written to, or has sent something. */
static void on_socket(void *context)
{
	struct host *host = context;

	if (host->sent < host->unsent.length)
		host_flush(host);
	(void)receive(host);
}

void host_listen(struct host *host)
{
	for (int i = 0; i < LISTEN_READS && receive(host); i++)
		;
}

/* how they end */

#define PAUSE_FIRST (100 * CLOCK_MILLISECOND)
#define PAUSE_LAST  (10 * CLOCK_SECOND)
#define HOW_SIZE    128

/* How a process ended, for people: "was killed by signal 11 (SEGV)". */
static void describe_end(int status, char how[HOW_SIZE])
{
	const size_t was = WIFSIGNALED(status) ? strlen("was ") : 0;

	(void)snprintf(how, HOW_SIZE, "was ");
	process_how(status, how + was, HOW_SIZE - was);
}

static int reap(const struct host *host)
{
	int status = 0;
	pid_t pid;

	do
		pid = waitpid(host->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	return pid == host->pid ? status : 0xff00; /* something else did: its status is unknown */
}

/* The pause until the next attempt. */
static int64_t count_failure(struct host_group *group)
{
	int64_t pause = PAUSE_FIRST << (group->failures < 10 ? group->failures : 10);

	if (pause > PAUSE_LAST)
		pause = PAUSE_LAST;
	group->starting = false;
	group->failures++;
	group->start_at = clock_monotonic() + pause;
	return pause;
}

static void fail_start(struct host *host, const char *failure_class, const char *message)
{
	struct run *run = host->run;
	int64_t pause = count_failure(host_group_of(host));

	log_event(LOG_WARN, "job_host.refused", LOG_TEXT("module", host->handler->module),
		  LOG_TEXT("error", message), LOG_INT("pause_ms", pause / CLOCK_MILLISECOND));
	run_fail(run, failure_class, message, capture_text(&host->tail, run->arena));
}

static void ended_at_start(struct host *host, int status)
{
	struct arena *arena = host->run->arena;
	const char *class = host->run->claim.job.class_name;
	struct spawn_report report;
	char how[HOW_SIZE];

	describe_end(status, how);
	if (read(host->report, &report, sizeof(report)) == (ssize_t)sizeof(report))
		fail_start(host, "Dray::ExecError",
			   arena_printf(arena, "%s: its process %s: %s", class,
					spawn_step_text(report.step),
					strerrordesc_np(report.code)));
	else if (host->refusal)
		fail_start(host, "Dray::ModuleError", host->refusal);
	else
		fail_start(host, "Dray::ProcessExitError",
			   arena_printf(arena, "%s: its process %s while it loaded %s", class, how,
					host->handler->module));
}

static void ended_in_job(struct host *host, int status)
{
	struct run *run = host->run;
	char how[HOW_SIZE];
	const char *message;

	describe_end(status, how);
	message = arena_printf(
		run->arena, "%s: its process %s%s", run->claim.job.class_name, how,
		host->nonsense ? " because it sent the worker something that is not a message"
			       : "");
	run->signalled = WIFSIGNALED(status);
	run->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	run_fail(run, "Dray::ProcessExitError", message, capture_text(&host->tail, run->arena));
}

/*
 * An idle host died: killed by something that it had started and left running, most likely, or by
 * the kernel for want of memory.
 */
static void ended_idle(const struct host *host, int status)
{
	char how[HOW_SIZE];

	if (host->leaving && !host->nonsense && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	describe_end(status, how);
	log_event(LOG_WARN, "job_host.died", LOG_TEXT("module", host->handler->module),
		  LOG_INT("host_pid", host->pid), LOG_TEXT("reason", how));
}

static bool is_unread(const struct host *host)
{
	return host->unread || host->sent < host->unsent.length;
}

/* The job never began: it gets a second host, but not a third. */
static bool may_move(const struct host *host)
{
	return host->ready && is_unread(host) && !host->run->moved && !host->nonsense &&
	       !atomic_load(&host->run->told);
}

/* It was asked to leave, so it does not matter how it ended. */
static void ended_as_told(struct host *host, int status)
{
	char how[HOW_SIZE];

	describe_end(status, how);
	if (!host->ready)
		host_group_of(host)->starting = false;
	if (host->ready && !is_unread(host))
		run_interrupt(host->run, arena_printf(host->run->arena, "its process %s", how));
	else
		run_release(host->run);
}

/* The job ended with its host. */
static void end_job(struct host *host, int status)
{
	stream_drain(&host->err);
	stream_drain(&host->out);
	if (atomic_load(&host->run->told))
		ended_as_told(host, status);
	else if (host->ready)
		ended_in_job(host, status);
	else
		ended_at_start(host, status);
	release(host);
}

static void decide_end(struct host *host, int status)
{
	struct run *run = host->run;

	if (!run) {
		ended_idle(host, status);
	} else if (may_move(host)) {
		ended_idle(host, status);
		run->moved = true;
		run->timeout_at = 0;
		run->host = NULL;
		host->run = NULL;
		host_run(run);
	} else {
		end_job(host, status);
	}
}

/*
 * Loop callback: it has ended. Frees it.
 *
 * The host is still a zombie, so no other process can have its group's number: what its jobs left
 * running is killed before it is reaped. What it sent before it died counts.
 */
static void on_exit_of_host(void *context)
{
	struct host *host = context;

	FAULT_POINT("worker.host_ended");
	(void)kill(-host->pid, SIGKILL);
	host_listen(host);
	host_dismiss(host);
	const int status = reap(host);
	host_sweep(host);
	decide_end(host, status);
	host_free(host);
}

/* all of them */

#define CLOSE_WAIT (500 * CLOCK_MILLISECOND) /* for idle hosts to leave when the worker does */
#define KILL_WAIT  CLOCK_SECOND              /* for killed ones to vanish */

void hosts_open(struct worker *worker)
{
	size_t count = worker->edition->handlers->groups;

	worker->hosts.groups = arena_array(worker->arena, count, sizeof(*worker->hosts.groups));
	worker->hosts.group_count = count;
	worker->hosts.on_socket = on_socket;
	worker->hosts.on_exit = on_exit_of_host;
}

void hosts_adopt(struct worker *worker, const struct handlers *handlers)
{
	for (struct host *host = worker->hosts.all; host; host = host->next)
		host->handler = handlers_find(handlers, host->handler->class->name);
}

void hosts_look(struct worker *worker)
{
	for (struct host *host = worker->hosts.all; host; host = host->next)
		if (host->run)
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
		spawn_signal(host->pid, SIGKILL);
		until = clock_monotonic() + KILL_WAIT;
	}
	if (!is_gone(host, until)) {
		log_event(LOG_WARN, "job_host.unkillable", LOG_INT("host_pid", host->pid));
	} else if (host->run) {
		on_exit_of_host(host);
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
		if (!host->run) {
			host_dismiss(host);
			continue;
		}
		report_killed(host->run);
		host_tell(host);
		spawn_signal(host->pid, SIGKILL);
	}
	for (struct host *host = worker->hosts.all, *next; host; host = next) {
		next = host->next;
		close_host(host, until);
	}
}
