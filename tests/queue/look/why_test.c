/* Why a job is not running: from facts to words, case by case, and the facts on every database. */
#include "queue/look/why.h"

#include "tests/support/limited.h"

#define NOW (INT64_C(1767225600) * CLOCK_SECOND) /* 2026-01-01 00:00 */

/* Facts that a test changes; at first a ready job that nothing keeps. */
struct rig {
	struct arena *arena;
	struct job job;
	struct job_details details;
	struct why_facts facts;
	struct why why;
};

static int open_rig(void **state)
{
	static struct rig rig;

	rig = (struct rig){ .arena = arena_new() };
	rig.job = (struct job){ .id = 7,
				.class_name = "A",
				.queue = "mail",
				.state = JOB_READY,
				.concurrency_key = "k",
				.since = NOW - CLOCK_MINUTE,
				.created_at = NOW - CLOCK_HOUR };
	rig.facts = (struct why_facts){ .now = NOW,
					.job = &rig.job,
					.details = &rig.details,
					.dispatcher = true,
					.workers = { .alive = 2, .takers = 2, .threads = 6 } };
	*state = &rig;
	return 0;
}

static int close_rig(void **state)
{
	struct rig *rig = *state;

	arena_free(rig->arena);
	return 0;
}

/* The kinds of all reasons, "queue_paused ahead". */
static const char *kinds(struct rig *rig)
{
	const char *list = "";

	why_explain(rig->arena, &rig->facts, &rig->why);
	for (size_t i = 0; i < rig->why.count; i++)
		list = arena_printf(rig->arena, "%s%s%s", list, i > 0 ? " " : "",
				    rig->why.reasons[i].kind);
	return list;
}

static void assert_kinds(struct rig *rig, const char *expected)
{
	assert_string_equal(kinds(rig), expected);
	assert_int_equal(rig->why.running, strcmp(expected, "running") == 0);
}

static void nothing_keeps_it(void **state)
{
	struct rig *rig = *state;

	assert_kinds(rig, "next");
	assert_string_equal(rig->why.text, "Job 7 (A on queue mail) is ready, but not running. "
					   "Nothing holds it up: the next free worker claims it.");
}

static void its_queue_is_paused(void **state)
{
	struct rig *rig = *state;

	rig->facts.queue_pause = (struct pause_row){ .since = NOW - 3 * CLOCK_MINUTE,
						     .note = { .who = "ann",
							       .host = "h",
							       .reason = "it moves",
							       .ends_at = NOW + 2 * CLOCK_HOUR } };
	assert_kinds(rig, "queue_paused");
	assert_contains(rig->why.text,
			"Its queue has been paused since 2025-12-31 23:57:00 UTC (3m ago) by ann "
			"on host h, until 2026-01-01 02:00:00 UTC (in 2h), because: \"it moves\".");
	rig->facts.queue_pause.note = (struct pause_note){ 0 };
	assert_kinds(rig, "queue_paused");
	assert_contains(rig->why.text, "(3m ago) by other software.");
}

static void its_class_is_paused(void **state)
{
	struct rig *rig = *state;

	rig->facts.class_pause = (struct pause_row){ .since = NOW, .note = { .who = "ann" } };
	assert_kinds(rig, "class_paused");
	assert_contains(rig->why.text, "Its class A has been paused since");
}

static void nobody_serves_it(void **state)
{
	struct rig *rig = *state;

	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "unserved");
	assert_contains(rig->why.text, "No worker serves the queue mail.");
	rig->facts.workers.silent = 2;
	assert_kinds(rig, "unserved");
	assert_contains(rig->why.text, "2 that did have sent no heartbeat");
}

static void who_serves_it_takes_it_not(void **state)
{
	struct rig *rig = *state;

	rig->facts.workers =
		(struct why_workers){ .alive = 4, .quiet = 1, .paused = 1, .leaving = 2 };
	assert_kinds(rig, "quiet process_paused class_left");
	assert_contains(rig->why.text, "Of the 4 workers that serve its queue, 1 is quiet");
	assert_contains(rig->why.text, "2 leave jobs of the class A, which they do not know");
	rig->facts.workers.takers = 1;
	rig->facts.workers.alive = 5;
	assert_kinds(rig, "next");
}

