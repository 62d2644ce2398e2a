/* The old worker ends its long jobs; with the new one it runs no more than their threads. */
#include "tests/support/sites/site.h"
#include "tests/support/torn.h"

/* Shorter than any job here that is waited for: leaving has no limit. */
#define SETTINGS "process_heartbeat_interval: 0.2\nshutdown_timeout: 0.5\nstop_grace: 0.5\n"

/* Another configuration of the same worker for each number. */
static void configure_with(struct site *site, const char *settings, int threads, int number)
{
	site_queue_yml(site,
		       arena_printf(site->arena,
				    SETTINGS
				    "%s"
				    "workers:\n"
				    "  - {queues: first, threads: %d, polling_interval: 0.0%d}\n"
				    "dispatchers:\n  - {polling_interval: 0.05}\n",
				    settings, threads, 10 + number));
}

static void configure(struct site *site, int threads, int number)
{
	configure_with(site, "", threads, number);
}

static void start(struct site *site, int threads)
{
	configure(site, threads, 0);
	site_start(site, 3);
	(void)site_await_row(site, "Worker", "\"first\"", 0);
	site_await_log(site, "\"process.started\"", 2);
}

/* A reload that replaces the worker, and its replacement works. */
static void replace(struct site *site, int threads, int number)
{
	size_t started = site_logged(site, "\"process.started\"");

	configure(site, threads, number);
	(void)site_dray(site, "reload");
	site_await_log(site, "\"process.started\"", started + 1);
}

static struct process_row await_leaving(struct site *site)
{
	return site_await_row(site, "Worker", "\"leaving_since\":\"20", 0);
}

static int64_t begin_long(struct site *site, size_t nth)
{
	int64_t job = site_begin(site, nth, "Wait", "--queue", "first");

	return job;
}

/* The second is ready and does not begin before the long one has ended. */
static void expect_waits(struct site *site, int64_t second, int64_t job)
{
	clock_sleep(500 * CLOCK_MILLISECOND);
	assert_int_equal(site_state(site, second), JOB_READY);
	site_let_go(site, job);
	site_await(site, second, JOB_FINISHED);
}

SITE_CASE(test_a_long_job_and_new_ones)
{
	start(site, 2);
	int64_t job = begin_long(site, 1);

	replace(site, 2, 1);
	struct process_row old = await_leaving(site);
	for (int i = 0; i < 5; i++)
		(void)site_enqueue(site, "Log", "--queue", "first");
	site_await_done(site, 5);
	clock_sleep(1500 * CLOCK_MILLISECOND); /* longer than shutdown_timeout and stop_grace */
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_await_title(site, old.pid, "dray: worker first 1/2 busy, leaving");
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "begun"), 1);
	site_await_rows(site, "Worker", 1);
}

/* Each job adds a line if it is not alone. */
SITE_CASE(test_one_thread_stays_a_mutex)
{
	site_jobs_yml(site,
		      "  Alone: {command: [sh, -c, 'mkdir lock || echo >>overlap; sleep 0.3; "
		      "rmdir lock; echo >>done']}\n"
		      "  Long: {command: [sh, -c, 'mkdir lock || echo >>overlap; echo >>begun; "
		      "while ! [ -e go ]; do sleep 0.02; done; rmdir lock; echo >>done']}\n");
	start(site, 1);
	(void)site_enqueue(site, "Long", "--queue", "first");
	site_await_lines(site, "begun", 1);
	site_enqueue_many(site, "Alone", "first", 4);
	for (int i = 1; i <= 5; i++) {
		configure(site, 1, i);
		(void)site_dray(site, "reload");
	}
	site_await_log(site, "\"process.started\"", 3);
	clock_sleep(500 * CLOCK_MILLISECOND);
	assert_int_equal(site_lines(site, "done"), 0);
	site_write(site, "go", "");
	site_await_lines(site, "done", 2);
	configure(site, 1, 6);
	(void)site_dray(site, "reload");
	site_await_lines(site, "done", 5);
	assert_int_equal(site_lines(site, "overlap"), 0);
	site_await_rows(site, "Worker", 1);
	site_await_jobs(site, JOB_FINISHED, 5);
	site_await_int(site, "SELECT count(*) FROM solid_queue_claimed_executions", 0);
}

SITE_CASE(test_threads_raised_and_lowered)
{
	start(site, 2);
	(void)begin_long(site, 1);
	(void)begin_long(site, 2);
	replace(site, 1, 1);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	clock_sleep(300 * CLOCK_MILLISECOND);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_contains(site_dray(site, "why", site_number(site, job)),
			"may be held by the 2 jobs of workers that are leaving after a reload");
	replace(site, 3, 2);
	site_await(site, job, JOB_FINISHED);
	site_write(site, "go", "");
	site_await_jobs(site, JOB_FINISHED, 3);
}

