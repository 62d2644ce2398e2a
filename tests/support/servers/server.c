#include "tests/support/servers/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/uuid.h"
#include "tests/support/database.h"
#include "tests/support/wait.h"

#define PATIENCE          (90 * CLOCK_SECOND)
#define MAXIMUM_ARGUMENTS 24

#define MYSQL_OPTIONS "--max-connections=40 --innodb-flush-log-at-trx-commit=2"

/* A crash of the program must lose nothing: what was committed is with the kernel. */
static const struct {
	const char *backend;
	const char *scheme;
	const char *user;
	const char *database;
	const char *pidfile; /* below the place */
	int stop;
	int crash;
	const char *options; /* with spaces between them */
} kinds[] = {
	{ "sqlite" },
	{ "postgresql", "postgres", "postgres", "postgres", "data/postmaster.pid", SIGINT, SIGQUIT,
	  "-c max_connections=40 -c max_wal_size=64MB" },
	{ "mysql", "mysql", "root", "mysql", "pid", SIGTERM, SIGKILL, MYSQL_OPTIONS },
	{ "mariadb", "mysql", "root", "mysql", "pid", SIGTERM, SIGKILL, MYSQL_OPTIONS },
};

static size_t kind_of(const struct server *server)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].backend, server->backend) == 0)
			return i;
	fail_msg("no backend %s", server->backend);
	return 0;
}

/* Below the range of outgoing connections, which else could take it while the server is away. */
int server_free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int port;
	bool free = false;

	for (int attempt = 0; !free && attempt < 100; attempt++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		port = 20000 + (int)random_below(12000);
		address.sin_port = htons((uint16_t)port);
		free = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
		close(fd);
	}
	assert_true(free);
	return port;
}

/* Runs server.sh in a child, its output in the log. */
static pid_t spawn(const struct server *server, const char *verb, const char *const arguments[])
{
	const char *program = SOURCE_DIR "/tests/support/servers/server.sh";
	const char *argv[MAXIMUM_ARGUMENTS] = { "sh", program, verb, server->backend,
						server->directory };
	const char *path = arena_printf(server->arena, "%s/log", server->directory);

	for (size_t i = 0; arguments[i]; i++)
		argv[5 + i] = arguments[i];
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG,
	      SIGQUIT); /* a change of user forgets it; the script sets it again */
	int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(126);
	execv("/bin/sh", (char *const *)argv);
	_exit(127);
}

static void script(const struct server *server, const char *verb, const char *argument)
{
	int code =
		test_wait_exit(spawn(server, verb, (const char *[]){ argument, NULL }), PATIENCE);

	if (code != 0)
		fail_msg("server.sh %s %s: %d: see %s/log", verb, server->backend, code,
			 server->directory);
}

static const char *read_line(const struct server *server, const char *path)
{
	struct error error = { 0 };
	char *data;
	size_t length;

	if (file_read(path, 4096, &data, &length, &error) != STATUS_OK)
		return "";
	const char *line = arena_strndup(server->arena, data, strcspn(data, "\n"));
	free(data);
	return line;
}

static bool answers(const struct server *server)
{
	struct error error;
	struct db *db = NULL;

	if (db_open(&db, server->url, NULL, &error) != STATUS_OK)
		return false;
	db_close(db);
	return true;
}

void server_launch(struct server *server, const char *const options[])
{
	size_t kind = kind_of(server);
	const char *argv[MAXIMUM_ARGUMENTS] = { arena_printf(server->arena, "%d", server->port) };
	size_t count = 1;

	if (!kinds[kind].pidfile)
		return;
	char *rest = arena_strdup(server->arena, kinds[kind].options);
	for (char *option; (option = strsep(&rest, " "));)
		argv[count++] = option;
	for (size_t i = 0; options && options[i]; i++) {
		assert_true(count < MAXIMUM_ARGUMENTS - 6); /* spawn's own, and the end */
		argv[count++] = options[i];
	}
	server->started = spawn(server, "run", argv);
}

void server_await(struct server *server)
{
	size_t kind = kind_of(server);
	int64_t pid = 0;

	if (!kinds[kind].pidfile)
		return;
	test_until(answers(server), arena_printf(server->arena, "%s: see %s/log", server->backend,
						 server->directory));
	const char *pidfile =
		arena_printf(server->arena, "%s/%s", server->place, kinds[kind].pidfile);
	if (parse_int(read_line(server, pidfile), 1, INT32_MAX, &pid) != STATUS_OK)
		fail_msg("%s has no pid", pidfile);
	server->pid = (pid_t)pid;
}

void server_start(struct server *server)
{
	server_launch(server, NULL);
	server_await(server);
}

void server_revive(struct server *server)
{
	if (server->started > 0 && waitpid(server->started, NULL, WNOHANG) == 0)
		return;
	server_start(server);
}

const char *server_url(const struct server *server, const char *user, const char *database)
{
	return arena_printf(server->arena, "%s://%s@127.0.0.1:%d/%s", kinds[kind_of(server)].scheme,
			    user, server->port, database);
}

const char *server_make_jobs(const struct server *server)
{
	struct db *db = test_db_open(server->url);

	test_execute(db, "CREATE DATABASE jobs");
	db_close(db);
	return server_url(server, kinds[kind_of(server)].user, "jobs");
}

static void make_directory(struct server *server, struct arena *arena, const char *backend)
{
	char directory[] = "/tmp/dray-server-XXXXXX";

	*server = (struct server){ .arena = arena, .backend = backend };
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chmod(directory, 0711), 0);
	server->directory = arena_strdup(arena, directory);
}

void server_move(struct server *server, int port)
{
	size_t kind = kind_of(server);

	server->port = port;
	server->url = server_url(server, kinds[kind].user, kinds[kind].database);
}

void server_open_replica(struct server *replica, const struct server *primary)
{
	make_directory(replica, primary->arena, primary->backend);
	script(replica, "copy", arena_printf(primary->arena, "%d", primary->port));
	replica->place =
		read_line(replica, arena_printf(primary->arena, "%s/place", replica->directory));
	server_move(replica, server_free_port());
	server_start(replica);
}

void server_init(struct server *server, struct arena *arena, const char *backend, int megabytes)
{
	make_directory(server, arena, backend);
	script(server, "init", arena_printf(arena, "%d", megabytes));
	server->place = read_line(server, arena_printf(arena, "%s/place", server->directory));
	server->limited = access(arena_printf(arena, "%s/limited", server->directory), F_OK) == 0;
	if (kinds[kind_of(server)].pidfile)
		server_move(server, server_free_port());
}

void server_open(struct server *server, struct arena *arena, const char *backend, int megabytes)
{
	server_init(server, arena, backend, megabytes);
	server_start(server);
}

static void end(struct server *server, int signal)
{
	if (server->started == 0)
		return;
	assert_int_equal(kill(server->pid, signal), 0);
	(void)test_wait_exit(server->started, PATIENCE);
	server->started = 0;
}

void server_stop(struct server *server)
{
	end(server, kinds[kind_of(server)].stop);
}

void server_crash(struct server *server)
{
	end(server, kinds[kind_of(server)].crash);
}

void server_close(struct server *server)
{
	server_crash(server);
	script(server, "remove", NULL);
}
