/* Limits of concurrency that both sides share. */
#include "tests/rails/shared.h"

#define KEYS 3
#define EACH 12  /* jobs of a key, a class and a side that enqueues; half of them for later */
#define SLOW 6   /* jobs of one key, which take two seconds */
#define ALL  144 /* of two classes and two sides */

#define DEADLOCKS 2 /* as many as jobs run at first */

/* Effects are in order: a start or an end is written while the slot is held. */
static void never_more_than_two(const struct site *site)
{
	int running[KEYS] = { 0 };

	for (const char *line = shared_effects(site); *line != '\0'; line++) {
		bool starts = strncmp(line, "start k", 7) == 0;
		size_t key = (size_t)(line[starts ? 7 : 5] - '0');
		assert_true(key < KEYS);
		running[key] += starts ? 1 : -1;
		if (running[key] > 2)
			fail_msg("three at once: %.80s", line);
		line += strcspn(line, "\n");
	}
}

/* Of a class with `to: 2` for each key, by both sides, now and in half a second. */
static void enqueue_limited(struct site *site, const char *class_name, const char *queue)
{
	struct text lines = { 0 };

	(void)ruby(site->arena,
		   "%d.times { |n| %d.times { |k| put(%s, \"k#{k}\", n, queue: %%q(%s), "
		   "set: n.odd? ? { wait: 0.5.seconds } : {}) } }",
		   EACH, KEYS, class_name, queue);
	for (int i = 0; i < EACH * KEYS; i++)
		text_printf(
			&lines,
			"{\"class\": \"%s\", \"queue\": \"%s\", \"arguments\": [\"k%d\", %d]%s}\n",
			class_name, queue, i % KEYS, i, i % 2 ? ", \"in\": 0.5" : "");
	(void)site_must(site, text_string(&lines),
			(const char *[]){ "enqueue", "--bulk", "-", NULL });
	text_free(&lines);
}

SHARED_CASE(keys_and_semaphores_are_the_same)
{
	pid_t rails = shared_rails_start(site, "[ruby]");

	shared_start(site, "[dray]");
	enqueue_limited(site, "LimJob", "ruby");
	enqueue_limited(site, "DrayLim", "dray");
	site_await_jobs(site, JOB_FINISHED, ALL);
	never_more_than_two(site);
	assert_int_equal(shared_effects_of(site, "start "), ALL);
	assert_count(site, 0,
		     "solid_queue_jobs WHERE concurrency_key NOT IN ('Shared/k0', 'Shared/k1', "
		     "'Shared/k2')");
	/* Rails returns a slot at the job's end; if a deadlock ends that, our healing does. */
	site_await_int(site, "SELECT count(*) FROM solid_queue_semaphores WHERE value <> 2", 0);
	shared_rails_content(site);
	shared_rails_stop(site, rails);
}

/* Rails takes two seconds to return a slot: dray's healing must not return it as well. */
SHARED_CASE(a_slot_is_returned_once)
{
	(void)ruby(site->arena, "$return_after = 2");
	pid_t rails = shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	(void)ruby(site->arena, "%d.times { |n| put(LimJob, %%q(k0), n, 2, queue: %%q(ruby)) }",
		   SLOW);
	site_await_jobs(site, JOB_FINISHED, SLOW);
	never_more_than_two(site);
	shared_rails_stop(site, rails);
}

/*
 * Rails gives slots back, but is ended for a deadlock each time before it lets the next job in, and
 * looks again when the job's two minutes are over. dray's healing lets it in long before that.
 */
SHARED_CASE(who_was_not_let_in_for_a_deadlock_is_let_in)
{
	(void)ruby(site->arena, "$deadlocks = %d", DEADLOCKS);
	pid_t rails = shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	(void)ruby(site->arena, "%d.times { |n| put(LimJob, %%q(k0), n, 1, queue: %%q(ruby)) }",
		   DEADLOCKS + 1);
	site_await_jobs(site, JOB_FINISHED, DEADLOCKS + 1);
	assert_contains(ruby(site->arena, "logged"), "a deadlock for the test");
	never_more_than_two(site);
	shared_rails_stop(site, rails);
	assert_count(site, 0, "solid_queue_semaphores WHERE value <> 2");
}

SHARED_CASES(limits, RULE("6, 7", keys_and_semaphores_are_the_same),
	     RULE("6", a_slot_is_returned_once),
	     RULE("6", who_was_not_let_in_for_a_deadlock_is_let_in));