SITE_CASE(test_too_many_are_leaving)
{
	start(site, 6);
	for (int i = 1; i <= 5; i++) {
		(void)begin_long(site, (size_t)i);
		replace(site, 6, i);
	}
	configure(site, 6, 6);
	assert_told("reload.too_many_leaving", EXIT_ERROR, site_try(site, "reload"));
	assert_json(site_try(site, "reload", "--json"), EXIT_ERROR,
		    "{'worked': false, 'leaving': [{'class': 'Wait'}, {'class': 'Wait'}, "
		    "{'class': 'Wait'}, {'class': 'Wait'}, {'class': 'Wait'}]}");
	configure(site, 6, 5); /* nobody would leave */
	site_jobs_yml(site, arena_printf(site->arena, "%s  New: {command: ['true']}\n", site_jobs));
	(void)site_dray(site, "reload");
	site_run(site, "New", "--queue", "first");
	site_await_rows(site, "Worker", 6);
	site_write(site, "go", "");
	site_await_rows(site, "Worker", 1);
	site_until(site, site_processes(site) == 4, "the end of those that have left");
	replace(site, 6, 7);
	site_await_jobs(site, JOB_FINISHED, 6);
	assert_int_equal(site_lines(site, "begun"), 5);
}

/* The files that are to be loaded say how many may leave, so a higher limit lets them through. */
SITE_CASE(test_how_many_may_leave)
{
	start(site, 2);
	(void)begin_long(site, 1);
	replace(site, 2, 1);
	configure_with(site, "max_leaving: 1\n", 2, 2);
	assert_json(site_try(site, "reload", "--json"), EXIT_ERROR,
		    "{'worked': false, 'leaving': [{'class': 'Wait'}]}");
	configure_with(site, "max_leaving: 2\n", 2, 2);
	(void)site_dray(site, "reload");
	site_write(site, "go", "");
	site_await_jobs(site, JOB_FINISHED, 1);
	site_await_rows(site, "Worker", 1);
}

/* It keeps the result, holds no thread with it, and the job does not run again. */
SITE_CASE(test_a_result_is_refused_while_it_leaves)
{
	start(site, 1);
	torn_forbid(site->test, "UPDATE", "jobs", "NEW.finished_at IS NOT NULL", NULL);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	site_await_log(site, "\"job.refused\"", 1);
	replace(site, 2, 1);
	struct process_row old = await_leaving(site);
	(void)begin_long(site, 1);
	(void)begin_long(site, 2);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	assert_int_equal(await_leaving(site).id, old.id);
	torn_allow(site->test, "jobs");
	assert_int_equal(kill(old.pid, SIGTERM), 0); /* it offers it once more */
	site_await(site, job, JOB_FINISHED);
	site_write(site, "go", "");
	site_await_jobs(site, JOB_FINISHED, 3);
	assert_int_equal(site_lines(site, "done"), 1);
	assert_int_equal(site_logged(site, "\"job.lost\""), 0);
}

/* TERM is a stop, with its time limit; so it is for the leaving worker alone. */
SITE_CASE(test_stopped_while_leaving)
{
	start(site, 2);
	int64_t job = begin_long(site, 1);

	replace(site, 2, 1);
	struct process_row old = await_leaving(site);
	assert_int_equal(kill(old.pid, SIGTERM), 0);
	site_await_lines(site, "begun", 2);
	replace(site, 2, 2);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_logged(site, "\"job.released\""), 2);
}

/* Its job is given back, and its thread with it. */
SITE_CASE(test_killed_while_leaving)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);

	replace(site, 1, 1);
	struct process_row old = await_leaving(site);
	assert_int_equal(kill(old.pid, SIGKILL), 0);
	site_await_lines(site, "begun", 2);
	site_let_go(site, job);
	site_await_rows(site, "Worker", 1);
}

/* The replacement dies, and the next one is bound by what still runs. */
SITE_CASE(test_the_replacement_is_killed)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);

	replace(site, 1, 1);
	struct process_row old = await_leaving(site);
	struct process_row next = site_await_row(site, "Worker", "\"first\"", old.id);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	assert_int_equal(kill(next.pid, SIGKILL), 0);
	(void)site_await_row(site, "Worker", "\"first\"", next.id);
	expect_waits(site, second, job);
}

/* An entry that is taken out leaves without a replacement; put back, it has its old place. */
SITE_CASE(test_an_entry_goes_and_comes_back)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");

	site_queue_yml(site, SETTINGS "workers:\n  - {queues: second, threads: 1}\n"
				      "  - {queues: third, threads: 1}\n");
	(void)site_dray(site, "reload");
	(void)await_leaving(site);
	assert_contains(site_dray(site, "why", site_number(site, second)),
			"1 is leaving after a reload: it ends its jobs and claims nothing");
	assert_told("doctor.only_leaving", EXIT_ERROR, site_try(site, "doctor"));
	configure(site, 1, 0);
	(void)site_dray(site, "reload");
	site_await_log(site, "\"process.started\"", 6);
	expect_waits(site, second, job);
}

