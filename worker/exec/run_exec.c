#include "worker/exec/run_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "queue/payload/payload.h"
#include "worker/exec/command.h"
#include "worker/exec/environment.h"
#include "worker/exec/exec.h"
#include "worker/exec/spawn.h"
#include "worker/state.h"

#define DESCRIPTORS_PER_RUN 5
#define DESCRIPTORS_OTHER   64
#define ARGUMENTS_MOST      65536 /* bytes in the environment: the kernel takes twice as many */

/* The child's ends of its pipes, closed here once the child has them. */
struct ends {
	int input;
	int out;
	int err;
	int report;
	int cgroup; /* for the time of the start */
};

static void close_ends(struct ends *ends)
{
	const int all[] = { ends->input, ends->out, ends->err, ends->report, ends->cgroup };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] >= 0)
			(void)close(all[i]);
}

/* To log it or, in the first runs, to learn that the class writes output that is discarded. */
static bool wants_output(struct exec *exec)
{
	unsigned *unheard = exec->slot->handler->unheard;

	if (exec->out.logged || *unheard == 0)
		return exec->out.logged;
	--*unheard;
	return true;
}

static enum status open_pipes(struct exec *exec, struct ends *ends, struct error *error)
{
	enum status status = STATUS_OK;

	if (exec->unsent)
		status = stream_pipe(&exec->input, &ends->input, 1, error);
	if (status == STATUS_OK)
		status = stream_pipe(&exec->err.fd, &ends->err, 0, error);
	if (status == STATUS_OK)
		status = stream_pipe(&exec->report, &ends->report, 0, error);
	if (status == STATUS_OK && wants_output(exec))
		status = stream_pipe(&exec->out.fd, &ends->out, 0, error);
	return status;
}

static const char **job_environment(const struct slot *slot, int executions, const char *arguments)
{
	struct arena *arena = slot->arena;
	const struct job *job = &slot->claim.job;
	const char *id = job->active_job_id ? job->active_job_id : "";
	const struct claim_name claim = claim_name(&slot->claim);
	const bool fits = strlen(arguments) <= ARGUMENTS_MOST;
	char token[CLAIM_TOKEN_SIZE];

	claim_token(&claim, token);
	const char *const settings[] = {
		arena_printf(arena, "DRAY_JOB_ID=%lld", (long long)job->id),
		arena_printf(arena, "DRAY_ACTIVE_JOB_ID=%s", id),
		arena_printf(arena, "DRAY_JOB_CLASS=%s", job->class_name),
		arena_printf(arena, "DRAY_QUEUE=%s", job->queue),
		arena_printf(arena, "DRAY_PRIORITY=%d", job->priority),
		arena_printf(arena, "DRAY_ATTEMPT=%lld", (long long)job_attempt(job, executions)),
		arena_printf(arena, "DRAY_LOSSES=%lld", (long long)job->losses),
		arena_printf(arena, "DRAY_CLAIM_ID=%lld", (long long)claim.id),
		arena_printf(arena, SWEEP_VARIABLE "=%s", token),
		fits ? arena_printf(arena, ENVIRONMENT_ARGUMENTS "=%s", arguments) : NULL,
	};
	const size_t count = sizeof(settings) / sizeof(settings[0]);

	return environment_extend(arena, slot->handler->environment, settings, count - !fits);
}

/* What a program is given beside its environment. */
struct given {
	const char **argv;
	const char *input; /* NULL = none */
};

/* Prepares what to run and how; false when the slot has failed. */
static bool prepare(struct slot *slot, struct spawn *spawn, struct given *given)
{
	const struct config_class *class = slot->handler->class;
	struct payload payload;
	struct error error;
	enum status status = payload_read(slot->claim.job.payload, &payload, &error);
	const char *kind = "Dray::PayloadError";

	if (status == STATUS_OK) {
		kind = "Dray::ArgumentError";
		status =
			command_render(slot->arena, class->command, &payload, &given->argv, &error);
		const char *arguments = payload_plain(slot->arena, &payload);
		spawn->environment = job_environment(slot, payload.executions, arguments);
		if (class->input == INPUT_PAYLOAD)
			given->input = payload_for_run(slot->arena, slot->claim.job.payload,
						       slot->claim.job.id, arguments);
		payload_clear(&payload);
	}
	if (status != STATUS_OK) {
		slot_fail(slot, kind,
			  arena_printf(slot->arena, "job %lld (%s): %s",
				       (long long)slot->claim.job.id, class->name, error.text),
			  NULL);
		return false;
	}
	spawn->argv = given->argv;
	spawn->directory = slot->handler->directory;
	spawn->limits = &class->limits;
	spawn->nice = class->nice;
	spawn->files = slot->worker->files;
	return true;
}

