#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "library/client.h"

static const struct {
	enum dray_status status;
	const char *name;
} statuses[] = {
	[STATUS_OK] = { DRAY_STATUS_OK, "ok" },
	[STATUS_NONE] = { DRAY_STATUS_NONE, "none" },
	[STATUS_RETRY] = { DRAY_STATUS_RETRY, "retry" },
	[STATUS_DOWN] = { DRAY_STATUS_DOWN, "down" },
	[STATUS_UNCERTAIN] = { DRAY_STATUS_UNCERTAIN, "uncertain" },
	[STATUS_CONFLICT] = { DRAY_STATUS_CONFLICT, "conflict" },
	[STATUS_INVALID] = { DRAY_STATUS_INVALID, "invalid" },
	[STATUS_FATAL] = { DRAY_STATUS_FATAL, "fatal" },
	{ DRAY_STATUS_MEMORY, "memory" },
	{ DRAY_STATUS_MISUSE, "misuse" },
};

const char *dray_status_name(enum dray_status status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].status == status)
			return statuses[i].name;
	return "unknown";
}

enum dray_status client_tell(struct dray_error *error, enum dray_status status, const char *text)
{
	if (!error || status == DRAY_STATUS_OK)
		return status;
	error->status = status;
	(void)snprintf(error->text, sizeof(error->text), "%s",
		       *text != '\0' ? text : dray_status_name(status));
	return status;
}

/* Keeps from the caller the SIGPIPE that a client library may raise when the server has gone. */
struct quiet {
	sigset_t before;
	bool pending; /* one that the caller had pending, to be left so */
};

static void quiet_begin(struct quiet *quiet)
{
	sigset_t pipe;
	sigset_t pending;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	quiet->pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe, &quiet->before);
}

static void quiet_end(const struct quiet *quiet)
{
	const struct timespec at_once = { 0 };
	int saved = errno;
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	if (!quiet->pending)
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
	errno = saved;
}

/* False when memory ran out: then *status was not set. */
static bool run_guarded(struct dray_client *client, client_verb *verb, void *args,
			enum status *status, struct error *error)
{
	jmp_buf guard;

	/* The jump arrives here with no variable of this function changed. */
	if (setjmp(guard) != 0)
		return false;
	arena_guard(&guard);
	*status = verb(client, args, error);
	arena_guard(NULL);
	return true;
}

static enum dray_status run(struct dray_client *client, client_verb *verb, void *args,
			    struct dray_error *error)
{
	enum status status = STATUS_FATAL;
	struct error why = { 0 };
	struct quiet quiet;

	quiet_begin(&quiet);
	if (client->arena)
		arena_clear(client->arena);
	bool memory = run_guarded(client, verb, args, &status, &why);
	if (!memory && client->db)
		db_disconnect(client->db);
	quiet_end(&quiet);
	if (!memory)
		return client_tell(error, DRAY_STATUS_MEMORY, "out of memory");
	return client_tell(error, statuses[status].status, why.text);
}

enum dray_status client_call(struct dray_client *client, client_verb *verb, void *args,
			     struct dray_error *error)
{
	if (!client)
		return client_tell(error, DRAY_STATUS_MISUSE, "the client is NULL");
	if (client->owner != getpid())
		return client_tell(
			error, DRAY_STATUS_MISUSE,
			"this client was opened by another process: a child process needs its own");
	if (atomic_exchange(&client->busy, true))
		return client_tell(
			error, DRAY_STATUS_MISUSE,
			"another thread is using this client: each thread needs its own");
	enum dray_status status = run(client, verb, args, error);
	atomic_store(&client->busy, false);
	return status;
}

void client_free(struct dray_client *client)
{
	struct quiet quiet;

	quiet_begin(&quiet);
	db_close(client->db);
	arena_free(client->arena);
	free(client);
	quiet_end(&quiet);
}
