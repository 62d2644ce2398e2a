#include "tests/e2e/cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "db/db.h"
#include "tests/support/test.h"
#include "tests/support/wait.h"

#define PATIENCE (60 * CLOCK_SECOND)

/* The newest version's, where Debian and others put them. */
static const char *find_programs(struct arena *arena)
{
	static const char *const patterns[] = { "/usr/lib/postgresql/*/bin/initdb",
						"/usr/pgsql-*/bin/initdb", "/usr/bin/initdb",
						"/usr/local/bin/initdb" };
	glob_t found = { 0 };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		(void)glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
	if (found.gl_pathc == 0)
		fail_msg("initdb is not installed: this test needs a PostgreSQL of its own");
	const char *path = found.gl_pathv[0];
	char *directory = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
	globfree(&found);
	return directory;
}

static int free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	close(fd);
	return ntohs(address.sin_port);
}

/* PostgreSQL refuses to run as root. */
static const struct passwd *server_user(void)
{
	const struct passwd *user = getpwnam("postgres");

	if (geteuid() != 0)
		return NULL;
	if (!user)
		fail_msg("root needs the user postgres to run PostgreSQL");
	return user;
}

static void become_server(const struct cluster *cluster, const struct passwd *user,
			  const char *const *argv)
{
	const char *path = arena_printf(cluster->arena, "%s/%s", cluster->programs, argv[0]);
	int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (user &&
	    (setgroups(0, NULL) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGQUIT); /* after setuid, which forgets it */
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(126);
	setenv("PATH", cluster->programs, 1); /* where initdb looks for itself and its like */
	execv(path, (char *const *)argv);
	_exit(127);
}

static pid_t spawn(const struct cluster *cluster, const char *const *argv)
{
	const struct passwd *user = server_user();
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	if (chdir(cluster->directory) != 0)
		_exit(126);
	become_server(cluster, user, argv);
	return 0; /* not reached */
}

static bool answers(void *data)
{
	const struct cluster *cluster = data;
	struct error error;
	struct db *db = NULL;

	if (db_open(&db, cluster->url, NULL, &error) != STATUS_OK)
		return false;
	db_close(db);
	return true;
}

void cluster_start(struct cluster *cluster)
{
	const char *port = arena_printf(cluster->arena, "%d", cluster->port);
	const char *const argv[] = {
		"postgres",  "-D",        "data",
		"-p",        port,        "-h",
		"127.0.0.1", "-k",        cluster->directory,
		"-c",        "fsync=off", /* a crash of the server loses nothing, one of the host
					     may */
		NULL,
	};

	cluster->server = spawn(cluster, argv);
	if (!test_wait_until(answers, cluster, PATIENCE))
		fail_msg("no answer from PostgreSQL: see %s/log", cluster->directory);
}

void cluster_open(struct cluster *cluster, struct arena *arena)
{
	static const char *const argv[] = {
		"initdb", "-D",   "data",       "-U",        "postgres",          "-A", "trust",
		"-E",     "UTF8", "--locale=C", "--no-sync", "--no-instructions", NULL
	};
	char directory[] = "/tmp/dray-cluster-XXXXXX";
	const struct passwd *user = server_user();

	assert_non_null(mkdtemp(directory));
	if (user)
		assert_int_equal(chown(directory, user->pw_uid, user->pw_gid), 0);
	*cluster = (struct cluster){ .arena = arena,
				     .programs = find_programs(arena),
				     .directory = arena_strdup(arena, directory),
				     .port = free_port() };
	cluster->url =
		arena_printf(arena, "postgres://postgres@127.0.0.1:%d/postgres", cluster->port);
	int code = test_wait_exit(spawn(cluster, argv), PATIENCE);
	if (code != 0)
		fail_msg("initdb: %d: see %s/log", code, directory);
	cluster_start(cluster);
}

void cluster_crash(struct cluster *cluster)
{
	assert_int_equal(kill(cluster->server, SIGQUIT), 0);
	(void)test_wait_exit(cluster->server, PATIENCE);
	cluster->server = 0;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

void cluster_close(struct cluster *cluster)
{
	if (cluster->server > 0)
		cluster_crash(cluster);
	(void)nftw(cluster->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
