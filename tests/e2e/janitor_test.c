/*
 * The janitor of a deployment dies and is replaced, and nobody notices but the log: while it is
 * away its work waits, and nothing else does.
 */
#include "tests/support/queue.h"
#include "tests/support/sites/site.h"

static struct process_row supervisor(struct site *site)
{
	return site_await_row(site, "Supervisor(fork)", "\"janitor\":", 0);
}

static void await_another(struct site *site, pid_t before)
{
	site_until(site, site_janitor(site) != before, "another janitor");
}

/* It has no row of its own, and another one takes over its supervisor's. */
SITE_CASE(test_a_dead_janitor_is_replaced)
{
	site_start(site, 3);
	const struct process_row before = supervisor(site);
	pid_t first = site_janitor(site);

	assert_int_equal(before.pid, site->start.pid);
	assert_int_equal(kill(first, SIGKILL), 0);
	await_another(site, first);
	assert_int_equal(supervisor(site).id, before.id);
	assert_int_equal(site_row_count(site, NULL), 3);
	assert_int_equal(site_logged(site, "\"process.started\""), 2);
	site_run(site, "Touch", "file");
}

/* Frozen it buries nobody; jobs run all the same, and its successor is told of the death. */
SITE_CASE(test_a_worker_dies_while_the_janitor_is_away)
{
	size_t count;

	site_start(site, 3);
	pid_t first = site_janitor(site);
	int64_t job = site_begin(site, 1, "Wait");
	const struct process_row worker = site_rows(site, "Worker", &count)[0];

	site_freeze(site, first);
	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	(void)site_await_row(site, "Worker", "", worker.id);
	site_run(site, "Touch", "file");
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	assert_int_equal(kill(first, SIGKILL), 0);
	site_await_log(site, "\"process.buried\"", 1);
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "begun"), 2);
}

/* A terminal or a service manager signals the whole group, while the janitor is still needed. */
SITE_CASE(test_signals_of_the_group)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1 };

	site_start(site, 3);
	pid_t first = site_janitor(site);

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		assert_int_equal(kill(first, signals[i]), 0);
	site_signal_start(site, SIGUSR2, "\"role\":\"janitor\"", 1);
	assert_int_equal(site_janitor(site), first);
}

/* What the supervisor says of itself is in the row, also when another janitor writes it. */
SITE_CASE(test_what_the_row_says_lasts)
{
	site_start(site, 3);
	pid_t first = site_janitor(site);

	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	(void)site_await_row(site, "Supervisor(fork)", "\"quiet\":true", 0);
	assert_int_equal(kill(first, SIGKILL), 0);
	await_another(site, first);
	assert_non_null(strstr(supervisor(site).metadata, "\"quiet\":true"));
}

/* A supervisor that stands still is not alive: nobody beats for it. */
SITE_CASE(test_a_frozen_supervisor_looks_dead)
{
	site_queue_yml(site, "process_heartbeat_interval: 0.1\n");
	site_start(site, 3);
	(void)supervisor(site);
	assert_int_equal(kill(site->start.pid, SIGSTOP), 0);
	site_until(site, test_state_of(site->start.pid) == 'T', "the supervisor to stop");
	clock_sleep(300 * CLOCK_MILLISECOND); /* one heartbeat may be on its way */
	int64_t before = supervisor(site).last_heartbeat_at;
	clock_sleep(500 * CLOCK_MILLISECOND);
	assert_int_equal(supervisor(site).last_heartbeat_at, before);
	assert_int_equal(kill(site->start.pid, SIGCONT), 0);
	site_until(site, supervisor(site).last_heartbeat_at > before, "its next heartbeat");
}

/* The supervisor's only child. */
static pid_t only_child(struct site *site)
{
	const int pid = (int)site->start.pid;
	const char *path = arena_printf(site->arena, "/proc/%d/task/%d/children", pid, pid);

	site_until(site, *site_read(site, path) != '\0', "a child");
	return (pid_t)strtol(site_read(site, path), NULL, 10);
}

/*
 * Another one publishes nothing again: another deployment may have published other classes since.
 * It makes the row again if that is gone.
 */
SITE_CASE(test_a_successor_finds_things_changed)
{
	static const char count[] = "SELECT count(*) FROM dray_classes";

	site_start(site, 3);
	const struct process_row before = supervisor(site);
	site_await_least(site, count, 1);
	site_freeze(site, site->start.pid);
	assert_int_equal(kill(site_janitor(site), SIGKILL), 0);
	sql_execute(site->db, "DELETE FROM dray_classes");
	sql_execute(site->db, "DELETE FROM solid_queue_processes WHERE id = %lld",
		    (long long)before.id);
	assert_int_equal(kill(site->start.pid, SIGCONT), 0);
	site_await_log(site, "\"supervisor.lost\"", 1);
	assert_int_not_equal(supervisor(site).id, before.id);
	site_run(site, "Touch", "file");
	assert_int_equal(site_int(site, count), 0);
}

