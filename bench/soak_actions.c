/* The actions of a soak. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/soak.h"
#include "common/clock.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"

#define MOST_BATCH    60
#define MOST_CHILDREN 32
#define MOST_WAITING  3000 /* jobs: no more are enqueued above this */

const char *const soak_action_names[SOAK_ACTIONS] = {
	[SOAK_ENQUEUE] = "enqueue batches",
	[SOAK_RETRY] = "retries of failed jobs",
	[SOAK_DISCARD] = "discards",
	[SOAK_PAUSE] = "pauses",
	[SOAK_RESUME] = "resumes",
	[SOAK_KILL_WORKER] = "workers killed",
	[SOAK_KILL_DISPATCHER] = "dispatchers killed",
	[SOAK_STOP_WORKER] = "workers stopped",
	[SOAK_FREEZE] = "processes frozen",
	[SOAK_KILL_SUPERVISOR] = "supervisors killed",
	[SOAK_RESTART] = "hosts restarted",
};

/* Of a thousand. */
static const unsigned weights[SOAK_ACTIONS] = {
	[SOAK_ENQUEUE] = 840,       [SOAK_RETRY] = 20,      [SOAK_DISCARD] = 60,
	[SOAK_PAUSE] = 15,          [SOAK_RESUME] = 25,     [SOAK_KILL_WORKER] = 12,
	[SOAK_KILL_DISPATCHER] = 6, [SOAK_STOP_WORKER] = 8, [SOAK_FREEZE] = 8,
	[SOAK_KILL_SUPERVISOR] = 3, [SOAK_RESTART] = 3,
};

static const char *const queues[] = { "red", "green", "blue" };

#define QUEUES (sizeof(queues) / sizeof(queues[0]))

/* splitmix64: the same seed gives the same actions, though not at the same instants. */
uint64_t soak_random(struct soak *soak, uint64_t below)
{
	uint64_t z = soak->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) % below;
}

/*
 * A fifth of the jobs is limited, half of these twice: by account and by region. Another fifth says
 * by an exit status how it ends.
 */
static const char *const classes[20] = { "Command",  "Failing", "Limited", "Limited", "Regional",
					 "Regional", "Ending",  "Ending",  "Ending",  "Ending" };

#define ACCOUNTS 3

const struct soak_key soak_keys[SOAK_KEYS] = {
	{ "Account/a", 2 }, { "Account/b", 2 }, { "Account/c", 2 },
	{ "Region/x", 3 },  { "Region/y", 3 },
};

static void plan_keys(struct soak *soak, struct soak_job *plan, const char *class_name)
{
	bool regional = strcmp(class_name, "Regional") == 0;

	if (regional || strcmp(class_name, "Limited") == 0)
		plan->keys[0] = (int8_t)(1 + soak_random(soak, ACCOUNTS));
	if (regional)
		plan->keys[1] = (int8_t)(1 + ACCOUNTS + soak_random(soak, SOAK_KEYS - ACCOUNTS));
}

static void plan_job(struct soak *soak, struct new_job *job, struct soak_job *plan)
{
	static const char *const arguments[] = { "[0]", "[5]", "[20]", "[100]" };
	static const char *const endings[] = { "[0, 65]", "[5, 75]", "[20, 99]" };
	const char *name = classes[soak_random(soak, 20)];
	const bool ending = name && strcmp(name, "Ending") == 0;

	*job = (struct new_job){
		.class_name = name ? name : "Effect",
		.arguments =
			ending ? endings[soak_random(soak, 3)] : arguments[soak_random(soak, 4)],
		.queue = queues[soak_random(soak, QUEUES)],
		.has_priority = true,
		.priority = (int)soak_random(soak, 5),
		.delay = soak_random(soak, 4) == 0
				 ? (int64_t)soak_random(soak, 3000) * CLOCK_MILLISECOND
				 : 0,
	};
	*plan = (struct soak_job){ .fails = strcmp(job->class_name, "Failing") == 0 };
	plan_keys(soak, plan, job->class_name);
	if (plan->keys[0] > 0)
		job->concurrency_key = soak_keys[plan->keys[0] - 1].name;
	if (plan->keys[1] > 0) {
		job->more_keys = &soak_keys[plan->keys[1] - 1].name;
		job->more_count = 1;
	}
}

