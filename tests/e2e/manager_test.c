/*
 * Under a service manager and as a container's first process: readiness, reloads and the end are
 * told, the watchdog is fed while all loops turn, who stands still is replaced, and what jobs leave
 * behind is collected.
 */
#include <dirent.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/support/sites/site.h"

static const char settings[] = "process_heartbeat_interval: 0.5\n"
			       "workers:\n  - {threads: 2, polling_interval: 0.02}\n"
			       "dispatchers:\n  - {polling_interval: 0.05}\n";

static const char jobs[] =
	"  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"
	"  Orphan: {command: [sh, -c, 'mkfifo $DRAY_JOB_ID; setsid -f sh -c \"echo "
	">>orphans; echo >$DRAY_JOB_ID\"; read x <$DRAY_JOB_ID']}\n";

static int manager = -1;
static char heard[65536]; /* every message so far, a line or more each */

static void hear(void)
{
	size_t used = strlen(heard);
	ssize_t length;

	while ((length = recv(manager, heard + used, sizeof(heard) - used - 2, 0)) > 0) {
		used += (size_t)length;
		heard[used++] = '\n';
		heard[used] = '\0';
	}
}

static const char *listen_in(struct site *site)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = site_path(site, "notify");

	heard[0] = '\0';
	if (manager >= 0)
		(void)close(manager);
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_true(manager >= 0);
	(void)unlink(path);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(bind(manager, (const struct sockaddr *)&address, sizeof(address)), 0);
	return arena_printf(site->arena, "NOTIFY_SOCKET=%s", path);
}

static void await_heard(struct site *site, const char *part, size_t count)
{
	site_until(site, (hear(), test_count_text(heard, part) >= count), part);
}

static void open_site(struct site *site)
{
	site_jobs_yml(site, jobs);
	site_queue_yml(site, settings);
}

#define spawn_managed(site, ...)                                                                   \
	site_spawn((site), "/usr/bin/env",                                                         \
		   (const char *[]){ listen_in(site), "WATCHDOG_USEC=400000",                      \
				     getenv("DRAY_BINARY"), __VA_ARGS__, NULL })

SITE_CASE(test_a_deployment_tells_its_manager)
{
	open_site(site);
	site->start = spawn_managed(site, "start");
	await_heard(site, "READY=1\n", 1);
	assert_int_equal(site_logged(site, "\"process.started\""), 2);
	await_heard(site, "STATUS=2/2 ready\n", 1);
	await_heard(site, "WATCHDOG=1\n", 3);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	await_heard(site, "STATUS=2/2 ready, quiet\n", 1);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	await_heard(site, "READY=1\n", 2);
	const char *at = strstr(heard, "RELOADING=1\nMONOTONIC_USEC=");
	assert_non_null(at);
	assert_non_null(strstr(at, "READY=1"));
	(void)site_stop(site, SIGTERM);
	await_heard(site, "STOPPING=1\n", 1);
	await_heard(site, "ready, stopping\n", 1);
}

/* A queue late, said six minutes ago, and one that was said before. */
static void make_ill(struct site *site)
{
	char since[CLOCK_TEXT_SIZE];

	clock_format(db_now(site->db) - 6 * CLOCK_MINUTE - 30 * CLOCK_SECOND, since);
	sql_execute(site->db,
		    "INSERT INTO dray_findings (name, subject, queue_name, since, said, advice, "
		    "dead, began_at, told) VALUES ('queue_late', 'mail', 'mail', '%s', '', '', "
		    "false, '%s', false)",
		    since, since);
}

/* It is gone at once here; else it would be shown for a minute. */
SITE_CASE_ONLY(test_what_stands_is_shown, "sqlite postgresql")
{
	open_site(site);
	site->start = spawn_managed(site, "start");
	await_heard(site, "STATUS=2/2 ready\n", 1);
	make_ill(site);
	await_heard(site, "STATUS=2/2 ready, degraded: queue mail late 6m\n", 1);
	site_await_title(site, site->start.pid,
			 "dray: supervisor 2/2 ready, degraded: queue mail late 6m");
	struct test_running watch = site_launch(site, "watch");
	site_await_rows(site, "Watcher", 1);
	site_await_title(site, watch.pid, "dray: watcher, degraded: queue mail late 6m");
	site_stop_other(site, &watch);
	sql_execute(site->db, "DELETE FROM dray_findings");
	await_heard(site, "STATUS=2/2 ready\n", 2);
}