static void all_threads_are_busy(void **state)
{
	struct rig *rig = *state;

	rig->facts.workers.busy = 6;
	assert_kinds(rig, "busy");
	assert_contains(rig->why.text, "All 6 threads of the 2 workers that serve its queue");
	rig->facts.workers.threads = 0;
	assert_kinds(rig, "next");
}

static void others_come_before(void **state)
{
	struct rig *rig = *state;

	rig->facts.ahead = 1;
	assert_kinds(rig, "ahead");
	assert_contains(rig->why.text, "1 job of its queue comes before it.");
	rig->facts.ahead = 60;
	rig->facts.throughput = (struct throughput){ .minute = 30, .hour = 60 };
	assert_kinds(rig, "ahead");
	assert_contains(rig->why.text, "60 jobs of its queue come before it; at the current rate, "
				       "its turn comes in about 2m.");
	rig->facts.throughput.minute = 0;
	assert_kinds(rig, "ahead");
	assert_contains(rig->why.text, "in about 1h.");
	rig->facts.ahead = WHY_MOST_AHEAD + 1;
	assert_kinds(rig, "ahead");
	assert_contains(rig->why.text, "More than 1,000 jobs");
	assert_contains(rig->why.text, "in more than 16h");
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "unserved ahead");
	assert_null(strstr(rig->why.text, "rate"));
}

static void it_is_not_due(void **state)
{
	struct rig *rig = *state;

	rig->job.state = JOB_SCHEDULED;
	rig->job.scheduled_at = NOW + 3 * CLOCK_HOUR;
	assert_kinds(rig, "scheduled");
	assert_contains(rig->why.text, "It is due at 2026-01-01 03:00:00 UTC (in 3h).");
	rig->facts.dispatcher = false;
	assert_kinds(rig, "scheduled no_dispatcher");
	rig->job.scheduled_at = NOW - CLOCK_MINUTE;
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "due no_dispatcher unserved");
	rig->facts.dispatcher = true;
	assert_kinds(rig, "due unserved");
	assert_contains(rig->why.text, "one of its next polls");
}

static void it_waits_for_a_key(void **state)
{
	struct rig *rig = *state;
	struct holder holders[] = { { .job_id = 3,
				      .class_name = "B",
				      .since = NOW - CLOCK_MINUTE,
				      .claimed_at = NOW,
				      .process = "worker-1",
				      .pid = 5,
				      .hostname = "h" },
				    { .job_id = 4, .class_name = "B", .since = NOW } };

	rig->job.state = JOB_BLOCKED;
	rig->details.waits_for = "k";
	rig->facts.holders = (struct holders){ holders, 2 };
	rig->facts.ahead = 2;
	assert_kinds(rig, "limited limited ahead");
	assert_contains(rig->why.text,
			"It waits for the key k, which job 3 (B) has held since 2025-12-31 "
			"23:59:00 UTC (1m ago): worker-1 on host h (pid 5) runs it.");
	assert_contains(rig->why.text, "that job is ready but does not run yet.");
	assert_contains(rig->why.text, "2 jobs wait for the same key and come before it.");
	rig->details.waits_for = "m";
	rig->details.more_count = 2;
	assert_kinds(rig, "limited limited ahead");
	assert_contains(rig->why.text, "It waits for the key m (one of its 3 keys), which job 3 (");
	rig->facts.holders.count = 0;
	rig->facts.ahead = 0;
	rig->facts.dispatcher = false;
	assert_kinds(rig, "limited no_dispatcher");
}

static void it_is_claimed(void **state)
{
	struct rig *rig = *state;

	rig->job.state = JOB_CLAIMED;
	rig->details.process =
		(struct process_row){ .id = 1, .name = "worker-1", .pid = 5, .hostname = "h" };
	assert_kinds(rig, "running");
	assert_string_equal(rig->why.text, "Job 7 (A on queue mail) is running. worker-1 on host h "
					   "(pid 5) has held it since 2025-12-31 23:59:00 UTC (1m "
					   "ago).");
	rig->facts.process_silent = true;
	assert_kinds(rig, "silent");
	rig->details.process.id = 0;
	assert_kinds(rig, "orphaned");
}