static enum status enqueue_some(struct soak *soak, struct error *error)
{
	struct new_job jobs[MOST_BATCH];
	struct soak_job plans[MOST_BATCH];
	struct enqueued results[MOST_BATCH];
	size_t count = 1 + soak_random(soak, MOST_BATCH);

	for (size_t i = 0; i < count; i++)
		plan_job(soak, &jobs[i], &plans[i]);
	if (soak->job_count + count > SOAK_JOBS ||
	    soak->job_count + soak->retried > history_lines(soak->effects) / 2 + MOST_WAITING)
		return STATUS_OK;
	enum status status = enqueue(soak->db, jobs, count, results, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		plans[i].id = results[i].id;
		soak->jobs[soak->job_count++] = plans[i];
	}
	return status;
}

static enum status retry_failed(struct soak *soak, struct error *error)
{
	const struct job_filter filter = { .has_state = true,
					   .state = JOB_FAILED,
					   .queue = queues[soak_random(soak, QUEUES)] };
	int64_t count = 0;
	enum status status = job_retry_all(soak->db, &filter, &count, error);

	soak->retried += (size_t)count;
	return status;
}

/* Refused if it is running or finished. */
static enum status discard_one(struct soak *soak, struct error *error)
{
	size_t recent = soak->job_count < MOST_WAITING ? soak->job_count : MOST_WAITING;

	if (soak->job_count == 0)
		return STATUS_OK;
	struct soak_job *job = &soak->jobs[soak->job_count - 1 - soak_random(soak, recent)];
	enum status status = job_discard(soak->db, job->id, error);
	if (status == STATUS_OK)
		job->discarded = true;
	return status == STATUS_INVALID || status == STATUS_NONE ? STATUS_OK : status;
}

static enum status pause_one(struct soak *soak, struct error *error)
{
	bool changed;

	return queue_pause(soak->db, queues[soak_random(soak, QUEUES)], &changed, error);
}

static enum status resume_one(struct soak *soak, struct error *error)
{
	bool changed;

	return queue_resume(soak->db, queues[soak_random(soak, QUEUES)], &changed, error);
}

static bool is_role(pid_t pid, const char *role)
{
	char path[64];
	char title[64] = "";

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	size_t length = fread(title, 1, sizeof(title) - 1, file);
	(void)fclose(file);
	return length > 6 && strncmp(title + 6, role, strlen(role)) == 0; /* after "dray: " */
}

/* A child of a host that may be disturbed; 0 when there is none at present. */
static pid_t pick(struct soak *soak, const char *role)
{
	pid_t children[MOST_CHILDREN];
	const struct deployment *host = &soak->hosts[soak_random(soak, SOAK_HOSTS - 1)];
	size_t count = deployment_children(host->pid, children, MOST_CHILDREN);
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (is_role(children[i], role))
			children[found++] = children[i];
	uint64_t choice = soak_random(soak, 16);
	return found > 0 ? children[choice % found] : 0;
}

static void send_signal(pid_t pid, int signal)
{
	if (pid > 0)
		(void)kill(pid, signal); /* it may have ended by itself */
}

static enum status kill_worker(struct soak *soak, struct error *error)
{
	(void)error;
	send_signal(pick(soak, "worker"), SIGKILL);
	return STATUS_OK;
}

static enum status kill_dispatcher(struct soak *soak, struct error *error)
{
	(void)error;
	send_signal(pick(soak, "dispatcher"), SIGKILL);
	return STATUS_OK;
}

