/*
 * A command's run: its process and pipes, its input, and what its end means for the job.
 *
 * The child is a process group of its own and, where one can be made, in a cgroup of its own. A run
 * ends when its child is reaped, even if another process still holds its pipes: what is in them by
 * then is read, and nothing is waited for. What is left in its process group is killed while the
 * child is a zombie, because then no other process can have the group's number. For the same reason
 * nothing is ever sent to a pid that has been reaped. What has left the group is only looked for
 * where the run was told to stop (sweep).
 *
 * How it ended is asked in this order: could the program not be started, is its end unknown, did a
 * signal end it, which status did it exit with. What is short for a moment (descriptors, processes,
 * memory) is not the job's fault: it goes back to ready, and the worker rests.
 */
#include "worker/exec/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "policy/policy.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"
#include "worker/exec/command.h"
#include "worker/exec/spawn.h"
#include "worker/handler.h"
#include "worker/report.h"
#include "worker/state.h"
#include "worker/stop.h"

/* the process and its pipes */

/* Makes a run whose descriptors are all closed; `input` is what it will be sent, or NULL. */
static struct exec *new_run(struct run *run, const char *program, const char *input)
{
	struct exec *exec = arena_alloc(run->arena, sizeof(*exec));

	exec->run = run;
	exec->program = program;
	exec->pidfd = exec->report = exec->input = -1;
	exec->unsent = input;
	exec->unsent_length = input ? strlen(input) : 0;
	stream_init(&exec->out, run->worker, "stdout");
	stream_init(&exec->err, run->worker, "stderr");
	exec->out.run = exec->err.run = run;
	exec->out.logged = exec->err.logged = run->handler->class->output == OUTPUT_LOG;
	exec->out.unheard = exec->err.unheard = run->handler->unheard;
	exec->err.tail = &exec->tail;
	exec->out.tail = exec->out.logged ? &exec->out_tail : NULL;
	return exec;
}

/* Closes all our descriptors, pipes and pidfd, and gives its cgroup back. */
static void close_all(struct exec *exec)
{
	struct worker *worker = exec->run->worker;

	worker_close_fd(worker, &exec->pidfd);
	worker_close_fd(worker, &exec->report);
	worker_close_fd(worker, &exec->input);
	worker_close_fd(worker, &exec->out.fd);
	worker_close_fd(worker, &exec->err.fd);
	cgroup_give_back(&worker->cgroups, exec->cgroup);
	exec->cgroup = NULL;
}

/* Loop callback; its context is the exec. */
static void on_input(void *context)
{
	struct exec *exec = context;
	ssize_t length = write(exec->input, exec->unsent, exec->unsent_length);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length > 0) {
		exec->unsent += length;
		exec->unsent_length -= (size_t)length;
	}
	/* A program that does not read its input (EPIPE) is not in error. */
	if (length <= 0 || exec->unsent_length == 0)
		worker_close_fd(exec->run->worker, &exec->input);
}

/* its end */

#define KIBIBYTE     INT64_C(1024)
#define KILL_WAIT_MS 1000 /* how long to wait until a killed child is gone */

/* What is wrong with the first line of a script; NULL = nothing, or it is none. */
static const char *interpreter_fault(const struct exec *exec)
{
	const struct handler *handler = exec->run->handler;
	const char *search = environment_get(handler->environment, "PATH");
	const char *text;
	bool certain;

	if (!exec->file)
		return NULL;
	text = script_fault(exec->run->arena, exec->file, handler->directory, search, &certain);
	return certain ? text : NULL;
}

/* More than the error number says: of a file that is there, ENOENT means the interpreter. */
static const char *start_fault(const struct exec *exec, const struct spawn_report *report)
{
	const char *text = report->step == SPAWN_EXEC ? interpreter_fault(exec) : NULL;

	if (!text && report->step == SPAWN_EXEC && exec->file && report->code == ENOENT)
		text = "the interpreter that it names does not exist";
	return text ? text : strerrordesc_np(report->code);
}