/* Its predecessor has waited for the database: then the silence of others means nothing. */
SITE_CASE(test_a_successor_in_an_outage)
{
	struct process_row far = {
		.kind = "Worker", .name = "far", .pid = 4711, .hostname = "far", .metadata = "{}"
	};
	char time[CLOCK_TEXT_SIZE];

	must(process_register, site->db, &far);
	clock_format(db_now(site->db) - 6 * CLOCK_MINUTE, time);
	sql_execute(site->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '%s'", time);
	sql_execute(site->db, "ALTER TABLE dray_migrations RENAME TO dray_away");
	site->start = site_launch(site, "start", "--wait");
	site_await_log(site, "\"process.trouble\"", 1);
	assert_int_equal(kill(only_child(site), SIGKILL), 0);
	site_await_log(site, "\"process.trouble\"", 2);
	sql_execute(site->db, "ALTER TABLE dray_away RENAME TO dray_migrations");
	site_await_log(site, "\"supervisor.started\"", 1);
	assert_int_equal(site_logged(site, "\"processes.pruned\""), 0);
	sql_execute(site->db, "DELETE FROM solid_queue_processes WHERE name = 'far'");
}

#ifdef DRAY_FAULTS

/* As if it had been silent for too long between registering and its first heartbeat. */
SITE_CASE(test_a_start_whose_row_vanishes)
{
	site->start = site_spawn(site, "/usr/bin/env",
				 (const char *[]){ "DRAY_FAULT=janitor.prepared=stop",
						   getenv("DRAY_BINARY"), "start", NULL });
	(void)site_await_row(site, "Supervisor(fork)", "", 0);
	pid_t janitor = only_child(site);
	site_until(site, test_state_of(janitor) == 'T', "the janitor to stop");
	sql_execute(site->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(kill(janitor, SIGCONT), 0);
	site_await_log(site, "\"supervisor.started\"", 1);
	assert_int_equal(site_logged(site, "\"supervisor.lost\""), 1);
	site_run(site, "Touch", "file");
}

#endif

/* Nobody waits long for a janitor that does not answer: another one does its work. */
SITE_CASE(test_a_stop_without_the_janitor)
{
	site_start(site, 3);
	pid_t first = site_janitor(site);

	site_freeze(site, first);
	assert_int_equal(kill(site->start.pid, SIGQUIT), 0);
	assert_int_equal(site_finish(site).code, 0);
	assert_int_equal(site_row_count(site, NULL), 0);
	assert_int_equal(site_logged(site, "\"supervisor.not_deregistered\""), 0);
}

/* It has died so often that it would wait for the next one, but what is left must be done. */
SITE_CASE(test_a_stop_after_many_deaths)
{
	size_t count;

	site_start(site, 3);
	for (int i = 0; i < 3; i++) {
		pid_t janitor = site_janitor(site);
		assert_int_equal(kill(janitor, SIGKILL), 0);
		await_another(site, janitor);
	}
	(void)site_begin(site, 1, "Wait");
	site_freeze(site, site->start.pid);
	assert_int_equal(kill(site_janitor(site), SIGKILL), 0);
	assert_int_equal(kill(site_rows(site, "Worker", &count)[0].pid, SIGKILL), 0);
	assert_int_equal(kill(site->start.pid, SIGQUIT), 0);
	assert_int_equal(kill(site->start.pid, SIGCONT), 0);
	assert_int_equal(site_finish(site).code, 0);
	assert_int_equal(site_row_count(site, NULL), 0);
	assert_int_equal(site_jobs_in(site, JOB_READY), 1);
}

/* The thread of a worker that died while it left is free again, though nobody buries it. */
SITE_CASE(test_the_thread_of_the_dead_while_the_janitor_is_away)
{
	static const char settings[] = "workers:\n  - {threads: 1, polling_interval: %s}\n";

	site_queue_yml(site, arena_printf(site->arena, settings, "0.05"));
	site_start(site, 2);
	(void)site_begin(site, 1, "Wait");
	const struct process_row old = site_await_row(site, "Worker", "", 0);
	site_queue_yml(site, arena_printf(site->arena, settings, "0.06"));
	(void)site_dray(site, "reload");
	(void)site_await_row(site, "Worker", "", old.id);
	site_freeze(site, site_janitor(site));
	assert_int_equal(kill(old.pid, SIGKILL), 0);
	site_run(site, "Touch", "file");
	site_kill(site);
	(void)site_finish(site);
	sql_execute(site->db, "DELETE FROM solid_queue_claimed_executions");
	sql_execute(site->db, "DELETE FROM solid_queue_jobs");
	sql_execute(site->db, "DELETE FROM solid_queue_processes");
}

/* What was done for a start that is refused is undone. */
SITE_CASE_ONLY(test_a_refused_start_leaves_no_row, "sqlite")
{
	sql_execute(site->db, "CREATE TRIGGER refuse BEFORE UPDATE ON solid_queue_processes "
			      "BEGIN SELECT RAISE(ABORT, 'refused'); END");
	site->start = site_launch(site, "start");
	assert_int_equal(site_finish(site).code, EXIT_USAGE);
	assert_int_equal(site_logged(site, "\"supervisor.refused\""), 1);
	assert_int_equal(site_row_count(site, NULL), 0);
}
