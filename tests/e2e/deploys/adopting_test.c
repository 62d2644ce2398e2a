/* Other classes and tasks: a worker takes them over, and a run ends with what it began with. */
#include "tests/support/sites/site.h"

#define SETTINGS(threads)                                                                          \
	"process_heartbeat_interval: 0.2\nshutdown_timeout: 0.5\nstop_grace: 0.5\n"                \
	"workers:\n  - {queues: '*', threads: " threads ", polling_interval: 0.02}\n"              \
	"dispatchers:\n  - {polling_interval: 0.05}\n"
#define WAIT(file)                                                                                 \
	"command: [sh, -c, 'echo >>begun; until test -e go; do sleep 0.02; done; echo >>" file "'" \
	"]"
#define MODULE "module: " BINARY_DIR "/tests/modules/hard.so"

static struct process_row start(struct site *site, const char *jobs)
{
	site_queue_yml(site, SETTINGS("3"));
	site_jobs_yml(site, jobs);
	site_start(site, 3);
	site_await_log(site, "\"process.started\"", 2);
	return site_await_row(site, "Worker", "\"classes\"", 0);
}

/* A reload of other jobs, which the worker has taken over. */
static void take_over(struct site *site, const char *jobs)
{
	size_t before = site_logged(site, "\"worker.reloaded\"");

	site_jobs_yml(site, jobs);
	(void)site_dray(site, "reload");
	site_await_log(site, "\"worker.reloaded\"", before + 1);
}

/* Nobody leaves, and nothing that ran was cut short. */
static void assert_same(struct site *site, const struct process_row *worker)
{
	site_await_rows(site, "Worker", 1);
	assert_int_equal(site_await_row(site, "Worker", "", 0).pid, worker->pid);
	assert_int_equal(site_logged(site, "\"process.leaving\""), 0);
	assert_int_equal(site_logged(site, "\"job.stopping\""), 0);
}

SITE_CASE(test_a_class_is_added_beside_a_long_job)
{
	struct process_row worker = start(site, "  Long: {" WAIT("ended") "}\n");
	int64_t job = site_begin(site, 1, "Long");
	int64_t early = site_enqueue(site, "Early");

	take_over(site, "  Long: {" WAIT("ended") "}\n  Early: {command: [touch, early]}\n");
	site_await(site, early, JOB_FINISHED);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	(void)site_await_row(site, "Worker", "\"classes\":[\"Early\",\"Long\"]", 0);
	site_let_go(site, job);
	assert_same(site, &worker);
	assert_code(site_stop(site, SIGTERM), EXIT_STOPPED);
}

/* Its timeout, how it is stopped and what its exit status means are those of its beginning. */
SITE_CASE(test_a_run_keeps_what_it_began_with)
{
	static const char before[] = "  Long: {" WAIT("ended; exit 7") ", exit: {7: ok}}\n";
	struct process_row worker = start(site, before);
	int64_t job = site_begin(site, 1, "Long");

	for (int i = 1; i <= 3; i++)
		take_over(site, arena_printf(site->arena,
					     "  Long: {command: [sh, -c, 'echo >>new; sleep %d0'], "
					     "timeout: 1s, retry: false}\n",
					     i));
	int64_t next = site_enqueue(site, "Long");
	site_await(site, next, JOB_FAILED);
	clock_sleep(500 * CLOCK_MILLISECOND);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	take_over(site, "  Other: {command: ['true']}\n");
	site_run(site, "Other");
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "ended"), 1);
	assert_int_equal(site_lines(site, "new"), 1);
	site_await_rows(site, "Worker", 1);
	assert_int_equal(site_await_row(site, "Worker", "[\"Other\"]", 0).pid, worker.pid);
	(void)site_dray(site, "discard", site_number(site, next), "--yes");
}

/* The policies are in the database before any worker knows the class. */
SITE_CASE(test_a_limited_class_is_added)
{
	struct process_row worker = start(site, NULL);
	static const char jobs[] =
		"  One: {command: [sh, -c, 'mkdir lock || echo >>over; sleep 0.1; rmdir lock'], "
		"concurrency: {to: 1}}\n";

	take_over(site, jobs);
	site_enqueue_many(site, "One", "default", 4);
	site_await_jobs(site, JOB_FINISHED, 4);
	assert_int_equal(site_lines(site, "over"), 0);
	assert_same(site, &worker);
}