SITE_CASE(test_a_role_alone_tells_its_manager)
{
	open_site(site);
	site->start = spawn_managed(site, "worker");
	await_heard(site, "READY=1\n", 1);
	await_heard(site, "STATUS=worker * 0/2 busy\n", 1);
	await_heard(site, "WATCHDOG=1\n", 3);
	site_queue_yml(site, "workers:\n  - {threads: 3, polling_interval: 0.02}\n");
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	await_heard(site, "RELOADING=1\nMONOTONIC_USEC=", 1);
	await_heard(site, "READY=1\n", 2);
	await_heard(site, "STATUS=worker * 0/3 busy\n", 1);
	assert_null(strstr(heard, "STOPPING"));
	(void)site_stop(site, SIGTERM);
	await_heard(site, "STOPPING=1\n", 1);
}

#ifdef DRAY_FAULTS

static const char one_thread[] = "process_heartbeat_interval: 0.5\n"
				 "workers:\n  - {threads: 1, polling_interval: 0.02}\n"
				 "dispatchers:\n  - {polling_interval: 0.05}\n";

/* The first start is complete although a worker of the configuration before still ends a job. */
SITE_CASE(test_ready_while_one_is_leaving)
{
	site_queue_yml(site, settings);
	site->start = site_spawn(site, "/usr/bin/env",
				 (const char *[]){ listen_in(site),
						   "DRAY_FAULT=dispatcher.registered=stop",
						   getenv("DRAY_BINARY"), "start", NULL });
	struct process_row worker = site_await_row(site, "Worker", "queues", 0);
	struct process_row dispatcher = site_await_row(site, "Dispatcher", "", 0);
	int64_t job = site_begin(site, 1, "Wait");
	site_queue_yml(site, one_thread);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	(void)site_await_row(site, "Worker", "queues", worker.id);
	hear();
	assert_int_equal(test_count_text(heard, "READY=1\n"), 0);
	assert_int_equal(kill(dispatcher.pid, SIGCONT), 0);
	await_heard(site, "READY=1\n", 1);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_let_go(site, job);
}

#endif

static void open_without_database(struct site *site)
{
	open_site(site);
	site_write(site, "config/queue.yml",
		   arena_printf(site->arena, "database: {url: \"%.*s127.0.0.1:1/none\"}\n%s",
				(int)(strstr(site->url, "//") + 2 - site->url), site->url,
				settings));
}

/* BS1: not ready before all are (what depends on us starts only then), ended by TERM. */
SITE_CASE_ONLY(test_not_ready_without_the_database, "postgresql mysql mariadb")
{
	open_without_database(site);
	site->start = spawn_managed(site, "start", "--migrate");
	site_await_log(site, "\"database.away\"", 1);
	await_heard(site, "STATUS=0/2 ready, waiting for the database\n", 1);
	await_heard(site, "WATCHDOG=1\n", 3);
	assert_null(strstr(heard, "READY=1"));
	(void)kill(site->start.pid, SIGTERM);
	assert_code(site_finish(site), 0);
	assert_int_equal(site_logged(site, "\"process.started\""), 0);
}

/* Who starts it need not wait with it. */
SITE_CASE_ONLY(test_with_wait_the_start_has_ended_when_it_waits, "postgresql mysql mariadb")
{
	static const char *const modes[] = { "start", "worker" };

	open_without_database(site);
	for (int i = 0; i < 2; i++) {
		site->start = spawn_managed(site, modes[i], "--wait");
		await_heard(site, ", waiting for the database\n", 1);
		await_heard(site, "READY=1\n", 1);
		(void)kill(site->start.pid, SIGTERM);
		assert_code(site_finish(site), 0);
	}
}

/* These take as long as a loop may stand still, whatever the database. */
static void open_for_stall(struct site *site)
{
	open_site(site);
	site_write(site, "config/queue.yml",
		   arena_printf(site->arena,
				"database: {url: \"%s\", connect_timeout: 0.2, call_timeout: "
				"1, retry_for: 0}\nprocess_alive_threshold: 10\n%s",
				site->url, settings));
}

