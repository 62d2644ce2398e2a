/* The role as a whole: module jobs, shutdown, lost claims, what it says of itself. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "db/driver.h"
#include "queue/processes/loss.h"
#include "queue/processes/process.h"
#include "rig.h"
#include "tests/support/wording.h"
#include "worker/handler.h"

static struct rig rig;

/* module jobs */

/* CE11, too. */
RIG_CASE(a_module_job_knows_everything_about_itself)
{
	rig_module(&rig, "TellJob", "probe");
	rig_expect_told(&rig);
}

struct ending {
	const char *class_name, *exception_class, *message;
};

static const struct ending endings[] = {
	{ "AskWronglyJob", "Dray::ArgumentError", "AskWronglyJob: argument \"none\" is missing" },
	{ "FailSilentlyJob", "Dray::JobError", "FailSilentlyJob failed without saying why" },
	{ "FailForgetJob", "Second", "two" },
	{ "NonsenseJob", "Dray::JobError", "NonsenseJob returned 7" },
};

RIG_CASE(each_way_to_fail)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		rig_module(&rig, endings[i].class_name, "probe");
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		struct rig_failure failure =
			rig_fail(&rig, endings[i].class_name, "{\"text\": \"x\"}");

		assert_string_equal(failure.exception_class, endings[i].exception_class);
		assert_contains(failure.message, endings[i].message);
	}
}

/* WO5: more jobs than threads. */
RIG_CASE(many_jobs_on_few_threads)
{
	int64_t ids[500];

	rig_module(&rig, "NoopJob", "probe");
	for (size_t i = 0; i < 500; i++)
		ids[i] = rig_enqueue(&rig, "NoopJob", NULL);
	for (size_t i = 0; i < 500; i++)
		assert_int_equal(rig_run(&rig, ids[i]).state, JOB_FINISHED);
	rig_drain(&rig);
}

RIG_CASE(unknown_classes_can_be_left_alone)
{
	rig.options.unknown_classes = UNKNOWN_LEAVE;
	rig_module(&rig, "NoopJob", "probe");
	rig_expect_left(&rig, "ForeignJob");
}

/* Another program's process: auto is leave. */
RIG_CASE(foreign_classes_are_left_alone_beside_other_software)
{
	struct process_row other = { .kind = "Supervisor(fork)", .name = "rails", .hostname = "h" };

	must(process_register, rig.db, &other);
	rig_module(&rig, "NoopJob", "probe");
	rig_expect_left(&rig, "ForeignJob");
}

/* Until it has met the job it claims every class; the log names the first. */
RIG_CASE(unknown_classes_are_left_alone_by_default)
{
	rig_keep_log(&rig);
	rig_module(&rig, "NoopJob", "probe");
	rig_expect_left(&rig, "ForeignJob");
	assert_contains(rig_read(&rig, "log"),
			"\"job\":1,\"class\":\"ForeignJob\",\"given_back\":1,"
			"\"reason\":\"jobs.yml did not have this class when it was last read");
	rig_expect_left(&rig, "ForeignJob");
	assert_int_equal(rig_worker(&rig)->claim.unknown.job, 1);
}

/* starting */

static void assert_refused(const char *wording)
{
	struct error error;

	assert_int_equal(worker_role.start(&rig.context, &error), STATUS_INVALID);
	assert_wording(wording, error.text);
}

RIG_CASE(without_a_class_it_does_not_start)
{
	assert_refused("worker.no_class");
}

RIG_CASE(a_bad_module_is_a_configuration_error)
{
	rig_module(&rig, "OldJob", "other_abi")->line = 12;
	assert_refused("worker.bad_module");
}

RIG_CASE(a_bad_template_is_a_configuration_error)
{
	rig_command(&rig, "OpenJob", (const char *const[]){ "cat", "{path", NULL });
	assert_refused("worker.bad_template");
}

static void collect(void *context, bool doubt, const char *text)
{
	struct text *all = context;

	text_printf(all, "%s%s\n", doubt ? "in doubt: " : "", text);
}

RIG_CASE(check_lists_every_problem)
{
	struct text all = { 0 };

	rig_command(&rig, "GoodJob", (const char *const[]){ "sh", "-c", "x", NULL });
	rig_command(&rig, "FreeJob", (const char *const[]){ "{program}", NULL });
	rig_command(&rig, "GoneJob", (const char *const[]){ "no-such-program", NULL });
	rig_command(&rig, "PlainJob", (const char *const[]){ "/etc/passwd", NULL });
	rig_command(&rig, "AwayJob", (const char *const[]){ "true", NULL })->directory = "away";
	test_write_file(rig_path(&rig, "script"), "#!/usr/bin/env no-such-program\n");
	assert_int_equal(chmod(rig_path(&rig, "script"), 0755), 0);
	rig_command(&rig, "ScriptJob", (const char *const[]){ "./script", NULL })->directory =
		rig.folder;
	rig_module(&rig, "NoopJob", "probe");
	rig_module(&rig, "MissingJob", "probe");
	rig_isolated(&rig, "WaitJob", "probe");
	rig_isolated(&rig, "LostJob", "probe");
	rig_isolated(&rig, "TellJob", "probe")->directory = "far";
	assert_int_equal(handler_check(&rig.config, collect, &all), 7);
	assert_wording("worker.classes_checked", all.data);
	text_free(&all);
}

enum verdict { FINE, DOUBT, FAULT };

static void judge(void *context, bool doubt, const char *text)
{
	enum verdict *verdict = context;

	assert_non_null(strstr(text, doubt ? "may fail" : "cannot be started"));
	*verdict = doubt ? DOUBT : FAULT;
}