SITE_CASE(test_other_tasks)
{
	struct process_row worker = start(site, "  Long: {" WAIT("ended") "}\n");
	int64_t job = site_begin(site, 1, "Long");

	site_write(site, "config/recurring.yml",
		   "noted: {command: [sh, -c, 'echo >>first'], schedule: every second}\n");
	assert_wording("adopting.other_tasks", site_dray(site, "reload"));
	site_await_lines(site, "first", 1);
	struct process_row scheduler = site_await_row(site, "Scheduler", "noted", 0);
	site_write(site, "config/recurring.yml",
		   "noted: {command: [sh, -c, 'echo >>second'], schedule: every second}\n");
	(void)site_dray(site, "reload");
	site_await_lines(site, "second", 1);
	assert_int_not_equal(site_await_row(site, "Scheduler", "noted", scheduler.id).pid,
			     scheduler.pid);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_let_go(site, job);
	assert_same(site, &worker);
}

/* What is loaded stays; a module is loaded by the worker that begins with its class. */
SITE_CASE(test_modules)
{
	static const char modules[] = "  Note: {" MODULE "%s}\n"
				      "  NoteApart: {" MODULE ", isolation: process}\n%s";
	struct process_row worker =
		start(site, arena_printf(site->arena, modules, "", "  Log: {command: ['true']}\n"));

	site_run(site, "NoteApart");
	take_over(site, arena_printf(site->arena, modules, "", "  Log: {command: ['false']}\n"));
	site_run(site, "Note");
	site_run(site, "NoteApart");
	assert_same(site, &worker);
	assert_int_equal(site_lines(site, "done"), 3);
	site_jobs_yml(site, arena_printf(site->arena, modules, ", priority: 3",
					 "  Log: {command: ['true']}\n"));
	assert_wording("adopting.modules", site_dray(site, "reload"));
	site_run(site, "Log");
	assert_int_not_equal(site_await_row(site, "Worker", "", worker.id).pid, worker.pid);
	site_run(site, "NoteApart");
}

/* The environment is no more what it was when the files were checked. */
SITE_CASE(test_who_cannot_take_it_over_is_replaced)
{
	static const char jobs[] = "  Forget: {" MODULE "}\n  Long: {" WAIT(
		"ended") "}\n"
			 "  Log: {command: ['true'], environment: ['OTHER=${PATH}']}\n%s";
	struct process_row worker = start(site, arena_printf(site->arena, jobs, ""));
	int64_t job = site_begin(site, 1, "Long");

	site_run(site, "Forget", "PATH");
	site_jobs_yml(site, arena_printf(site->arena, jobs, "  New: {command: ['true']}\n"));
	(void)site_dray(site, "reload");
	site_await_log(site, "\"process.outdated\"", 1);
	assert_contains(site_log(site), "PATH");
	site_run(site, "New");
	assert_int_equal(site_await_row(site, "Worker", "leaving_since", 0).pid, worker.pid);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_let_go(site, job);
	site_await_rows(site, "Worker", 1);
}

/* While too many are leaving it goes on as it is, and is replaced when one of them has ended. */
SITE_CASE(test_who_cannot_take_it_over_waits_for_room)
{
	static const char jobs[] =
		"  Forget: {" MODULE
		"}\n  Long: {" WAIT("ended") "}\n"
					     "  Log: {command: [sh, -c, 'echo >>log%d']}\n";
	struct process_row first = start(site, arena_printf(site->arena, jobs, 0));
	int64_t job = site_begin(site, 1, "Long");

	site_queue_yml(site, "max_leaving: 1\n" SETTINGS("4"));
	(void)site_dray(site, "reload");
	struct process_row second = site_await_row(site, "Worker", "\"classes\"", first.id);
	site_run(site, "Forget", "PATH");
	for (int i = 1; i <= 2; i++) {
		site_jobs_yml(site, arena_printf(site->arena, jobs, i));
		(void)site_dray(site, "reload");
		site_await_log(site, "\"process.outdated\"", (size_t)i);
	}
	site_await_log(site, "\"child.outdated\"", 1);
	assert_int_equal(site_await_row(site, "Worker", "\"outdated_since\"", 0).pid, second.pid);
	site_run(site, "Log");
	assert_int_equal(site_lines(site, "log0"), 1);
	assert_int_equal(site_await_row(site, "Worker", "leaving_since", 0).pid, first.pid);
	assert_int_equal(site_row_count(site, "Worker"), 2);
	site_let_go(site, job);
	struct process_row third = site_await_row(site, "Worker", "\"classes\"", second.id);
	assert_int_not_equal(third.pid, second.pid);
	site_run(site, "Log");
	assert_int_equal(site_lines(site, "log2"), 1);
	assert_int_equal(site_logged(site, "\"child.outdated\""), 1);
}