static void serve(struct site *site, const char *workers)
{
	size_t reloads = site_logged(site, "\"reload.done\"");

	site_queue_yml(site, arena_printf(site->arena, SETTINGS "workers:\n%s", workers));
	(void)site_dray(site, "reload");
	site_await_log(site, "\"reload.done\"", reloads + 1);
}

/* Two entries of one thread each. */
static const char *both(struct site *site, const char *one, const char *other)
{
	return arena_printf(site->arena,
			    "  - {queues: %s, threads: 1}\n"
			    "  - {queues: %s, threads: 1}\n",
			    one, other);
}

/* Begins with two entries, and with a long job on the queue `first`, which it returns. */
static int64_t start_with(struct site *site, const char *one, const char *other)
{
	site_queue_yml(site,
		       arena_printf(site->arena, SETTINGS "workers:\n%s", both(site, one, other)));
	site_start(site, 3);
	return begin_long(site, 1);
}

/* An entry for other queues in the place of the old one does not take its threads with it. */
SITE_CASE(test_another_entry_in_its_place)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);

	serve(site, "  - {queues: other, threads: 1}\n");
	site_run(site, "Log", "--queue", "other");
	serve(site, both(site, "other", "first"));
	struct process_row old = await_leaving(site);
	(void)site_await_row(site, "Worker", "\"first\"", old.id);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
}

/* It does not hear that it is to leave, and so its replacement may claim nothing. */
SITE_CASE(test_frozen_before_it_leaves)
{
	start(site, 1);
	struct process_row old = site_await_row(site, "Worker", "\"first\"", 0);

	site_freeze(site, old.pid);
	replace(site, 1, 1);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	struct process_row next = site_await_row(site, "Worker", "\"held\":true", old.id);
	assert_json(site_try(site, "why", site_number(site, job), "--json"), EXIT_STOPPED,
		    "{'reasons': [{'kind': 'leaving'}, {'kind': 'waits', 'count': 1}]}");
	assert_wording("why.held", site_dray(site, "why", site_number(site, job)));
	struct test_result doctor = site_try(site, "doctor");
	assert_code(doctor, EXIT_ERROR);
	assert_contains(doctor.output, next.name);
	assert_contains(doctor.output, "claims nothing: it waits for a worker that is leaving");
	assert_int_equal(kill(old.pid, SIGCONT), 0);
	site_await(site, job, JOB_FINISHED);
	site_until(site, !strstr(site_dray(site, "processes"), "held"), "the end of its waiting");
}

/* One of its queues is enough for a mutex, and so is a prefix of one. */
SITE_CASE(test_more_queues_in_its_place)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);

	serve(site, "  - {queues: [other, first], threads: 1}\n");
	serve(site, "  - {queues: ['o*', 'f*'], threads: 1}\n");
	(void)site_await_row(site, "Worker", "\"o*,f*\"", 0);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
}

SITE_CASE(test_queues_are_joined_and_parted)
{
	start(site, 1);
	int64_t job = begin_long(site, 1);

	serve(site, "  - {queues: [first, other], threads: 1}\n");
	(void)site_await_row(site, "Worker", "\"first,other\"", 0);
	int64_t third = site_enqueue(site, "Log", "--queue", "other");
	clock_sleep(300 * CLOCK_MILLISECOND);
	assert_int_equal(site_state(site, third), JOB_READY);
	assert_contains(site_dray(site, "why", site_number(site, third)),
			"may be held by the 1 job of workers that are leaving after a reload");
	/* Each part is somebody else's now, and waits for what was all of them before. */
	serve(site, both(site, "other", "first"));
	(void)site_await_row(site, "Worker", "\"first\"", await_leaving(site).id);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
	site_await(site, third, JOB_FINISHED);
}

/* What was two is one, and waits for both. */
SITE_CASE(test_queues_are_joined)
{
	int64_t job = start_with(site, "other", "first");

	serve(site, "  - {queues: [other, first], threads: 1}\n");
	(void)site_await_row(site, "Worker", "\"other,first\"", 0);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
}

/* The worker in its place serves other queues: its own is one of all, which the other one has. */
SITE_CASE(test_a_queue_moves_to_a_wildcard)
{
	int64_t job = start_with(site, "first", "third");

	serve(site, both(site, "second", "'*'"));
	(void)site_await_row(site, "Worker", "\"queues\":\"*\"", 0);
	site_run(site, "Log", "--queue", "second");
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
}

