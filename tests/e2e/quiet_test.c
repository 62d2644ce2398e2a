/* USR1 and USR2: quiet takes nothing new until the next USR1; a dump tells what each is doing. */
#include "tests/support/sites/site.h"

static void start(struct site *site)
{
	site_queue_yml(site, "process_heartbeat_interval: 0.2\n"
			     "workers:\n"
			     "  - {queues: first, threads: 2, polling_interval: 0.02}\n"
			     "  - {queues: second, threads: 2, polling_interval: 0.02}\n"
			     "dispatchers:\n  - {polling_interval: 0.02}\n");
	site_start(site, 4);
	(void)site_await_row(site, "Worker", "first", 0);
	(void)site_await_row(site, "Worker", "second", 0);
}

static void send(pid_t pid, int signal)
{
	assert_int_equal(kill(pid, signal), 0);
}

#define PROCESSES "SELECT count(*) FROM solid_queue_processes"

/* In the database, where `dray processes` reads it; from then on nothing is claimed. */
static void await_quiet(struct site *site, int quiet)
{
	site_await_int(site, PROCESSES " WHERE metadata LIKE '%\"quiet\":true%'", quiet);
	site_await_int(site, PROCESSES, 4);
}

/* Lets every process go around its loop for a while. */
static void let_all_beat(struct site *site)
{
	const char *last = test_query_text(site->arena, site->url,
					   "SELECT max(last_heartbeat_at) FROM "
					   "solid_queue_processes");

	site_await_int(site,
		       arena_printf(site->arena, PROCESSES " WHERE last_heartbeat_at <= '%.*s'",
				    (int)strcspn(last, "\n"), last),
		       0);
}

SITE_CASE(test_quiet_takes_nothing_new)
{
	start(site);
	int64_t running = site_begin(site, 1, "Wait", "--queue", "first");

	send(site->start.pid, SIGUSR1);
	await_quiet(site, 4);
	int64_t first = site_enqueue(site, "Log", "--queue", "first");
	int64_t second = site_enqueue(site, "Log", "--queue", "second");
	int64_t later = site_enqueue(site, "Log", "--queue", "second", "--in", "1ms");
	site_let_go(site, running);
	let_all_beat(site);
	assert_int_equal(site_state(site, first), JOB_READY);
	assert_int_equal(site_state(site, second), JOB_READY);
	assert_int_equal(site_state(site, later), JOB_SCHEDULED);
	site_await_title(site, site->start.pid, "dray: supervisor 3/3 ready, quiet");
	site_await_title(site, site_await_row(site, "Worker", "first", 0).pid,
			 "dray: worker first 0/2 busy, quiet");
	assert_contains(site_dray(site, "processes"), "quiet");

	send(site->start.pid, SIGUSR1);
	site_await_jobs(site, JOB_FINISHED, 4);
	await_quiet(site, 0);
	site_await_title(site, site->start.pid, "dray: supervisor 3/3 ready");
	site_await_log(site, "\"process.quiet\"", 3);
	site_await_log(site, "\"process.resumed\"", 3);
}

SITE_CASE(test_a_replacement_is_born_quiet)
{
	start(site);
	struct process_row worker = site_await_row(site, "Worker", "first", 0);

	send(site->start.pid, SIGUSR1);
	await_quiet(site, 4);
	send(worker.pid, SIGKILL);
	(void)site_await_row(site, "Worker", "first", worker.id);
	await_quiet(site, 4);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	let_all_beat(site);
	assert_int_equal(site_state(site, job), JOB_READY);
	send(site->start.pid, SIGUSR1);
	site_await(site, job, JOB_FINISHED);
}

/* One process by its own signal; the supervisor's next one makes all the same. */
SITE_CASE(test_one_worker_alone)
{
	start(site);
	struct process_row worker = site_await_row(site, "Worker", "first", 0);

	send(worker.pid, SIGUSR1);
	await_quiet(site, 1);
	int64_t first = site_enqueue(site, "Log", "--queue", "first");
	site_run(site, "Log", "--queue", "second");
	let_all_beat(site);
	assert_int_equal(site_state(site, first), JOB_READY);
	/* However late it hears of the two, it hears them in their order. */
	send(worker.pid, SIGSTOP);
	send(site->start.pid, SIGUSR1);
	await_quiet(site, 4);
	send(worker.pid, SIGUSR1);
	send(worker.pid, SIGCONT);
	site_await(site, first, JOB_FINISHED);
	await_quiet(site, 3);
	send(site->start.pid, SIGUSR1);
	await_quiet(site, 0);
}

/* However soon they follow each other, the last one counts. */
SITE_CASE(test_signals_in_a_hurry)
{
	start(site);
	for (int i = 0; i < 20; i++) {
		send(site->start.pid, SIGUSR1);
		site_await_log(site, i % 2 ? "\"supervisor.resumed\"" : "\"supervisor.quiet\"",
			       (size_t)i / 2 + 1);
	}
	await_quiet(site, 0);
	site_run(site, "Log", "--queue", "first");
	send(site->start.pid, SIGUSR1);
	await_quiet(site, 4);
}

SITE_CASE(test_dump)
{
	start(site);
	int64_t job = site_begin(site, 1, "Wait", "--queue", "first");

	send(site->start.pid, SIGUSR2);
	site_await_log(site, "\"supervisor.state\"", 1);
	site_await_log(site, "\"child.state\"", 3);
	site_await_log(site, "\"state\":\"READY\"", 3);
	site_await_log(site, "\"process.state\"", 3);
	site_await_log(site, "\"worker.state\"", 2);
	site_await_log(site, "\"dispatcher.state\"", 1);
	site_await_log(site,
		       arena_printf(site->arena,
				    "\"job\":%lld,\"class\":\"Wait\",\"queue\":\"first\"",
				    (long long)job),
		       1);
	site_await_log(site, "\"state\":\"running\"", 1);
	site_await_log(site, "\"command_pid\":", 1);
	send(site_await_row(site, "Worker", "second", 0).pid, SIGUSR2);
	site_await_log(site, "\"worker.state\"", 3);
	assert_int_equal(site_logged(site, "\"supervisor.state\""), 1);
	site_let_go(site, job);
}
