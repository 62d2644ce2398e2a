/*
 * Private to library/: what a client is, and the gate that every call of the API goes through.
 * Behind the gate the rest of dray is used as the command uses it; in front of it nothing of ours
 * may show: no exit for want of memory, no SIGPIPE, no use by another process or two threads.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdatomic.h>
#include <sys/types.h>

#include "db/db.h"
#include "include/dray.h"

/*
 * The connection is ours. One on the caller's own connection will be another `db` in the same
 * struct, so that no other call of the API has to know.
 */
struct dray_client {
	struct db *db;       /* NULL until opened */
	struct arena *arena; /* of one call; dray_find's texts live in it until the next */
	pid_t owner;         /* the process that opened it */
	atomic_bool busy;    /* a call is under way */
};

/* What a call does behind the gate; args are its own. */
typedef enum status client_verb(struct dray_client *client, void *args, struct error *error);

/*
 * Runs the verb and translates how it ended. When memory runs out the verb is left where it stood
 * (what it had allocated outside of the client's arena is lost), the connection is closed, so that
 * no transaction stays open, and the result is DRAY_STATUS_MEMORY.
 */
enum dray_status client_call(struct dray_client *client, client_verb *verb, void *args,
			     struct dray_error *error);

/* Fills *error (may be NULL) and returns status. */
enum dray_status client_tell(struct dray_error *error, enum dray_status status, const char *text);

/* Closes and frees; only in the process that opened it. */
void client_free(struct dray_client *client);

/* A struct of the caller's, whose size tells which version of it the caller knows. */
struct client_struct {
	const char *macro; /* what makes it: "DRAY_OPTIONS" */
	size_t known;      /* our size of it */
	size_t least;      /* the first version's */
};

/*
 * Copies what both sides know into `own` (of which->known bytes), zeroes for the rest. INVALID when
 * it is missing, its size is no version's, or when the caller has set what this library does not
 * know.
 */
enum status client_read(const struct client_struct *which, const void *given, void *own,
			struct error *error) MUST_CHECK;

#endif