static enum status stop_worker(struct soak *soak, struct error *error)
{
	(void)error;
	send_signal(pick(soak, "worker"), SIGTERM);
	return STATUS_OK;
}

static pid_t pick_any(struct soak *soak)
{
	static const char *const roles[] = { "worker", "worker", "dispatcher" };
	uint64_t choice = soak_random(soak, 4);

	return choice < 3 ? pick(soak, roles[choice])
			  : soak->hosts[soak_random(soak, SOAK_HOSTS - 1)].pid;
}

/* For a time below or above the threshold. */
static enum status freeze(struct soak *soak, struct error *error)
{
	pid_t pid = pick_any(soak);
	int64_t span = (int64_t)soak_random(soak, 10000) * CLOCK_MILLISECOND;

	(void)error;
	for (size_t i = 0; i < SOAK_FROZEN && pid > 0; i++) {
		if (soak->frozen[i].pid != 0 || kill(pid, SIGSTOP) != 0)
			continue;
		soak->frozen[i].pid = pid;
		soak->frozen[i].until = clock_monotonic() + span;
		break;
	}
	return STATUS_OK;
}

static enum status kill_supervisor(struct soak *soak, struct error *error)
{
	(void)error;
	send_signal(soak->hosts[soak_random(soak, SOAK_HOSTS - 1)].pid, SIGKILL);
	return STATUS_OK;
}

static enum status restart_host(struct soak *soak, struct error *error)
{
	int signal = soak_random(soak, 2) == 0 ? SIGTERM : SIGQUIT;

	(void)error;
	send_signal(soak->hosts[soak_random(soak, SOAK_HOSTS - 1)].pid, signal);
	return STATUS_OK;
}

static enum status (*const actions[SOAK_ACTIONS])(struct soak *soak, struct error *error) = {
	[SOAK_ENQUEUE] = enqueue_some,
	[SOAK_RETRY] = retry_failed,
	[SOAK_DISCARD] = discard_one,
	[SOAK_PAUSE] = pause_one,
	[SOAK_RESUME] = resume_one,
	[SOAK_KILL_WORKER] = kill_worker,
	[SOAK_KILL_DISPATCHER] = kill_dispatcher,
	[SOAK_STOP_WORKER] = stop_worker,
	[SOAK_FREEZE] = freeze,
	[SOAK_KILL_SUPERVISOR] = kill_supervisor,
	[SOAK_RESTART] = restart_host,
};

enum status soak_act(struct soak *soak, struct error *error)
{
	uint64_t choice = soak_random(soak, 1000);
	size_t action = 0;

	while (choice >= weights[action])
		choice -= weights[action++];
	soak->done[action]++;
	enum status status = actions[action](soak, error);
	soak->refused += status == STATUS_RETRY;
	return status == STATUS_RETRY ? STATUS_OK : status;
}

static void thaw(struct soak *soak, int64_t now)
{
	for (size_t i = 0; i < SOAK_FROZEN; i++) {
		if (soak->frozen[i].pid == 0 || now < soak->frozen[i].until)
			continue;
		(void)kill(soak->frozen[i].pid, SIGCONT);
		soak->frozen[i].pid = 0;
	}
}

enum status soak_look_after(struct soak *soak, struct error *error)
{
	enum status status = STATUS_OK;

	thaw(soak, clock_monotonic());
	for (size_t i = 0; i < SOAK_HOSTS && status == STATUS_OK; i++)
		if (waitpid(soak->hosts[i].pid, NULL, WNOHANG) == soak->hosts[i].pid)
			status = deployment_restart(&soak->hosts[i], error);
	return status;
}

enum status soak_calm(struct soak *soak, struct error *error)
{
	enum status status = STATUS_OK;
	bool changed;

	thaw(soak, INT64_MAX);
	for (size_t i = 0; i < QUEUES && status == STATUS_OK; i++)
		status = queue_resume(soak->db, queues[i], &changed, error);
	return status;
}
