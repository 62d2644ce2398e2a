/* HUP and `dray reload`: who is replaced, what becomes of running jobs, mistakes change nothing. */
#include "tests/support/sites/site.h"

#define SETTINGS "process_heartbeat_interval: 0.2\nshutdown_timeout: 30\n"
#define FIRST    "  - {queues: first, threads: 2, polling_interval: 0.02}\n"
#define SECOND   "  - {queues: second, threads: 2, polling_interval: 0.02}\n"
#define THIRD    "  - {queues: third, threads: 1, polling_interval: 0.02}\n"
#define FEEDER   "dispatchers:\n  - {polling_interval: 0.05}\n"

static void start(struct site *site)
{
	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	site_start(site, 4);
	(void)site_await_row(site, "Worker", "\"first\"", 0);
	(void)site_await_row(site, "Worker", "\"second\"", 0);
	site_await_log(site, "\"process.started\"", 3);
}

static pid_t worker(struct site *site, const char *queue)
{
	const char *text = arena_printf(site->arena, "\"queues\":\"%s\"", queue);

	return site_await_row(site, "Worker", text, 0).pid;
}

static const char *reload(struct site *site)
{
	return site_dray(site, "reload");
}

/* Everyone works. */
static void assert_works(struct site *site, const char *queue)
{
	int64_t job = site_enqueue(site, "Log", "--queue", queue);

	site_await(site, job, JOB_FINISHED);
}

SITE_CASE(test_only_who_changed_is_replaced)
{
	start(site);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");
	int64_t job = site_begin(site, 1, "Wait", "--queue", "first");

	site_queue_yml(
		site, SETTINGS
		"workers:\n"
		"  - {queues: first, threads: 3, polling_interval: 0.02}\n" THIRD SECOND FEEDER);
	assert_wording("reload.replaced_and_added", reload(site));
	site_await_log(site, "\"setting\":\"workers[2]\",\"after\":\"added\"", 1);
	assert_works(site, "third");
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "begun"), 1);
	struct process_row next = site_await_row(site, "Worker", "\"thread_pool_size\":3", 0);
	assert_int_not_equal(next.pid, first);
	assert_int_equal(worker(site, "second"), second);
	site_await_rows(site, "Worker", 3);
	assert_works(site, "first");
}

SITE_CASE(test_entries_come_and_go)
{
	start(site);
	pid_t second = worker(site, "second");

	site_queue_yml(site, SETTINGS "workers:\n" SECOND);
	assert_wording("reload.removed", reload(site));
	site_await_rows(site, NULL, 2);
	assert_int_equal(worker(site, "second"), second);
	site_await_title(site, site->start.pid, "dray: supervisor 1/1 ready");

	site_queue_yml(site, SETTINGS "workers:\n"
				      "  - {queues: second, threads: 2, polling_interval: 0.02, "
				      "processes: 3}\n" FEEDER);
	assert_wording("reload.added", reload(site));
	site_await_rows(site, "Worker", 3);
	site_await_rows(site, "Dispatcher", 1);
	assert_int_equal(site_await_row(site, "Worker", "second", 0).pid, second);
	site_await_title(site, site->start.pid, "dray: supervisor 4/4 ready");
	assert_works(site, "second");
}

/* jobs.yml concerns the workers, which take it over, and new jobs run as it says now. */
SITE_CASE(test_other_jobs)
{
	start(site);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");
	struct process_row dispatcher = site_await_row(site, "Dispatcher", "", 0);

	site_jobs_yml(site, "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>other']}\n");
	assert_wording("reload.taken_over", reload(site));
	site_await_log(site, "\"worker.reloaded\"", 2);
	assert_works(site, "first");
	assert_works(site, "second");
	assert_int_equal(worker(site, "first"), first);
	assert_int_equal(worker(site, "second"), second);
	assert_int_equal(site_await_row(site, "Dispatcher", "", 0).pid, dispatcher.pid);
	assert_int_equal(site_lines(site, "other"), 2);
	assert_int_equal(site_logged(site, "\"process.leaving\""), 0);
}

