/* What the cells of one backend share: a server, a database, a plain user, a forwarder. */
#ifndef WORLD_H
#define WORLD_H

#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/server.h"

struct world {
	const char *backend;
	struct arena *arena;
	struct server server;
	struct forwarder forwarder;
	const char *url;
	const char *through;
	const char *admin_url;
};

void world_open(struct world *world, const char *backend);
void world_close(struct world *world);

/* Whatever a cell has left: the server runs, the forwarder passes, nobody is connected by it. */
void world_clear(struct world *world);

#endif
