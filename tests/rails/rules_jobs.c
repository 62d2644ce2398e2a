/* What both enqueue and both run: queues, payloads, locks. */
#include "tests/rails/shared.h"

#define EACH     150 /* jobs of a kind and a side */
#define A_KIND   300
#define ALL_JOBS 900 /* of three kinds */

/* Jobs of a class with the numbers from `from` on, by `dray enqueue --bulk`. */
static void enqueue_numbers(struct site *site, const char *class_name, const char *queue, int from)
{
	struct text lines = { 0 };

	for (int i = from; i < from + EACH; i++)
		text_printf(&lines, "{\"class\": \"%s\", \"queue\": \"%s\", \"arguments\": [%d]}\n",
			    class_name, queue, i);
	(void)site_must(site, text_string(&lines),
			(const char *[]){ "enqueue", "--bulk", "-", NULL });
	text_free(&lines);
}

/* Of each kind both sides enqueue, while both work. */
static void enqueue_kind(struct site *site, const char *class_name, const char *queue, int kind)
{
	int from = kind * 2 * EACH;

	(void)ruby(site->arena, "Thread.new { put_all(%s, %d...%d, %%q(%s)) }", class_name, from,
		   from + EACH, queue);
	enqueue_numbers(site, class_name, queue, from + EACH);
}

SHARED_CASE(queues_are_the_border_and_each_job_runs_once)
{
	pid_t rails = shared_rails_start(site, "[ruby, both]");

	shared_start(site, "'*'"); /* Ruby's classes are left to Rails */
	enqueue_kind(site, "RubyJob", "ruby", 0);
	enqueue_kind(site, "DrayJob", "dray", 1);
	enqueue_kind(site, "BothJob", "both", 2);
	shared_await_effects(site, ALL_JOBS);
	site_await_jobs(site, JOB_FINISHED, ALL_JOBS);
	shared_each_once(site, ALL_JOBS);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
	assert_true(shared_effects_of(site, "rails ") >= A_KIND);
	assert_true(shared_effects_of(site, "dray ") >= A_KIND);
	shared_rails_content(site);
	shared_rails_stop(site, rails);
}

/* Rails' job runs as a command, dray's as Ruby; what is unknown in it survives `dray retry`. */
SHARED_CASE(payloads_are_the_same)
{
	int64_t failed = shared_put(site, "FailJob, %q(boom), queue: %q(ruby)");
	const char *arguments =
		arena_printf(site->arena,
			     "SolidQueue::Job.find(%lld).arguments.except(%%q(executions), "
			     "%%q(exception_executions)).to_json",
			     (long long)failed);
	const char *before = ruby(site->arena, "%s", arguments);
	pid_t rails = shared_rails_start(site, "[ruby]");

	shared_start(site, "[dray]");
	(void)shared_put(site, "DrayJob, %q(two words), queue: %q(dray)");
	(void)shared_put(site, "DrayJob, %q(Málaga \"quoted\"), queue: %q(dray)");
	(void)site_enqueue(site, "RubyJob", "--queue", "ruby", "--json-args", "[1, null, \"ñ\"]");
	(void)site_enqueue(site, "RubyJob", "--queue", "ruby", "to=ann", "n=2");
	shared_await_effects(site, 4);
	assert_int_equal(shared_effects_of(site, "dray two words\n"), 1);
	assert_int_equal(shared_effects_of(site, "dray Málaga \"quoted\"\n"), 1);
	assert_int_equal(shared_effects_of(site, "rails 1 [[1,null,\"ñ\"],{}]\n"), 1);
	assert_int_equal(shared_effects_of(site, "rails  [[],{\"to\":\"ann\",\"n\":\"2\"}]\n"), 1);
	site_await(site, failed, JOB_FAILED);
	(void)site_dray(site, "retry", arena_printf(site->arena, "%lld", (long long)failed));
	assert_string_equal(ruby(site->arena, "%s", arguments), before);
	site_await(site, failed, JOB_FAILED);
	shared_rails_stop(site, rails);
}