SITE_CASE(test_everybodys_settings)
{
	start(site);
	site_queue_yml(site, "process_heartbeat_interval: 0.3\nshutdown_timeout: 30\n"
			     "workers:\n" FIRST SECOND FEEDER);
	assert_wording("reload.all_replaced", reload(site));
	site_await_log(site, "\"process.started\"", 6);
	site_await_rows(site, NULL, 4);
	(void)site_await_row(site, "Supervisor(fork)", "\"heartbeat_interval\":0.3", 0);
}

SITE_CASE(test_the_log_without_a_restart)
{
	start(site);
	pid_t first = worker(site, "first");

	site_queue_yml(site, SETTINGS "log: {level: debug}\nworkers:\n" FIRST SECOND FEEDER);
	assert_wording("reload.nobody_replaced", reload(site));
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	site_await_log(site,
		       arena_printf(site->arena,
				    "\"event\":\"job.started\",\"role\":\"worker\",\"pid\":%d,"
				    "\"job\":%lld",
				    (int)first, (long long)job),
		       1);
	assert_int_equal(worker(site, "first"), first);
}

/* The janitor, which every reload renews, says it in the supervisor's row. */
SITE_CASE(test_promises)
{
	static const char format[] = "queues: {mail: {late_after: %s}}\n%s";
	static const char rest[] = SETTINGS "workers:\n" FIRST SECOND FEEDER;

	start(site);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");
	const struct process_row row = site_await_row(site, "Supervisor(fork)", "", 0);

	assert_null(strstr(row.metadata, "late_after"));
	site_queue_yml(site, arena_printf(site->arena, format, "60s", rest));
	assert_wording("reload.nobody_replaced", reload(site));
	(void)site_await_row(site, "Supervisor(fork)", "\"late_after\":{\"mail\":60000}", 0);
	site_queue_yml(site, arena_printf(site->arena, format, "1m1s", rest));
	assert_wording("reload.nobody_replaced", reload(site));
	site_queue_yml(site, arena_printf(site->arena, "expect_hosts: []\n%s",
					  arena_printf(site->arena, format, "1m1s", rest)));
	assert_wording("reload.nobody_replaced", reload(site));
	(void)site_await_row(site, "Supervisor(fork)", "\"expect_hosts\":[]", 0);
	assert_int_equal(
		site_await_row(site, "Supervisor(fork)", "\"late_after\":{\"mail\":61000}", 0).id,
		row.id);
	assert_int_equal(worker(site, "first"), first);
	assert_int_equal(worker(site, "second"), second);
	assert_null(strstr(site_await_row(site, "Worker", "", 0).metadata, "late_after"));
	assert_int_equal(site_logged(site, "\"process.leaving\""), 0);
}

static void assert_untouched(struct site *site, pid_t first, pid_t second)
{
	assert_works(site, "first");
	assert_works(site, "second");
	assert_int_equal(worker(site, "first"), first);
	assert_int_equal(worker(site, "second"), second);
	site_await_rows(site, NULL, 4);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
}

SITE_CASE(test_a_mistake_changes_nothing)
{
	start(site);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");

	site_queue_yml(site, SETTINGS "workers:\n" THIRD "  - {queus: a, threads: many}\n");
	assert_told("reload.mistakes", EXIT_ERROR, site_try(site, "reload"));
	assert_int_equal(site_logged(site, "\"reload.mistake\""), 2);
	site_signal_start(site, SIGHUP, "\"reload.refused\"", 2);
	assert_int_equal(site_logged(site, "\"reload.mistake\""), 4);

	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	assert_untouched(site, first, second);
	site_jobs_yml(site, "  Log: {module: /nowhere/module.so}\n");
	assert_told("reload.refused", EXIT_ERROR, site_try(site, "reload"));
	site_jobs_yml(site, NULL);
	site_queue_yml(site, SETTINGS "supervisor_pidfile: pid\nworkers:\n" FIRST SECOND FEEDER);
	site_signal_start(site, SIGHUP, "supervisor_pidfile cannot change while dray runs", 2);
	assert_untouched(site, first, second);

	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	assert_wording("reload.nothing_changed", reload(site));
	assert_untouched(site, first, second);
}