/* The worker in its place serves one of all queues, and the rest is with the other one. */
SITE_CASE(test_a_queue_moves_from_a_wildcard)
{
	site_queue_yml(site, SETTINGS "workers:\n  - {queues: '*', threads: 1}\n");
	site_start(site, 2);
	struct process_row old = site_await_row(site, "Worker", "\"queues\":\"*\"", 0);
	int64_t job = begin_long(site, 1);

	serve(site, "  - {queues: second, threads: 1}\n"
		    "  - {queues: '*', threads: 1, polling_interval: 0.02}\n");
	(void)site_await_row(site, "Worker", "\"queues\":\"*\"", old.id);
	site_run(site, "Log", "--queue", "second"); /* not both wait for it */
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	expect_waits(site, second, job);
}

/* It says what it holds although it was stopping before it was to leave. */
SITE_CASE(test_a_reload_while_it_stops)
{
	static const char format[] = "process_heartbeat_interval: 0.2\nshutdown_timeout: 60\n"
				     "workers:\n"
				     "  - {queues: first, threads: 2, polling_interval: %s}\n";

	site_queue_yml(site, arena_printf(site->arena, format, "0.01"));
	site_start(site, 2);
	struct process_row old = site_await_row(site, "Worker", "\"first\"", 0);
	int64_t job = begin_long(site, 1);
	assert_int_equal(kill(old.pid, SIGTERM), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	site_queue_yml(site, arena_printf(site->arena, format, "0.02"));
	(void)site_dray(site, "reload");
	site_run(site, "Log", "--queue", "first");
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_let_go(site, job);
}

/* Without a supervisor nobody else works meanwhile, and that is said. */
SITE_CASE(test_a_worker_alone)
{
	configure(site, 2, 0);
	site->start = site_launch(site, "worker");
	int64_t job = begin_long(site, 1);

	configure(site, 2, 1);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	(void)await_leaving(site);
	int64_t second = site_enqueue(site, "Log", "--queue", "first");
	clock_sleep(1500 * CLOCK_MILLISECOND);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	assert_int_equal(site_state(site, second), JOB_READY);
	assert_contains(site_dray(site, "why", site_number(site, second)),
			"1 is leaving after a reload");
	site_let_go(site, job);
	site_await(site, second, JOB_FINISHED);
}

#define THREADS 4
#define ROUNDS  50
#define SHORT   6 /* jobs a round, and in every fifth a long one */
#define JOBS    (ROUNDS / 5 + ROUNDS * SHORT)

/* Each job counts those that run with it, and says so when they are more than there are threads. */
#define COUNTING(seconds)                                                                          \
	"{command: [sh, -c, 'mkdir run-$DRAY_JOB_ID || echo >>twice; "                             \
	"[ $(ls -d run-* | wc -l) -le 4 ] || echo >>over; sleep " seconds                          \
	"; rmdir run-$DRAY_JOB_ID; echo >>done']}\n"

/* Looks for a second whether threads are idle beside ready jobs; for how many looks on end they
 * were. */
static int look_for_idle(struct site *site, int idle)
{
	for (int i = 0; i < 5; i++) {
		clock_sleep(200 * CLOCK_MILLISECOND);
		bool busy = site_jobs_in(site, JOB_READY) == 0 ||
			    site_jobs_in(site, JOB_CLAIMED) >= THREADS;
		idle = busy ? 0 : idle + 1;
		assert_in_range(idle, 0, 50); /* ten seconds */
	}
	return idle;
}

/* Refused ones are reloads, too: the next one has its changes. */
SITE_CASE_REAL(test_reloads_under_load, NULL)
{
	int idle = 0;

	site_jobs_yml(site, "  Long: " COUNTING("30") "  Short: " COUNTING("0.5"));
	start(site, THREADS);
	for (int i = 1; i <= ROUNDS; i++) {
		if (i % 5 == 1)
			site_enqueue_many(site, "Long", "first", 1);
		site_enqueue_many(site, "Short", "first", SHORT);
		configure(site, THREADS, i);
		(void)site_try(site, "reload");
		idle = look_for_idle(site, idle);
	}
	while (site_jobs_in(site, JOB_READY) > 0)
		idle = look_for_idle(site, idle);
	site_await_jobs(site, JOB_FINISHED, JOBS);
	assert_int_equal(site_lines(site, "done"), JOBS);
	assert_int_equal(site_lines(site, "over"), 0);
	assert_int_equal(site_lines(site, "twice"), 0);
	assert_int_equal(site_logged(site, "\"job.stopping\""), 0);
	assert_int_equal(site_logged(site, "\"job.released\""), 0);
	assert_true(site_logged(site, "\"process.leaving\"") >= 5);
}