/* The CR belongs to the name only where no argument follows, and `env -S` puts up with it. */
RIG_CASE(check_refuses_only_scripts_that_do_not_start)
{
	static const struct {
		const char *line;
		enum verdict verdict;
	} cases[] = {
		{ "#!/bin/sh", FINE },
		{ "#!/bin/sh -e  ", FINE },
		{ "#!/usr/bin/env -S sh -e", FINE },
		{ "#!/usr/bin/env -S sh -e\r", FINE },
		{ "#!/usr/bin/env -Ssh\r", FINE },
		{ "#!/usr/bin/env A=b\r", FINE },
		{ "#!/bin/sh -e\r", DOUBT },
		{ "#!/usr/bin/env -i\r", DOUBT },
		{ "#!/bin/sh\r", FAULT },
		{ "#!/no/such/sh -e\r", FAULT },
		{ "#!/usr/bin/env sh\r", FAULT },
		{ "#!/usr/bin/env sh -e", FAULT }, /* one argument */
		{ "#!\r", FAULT },
		{ "#! ", FAULT },
	};

	rig_command(&rig, "ScriptJob", (const char *const[]){ "./script", NULL })->directory =
		rig.folder;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum verdict verdict = FINE;
		test_write_file(rig_path(&rig, "script"),
				arena_printf(rig.arena, "%s\n", cases[i].line));
		assert_int_equal(chmod(rig_path(&rig, "script"), 0755), 0);
		(void)handler_check(&rig.config, judge, &verdict);
		assert_int_equal(verdict, cases[i].verdict);
	}
}

/* WO1 */
RIG_CASE(what_it_says_of_itself)
{
	static const char *queues[] = { "a", "b*" };
	const char *title;

	rig.options.queues = queues;
	rig.options.queue_count = 2;
	rig.options.polling_interval = 100 * CLOCK_MILLISECOND;
	rig_module(&rig, "NoopJob", "probe");
	assert_string_equal(rig_describe(&rig, &title),
			    "\"polling_interval\":0.1,\"queues\":\"a,b*\",\"thread_pool_size\":8,"
			    "\"cancels\":true,\"classes\":[\"NoopJob\"]");
	assert_string_equal(title, "worker a,b* 0/8 busy");
}

RIG_CASE(it_says_that_it_takes_every_class)
{
	rig.options.unknown_classes = UNKNOWN_FAIL;
	rig_module(&rig, "NoopJob", "probe");
	assert_contains(rig_describe(&rig, NULL),
			",\"classes\":[\"NoopJob\"],\"unknown_classes\":\"fail\"");
}

/* stopping and losing */

RIG_CASE(stopping_waits_for_what_runs_and_claims_nothing)
{
	rig_module(&rig, "WaitJob", "probe");
	int64_t running = rig_enqueue(&rig, "WaitJob", NULL);
	rig_await_claim(&rig, running);
	assert_false(worker_role.idle(&rig.context));
	int64_t later = rig_enqueue(&rig, "WaitJob", NULL);
	rig_stop(&rig);
	assert_int_equal(rig_job(&rig, running).state, JOB_FINISHED);
	assert_int_equal(rig_job(&rig, later).state, JOB_READY);
}

/* What has ended but was not yet written when the process must leave is written. */
RIG_CASE(closing_writes_the_last_results)
{
	rig_module(&rig, "NoopJob", "probe");
	int64_t id = rig_enqueue(&rig, "NoopJob", NULL);
	rig_await_claim(&rig, id);
	struct worker *worker = rig.context.state;
	while (pool_look(worker->pool) != POOL_ENDED)
		clock_sleep(CLOCK_MILLISECOND);
	rig_leave(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* CE2: the worker was declared dead while its job ran; the job belongs to others now. */
RIG_CASE(a_lost_claim_changes_nothing_and_is_told)
{
	const struct burial burial = { "worker-rig", 1, "Exited with status 1." };
	const struct loss_policy policy = { .max_losses = 3 };
	struct loss_result result;

	rig_module(&rig, "WaitJob", "probe");
	int64_t id = rig_enqueue(&rig, "WaitJob", NULL);
	rig_await_claim(&rig, id);
	must(process_bury, rig.db, &burial, &policy, &result);
	assert_int_equal(result.released, 1);
	rig_keep_log(&rig);
	rig_stop(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.lost\"");
}

/* A thread that does not end is left behind, and does not keep the process from leaving. */
RIG_CASE(a_job_that_never_ends_is_abandoned)
{
	pid_t worker = fork();
	int status = 0;

	if (worker == 0) {
		struct rig own;

		rig_open(&own, 1);
		rig_module(&own, "HangJob", "probe");
		(void)rig_enqueue(&own, "HangJob", NULL);
		do
			(void)rig_tick(&own); /* no wait: nothing happens once the job runs */
		while (worker_role.idle(&own.context));
		rig_close(&own);
		exit(42);
	}
	assert_int_equal(waitpid(worker, &status, 0), worker);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

/* A failover: the job waits to be told to stop, and is told because its claim is not there. */
RIG_CASE(what_another_server_lacks_is_stopped)
{
	rig_module(&rig, "WaitJob", "probe");
	int64_t id = rig_enqueue(&rig, "WaitJob", NULL);
	rig_await_claim(&rig, id);
	struct worker *worker = rig.context.state;
	must(db_execute, rig.db, "DELETE FROM solid_queue_claimed_executions");
	worker->servers_met++;
	rig_drain(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_STATES);
}

GROUP(rig_quiet, NULL);