/* A variable that only `dray start` has, as by a unit's EnvironmentFile. */
SITE_CASE(test_the_files_are_judged_where_they_are_used)
{
	site_queue_yml(site, SETTINGS "workers:\n" FIRST FEEDER);
	site->start =
		site_spawn(site, "/usr/bin/env",
			   (const char *[]){ "THERE=there", getenv("DRAY_BINARY"), "start", NULL });
	site_await_log(site, "\"process.started\"", 2);
	site_write(site, "config/recurring.yml",
		   "noted: {command: [sh, -c, 'echo >>${THERE}'], queue: first, "
		   "schedule: every second}\n");
	(void)reload(site);
	site_await_lines(site, "there", 1);

	site_write(site, "config/queue.yml", "database:\n  url: ${THERE}\n");
	site_write(site, "pid", site_number(site, site->start.pid));
	assert_told("reload.no_database", EXIT_USAGE, site_try(site, "reload"));
	assert_told("reload.blindly", EXIT_ERROR, site_try(site, "reload", "--pidfile", "pid"));
	site_await_log(site, "\"reload.refused\"", 1);
	site_queue_yml(site, SETTINGS "workers:\n" FIRST FEEDER);
}

/* While one worker still ends its job for the first reload, a second one changes it again. */
SITE_CASE(test_a_reload_during_a_reload)
{
	start(site);
	int64_t job = site_begin(site, 1, "Wait", "--queue", "first");

	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	(void)reload(site);
	site_queue_yml(site,
		       SETTINGS "workers:\n"
				"  - {queues: fourth, polling_interval: 0.02}\n" SECOND FEEDER);
	for (int i = 0; i < 5; i++)
		site_signal_start(site, SIGHUP, "\"after\":\"fourth\"", 1);
	site_let_go(site, job);
	(void)site_await_row(site, "Worker", "fourth", 0);
	site_await_rows(site, NULL, 4);
	assert_works(site, "fourth");
	assert_works(site, "second");
}

/* All are stopped: the one that works and the one that it replaces. */
SITE_CASE(test_the_end_during_a_reload)
{
	start(site);
	int64_t job = site_begin(site, 1, "Wait", "--queue", "first");

	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	(void)reload(site);
	site_await_log(site, "\"process.leaving\"", 1);
	site_await_log(site, "\"process.started\"", 4);
	site_signal_start(site, SIGTERM, "\"supervisor.stopping\"", 1);
	site_write(site, "go", "");
	assert_code(site_finish(site), 0);
	assert_int_equal(site_logged(site, "process.started"), 4);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
}

SITE_CASE(test_a_quiet_deployment_stays_quiet)
{
	start(site);
	site_signal_start(site, SIGUSR1, "\"process.quiet\"", 3);
	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	(void)reload(site);
	struct process_row row = site_await_row(site, "Worker", "\"third\"", 0);
	assert_contains(row.metadata, "\"quiet\":true");
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	assert_works(site, "third");
}

SITE_CASE(test_by_pidfile)
{
	site_queue_yml(site, SETTINGS "workers:\n" FIRST FEEDER);
	assert_told("reload.nobody", EXIT_ERROR, site_try(site, "reload"));
	site_write(site, "pid", "1");
	assert_told("reload.wrong_pidfile", EXIT_ERROR,
		    site_try(site, "reload", "--pidfile", "pid"));
	assert_int_equal(unlink(site_path(site, "pid")), 0);
	site->start = site_launch(site, "start", "--pidfile", "pid");
	site_await_rows(site, NULL, 3);
	site_await_log(site, "\"process.started\"", 2);
	(void)site_dray(site, "reload", "--pidfile", "pid", "--reason", "new workers");
	assert_json(site_try(site, "audit", "--action", "reload", "--json"), EXIT_STOPPED,
		    "[{'action': 'reload', 'target': 'supervisor process ...', 'state': 'done', "
		    "'reason': 'new workers'}]");
	assert_json(site_try(site, "reload", "--pidfile", "pid", "--json"), EXIT_STOPPED,
		    arena_printf(site->arena, "{'pid': %d, 'worked': true}", site->start.pid));
	/* The host has another name since. */
	test_execute(site->db, "UPDATE solid_queue_processes SET hostname = 'before'");
	assert_contains(site_try(site, "reload").errors,
			arena_printf(site->arena,
				     "but process %d of before: if that was this host's name, "
				     "choose it with --pidfile",
				     site->start.pid));
}
