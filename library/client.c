#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log/log.h"
#include "db/schema/schema.h"
#include "library/client.h"

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
		return client_tell(error, DRAY_STATUS_MEMORY, "out of memory");
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
