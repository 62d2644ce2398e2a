/*
 * A client of libdray: opening and closing it, and the gate through which every call of the API
 * goes (client.h says what the gate keeps from the caller).
 */
#include "library/client.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/log/log.h"
#include "db/schema/schema.h"

/* The gate */

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

/* Fills *error (may be NULL) and returns status. */
static enum dray_status tell(struct dray_error *error, enum dray_status status, const char *text)
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

static enum dray_status run_verb(struct dray_client *client, client_verb *verb, void *args,
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
		return tell(error, DRAY_STATUS_MEMORY, "out of memory");
	return tell(error, statuses[status].status, why.text);
}

enum dray_status client_call(struct dray_client *client, client_verb *verb, void *args,
			     struct dray_error *error)
{
	if (!client)
		return tell(error, DRAY_STATUS_MISUSE, "the client is NULL");
	if (client->owner != getpid())
		return tell(
			error, DRAY_STATUS_MISUSE,
			"this client was opened by another process: a child process needs its own");
	if (atomic_exchange(&client->busy, true))
		return tell(error, DRAY_STATUS_MISUSE,
			    "another thread is using this client: each thread needs its own");
	enum dray_status status = run_verb(client, verb, args, error);
	atomic_store(&client->busy, false);
	return status;
}

/* Only in the process that opened it. */
static void client_free(struct dray_client *client)
{
	struct quiet quiet;

	quiet_begin(&quiet);
	db_close(client->db);
	arena_free(client->arena);
	free(client);
	quiet_end(&quiet);
}

/* Opening and closing */

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A library writes nothing to the caller's standard error. Its copy of the log is its own. */
static void silence(void)
{
	const struct log_options nowhere = { .level = LOG_ERROR, .fd = -1 };

	log_configure(&nowhere);
}

const char *dray_version(void)
{
	return DRAY_VERSION;
}

/*
 * What lies beyond the size that we know must be zero: a setting that we cannot apply is refused.
 */
static bool is_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

enum status client_read(const struct client_struct *which, const void *given, void *own,
			struct error *error)
{
	size_t size;

	if (!given)
		return error_set(error, STATUS_INVALID, "%s: the struct is NULL", which->macro);
	memcpy(&size, given, sizeof(size));
	if (size < which->least || size > 65536)
		return error_set(error, STATUS_INVALID,
				 "size is %zu: the struct was not made with %s()", size,
				 which->macro);
	if (size > which->known &&
	    !is_zero((const unsigned char *)given + which->known, size - which->known))
		return error_set(error, STATUS_INVALID,
				 "%s: a member is set that libdray " DRAY_VERSION " does not know",
				 which->macro);
	memset(own, 0, which->known);
	memcpy(own, given, size < which->known ? size : which->known);
	return STATUS_OK;
}

struct opening {
	const char *url;
	const struct dray_options *options;
};

static enum status read_options(const struct dray_options *given, struct db_options *options,
				struct error *error)
{
	static const struct client_struct which = { .macro = "DRAY_OPTIONS",
						    .known = sizeof(struct dray_options),
						    .least = sizeof(struct dray_options) };
	struct dray_options own = { 0 };

	/* Clients claim nothing, so they work on servers that cannot skip locked rows. */
	*options =
		(struct db_options){ .no_skip_locked = true, .one_plan = true, .must_exist = true };
	enum status status = given ? client_read(&which, given, &own, error) : STATUS_OK;
	if (status != STATUS_OK)
		return status;
	options->schema = own.schema;
	options->password_file = own.password_file;
	options->connect_timeout = own.connect_timeout;
	options->call_timeout = own.call_timeout;
	options->retry_for = own.retry_for;
	return STATUS_OK;
}

static enum status open_client(struct dray_client *client, void *args, struct error *error)
{
	const struct opening *opening = args;
	struct db_options options;

	if (!opening->url)
		return error_set(error, STATUS_INVALID, "the database's url is missing");
	client->arena = arena_new();
	enum status status = read_options(opening->options, &options, error);
	if (status == STATUS_OK)
		status = db_open(&client->db, opening->url, &options, error);
	if (status == STATUS_OK)
		status = schema_require(client->db, error);
	return status;
}

/*
 * MySQL's client library ignores SIGPIPE for the whole process when it is first used, and so do
 * others: the caller's own handling is restored. (Within a call the signal is blocked anyway.)
 */
static enum dray_status open_keeping_signals(struct dray_client *client, struct opening *opening,
					     struct dray_error *error)
{
	struct sigaction before;
	struct sigaction after;
	bool known = sigaction(SIGPIPE, NULL, &before) == 0;
	enum dray_status status = client_call(client, open_client, opening, error);

	if (known && sigaction(SIGPIPE, NULL, &after) == 0 && after.sa_handler != before.sa_handler)
		(void)sigaction(SIGPIPE, &before, NULL);
	return status;
}

enum dray_status dray_open(const char *url, const struct dray_options *options,
			   struct dray_client **client, struct dray_error *error)
{
	struct opening opening = { .url = url, .options = options };
	struct dray_client *opened = calloc(1, sizeof(*opened));

	(void)pthread_once(&once, silence);
	if (!opened)
		return tell(error, DRAY_STATUS_MEMORY, "out of memory");
	opened->owner = getpid();
	enum dray_status status = open_keeping_signals(opened, &opening, error);
	if (status == DRAY_STATUS_OK)
		*client = opened;
	else
		client_free(opened);
	return status;
}

void dray_close(struct dray_client *client)
{
	if (client && client->owner == getpid())
		client_free(client);
}
