/* Why a job is not running: the facts that are read, on every database. */
#include "queue/look/why.h"
#include "tests/support/limited.h"

struct rig {
	struct job job;
	struct job_details details;
	struct why_facts facts;
	struct why why;
};

static void find(struct test_db *test, int64_t id, struct rig *rig)
{
	const struct prune patience = { 0, CLOCK_MINUTE, CLOCK_MINUTE };

	*rig = (struct rig){ 0 };
	rig->facts = (struct why_facts){ .job = &rig->job, .details = &rig->details };
	rig->facts.policy = &test_policy;
	must(job_find, test->db, test->arena, id, &rig->job);
	must(job_details_read, test->db, test->arena, &rig->job, &rig->details);
	must(why_read, test->db, test->arena, &patience, &rig->facts);
	why_explain(test->arena, &rig->facts, &rig->why);
}

/* The kinds of all reasons, "queue_paused ahead". */
static const char *found_kinds(struct test_db *test, int64_t id)
{
	const char *list = "";
	struct rig rig;

	find(test, id, &rig);
	for (size_t i = 0; i < rig.why.count; i++)
		list = arena_printf(test->arena, "%s%s%s", list, i > 0 ? " " : "",
				    rig.why.reasons[i].kind);
	return list;
}

static int64_t join(struct test_db *test, const char *kind, const char *name, const char *metadata)
{
	struct process_row row = {
		.kind = kind, .name = name, .pid = 1, .hostname = "h", .metadata = metadata
	};

	must(process_register, test->db, &row);
	return row.id;
}

DB_CASE(facts_of_a_ready_job)
{
	int64_t first = put(test->db, "mail", 0);
	int64_t second = put(test->db, "mail", 0);

	put(test->db, "other", -1);
	assert_string_equal(found_kinds(test, first), "unserved");
	join(test, "Worker", "worker-1", "{\"queues\":\"mail\",\"classes\":[\"X\"]}");
	join(test, "Worker", "worker-3", "{\"queues\":\"*\",\"other_classes\":[\"Test\"]}");
	assert_string_equal(found_kinds(test, first), "class_left");
	int64_t worker =
		join(test, "Worker", "worker-2", "{\"queues\":\"*\",\"thread_pool_size\":1}");
	assert_string_equal(found_kinds(test, first), "next");
	assert_string_equal(found_kinds(test, second), "ahead");
	pause_queue(test, "mail");
	assert_string_equal(found_kinds(test, first), "queue_paused");
	(void)take_all(test, worker, 1);
	assert_string_equal(found_kinds(test, first), "queue_paused busy");
	resume_queue(test, "mail");
	(void)take_all(test, worker, 2);
	assert_string_equal(found_kinds(test, first), "running");
	set_heartbeats(test, "2026-01-01 00:00:00");
	assert_string_equal(found_kinds(test, first), "silent");
}

DB_CASE(facts_of_a_waiting_job)
{
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
DB_CASE(facts_of_a_job_of_several_keys)
{
	const struct new_job both = several_job("Both", (const char *const[]){ "a", "b", NULL });
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
	assert_contains(rig.why.text, "It waits for the key b (one of its 2 keys), which job");
}

DB_CASE(facts_of_other_pauses)
{
	struct pause_note note = { .who = "ann", .reason = "deploy" };
	bool changed;

	put(test->db, "mail", 0);
	join(test, "Worker", "worker-1", "{\"queues\":\"mail\",\"thread_pool_size\":1}");
	must(pause_other, test->db, PAUSE_CLASS, "Test", &note, &changed);
	assert_string_equal(found_kinds(test, 1), "class_paused");
	must(pause_other, test->db, PAUSE_PROCESS, "worker-1", &note, &changed);
	assert_string_equal(found_kinds(test, 1), "class_paused process_paused");
}