/* The same texts would mean something else there than where they were checked. */
SITE_CASE(test_a_changed_environment_is_noticed)
{
	static const char jobs[] =
		"  Forget: {" MODULE "}\n"
		"  Log: {command: [sh, -c, 'echo >>${CHANGED:-as_checked}%d']}\n";
	struct process_row worker = start(site, arena_printf(site->arena, jobs, 1));

	site_run(site, "Forget", "CHANGED", "changed");
	site_jobs_yml(site, arena_printf(site->arena, jobs, 2));
	(void)site_dray(site, "reload");
	site_await_log(site, "\"process.outdated\"", 1);
	(void)site_await_row(site, "Worker", "\"classes\"", worker.id);
	site_run(site, "Log");
	assert_int_equal(site_lines(site, "as_checked2"), 1);
	site_await_rows(site, "Worker", 1);
}

/* It is handed two configurations, and looks at neither yet. */
static void reload_twice_unseen(struct site *site, pid_t worker)
{
	site_freeze(site, worker);
	for (int i = 1; i <= 2; i++) {
		site_jobs_yml(site,
			      arena_printf(site->arena,
					   "  Log: {command: [sh, -c, 'echo >>log%d']}\n", i));
		(void)site_dray(site, "reload");
	}
	site_await_log(site, "\"reload.done\"", 2);
}

/* The one that is handed it dies, and the next one begins with it. Only the last of two counts. */
SITE_CASE(test_killed_before_it_has_taken_it_over)
{
	struct process_row worker = start(site, NULL);

	reload_twice_unseen(site, worker.pid);
	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	site_run(site, "Log");
	assert_int_equal(site_lines(site, "log2"), 1);
	assert_int_equal(site_logged(site, "\"worker.reloaded\""), 0);
}

SITE_CASE(test_two_reloads_while_it_does_not_look)
{
	struct process_row worker = start(site, NULL);

	reload_twice_unseen(site, worker.pid);
	assert_int_equal(kill(worker.pid, SIGCONT), 0);
	site_await_log(site, "\"worker.reloaded\"", 1);
	site_run(site, "Log");
	assert_int_equal(site_lines(site, "log2"), 1);
	assert_same(site, &worker);
}

/* What one that stands still will do with it nobody knows yet. */
SITE_CASE(test_who_has_not_answered)
{
	site_queue_yml(site, "workers:\n  - {processes: 2, polling_interval: 0.02}\n");
	site_start(site, 3);
	site_await_log(site, "\"process.started\"", 2);
	pid_t frozen = site_await_row(site, "Worker", "\"classes\"", 0).pid;

	site_freeze(site, frozen);
	site_jobs_yml(site, "  Log: {command: [touch, first]}\n");
	assert_wording("adopting.unanswered", site_dray(site, "reload"));
	site_jobs_yml(site, "  Log: {command: [touch, second]}\n");
	assert_json(site_try(site, "reload", "--json"), EXIT_STOPPED,
		    "{'worked': true, 'unanswered': 1}");
	assert_int_equal(kill(frozen, SIGCONT), 0);
	site_await_log(site, "\"worker.reloaded\"", 3);
	site_jobs_yml(site, "  Log: {command: [touch, third]}\n");
	assert_json(site_try(site, "reload", "--json"), EXIT_STOPPED,
		    "{'worked': true, 'unanswered': 0}");
}

/* One that leaves ends with what it has. */
SITE_CASE(test_a_leaving_one_gets_nothing)
{
	(void)start(site, "  Long: {" WAIT("ended") "}\n");
	int64_t job = site_begin(site, 1, "Long");

	site_queue_yml(site, SETTINGS("4"));
	(void)site_dray(site, "reload");
	site_await_log(site, "\"process.started\"", 3);
	take_over(site, "  Other: {command: ['true']}\n");
	site_run(site, "Other");
	(void)site_await_row(site, "Worker", "leaving_since", 0);
	site_let_go(site, job);
	site_await_rows(site, "Worker", 1);
	assert_int_equal(site_logged(site, "\"worker.reloaded\""), 1);
}

