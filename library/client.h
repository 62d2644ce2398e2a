/*
 * Private to library/: what a client is, and the gate through which every call of the API goes.
 * Behind the gate the rest of dray is used as the command uses it. The gate keeps the effects of
 * that from the caller: no exit when memory runs out, no SIGPIPE, no use by another process or by
 * two threads.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdatomic.h>
#include <sys/types.h>

#include "db/db.h"
#include "include/dray.h"

/*
 * The connection is the client's own. One that uses its caller's connection will be another `db` in
 * the same struct, so that the other calls of the API need not know.
 */
struct dray_client {
	struct db *db;       /* NULL until opened */
	struct arena *arena; /* of one call; dray_find's texts live in it until the next */
	pid_t owner;         /* the process that opened it */
	atomic_bool busy;    /* a call is in progress */
};

/* What a call does behind the gate; args are its own. */
typedef enum status client_verb(struct dray_client *client, void *args, struct error *error);

/*
 * Runs the verb and translates its result. When memory runs out the verb is abandoned where it is
 * (what it allocated outside of the client's arena leaks), the connection is closed, so that no
 * transaction stays open, and the result is DRAY_STATUS_MEMORY.
 */
enum dray_status client_call(struct dray_client *client, client_verb *verb, void *args,
			     struct dray_error *error);

/* A struct of the caller's, whose size says which version of it the caller knows. */
struct client_struct {
	const char *macro; /* the macro that makes it: "DRAY_OPTIONS" */
	size_t known;      /* its size in this library */
	size_t least;      /* its size in the first version */
};

/*
 * Copies what both sides know into `own` (of which->known bytes), with zeroes for the rest. INVALID
 * when the struct is missing, its size is that of no version, or the caller has set a member that
 * this library does not know.
 */
enum status client_read(const struct client_struct *which, const void *given, void *own,
			struct error *error) MUST_CHECK;

#endif