/* Fails the run because its program could not be started. */
static void refuse_start(struct exec *exec, const struct spawn_report *report)
{
	struct run *run = exec->run;
	const char *message =
		arena_printf(run->arena, "%s %s: %s", exec->program, spawn_step_text(report->step),
			     start_fault(exec, report));

	run_fail(run, "Dray::ExecError", message, NULL);
}

/* With what the program has said last. */
static void fail_run(struct exec *exec, const char *error_class, const char *message)
{
	struct run *run = exec->run;
	const char *lines = capture_last(&exec->tail, &exec->out_tail, run->arena);

	run->last_line = cause_line(run->arena, lines);
	run_fail(run, error_class, message, lines);
}

static void end_signaled(struct exec *exec, int number)
{
	struct run *run = exec->run;
	const char *name = sigdescr_np(number);
	const char *message = arena_printf(run->arena, "%s was killed by signal %d (%s)",
					   exec->program, number, name ? name : "unknown");

	if (run_interrupted(run, message))
		return;
	run->signalled = true;
	fail_run(exec, "Dray::SignalError", message);
}

/* Nothing else exits so, whether or not it was asked to stop. */
static bool is_deliberate(const struct config_end *said)
{
	return said && (said->what == SAYS_DISCARD || said->what == SAYS_SNOOZE);
}

/* People who gave a class `retry` wonder. */
static const char unretried[] =
	" (64 to 74 and 76 to 78 are not retried unless exit or retry_on in jobs.yml says so)";

/* `env` and shells end so where there is no such program, or none that they may start. */
static bool is_not_started(int code)
{
	return code == 126 || code == 127;
}

static void end_exited(struct exec *exec, int code)
{
	struct run *run = exec->run;
	const struct config_end *said = policy_exit(run->handler->class, code);
	const char *message;

	if (said ? said->what == SAYS_OK : code == 0) {
		run_succeed(run);
		return;
	}
	const char *fault = is_not_started(code) ? interpreter_fault(exec) : NULL;
	run->cause = arena_printf(run->arena, "%s exited with status %d%s%s", exec->program, code,
				  fault ? ": " : "", fault ? fault : "");
	message = policy_is_final(run->handler->class, code)
			  ? arena_printf(run->arena, "%s%s", run->cause, unretried)
			  : run->cause;
	if (!is_deliberate(said) && run_interrupted(run, message))
		return;
	run->exit_status = code;
	run->said = said;
	fail_run(exec, "Dray::ExitStatusError", message);
}

/* Nobody can say that it succeeded, so it failed. */
static void end_unknown(struct exec *exec)
{
	struct run *run = exec->run;
	const char *message = arena_printf(run->arena,
					   "%s has ended, but how is not known: something else "
					   "than its worker waited for it",
					   exec->program);

	if (!run_interrupted(run, message))
		fail_run(exec, "Dray::ExitStatusError", message);
}

static int64_t microseconds(struct timeval time)
{
	return time.tv_sec * CLOCK_SECOND + time.tv_usec;
}

/* What it and the children that it has waited for have used goes to the run. */
static bool reap_child(const struct exec *exec, int *status)
{
	struct rusage used;
	pid_t pid;

	do
		pid = wait4(exec->pid, status, 0, &used);
	while (pid < 0 && errno == EINTR);
	if (pid != exec->pid)
		return false;
	exec->run->cpu_time = microseconds(used.ru_utime) + microseconds(used.ru_stime);
	exec->run->peak_memory = used.ru_maxrss * KIBIBYTE;
	return true;
}

/* A shell and others pass on as 128 + 15 how a program of theirs has ended. */
static bool by_term(int status)
{
	if (status < 0)
		return false;
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM
				   : WEXITSTATUS(status) == 128 + SIGTERM;
}

/*
 * Loop callback. The child is still a zombie, so no other process can have its group's number: the
 * survivors are killed before it is reaped.
 */