static void it_is_over(void **state)
{
	struct rig *rig = *state;

	rig->job.state = JOB_FAILED;
	rig->job.error = "{\"exception_class\":\"E\",\"message\":\"m\"}";
	assert_kinds(rig, "failed");
	assert_contains(rig->why.text, "with E: m; `dray retry 7` runs it again.");
	rig->job.error = "{\"exception_class\":\"Dray::UnknownClassError\",\"message\":\"m\"}";
	assert_kinds(rig, "failed unknown_class");
	rig->job.error = "nonsense";
	assert_kinds(rig, "failed");
	rig->job.state = JOB_FINISHED;
	rig->job.finished_at = NOW;
	assert_kinds(rig, "finished");
	rig->job.state = JOB_STATES;
	assert_kinds(rig, "nowhere");
}

/* The facts */

static void find(struct test_db *test, int64_t id, struct rig *rig)
{
	const struct prune patience = { 0, CLOCK_MINUTE, CLOCK_MINUTE };
	struct error error = { 0 };

	*rig = (struct rig){ .arena = test->arena };
	rig->facts = (struct why_facts){ .job = &rig->job, .details = &rig->details };
	rig->facts.policy = &test_policy;
	assert_ok(job_find(test->db, test->arena, id, &rig->job, &error), &error);
	assert_ok(job_details_read(test->db, rig->arena, &rig->job, &rig->details, &error), &error);
	assert_ok(why_read(test->db, test->arena, &patience, &rig->facts, &error), &error);
}

static const char *found_kinds(struct test_db *test, int64_t id)
{
	struct rig rig;

	find(test, id, &rig);
	return kinds(&rig);
}

static int64_t join(struct test_db *test, const char *kind, const char *name, const char *metadata)
{
	struct process_row row = {
		.kind = kind, .name = name, .pid = 1, .hostname = "h", .metadata = metadata
	};
	struct error error = { 0 };

	assert_ok(process_register(test->db, &row, &error), &error);
	return row.id;
}

static void facts_of_a_ready_job(void **state)
{
	struct test_db *test = *state;
	int64_t first = put(test->db, "mail", 0);
	int64_t second = put(test->db, "mail", 0);
	struct error error = { 0 };
	bool changed;

	put(test->db, "other", -1);
	assert_string_equal(found_kinds(test, first), "unserved");
	join(test, "Worker", "worker-1", "{\"queues\":\"mail\",\"classes\":[\"X\"]}");
	join(test, "Worker", "worker-3", "{\"queues\":\"*\",\"other_classes\":[\"Test\"]}");
	assert_string_equal(found_kinds(test, first), "class_left");
	int64_t worker =
		join(test, "Worker", "worker-2", "{\"queues\":\"*\",\"thread_pool_size\":1}");
	assert_string_equal(found_kinds(test, first), "next");
	assert_string_equal(found_kinds(test, second), "ahead");
	assert_ok(queue_pause(test->db, "mail", &changed, &error), &error);
	assert_string_equal(found_kinds(test, first), "queue_paused");
	(void)take_all(test, worker, 1);
	assert_string_equal(found_kinds(test, first), "queue_paused busy");
	assert_ok(queue_resume(test->db, "mail", &changed, &error), &error);
	(void)take_all(test, worker, 2);
	assert_string_equal(found_kinds(test, first), "running");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = "
			       "'2026-01-01 00:00:00'");
	assert_string_equal(found_kinds(test, first), "silent");
}

