/* Isolated jobs: the same to their author, and a crash costs one job. */
#include "rig.h"
#include "tests/support/database.h"

static struct rig rig;

RIG_CASE(an_isolated_job_knows_everything_about_itself)
{
	rig_isolated(&rig, "TellJob", "probe");
	rig_expect_told(&rig);
}

/* What Active Job serialised is plain one by one, and all together as it is stored. */
RIG_CASE(an_isolated_job_gets_plain_arguments)
{
	static const char arguments[] =
		"[{\"_aj_globalid\":\"gid://app/User/1\"},"
		"{\"text\":{\"_aj_serialized\":\"ActiveJob::Serializers::SymbolSerializer\","
		"\"value\":\"daily\"},\"integer\":{\"_aj_serialized\":"
		"\"ActiveJob::Serializers::DurationSerializer\",\"value\":60,\"parts\":[]},"
		"\"real\":2.5,\"boolean\":true}]";

	rig_isolated(&rig, "TellJob", "probe");
	struct job job = rig_run(&rig, rig_tried(&rig, rig_enqueue(&rig, "TellJob", arguments)));
	const char *message = rig_failure_of(&rig, &job).message;
	assert_non_null(strstr(message, "|gid://app/User/1|daily 60 2.50 1|"));
	assert_non_null(strstr(message, arguments));
}

struct ending {
	const char *class_name, *module;
	const char *arguments, *exception_class;
	const char *message, *backtrace;
};

static const struct ending endings[] = {
	{ "AskWronglyJob", "probe", "{\"text\": \"x\"}", "Dray::ArgumentError",
	  "AskWronglyJob: argument \"none\" is missing", NULL },
	{ "FailSilentlyJob", "probe", NULL, "Dray::JobError",
	  "FailSilentlyJob failed without saying why", NULL },
	{ "FailForgetJob", "probe", NULL, "Second", "two", NULL },
	{ "NonsenseJob", "probe", NULL, "Dray::JobError", "NonsenseJob returned 7", NULL },
	{ "CrashJob", "unruly", NULL, "Dray::ProcessExitError",
	  "CrashJob: its process was killed by signal 11 (SEGV)", NULL },
	{ "AbortJob", "unruly", NULL, "Dray::ProcessExitError",
	  "AbortJob: its process was killed by signal 6 (ABRT)",
	  "first line\nbalance is negative" },
	{ "ExitJob", "unruly", "[3]", "Dray::ProcessExitError",
	  "ExitJob: its process exited with status 3", NULL },
	{ "ExitJob", "unruly", "[0]", "Dray::ProcessExitError",
	  "ExitJob: its process exited with status 0", NULL },
	{ "BabbleJob", "unruly", NULL, "Dray::ProcessExitError",
	  "because it sent the worker something that is not a message", NULL },
	{ "LongJob", "unruly", NULL, "Long", "xxxx", NULL },
};

#define ENDINGS (sizeof(endings) / sizeof(endings[0]))

static bool declared(const char *name)
{
	for (size_t i = 0; i < rig.config.class_count; i++)
		if (strcmp(rig.classes[i].name, name) == 0)
			return true;
	return false;
}

/* One after the other in a worker that outlives them all. */
RIG_CASE(each_way_to_fail)
{
	for (size_t i = 0; i < ENDINGS; i++)
		if (!declared(endings[i].class_name))
			rig_isolated(&rig, endings[i].class_name, endings[i].module)->limits.core =
				0;
	for (size_t i = 0; i < ENDINGS; i++) {
		const struct ending *ending = &endings[i];
		struct rig_failure failure = rig_fail(&rig, ending->class_name, ending->arguments);

		assert_string_equal(failure.exception_class, ending->exception_class);
		assert_contains(failure.message, ending->message);
		if (ending->backtrace == NULL)
			assert_null(failure.backtrace);
		else
			assert_string_equal(failure.backtrace, ending->backtrace);
	}
}

RIG_CASE(what_a_job_says_is_in_the_workers_log)
{
	rig_keep_log(&rig);
	rig_isolated(&rig, "WaitJob", "probe");
	int64_t id = rig_enqueue(&rig, "WaitJob", NULL);
	while (strstr(rig_read(&rig, "log"), "waiting, attempt 1") == NULL)
		rig_step(&rig);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.log\"");
	assert_contains(
		rig_read(&rig, "log"),
		arena_printf(rig.arena, "\"job\":%lld,\"class\":\"WaitJob\"", (long long)id));
}

RIG_CASE(what_a_job_prints_is_logged_line_by_line)
{
	rig_keep_log(&rig);
	rig_isolated(&rig, "PrintJob", "unruly")->output = OUTPUT_LOG;
	rig_succeed(&rig, "PrintJob", "[\"one\"]");
	rig_succeed(&rig, "PrintJob", "[\"two\"]");
	assert_contains(rig_read(&rig, "log"),
			"\"stream\":\"stdout\",\"line\":\"to standard output: one\"");
	assert_contains(rig_read(&rig, "log"),
			"\"stream\":\"stderr\",\"line\":\"to standard error: two\"");
}