static void on_exit_of_child(void *context)
{
	struct exec *exec = context;
	struct cgroup *cgroup = exec->cgroup;
	struct spawn_report report;
	int status = 0;

	FAULT_POINT("worker.reaping");
	(void)kill(-exec->pid, SIGKILL);
	if (!reap_child(exec, &status))
		status = -1; /* something else reaped it */
	stream_drain(&exec->out);
	stream_drain(&exec->err);
	if (read(exec->report, &report, sizeof(report)) == (ssize_t)sizeof(report))
		refuse_start(exec, &report);
	else if (status < 0)
		end_unknown(exec);
	else if (WIFSIGNALED(status))
		end_signaled(exec, WTERMSIG(status));
	else
		end_exited(exec, WEXITSTATUS(status));
	if (atomic_load(&exec->run->told))
		exec->cgroup = NULL; /* what sweeps it gives it back */
	close_all(exec);
	if (atomic_load(&exec->run->told))
		sweep_run(exec->run, exec->pid, cgroup);
	else if (exec->run->failure_class && by_term(status) && !is_deliberate(exec->run->said))
		run_hold(exec->run);
	else
		worker_ended(exec->run);
}

void exec_kill(struct run *run)
{
	struct exec *exec = run->exec;
	struct pollfd wait = { .fd = exec->pidfd, .events = POLLIN };

	if (exec->pidfd < 0) /* it has ended, and its number may be another's */
		return;
	if (poll(&wait, 1, 0) == 1) { /* by itself */
		on_exit_of_child(exec);
		return;
	}
	report_killed(run);
	atomic_store(&run->told, true);
	run_kill(run);
	if (poll(&wait, 1, run->unkillable ? 0 : KILL_WAIT_MS) == 1) {
		on_exit_of_child(exec);
		return;
	}
	report_unkillable(run);
	close_all(exec);
}

/* its start */

#define DESCRIPTORS_PER_RUN 5
#define DESCRIPTORS_OTHER   64
#define ARGUMENTS_MOST      65536 /* bytes in the environment: the kernel takes twice as many */

/* To log it or, in the first runs, to learn that the class writes output that is discarded. */
static bool wants_output(struct exec *exec)
{
	unsigned *unheard = exec->run->handler->unheard;

	if (exec->out.logged || *unheard == 0)
		return exec->out.logged;
	--*unheard;
	return true;
}

static enum status open_pipes(struct exec *exec, struct spawn *what, struct error *error)
{
	enum status status = STATUS_OK;

	if (exec->unsent)
		status = stream_pipe(&exec->input, &what->standard[0], 1, error);
	if (status == STATUS_OK)
		status = stream_pipe(&exec->err.fd, &what->standard[2], 0, error);
	if (status == STATUS_OK)
		status = stream_pipe(&exec->report, &what->report, 0, error);
	if (status == STATUS_OK && wants_output(exec))
		status = stream_pipe(&exec->out.fd, &what->standard[1], 0, error);
	return status;
}

static const char **job_environment(const struct run *run, int executions, const char *arguments)
{
	struct arena *arena = run->arena;
	const struct job *job = &run->claim.job;
	const char *id = job->active_job_id ? job->active_job_id : "";
	const struct claim_name claim = claim_name(&run->claim);
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

	return environment_extend(arena, run->handler->environment, settings, count - !fits);
}

/* What a program is given beside its environment. */
struct given {
	const char **argv;
	const char *input; /* NULL = none */
};