SITE_CASE_REAL(test_who_stands_still_is_replaced, "sqlite")
{
	open_for_stall(site);
	site->start = spawn_managed(site, "start");
	await_heard(site, "READY=1\n", 1);
	struct process_row worker = site_await_row(site, "Worker", "queues", 0);
	site_freeze(site, worker.pid);
	site_await_log(site, "\"reason\":\"its loop stands still\"", 1);
	(void)site_await_row(site, "Worker", "queues", worker.id);
	site_run(site, "Log");
	await_heard(site, "STATUS=2/2 ready\n", 2);
	assert_int_equal(site_logged(site, "\"child.exited\""), 1);
}

/* The janitor, whose row is the supervisor's, and the others. */
static size_t find_children(struct site *site, pid_t pids[], size_t most)
{
	size_t count;
	const struct process_row *rows = site_rows(site, NULL, &count);
	size_t found = 0;

	pids[found++] = site_janitor(site);
	for (size_t i = 0; i < count && found < most; i++)
		if (rows[i].pid != site->start.pid)
			pids[found++] = (pid_t)rows[i].pid;
	return found;
}

static void signal_each(const pid_t pids[], size_t count, int signal)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(kill(pids[i], signal), 0);
}

/* Nobody is to blame though all were silent; the supervisor comes to life first. */
SITE_CASE_REAL(test_all_stand_still, "sqlite")
{
	pid_t children[3];

	open_for_stall(site);
	site_start(site, 3);
	site_await_log(site, "\"process.started\"", 2);
	const size_t count = find_children(site, children, 3);
	assert_int_equal(count, 3);
	assert_int_equal(kill(site->start.pid, SIGSTOP), 0);
	signal_each(children, count, SIGSTOP);
	clock_sleep(11 * CLOCK_SECOND); /* the freeze itself */
	assert_int_equal(kill(site->start.pid, SIGUSR2), 0);
	site_signal_start(site, SIGCONT, "\"supervisor.state\"", 1);
	signal_each(children, count, SIGCONT);
	site_run(site, "Log");
	site_signal_start(site, SIGUSR2, "\"supervisor.state\"", 2);
	assert_int_equal(site_logged(site, "stands still"), 0);
	assert_int_equal(site_logged(site, "\"child.exited\""), 0);
}

/* The first child of a process that has not ended; *count is that of all. */
static pid_t child_of(pid_t wanted, size_t *count)
{
	DIR *directory = opendir("/proc");
	pid_t found = 0;

	assert_non_null(directory);
	*count = 0;
	for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		char state;
		pid_t parent;
		if (!test_read_stat(pid, &state, &parent) || parent != wanted)
			continue;
		*count += 1;
		if (found == 0 && state != 'Z')
			found = pid;
	}
	(void)closedir(directory);
	return found;
}

static void run_as_first_process(struct site *site, const char *command, size_t processes)
{
	size_t count;

	if (geteuid() != 0 || system("unshare --pid --fork true 2>/dev/null") != 0) {
		print_message("skipped: no PID namespace to be had\n");
		return;
	}
	open_site(site);
	site->start = site_spawn(site, "/usr/bin/unshare",
				 (const char *[]){ "--pid", "--fork", "--kill-child",
						   getenv("DRAY_BINARY"), command, NULL });
	site_await_rows(site, NULL, processes);
	site_await_log(site, "\"process.started\"", 1);
	pid_t first = child_of(site->start.pid, &count);
	site_await_title(site, first, "dray: init");
	for (int i = 0; i < 5; i++)
		(void)site_enqueue(site, "Orphan");
	site_await_jobs(site, JOB_FINISHED, 5);
	site_await_lines(site, "orphans", 5);
	site_until(site, (child_of(first, &count), count == 1), "nobody of those that were left");
	assert_int_equal(kill(first, SIGUSR2), 0);
	site_await_log(site, "\"process.state\"", 1);
	assert_int_equal(kill(first, SIGTERM), 0);
	assert_code(site_finish(site), 0);
}

SITE_CASE(test_a_deployment_as_first_process)
{
	run_as_first_process(site, "start", 3);
}

SITE_CASE(test_a_role_as_first_process)
{
	run_as_first_process(site, "worker", 1);
}
