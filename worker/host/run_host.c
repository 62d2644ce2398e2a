#include "worker/host/run_host.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/process.h"
#include "worker/host/host.h"
#include "worker/report.h"
#include "worker/state.h"

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

/* There are as many hosts as threads, and one slot wants a host: so some host is idle. */
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

/* The output of this job ends here; its memory goes with its slot. */
static void hand_back(struct stream *stream)
{
	stream_drain(stream);
	stream->slot = NULL;
	stream->lines.data = NULL;
	stream->lines.length = 0;
}

void host_release(struct host *host)
{
	struct slot *slot = host->slot;
	struct hosts *hosts = &host->worker->hosts;

	hand_back(&host->out);
	hand_back(&host->err);
	host->tail = (struct capture){ 0 };
	host->slot = NULL;
	slot->host = NULL;
	host->jobs++;
	if (!host->ended || host->told[0] == '\0') /* else with what it has left */
		worker_ended(slot);
	if (host->leaving || worn_out(host, slot->handler->class)) {
		host_dismiss(host);
		if (host->told[0] != '\0' && !host->ended) /* what the job has left waits for it */
			host->leave_by = clock_earlier(host->leave_by, slot->kill_at);
		return;
	}
	host->next_idle = hosts->idle;
	hosts->idle = host;
	host_group_serve(host->worker, host_group_of(host));
}

static void append(struct host_group *group, struct slot *slot)
{
	slot->task.next = NULL;
	if (!group->first)
		group->first = &slot->task;
	else
		group->last->next = &slot->task;
	group->last = &slot->task;
}

/* NULL when none waits. */
static struct slot *take_first(struct host_group *group)
{
	struct pool_task *task = group->first;

	if (!task)
		return NULL;
	group->first = task->next;
	return slot_of_task(task);
}

static void give_back(struct host_group *group)
{
	struct slot *slot;

	while ((slot = take_first(group))) {
		slot_release(slot);
		worker_ended(slot);
	}
}

void host_withdraw(struct slot *slot)
{
	struct host_group *group = &slot->worker->hosts.groups[slot->handler->group];
	struct pool_task *before = NULL;
	struct pool_task *task = group->first;

	while (task && task != &slot->task) {
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
	slot_release(slot);
	worker_ended(slot);
}

/* When the group may start a host for a slot that waits; CLOCK_NEVER = not before another event. */
static int64_t start_due(const struct host_group *group)
{
	int64_t patient_until;

	if (!group->first || group->starting)
		return CLOCK_NEVER;
	patient_until = slot_of_task(group->first)->started_at + PATIENCE;
	return group->count == 0 || group->start_at > patient_until ? group->start_at
								    : patient_until;
}

/* Starts a new host for the slot. A job that cannot be run here is given back. */
static void start_for(struct slot *slot)
{
	struct worker *worker = slot->worker;
	struct host_group *group = &worker->hosts.groups[slot->handler->group];
	struct host *host = NULL;
	struct error error;

	make_room(worker);
	if (host_start(worker, slot->handler, &host, &error) != STATUS_OK) {
		worker_rest(worker, error.text);
		slot_release(slot);
		worker_ended(slot);
		give_back(group);
		return;
	}
	group->starting = true;
	host_assign(host, slot);
	if (atomic_load(&worker->stopping))
		host_dismiss(host);
}

void host_group_serve(struct worker *worker, struct host_group *group)
{
	size_t number = (size_t)(group - worker->hosts.groups);
	struct slot *slot;
	struct host *host;

	while (group->first && (host = take_idle(&worker->hosts, number)))
		host_assign(host, take_first(group));
	slot = start_due(group) <= clock_monotonic() ? take_first(group) : NULL;
	if (slot)
		start_for(slot);
}

void host_run(struct slot *slot)
{
	struct worker *worker = slot->worker;
	struct host_group *group = &worker->hosts.groups[slot->handler->group];

	append(group, slot);
	host_group_serve(worker, group);
}

static void kill_late(struct host *host, int64_t now)
{
	if (host->leave_by > now)
		return;
	log_event(LOG_WARN, "job_host.killed", LOG_TEXT("module", host->handler->module),
		  LOG_INT("pid", host->pid),
		  LOG_TEXT("reason", "it did not exit when it was asked to"));
	host->leave_by = CLOCK_NEVER;
	(void)kill(-host->pid, SIGKILL);
}

void hosts_tick(struct worker *worker)
{
	struct hosts *hosts = &worker->hosts;

	for (size_t i = 0; i < hosts->group_count; i++)
		host_group_serve(worker, &hosts->groups[i]);
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
		give_back(&worker->hosts.groups[i]);
	for (struct host *host = worker->hosts.all; host; host = host->next)
		host_dismiss(host);
}
