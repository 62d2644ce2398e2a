/* What both enqueue and both run: queues, payloads, locks. */
#include <string.h>

#include "common/text.h"
#include "tests/rails/shared.h"

#define EACH 150 /* jobs of a kind and a side */

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

static void queues_are_the_border_and_each_job_runs_once(void **state)
{
	struct site *site = shared_open(*state);
	pid_t rails = shared_rails_start(site, "[ruby, both]");

	shared_start(site, "[dray, both]");
	enqueue_kind(site, "RubyJob", "ruby", 0);
	enqueue_kind(site, "DrayJob", "dray", 1);
	enqueue_kind(site, "BothJob", "both", 2);
	shared_await_effects(site, 6 * EACH);
	site_await_jobs(site, JOB_FINISHED, 6 * EACH);
	shared_each_once(site, 6 * EACH);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
	assert_true(shared_effects_of(site, "rails ") >= 2 * EACH);
	assert_true(shared_effects_of(site, "dray ") >= 2 * EACH);
	shared_rails_content(site);
	shared_rails_stop(site, rails, "TERM");
	shared_close(site);
}

const struct test_case shared_jobs[] = {
	RULE("5, 12, 13, 14", queues_are_the_border_and_each_job_runs_once),
};
const size_t shared_jobs_count = sizeof(shared_jobs) / sizeof(shared_jobs[0]);