/* Prepares what to run and how; false when the run has failed. */
static bool prepare_run(struct run *run, struct spawn *spawn, struct given *given)
{
	const struct config_class *class = run->handler->class;
	struct payload payload;
	struct error error;
	enum status status = payload_read(run->claim.job.payload, &payload, &error);
	const char *kind = "Dray::PayloadError";

	if (status == STATUS_OK) {
		kind = "Dray::ArgumentError";
		status = command_render(run->arena, class->command, &payload, &given->argv, &error);
		const char *arguments = payload_plain(run->arena, &payload);
		spawn->environment = job_environment(run, payload.executions, arguments);
		if (class->input == INPUT_PAYLOAD)
			given->input = payload_for_run(run->arena, run->claim.job.payload,
						       run->claim.job.id, arguments);
		payload_clear(&payload);
	}
	if (status != STATUS_OK) {
		run_fail(run, kind,
			 arena_printf(run->arena, "job %lld (%s): %s", (long long)run->claim.job.id,
				      class->name, error.text),
			 NULL);
		return false;
	}
	spawn->argv = given->argv;
	spawn->directory = run->handler->directory;
	spawn->limits = &class->limits;
	spawn->nice = class->nice;
	spawn->files = run->worker->files;
	return true;
}

static bool find_program(struct run *run, struct spawn *spawn)
{
	struct spawn_report report = { .step = SPAWN_EXEC };
	const char *path = environment_get(spawn->environment, "PATH");

	report.code =
		program_find(run->arena, spawn->argv[0], path, spawn->directory, &spawn->program);
	if (report.code == 0) {
		run->exec->file = spawn->program;
		return true;
	}
	refuse_start(run->exec, &report);
	return false;
}

/* EAGAIN, ENOMEM and the like are not the job's fault, and likely to pass. */
static bool give_back(struct run *run, const char *reason)
{
	run_release(run);
	worker_rest(run->worker, reason);
	return false;
}

static enum status watch(struct exec *exec)
{
	struct loop *loop = exec->run->worker->loop;
	enum status status = loop_watch(loop, exec->pidfd, LOOP_READ, on_exit_of_child, exec);

	if (status == STATUS_OK)
		status = loop_watch(loop, exec->err.fd, LOOP_READ, stream_on_output, &exec->err);
	if (status == STATUS_OK && exec->out.fd >= 0)
		status = loop_watch(loop, exec->out.fd, LOOP_READ, stream_on_output, &exec->out);
	if (status != STATUS_OK)
		return status;
	if (exec->input >= 0)
		on_input(exec);
	if (exec->input >= 0)
		status = loop_watch(loop, exec->input, LOOP_WRITE, on_input, exec);
	return status;
}

/* Forks and watches the child. On failure no process is left. */
static enum status launch(struct exec *exec, struct spawn *what, struct error *error)
{
	exec->cgroup = cgroup_take(&exec->run->worker->cgroups);
	what->cgroup = cgroup_open(&exec->run->worker->cgroups, exec->cgroup);
	exec->pid = spawn(what);
	if (exec->pid < 0)
		return error_set(error, STATUS_FATAL, "fork: %s", strerrordesc_np(errno));
	FAULT_POINT("worker.spawned");
	run_begin(exec->run);
	sweeps_expect(exec->run->worker);
	/* Nothing else reaps our children, so the pid is still the child's. */
	exec->pidfd = (int)syscall(SYS_pidfd_open, exec->pid, 0);
	if (exec->pidfd >= 0 && watch(exec) == STATUS_OK)
		return STATUS_OK;
	(void)error_set(error, STATUS_FATAL, "cannot watch a child: %s", strerrordesc_np(errno));
	spawn_signal(exec->pid, SIGKILL);
	(void)waitpid(exec->pid, NULL, 0);
	return STATUS_FATAL;
}

bool exec_start(struct run *run)
{
	struct spawn what = {
		.null = run->worker->null_fd, .standard = { -1, -1, -1 }, .report = -1, .cgroup = -1
	};
	struct given given = { 0 };
	struct error error;
	enum status status;

	if (!prepare_run(run, &what, &given))
		return false;
	run->exec = new_run(run, given.argv[0], given.input);
	if (!find_program(run, &what))
		return false;
	status = open_pipes(run->exec, &what, &error);
	if (status == STATUS_OK)
		status = launch(run->exec, &what, &error);
	spawn_close(&what);
	if (status == STATUS_OK)
		return true;
	close_all(run->exec);
	return give_back(run, error.text);
}

/*
 * A worker with many runs needs more descriptors than most shells allow by default; a child gets
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