/* A reload whose policies cannot be published before publish_again. */
static struct test_running reload_unpublished(struct site *site)
{
	sql_execute(site->db, "ALTER TABLE dray_classes RENAME TO gone");
	site_jobs_yml(site, "  Log: {command: ['true']}\n");
	struct test_running reload = site_launch(site, "reload");
	site_await_log(site, "\"reload.done\"", 1);
	return reload;
}

static void publish_again(struct site *site)
{
	sql_execute(site->db, "ALTER TABLE gone RENAME TO dray_classes");
}

/* `dray reload` waits until the policies are in the database, and the worker has got the files. */
SITE_CASE(test_a_reload_is_over_when_it_is_handed_over)
{
	struct process_row worker = start(site, NULL);
	size_t count;

	struct test_running reload = reload_unpublished(site);
	site_await_log(site, "\"during\":\"heartbeat\"", 1);
	assert_null(strstr(site_rows(site, "Supervisor(fork)", &count)->metadata, "\"reloads\""));
	assert_int_equal(site_logged(site, "\"worker.reloaded\""), 0);
	publish_again(site);
	assert_code(test_command_finish(site->arena, &reload, 30 * CLOCK_SECOND), EXIT_STOPPED);
	site_await_log(site, "\"worker.reloaded\"", 1);
	site_run(site, "Log");
	assert_same(site, &worker);
}

/* While one is being handed over, another one is asked for, and is told its own outcome. */
SITE_CASE(test_each_of_two_reloads_has_its_outcome)
{
	struct process_row worker = start(site, NULL);
	const char *supervisor = "Supervisor(fork)";

	struct test_running one = reload_unpublished(site);
	site_jobs_yml(site, "  Log: {command: ['true'], priority: 1}\n");
	struct test_running two = site_launch(site, "reload");
	(void)site_await_row(site, supervisor, "\"reloads\":1,", 0);
	struct test_result first = test_command_finish(site->arena, &one, 30 * CLOCK_SECOND);
	clock_sleep(250 * CLOCK_MILLISECOND); /* it looks every 50 ms */
	publish_again(site);
	struct test_result second = test_command_finish(site->arena, &two, 30 * CLOCK_SECOND);
	assert_code(first, EXIT_STOPPED);
	assert_code(second, EXIT_STOPPED);
	assert_contains(first.output, "1 has not answered yet");
	assert_contains(second.output, "1 takes it over");
	assert_same(site, &worker);
}

/* The first has worked, though before anybody has seen that the second has a mistake. */
SITE_CASE(test_a_mistake_in_the_second_is_not_told_of_the_first)
{
	(void)start(site, NULL);
	struct test_running one = reload_unpublished(site);
	site_jobs_yml(site, "  Log: {command: ['true'], nonsense: 1}\n");
	struct test_running two = site_launch(site, "reload");
	struct test_result first = test_command_finish(site->arena, &one, 30 * CLOCK_SECOND);
	struct test_result second = test_command_finish(site->arena, &two, 30 * CLOCK_SECOND);
	assert_code(first, EXIT_STOPPED);
	assert_contains(first.output, "1 has not answered yet");
	assert_code(second, EXIT_ERROR);
	assert_contains(second.errors, "nonsense");
	site_jobs_yml(site, NULL);
	publish_again(site);
}

#ifdef DRAY_FAULTS

static void spawn_with(struct site *site, const char *fault)
{
	const char *variable = arena_printf(site->arena, "DRAY_FAULT=%s", fault);

	site->start =
		site_spawn(site, "/usr/bin/env",
			   (const char *[]){ variable, getenv("DRAY_BINARY"), "start", NULL });
}

/* While a job runs, somebody meets the fault in a reload. Who was to take it over? */
static pid_t meet(struct site *site, const char *fault)
{
	site_queue_yml(site, SETTINGS("3"));
	site_jobs_yml(site, "  Long: {" WAIT("ended") "}\n");
	spawn_with(site, fault);
	pid_t worker = site_await_row(site, "Worker", "\"classes\"", 0).pid;
	(void)site_enqueue(site, "Long");
	site_await_lines(site, "begun", 1);
	site_jobs_yml(site, "  Long: {" WAIT("ended") "}\n  New: {command: [touch, new]}\n");
	(void)site_dray(site, "reload");
	return worker;
}