RIG_CASE(nothing_of_the_worker_is_open_in_a_host)
{
	const char *rest;

	assert_int_equal(setenv("DRAY_TEST_VARIABLE", "seen", 1), 0);
	rig_isolated(&rig, "LookJob", "unruly")->directory = "/";
	(void)rig_look(&rig, "LookJob", &rest);
	assert_string_equal(rest, " 4 seen /\n"); /* the standard three and the socket */
	assert_int_equal(unsetenv("DRAY_TEST_VARIABLE"), 0);
}

RIG_CASE(signals_for_the_service_do_not_end_a_job)
{
	rig_isolated(&rig, "SignalJob", "unruly");
	rig_succeed(&rig, "SignalJob", NULL);
}

/* More than a socket holds, as other software may have enqueued it. */
RIG_CASE(a_payload_may_be_large)
{
	rig_isolated(&rig, "MeasureJob", "unruly");
	int64_t id = rig_enqueue(&rig, "MeasureJob", NULL);
	test_execute(rig.db, "UPDATE solid_queue_jobs SET arguments = "
			     "'{\"job_class\":\"MeasureJob\",\"arguments\":[\"' || "
			     "hex(zeroblob(1500000)) || '\"]}'");
	struct job job = rig_run(&rig, id);
	struct rig_failure failure = rig_failure_of(&rig, &job);
	assert_string_equal(failure.message, "3000004 bytes");
}

RIG_CASE(a_host_is_used_again)
{
	rig_isolated(&rig, "LookJob", "unruly");
	rig_isolated(&rig, "LookAgainJob", "unruly");
	long first = rig_look(&rig, "LookJob", NULL);
	assert_int_equal(rig_look(&rig, "LookJob", NULL), first);
	assert_int_equal(rig_look(&rig, "LookAgainJob", NULL), first);
}

RIG_CASE(other_settings_need_another_host)
{
	rig_isolated(&rig, "LookJob", "unruly");
	rig_isolated(&rig, "LookAgainJob", "unruly")->limits.core = 0;
	assert_int_not_equal(rig_look(&rig, "LookJob", NULL), rig_look(&rig, "LookAgainJob", NULL));
	assert_int_equal(rig_worker(&rig)->hosts.count, 2);
}

RIG_CASE(a_worker_has_no_more_hosts_than_threads)
{
	rig.options.threads = 1;
	rig_isolated(&rig, "LookJob", "unruly");
	rig_isolated(&rig, "LookAgainJob", "unruly")->nice = 1;
	for (int i = 0; i < 4; i++) {
		assert_int_not_equal(rig_look(&rig, "LookJob", NULL),
				     rig_look(&rig, "LookAgainJob", NULL));
		assert_int_equal(rig_worker(&rig)->hosts.count, 1);
	}
}

RIG_CASE(many_jobs_on_few_hosts)
{
	int64_t ids[300];

	rig.options.threads = 3;
	rig_isolated(&rig, "NoopJob", "probe");
	for (size_t i = 0; i < 300; i++)
		ids[i] = rig_enqueue(&rig, "NoopJob", NULL);
	for (size_t i = 0; i < 300; i++)
		assert_int_equal(rig_run(&rig, ids[i]).state, JOB_FINISHED);
	assert_in_range(rig_worker(&rig)->hosts.count, 1, 3);
}

RIG_CASE(a_host_is_replaced_after_so_many_jobs)
{
	rig_isolated(&rig, "LookJob", "unruly")->recycle_after = 2;
	long first = rig_look(&rig, "LookJob", NULL);
	assert_int_equal(rig_look(&rig, "LookJob", NULL), first);
	assert_int_not_equal(rig_look(&rig, "LookJob", NULL), first);
	while (!rig_is_dead(first))
		rig_step(&rig);
}

RIG_CASE(a_host_that_has_grown_is_replaced)
{
	rig_isolated(&rig, "LookJob", "unruly");
	rig_isolated(&rig, "LeakJob", "unruly")->recycle_above = INT64_C(1) << 28;
	long first = rig_look(&rig, "LookJob", NULL);
	rig_succeed(&rig, "LeakJob", "[1]");
	assert_int_equal(rig_look(&rig, "LookJob", NULL), first);
	rig_succeed(&rig, "LeakJob", "[300000000]");
	assert_int_not_equal(rig_look(&rig, "LookJob", NULL), first);
}

/* Sanitizers need more address space than any limit would leave them. */
#ifndef DRAY_SANITIZED
RIG_CASE(a_leak_ends_at_its_limit)
{
	rig_isolated(&rig, "LeakJob", "unruly")->limits.memory = INT64_C(1) << 30;
	for (int i = 0; i < 3; i++)
		rig_succeed(&rig, "LeakJob", "[1000000]");
	assert_string_equal(rig_fail(&rig, "LeakJob", "[2000000000]").exception_class, "NoMemory");
	rig_succeed(&rig, "LeakJob", "[1000000]");
}
#endif

/* Each job has the whole time, however many its host has run. */
RIG_CASE(processor_time_is_counted_for_each_job)
{
	rig_isolated(&rig, "BurnJob", "unruly")->limits.cpu = 1;
	rig_isolated(&rig, "SpinJob", "unruly")->limits.cpu = 1;
	rig_succeed(&rig, "BurnJob", NULL);
	rig_succeed(&rig, "BurnJob", NULL);
	struct rig_failure failure = rig_fail(&rig, "SpinJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::ProcessExitError");
	assert_contains(failure.message, "killed by signal 24 (XCPU)");
}

GROUP(rig_quiet, NULL);
