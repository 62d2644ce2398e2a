/* Batches of Solid Queue 1.7: what dray runs of one leaves it. */
#include "tests/rails/shared.h"

/* A batch whose block is this; its callback leaves an effect. */
static void enqueue_batch(struct site *site, const char *block)
{
	(void)ruby(site->arena,
		   "$batch = SolidQueue::Batch.enqueue(on_finish: BatchDoneJob.new.set(queue: "
		   "%%q(ruby))) { %s }",
		   block);
}

static const char *batch(struct site *site)
{
	return ruby(site->arena, "$batch.reload.then { |b| [b.status, b.total_jobs, "
				 "b.completed_jobs, b.failed_jobs, b.pending_jobs].join(\" \") }");
}

/* Rails' own job ends last, and completes the batch by itself. */
static void rails_ends_last(struct site *site)
{
	enqueue_batch(site, "put(DrayJob, 1, queue: %q(dray)); "
			    "put(RubyJob, 2, queue: %q(ruby), set: { wait: 2.seconds })");
	shared_await_effects(site, 3);
	assert_string_equal(batch(site), "completed 2 2 0 0");
	assert_int_equal(shared_effects_of(site, "rails batchdone "), 1);
}

/* Ours end last: nobody is in the batch, which Solid Queue 1.7 looks for. This one is older. */
static void we_end_last(struct site *site)
{
	enqueue_batch(site, "put(DrayJob, 3, queue: %q(dray)); put(DrayFail, queue: %q(dray)); "
			    "put(RubyJob, 4, queue: %q(ruby))");
	site_await_jobs(site, JOB_FAILED, 1);
	shared_await_effects(site, 5);
	site_await_jobs(site, JOB_FINISHED, 5);
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_batch_executions"), 0);
	(void)ruby(site->arena, "SolidQueue::Batch.unfinished.empty_executions"
				".where.not(enqueued_at: nil).each(&:check_completion)");
	shared_await_effects(site, 6); /* the callback: what Rails counts is there now */
	assert_string_equal(batch(site), "failed 3 2 1 0");
	assert_int_equal(shared_effects_of(site, "rails batchdone "), 2);
}

SHARED_CASE(who_ends_leaves_the_batch)
{
	pid_t rails = shared_rails_start(site, "[ruby]");

	shared_start(site, "[dray]");
	rails_ends_last(site);
	we_end_last(site);
	shared_rails_content(site);
	shared_rails_stop(site, rails);
}

SHARED_CASES(batches, RULE("16", who_ends_leaves_the_batch));
