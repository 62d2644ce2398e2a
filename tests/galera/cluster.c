#include "tests/galera/cluster.h"

#include <sys/stat.h>

#include "tests/support/test.h"

#define PROVIDER "/usr/lib/galera/libgalera_smm.so"
#define STATE    "6f1c3b1e-0000-4000-8000-00000000d1a7" /* of a database nobody has written to */
#define MEMBER   "6f1c3b1e-0000-4000-8000-00000000000"  /* and the node's number */

/* In the node's data, as its own. */
static void write_file(const struct server *node, const char *name, const char *text)
{
	const char *data = arena_printf(node->arena, "%s/data", node->place);
	const char *path = arena_printf(node->arena, "%s/%s", data, name);
	struct stat owner;

	assert_int_equal(stat(data, &owner), 0);
	test_write_file(path, text);
	assert_int_equal(chown(path, owner.st_uid, owner.st_gid), 0);
}

/*
 * As if they had been a cluster before and had all been killed at the same transaction: they come
 * together again by themselves, and nobody has to be sent the data, which would take programs of
 * another package.
 */
static void remember_cluster(const struct server *node, int number)
{
	write_file(node, "grastate.dat",
		   "# GALERA saved state\nversion: 2.1\nuuid:    " STATE
		   "\nseqno:   1\nsafe_to_bootstrap: 1\n");
	write_file(node, "gvwstate.dat",
		   arena_printf(node->arena,
				"my_uuid: " MEMBER "%d\n#vwbeg\nview_id: 3 " MEMBER "1 3\n"
				"bootstrap: 0\nmember: " MEMBER "1 0\nmember: " MEMBER
				"2 0\nmember: " MEMBER "3 0\n#vwend\n",
				number));
}

static const char library[] = "--wsrep-provider=" PROVIDER;
static const char position[] = "--wsrep-start-position=" STATE ":1";

static void launch(struct cluster *cluster, unsigned at)
{
	struct server *node = &cluster->nodes[at];
	const int *ports = cluster->ports;
	const char *address = arena_printf(
		node->arena,
		"--wsrep-cluster-address=gcomm://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d", ports[0],
		ports[1], ports[2]);
	const char *own = arena_printf(node->arena, "--wsrep-node-address=127.0.0.1:%d", ports[at]);
	const char *provider =
		arena_printf(node->arena,
			     "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:%d;"
			     "ist.recv_addr=127.0.0.1:%d;gcache.size=16M",
			     ports[at], server_free_port());
	const char *const options[] = {
		"--wsrep-on=ON",
		library,
		"--wsrep-cluster-name=dray-test",
		"--wsrep-sst-method=skip",
		position,
		"--binlog-format=ROW",
		"--innodb-autoinc-lock-mode=2",
		address,
		own,
		provider,
		NULL,
	};

	server_launch(node, options);
}

void cluster_open(struct cluster *cluster, struct arena *arena)
{
	if (access(PROVIDER, R_OK) != 0)
		fail_msg("%s is not there: install the package galera-4", PROVIDER);
	for (unsigned i = 0; i < NODES; i++) {
		server_init(&cluster->nodes[i], arena, "mariadb", 0);
		remember_cluster(&cluster->nodes[i], (int)i + 1);
		cluster->ports[i] = server_free_port();
	}
	for (unsigned i = 0; i < NODES; i++)
		launch(cluster, i);
	for (unsigned i = 0; i < NODES; i++)
		server_await(&cluster->nodes[i]);
}

void cluster_close(struct cluster *cluster)
{
	for (unsigned i = 0; i < NODES; i++)
		server_close(&cluster->nodes[i]);
}

const char *cluster_url(const struct cluster *cluster, unsigned node, const char *database)
{
	return server_url(&cluster->nodes[node], "root", database);
}