static void end_both(struct site *site, size_t runs)
{
	site_run(site, "New");
	site_await_lines(site, "begun", runs);
	site_write(site, "go", "");
	site_await_jobs(site, JOB_FINISHED, 2);
	assert_int_equal(site_lines(site, "ended"), 1);
}

SITE_CASE(test_killed_while_it_takes_over)
{
	(void)meet(site, "worker.adopting=kill");
	end_both(site, 2);
}

SITE_CASE(test_killed_when_it_has_taken_over)
{
	(void)meet(site, "worker.adopted=kill");
	end_both(site, 2);
}

SITE_CASE(test_frozen_while_it_takes_over)
{
	pid_t worker = meet(site, "worker.adopting=stop");

	assert_int_equal(site_logged(site, "\"worker.reloaded\""), 0);
	assert_int_equal(kill(worker, SIGCONT), 0);
	end_both(site, 1);
	assert_int_equal(site_logged(site, "\"process.started\""), 2);
}

/* The supervisor, with the new classes: nobody is handed them before they are in the database. */
SITE_CASE(test_cut_off_while_it_publishes)
{
	(void)meet(site, "classes_publish.commit=cut@2");
	end_both(site, 1);
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_classes"), 2);
	assert_int_equal(site_logged(site, "\"event\":\"database.away\""), 1);
}

/* It has the configuration of its fork, and the classes of a later one are in the database. */
SITE_CASE(test_one_that_starts_late_does_not_publish_older_classes)
{
	static const char jobs[] = "  One: {command: ['true'], concurrency: {to: %d}}\n";

	site_queue_yml(site, SETTINGS("3"));
	site_jobs_yml(site, arena_printf(site->arena, jobs, 1));
	spawn_with(site, "dispatcher.forked=stop");
	(void)site_await_row(site, "Worker", "\"classes\"", 0);
	take_over(site, arena_printf(site->arena, jobs, 2));
	assert_int_equal(site_signal(site, SIGCONT), 4);
	site_await_rows(site, "Dispatcher", 1);
	site_await_log(site, "\"process.started\"", 2);
	assert_number(site, 2, "SELECT slots FROM dray_classes WHERE class_name = 'One'");
}

/* It is to be replaced before it has begun: it takes nothing over, and is not counted. */
SITE_CASE(test_one_that_is_renewed_while_it_starts)
{
	static const char *const settings[] = { SETTINGS("4"), SETTINGS("5") };

	site_queue_yml(site, SETTINGS("3"));
	spawn_with(site, "worker.forked=stop@2");
	site_await_log(site, "\"process.started\"", 2);
	for (int i = 0; i < 2; i++) {
		site_queue_yml(site, settings[i]);
		(void)site_dray(site, "reload");
	}
	site_jobs_yml(site, "  New: {command: [touch, new]}\n");
	(void)site_dray(site, "reload");
	assert_int_equal(site_logged(site, "\"taken_over\":0"), 3);
	assert_int_not_equal(site_signal(site, SIGCONT), 0);
	(void)site_await_row(site, "Worker", "\"thread_pool_size\":5", 0);
	site_run(site, "New");
}

/* Else it might do so after the supervisor has published those of a later one. */
SITE_CASE(test_one_that_starts_leaves_publishing_to_the_janitor)
{
	static const char jobs[] = "  One: {command: ['true'], concurrency: {to: %d}}\n";
	static const char slots[] = "SELECT slots FROM dray_classes WHERE class_name = 'One'";

	site_queue_yml(site, SETTINGS("3"));
	site_jobs_yml(site, arena_printf(site->arena, jobs, 1));
	spawn_with(site, "supervisor.forked=stop@4");
	site_await_log(site, "\"process.started\"", 2);
	site_queue_yml(site, SETTINGS("4"));
	site_jobs_yml(site, arena_printf(site->arena, jobs, 2));
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_until(site, test_state_of(site->start.pid) == 'T', "the supervisor's fork");
	clock_sleep(CLOCK_SECOND);
	assert_int_equal(site_int(site, slots), 1);
	assert_int_equal(kill(site->start.pid, SIGCONT), 0);
	site_await_log(site, "\"process.started\"", 3);
	assert_int_equal(site_int(site, slots), 2);
}

#endif