/* Each dispatcher moves a job of the other side; nobody takes it. */
SHARED_CASE(a_job_is_ready_from_when_it_was_due)
{
	static const char ready[] = "SELECT count(*) FROM solid_queue_ready_executions r "
				    "JOIN solid_queue_jobs j ON j.id = r.job_id "
				    "WHERE r.created_at >= j.scheduled_at";

	shared_start(site, "[idle]");
	site_await(site, shared_put(site, "RubyJob, 1, queue: %q(ruby), set: { wait: 1.second }"),
		   JOB_READY);
	(void)site_stop(site, SIGTERM);
	pid_t rails = shared_rails_start(site, "[idle]");
	site_await(site, site_enqueue(site, "DrayJob", "--queue", "dray", "--in", "1s"), JOB_READY);
	assert_int_equal(site_int(site, ready), 2);
	shared_rails_stop(site, rails);
}

SHARED_CASE(failures_are_retried_by_the_other_side)
{
	pid_t rails = shared_rails_start(site, "[ruby]");

	shared_start(site, "[dray]");
	/* Its attempts are Active Job's, three of them, each a job of its own. */
	(void)shared_put(site, "RetryJob, 1, queue: %q(ruby)");
	site_await_jobs(site, JOB_FAILED, 1);
	assert_int_equal(shared_effects_of(site, "rails attempt "), 3);
	(void)site_dray(site, "retry", "--class", "RetryJob", "--yes");
	shared_await_effects(site, 6);
	site_await_jobs(site, JOB_FAILED, 1);
	assert_int_equal(shared_effects_of(site, "rails attempt 1\n"), 2);
	assert_int_equal(shared_effects_of(site, "rails attempt 3\n"), 2);
	int64_t job = shared_put(site, "DrayFail, queue: %q(dray)");
	site_await(site, job, JOB_FAILED);
	assert_string_equal(ruby(site->arena, "failure(%lld)", (long long)job),
			    "Dray::ExitStatusError: sh exited with status 3: Array");
	site_write(site, "ok", "");
	(void)ruby(site->arena, "SolidQueue::Job.find(%lld).retry", (long long)job);
	site_await(site, job, JOB_FINISHED);
	shared_rails_stop(site, rails);
}

/* Between its attempts it is one job for both sides; and the side that runs it then counts on. */
SHARED_CASE(the_other_side_takes_over_between_attempts)
{
	shared_start(site, "[dray]");
	int64_t job = shared_put(site, "RetryJob, 1, queue: %q(dray)");
	shared_await_effects(site, 1);
	site_await(site, job, JOB_SCHEDULED);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_jobs"), 1);
	assert_string_equal(
		ruby(site->arena,
		     "page(%%q(applications/shared/scheduled/jobs)).scan(/ RetryJob /).size"),
		"1");
	sql_execute(site->db,
		    "UPDATE solid_queue_scheduled_executions SET scheduled_at = created_at");
	pid_t rails = shared_rails_start(site, "[dray]");
	site_await_jobs(site, JOB_FAILED, 1);
	assert_string_equal(shared_effects(site), "dray attempt 1\nrails attempt 2\n"
						  "rails attempt 3\nrails attempt 4\n");
	shared_rails_stop(site, rails);
}

SHARED_CASE(pauses_hold_for_both)
{
	pid_t rails = shared_rails_start(site, "[ruby]");

	shared_start(site, "[dray]");
	(void)site_dray(site, "pause", "ruby");
	(void)ruby(site->arena, "SolidQueue::Queue.find_by_name(%%q(dray)).pause");
	int64_t theirs = shared_put(site, "RubyJob, 1, queue: %q(ruby)");
	int64_t ours = site_enqueue(site, "DrayJob", "--queue", "dray", "1");
	clock_sleep(CLOCK_SECOND); /* twenty polls of each */
	assert_int_equal(site_state(site, theirs), JOB_READY);
	assert_int_equal(site_state(site, ours), JOB_READY);
	(void)site_dray(site, "resume", "dray");
	(void)ruby(site->arena, "SolidQueue::Queue.find_by_name(%%q(ruby)).resume");
	site_await(site, theirs, JOB_FINISHED);
	site_await(site, ours, JOB_FINISHED);
	shared_rails_stop(site, rails);
}

SHARED_CASES(jobs, RULE("5, 12, 13, 14", queues_are_the_border_and_each_job_runs_once),
	     RULE("10", payloads_are_the_same), RULE("6, 11", a_job_is_ready_from_when_it_was_due),
	     RULE("20", failures_are_retried_by_the_other_side),
	     RULE("20", the_other_side_takes_over_between_attempts),
	     RULE("5", pauses_hold_for_both));
