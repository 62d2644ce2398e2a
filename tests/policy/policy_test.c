/* What a configuration means to the queue, the same to every program that asks. */
#include "policy/policy.h"
#include "queue/recurring/task.h"
#include "scheduler/task.h"
#include "tests/support/queue.h"

static struct config_concurrency concurrency[] = {
	{ .to = 2, .key = "{id}", .duration = -1, .group = "G" },
	{ .to = 1, .key = "{account}-{id}", .duration = CLOCK_MINUTE },
	{ .to = 3, .duration = -1, .on_conflict = CONFLICT_DISCARD },
};
static struct config_class classes[] = {
	{ .name = "Limited",
	  .handler = HANDLER_COMMAND,
	  .queue = "heavy",
	  .priority = 7,
	  .on_lost = ON_LOST_INHERITED,
	  .max_losses = -1,
	  .concurrency = concurrency,
	  .concurrency_count = 3 },
	{ .name = "Once", .handler = HANDLER_COMMAND, .on_lost = ON_LOST_FAIL, .max_losses = -1 },
	{ .name = "Ruby", .handler = HANDLER_NONE, .max_losses = -1 },
};
static const struct config config = {
	.classes = classes,
	.class_count = 3,
	.process = { .max_losses = 3,
		     .process_alive_threshold = 5 * CLOCK_MINUTE,
		     .other_process_alive_threshold = CLOCK_MINUTE,
		     .default_concurrency_control_period = 3 * CLOCK_MINUTE },
};

CASE(losses_of_a_class)
{
	struct loss_policy policy = policy_losses(&config);

	assert_int_equal(loss_bound(&policy, 7), 7);
	assert_int_equal(loss_bound(&policy, 0), 0);
	assert_int_equal(loss_bound(&policy, JOB_NO_BOUND), 3);
	policy.alike = true;
	assert_int_equal(loss_bound(&policy, 7), 3);
}

/* Other software is never judged sooner than ours. */
CASE(silence_of_a_process)
{
	const struct prune prune = policy_silence(&config, 12);

	assert_int_equal(prune.self, 12);
	assert_int_equal(prune.threshold, 5 * CLOCK_MINUTE);
	assert_int_equal(prune.other_threshold, 5 * CLOCK_MINUTE);
}

CASE(a_job_has_what_its_class_says)
{
	struct new_job plain = { .class_name = "Limited" };
	struct new_job own = { .class_name = "Limited", .queue = "a", .has_priority = true };
	struct new_job unknown = { .class_name = "Unknown" };

	policy_defaults(&config, &plain);
	assert_string_equal(plain.queue, "heavy");
	assert_true(plain.has_priority);
	assert_int_equal(plain.priority, 7);
	policy_defaults(&config, &own);
	assert_string_equal(own.queue, "a");
	assert_int_equal(own.priority, 0);
	policy_defaults(&config, &unknown);
	assert_null(unknown.queue);
	assert_false(unknown.has_priority);
}

DB_CASE(an_own_key_is_left_alone)
{
	struct new_job own = { .class_name = "Limited", .concurrency_key = "mine" };
	struct new_job wrong = { .class_name = "Limited", .arguments = "{\"id\": [1]}" };

	must(policy_keys, test->arena, &config, &own, NULL);
	assert_string_equal(own.concurrency_key, "mine");
	assert_int_equal(own.more_count, 0);
	assert_false(own.cancels_none);
	must_be(STATUS_INVALID, policy_keys, test->arena, &config, &wrong, NULL);
	assert_null(wrong.concurrency_key);
}

#define KEYS "G/5 Limited/9-5 Limited\n"

static const char *keys_of(struct test_db *test, const struct new_job *job)
{
	assert_int_equal(job->more_count, 2);
	return arena_printf(test->arena, "%s %s %s\n", job->concurrency_key, job->more_keys[0],
			    job->more_keys[1]);
}

/* Who enqueues and the scheduler by their files, `dray recurring run` by the database. */
DB_CASE(everybody_computes_the_same_keys)
{
	const char *arguments = "{\"id\": 5, \"account\": 9}";
	const struct config_task own = { .key = "a", .class = "Limited" };
	const struct task task = { .config = &own, .arguments = arguments };
	const struct recurring_task row = { .key = "a",
					    .schedule = "every day",
					    .class_name = "Limited" };
	const struct pause_note note = { .who = "test" };
	struct new_job enqueued = { .class_name = "Limited", .arguments = arguments };
	struct new_job scheduled = { .run_at = CLOCK_DAY };
	struct recurring_task stored = row;
	struct recurring_ran ran;

	must(policy_publish_classes, test->db, &config);
	must(policy_keys, test->arena, &config, &enqueued, NULL);
	assert_string_equal(keys_of(test, &enqueued), KEYS);
	must(task_job, &task, &config, test->arena, &scheduled);
	assert_string_equal(keys_of(test, &scheduled), KEYS);
	must(recurring_arguments_store, test->arena, arguments, &stored.arguments);
	must(recurring_add, test->db, &stored, &note);
	must(recurring_run_now, test->db, "a", NULL, &note, &ran);
	assert_string_equal(sql_text(test,
				     "SELECT j.concurrency_key, a.concurrency_key,"
				     " b.concurrency_key FROM solid_queue_jobs j"
				     " JOIN dray_keys a ON a.job_id = j.id AND a.position = 1"
				     " JOIN dray_keys b ON b.job_id = j.id AND b.position = 2"),
			    KEYS);
}

DB_CASE(what_classes_declare_is_published)
{
	must(policy_publish_classes, test->db, &config);
	assert_string_equal(sql_text(test, "SELECT class_name, position, max_losses, slots,"
					   " duration_ms, on_conflict FROM dray_classes"
					   " ORDER BY class_name, position"),
			    "Limited 0 3 2 180000 block\n"
			    "Limited 1 NULL 1 60000 block\n"
			    "Limited 2 NULL 3 180000 discard\n"
			    "Once 0 0 NULL NULL NULL\n"
			    "Ruby 0 NULL NULL NULL NULL\n");
}
