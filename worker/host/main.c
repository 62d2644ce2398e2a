#include "worker/host/main.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/process.h"
#include "worker/exec/sweep.h"
#include "worker/host/message.h"
#include "worker/module/module.h"

struct host_side {
	int socket;
	struct arena *arena; /* of one job */
	struct text out;
	const struct dray_module *module;
	const char *title; /* the class that ps shows; in `titles` */
	char titles[300];
	struct host_terms terms;
	char *claim; /* in the environment, of CLAIM_TOKEN_SIZE; NULL = is not there */
};

/* False: the worker has closed its end, or is gone. */
static bool receive(const struct host_side *side, void *data, size_t length)
{
	char *at = data;

	while (length > 0) {
		ssize_t got = recv(side->socket, at, length, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		length -= (size_t)got;
	}
	return true;
}

/* Without a worker this process has nothing left to do. */
static void reply(struct host_side *side, enum host_kind kind, const char *const texts[],
		  size_t count)
{
	size_t sent = 0;

	text_clear(&side->out);
	host_put_reply(&side->out, kind, texts, count);
	while (sent < side->out.length) {
		ssize_t part = send(side->socket, side->out.data + sent, side->out.length - sent,
				    MSG_NOSIGNAL);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			_exit(EXIT_ERROR); /* the worker is gone */
		sent += (size_t)part;
	}
}

static bool next_job(struct host_side *side, struct claim *claim)
{
	struct host_frame frame;
	char *body;

	arena_clear(side->arena);
	if (!receive(side, &frame, sizeof(frame)))
		return false;
	body = arena_alloc(side->arena, frame.length);
	return receive(side, body, frame.length) &&
	       host_get_job(body, frame.length, claim, &side->terms);
}

/* Between two jobs the worker sends nothing. Only its end can come, and that means: stop. */
static bool is_stopping(const struct job_handle *handle)
{
	const struct host_side *side = handle->context;
	char byte;

	return recv(side->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static bool log_wanted(const struct job_handle *handle)
{
	const struct host_side *side = handle->context;

	return side->terms.log;
}

static void say(const struct job_handle *handle, const char *text)
{
	reply(handle->context, HOST_SAID, &text, 1);
}

static const struct job_place host = {
	.stopping = is_stopping,
	.log_wanted = log_wanted,
	.log = say,
};

static void show(struct host_side *side, const char *class_name)
{
	if (side->title && strcmp(side->title, class_name) == 0)
		return;
	(void)snprintf(side->titles, sizeof(side->titles), "dray: job host %s", class_name);
	process_title(side->titles);
	side->title = side->titles + strlen("dray: job host ");
}

/*
 * The kernel counts the whole process, so the limit is raised with every job. The time used is
 * rounded up: the limit is in whole seconds, and a job must get at least as many as its class has.
 */
static void limit_cpu(int64_t seconds)
{
	struct rlimit limit;
	struct timespec used;

	if (seconds < 0 || getrlimit(RLIMIT_CPU, &limit) != 0 ||
	    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
		return;
	limit.rlim_cur = (rlim_t)used.tv_sec + 1 + (rlim_t)seconds;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_CPU, &limit);
}

static void fail(struct host_side *side, const char *failure_class, const char *failure,
		 const struct config_end *said)
{
	char what[24], wait[24];

	if (said) {
		(void)snprintf(what, sizeof(what), "%d", (int)said->what);
		(void)snprintf(wait, sizeof(wait), "%" PRId64, said->wait);
	}
	reply(side, said ? HOST_ENDED : HOST_FAILED,
	      (const char *const[]){ failure_class, failure, what, wait }, said ? 4 : 2);
}

static void ignore(int number)
{
	(void)number;
}

/* The handler does nothing; an ignored signal would stay ignored in programs that jobs run. */
static void survive(int signal)
{
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	(void)sigaction(signal, &action, NULL);
}

/* Of what stops the job the function learns otherwise, unless it has a handler of its own. */
static void survive_stop(int signal)
{
	struct sigaction now;

	if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		survive(signal);
}

/*
 * Signals to the whole service (systemd, a terminal) are the worker's business: it decides when to
 * stop.
 */
static void handle_signals(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		survive(signals[i]);
}

/*
 * In place, so that it is the claim's name in what the job starts, whether by exec or by fork
 * alone.
 */
static void name_claim(const struct host_side *side, const struct claim *claim)
{
	const struct claim_name name = claim_name(claim);

	if (side->claim)
		claim_token(&name, side->claim);
}

static char *find_claim(void)
{
	char *claim = getenv(SWEEP_VARIABLE);

	return claim && strlen(claim) == CLAIM_TOKEN_SIZE - 1 ? claim : NULL;
}

static void run_claim(struct host_side *side, const struct claim *claim)
{
	const struct job *job = &claim->job;
	const struct dray_function *function;
	struct job_handle handle;
	struct error error;

	show(side, job->class_name);
	name_claim(side, claim);
	if (module_find(side->module, job->class_name, &function, &error) != STATUS_OK) {
		fail(side, "Dray::ModuleError", error.text, NULL);
		return;
	}
	limit_cpu(side->terms.cpu);
	survive_stop(side->terms.signal);
	enum job_end end = job_handle_run(&handle, function, &host, side, claim, side->arena);
	(void)fflush(stdout); /* what it printed belongs to this job */
	switch (end) {
	case JOB_DONE:
		reply(side, HOST_FINISHED, NULL, 0);
		break;
	case JOB_NOT_DONE:
		fail(side, handle.failure_class, handle.failure, handle.said);
		break;
	case JOB_GIVEN_BACK:
		reply(side, HOST_GIVEN_BACK, NULL, 0);
		break;
	}
}

/*
 * Moved away from standard input, where a job might read it; programs that jobs run do not inherit
 * it.
 */
static int take_socket(void)
{
	int socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (socket < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0)
		return -1;
	(void)close(null);
	return socket;
}

static int serve(struct host_side *side, const char *path)
{
	struct error error;
	struct claim claim;
	const char *text = error.text;

	if (module_open(path, &side->module, &error) != STATUS_OK) {
		reply(side, HOST_REFUSED, &text, 1);
		return EXIT_USAGE;
	}
	reply(side, HOST_READY, NULL, 0);
	while (next_job(side, &claim))
		run_claim(side, &claim);
	return EXIT_STOPPED;
}

int host_main(int argc, char **argv)
{
	struct host_side side = { .socket = take_socket(),
				  .arena = arena_new(),
				  .claim = find_claim() };
	int code = EXIT_USAGE;

	handle_signals();
	module_runs_prepare();
	process_title("dray: job host");
	if (argc == 2 && side.socket >= 0)
		code = serve(&side, argv[1]);
	arena_free(side.arena);
	text_free(&side.out);
	return code;
}