static bool find_program(struct slot *slot, struct spawn *spawn)
{
	struct spawn_report report = { .step = SPAWN_EXEC };
	const char *path = environment_get(spawn->environment, "PATH");

	report.code =
		program_find(slot->arena, spawn->argv[0], path, spawn->directory, &spawn->program);
	if (report.code == 0) {
		slot->exec->file = spawn->program;
		return true;
	}
	exec_refused(slot->exec, &report);
	return false;
}

/* EAGAIN, ENOMEM and the like are not the job's fault, and likely to pass. */
static bool give_back(struct slot *slot, const char *reason)
{
	slot_release(slot);
	worker_rest(slot->worker, reason);
	return false;
}

static enum status watch(struct exec *exec)
{
	struct loop *loop = exec->slot->worker->loop;
	enum status status = loop_watch(loop, exec->pidfd, LOOP_READ, exec_on_exit, exec);

	if (status == STATUS_OK)
		status = loop_watch(loop, exec->err.fd, LOOP_READ, stream_on_output, &exec->err);
	if (status == STATUS_OK && exec->out.fd >= 0)
		status = loop_watch(loop, exec->out.fd, LOOP_READ, stream_on_output, &exec->out);
	if (status != STATUS_OK)
		return status;
	if (exec->input >= 0)
		exec_on_input(exec);
	if (exec->input >= 0)
		status = loop_watch(loop, exec->input, LOOP_WRITE, exec_on_input, exec);
	return status;
}

/* Forks and watches the child. On failure no process is left. */
static enum status launch(struct exec *exec, struct spawn *what, struct ends *ends,
			  struct error *error)
{
	const int none = exec->slot->worker->null_fd;

	what->standard[0] = ends->input >= 0 ? ends->input : none;
	what->standard[1] = ends->out >= 0 ? ends->out : none;
	what->standard[2] = ends->err;
	what->report = ends->report;
	exec->cgroup = cgroup_take(&exec->slot->worker->cgroups);
	what->cgroup = ends->cgroup = cgroup_open(&exec->slot->worker->cgroups, exec->cgroup);
	exec->pid = spawn(what);
	if (exec->pid < 0)
		return error_set(error, STATUS_FATAL, "fork: %s", strerrordesc_np(errno));
	FAULT_POINT("worker.spawned");
	slot_begin(exec->slot);
	sweeps_expect(exec->slot->worker);
	/* Nothing else reaps our children, so the pid is still the child's. */
	exec->pidfd = (int)syscall(SYS_pidfd_open, exec->pid, 0);
	if (exec->pidfd >= 0 && watch(exec) == STATUS_OK)
		return STATUS_OK;
	(void)error_set(error, STATUS_FATAL, "cannot watch a child: %s", strerrordesc_np(errno));
	(void)kill(exec->pid, SIGKILL);
	(void)kill(-exec->pid, SIGKILL);
	(void)waitpid(exec->pid, NULL, 0);
	return STATUS_FATAL;
}

bool exec_start(struct slot *slot)
{
	struct spawn what = { 0 };
	struct ends ends = { -1, -1, -1, -1, -1 };
	struct given given = { 0 };
	struct error error;
	enum status status;

	if (!prepare(slot, &what, &given))
		return false;
	slot->exec = exec_new(slot, given.argv[0], given.input);
	if (!find_program(slot, &what))
		return false;
	status = open_pipes(slot->exec, &ends, &error);
	if (status == STATUS_OK)
		status = launch(slot->exec, &what, &ends, &error);
	close_ends(&ends);
	if (status == STATUS_OK)
		return true;
	exec_close_all(slot->exec);
	return give_back(slot, error.text);
}

/*
 * A worker with many slots needs more descriptors than most shells allow by default; a child gets
 * the limit that we were started with.
 */
enum status exec_open(struct worker *worker, struct error *error)
{
	rlim_t wanted = (rlim_t)worker->options->threads * DESCRIPTORS_PER_RUN + DESCRIPTORS_OTHER;

	worker->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (worker->null_fd < 0) /* it may be called again */
		return error_set(error, STATUS_FATAL, "/dev/null: %s", strerrordesc_np(errno));
	(void)signal(SIGPIPE, SIG_IGN); /* a program may close its input */
	worker->files = spawn_raise_files(wanted);
	sweeps_open(worker);
	cgroups_open(&worker->cgroups);
	worker->buffer = arena_alloc(worker->arena, EXEC_BUFFER);
	return STATUS_OK;
}

void exec_close(struct worker *worker)
{
	if (!worker->buffer)
		return;
	if (worker->null_fd >= 0)
		(void)close(worker->null_fd);
	worker->null_fd = -1;
	cgroups_close(&worker->cgroups);
}