static void facts_of_a_waiting_job(void **state)
{
	struct test_db *test = *state;
	const struct new_job limited = { .class_name = "A", .queue = "a", .concurrency_key = "k" };
	const struct new_job later = { .class_name = "A", .queue = "a", .delay = CLOCK_HOUR };
	int64_t holder = put_job(test->db, &limited);
	int64_t blocked = put_job(test->db, &limited);
	int64_t third = put_job(test->db, &limited);
	int64_t scheduled = put_job(test->db, &later);

	int64_t worker =
		join(test, "Worker", "worker-1", "{\"queues\":\"a\",\"thread_pool_size\":9}");
	assert_string_equal(found_kinds(test, blocked), "limited");
	assert_string_equal(found_kinds(test, third), "limited ahead");
	assert_string_equal(found_kinds(test, scheduled), "scheduled no_dispatcher");
	join(test, "Dispatcher", "dispatcher-1", "{}");
	assert_string_equal(found_kinds(test, scheduled), "scheduled");
	(void)take_all(test, worker, 1);
	assert_string_equal(found_kinds(test, holder), "running");
	test_execute(test->db, "DELETE FROM dray_slots"); /* as if Solid Queue had let it in */
	assert_string_equal(found_kinds(test, blocked), "limited");
}

/* It waits under its second key, which another job holds than its first one. */
static void facts_of_a_job_of_several_keys(void **state)
{
	const struct new_job both = several_job("Both", (const char *const[]){ "a", "b", NULL });
	struct test_db *test = *state;
	struct rig rig;

	declare_several(test, "Both", (const int[]){ 2, 1, 0 }, LIMIT_BLOCK);
	declare(test, "A", 2, LIMIT_BLOCK);
	put_limited(test, "A", "a");
	int64_t holder = put_job(test->db, &both);
	int64_t blocked = put_job(test->db, &both);
	find(test, blocked, &rig);
	assert_int_equal(rig.details.more_count, 1);
	assert_string_equal(rig.details.more_keys[0], "b");
	assert_int_equal(rig.facts.holders.count, 2); /* of a, which is the first that is full */
	assert_true(settle_one(test->db, take_all(test, register_worker(test->db, "w"), 2),
			       OUTCOME_FINISHED));
	find(test, blocked, &rig);
	assert_string_equal(rig.details.waits_for, "b");
	assert_int_equal(rig.facts.holders.count, 1);
	assert_int_equal(rig.facts.holders.list[0].job_id, holder);
	(void)kinds(&rig);
	assert_contains(rig.why.text, "It waits for the key b (one of its 2 keys), which job");
}

static void facts_of_other_pauses(void **state)
{
	struct test_db *test = *state;
	struct pause_note note = { .who = "ann", .reason = "deploy" };
	struct error error = { 0 };
	bool changed;

	put(test->db, "mail", 0);
	join(test, "Worker", "worker-1", "{\"queues\":\"mail\",\"thread_pool_size\":1}");
	assert_ok(pause_other(test->db, PAUSE_CLASS, "Test", &note, &changed, &error), &error);
	assert_string_equal(found_kinds(test, 1), "class_paused");
	assert_ok(pause_other(test->db, PAUSE_PROCESS, "worker-1", &note, &changed, &error),
		  &error);
	assert_string_equal(found_kinds(test, 1), "class_paused process_paused");
}

int main(void)
{
#define CASE(function) cmocka_unit_test_setup_teardown(function, open_rig, close_rig)
	static const struct CMUnitTest words[] = {
		CASE(nothing_keeps_it),
		CASE(its_queue_is_paused),
		CASE(its_class_is_paused),
		CASE(nobody_serves_it),
		CASE(who_serves_it_takes_it_not),
		CASE(all_threads_are_busy),
		CASE(others_come_before),
		CASE(it_is_not_due),
		CASE(it_waits_for_a_key),
		CASE(it_is_claimed),
		CASE(it_is_over),
	};
	static const struct test_case facts[] = {
		TEST(facts_of_a_ready_job),
		TEST(facts_of_a_waiting_job),
		TEST(facts_of_a_job_of_several_keys),
		TEST(facts_of_other_pauses),
	};

	int failures = test_group(words, NULL, NULL);
	return failures + test_run_backends("why", facts, sizeof(facts) / sizeof(facts[0]));
}
