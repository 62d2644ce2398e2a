/* Why a job is not running: the facts that are read, on every database. */
#include "tests/support/jobs/why.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

/* The kinds of all reasons, "queue_paused ahead". */
static const char *found_kinds(struct test_db *test, int64_t id)
{
	const char *list = "";
	struct why_look look;

	why_look(test, id, &test_policy, &look);
	for (size_t i = 0; i < look.why.count; i++)
		list = arena_printf(test->arena, "%s%s%s", list, i > 0 ? " " : "",
				    look.why.reasons[i].kind);
	return list;
}

DB_CASE(facts_of_a_ready_job)
{
	int64_t first = put(test->db, "mail", 0);
	int64_t second = put(test->db, "mail", 0);

	put(test->db, "other", -1);
	assert_string_equal(found_kinds(test, first), "unserved");
	register_process(test->db, "Worker", "worker-1",
			 "{\"queues\":\"mail\",\"classes\":[\"X\"]}");
	register_process(test->db, "Worker", "worker-3",
			 "{\"queues\":\"*\",\"other_classes\":[\"Test\"]}");
	assert_string_equal(found_kinds(test, first), "class_left");
	int64_t worker = register_process(test->db, "Worker", "worker-2",
					  "{\"queues\":\"*\",\"thread_pool_size\":1}");
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
	int64_t holder = put_job(test->db, &limited);
	int64_t blocked = put_job(test->db, &limited);
	int64_t third = put_job(test->db, &limited);
	int64_t scheduled = put_for_later(test->db, "A", "a");

	int64_t worker = register_process(test->db, "Worker", "worker-1",
					  "{\"queues\":\"a\",\"thread_pool_size\":9}");
	assert_string_equal(found_kinds(test, blocked), "limited");
	assert_string_equal(found_kinds(test, third), "limited ahead");
	assert_string_equal(found_kinds(test, scheduled), "scheduled no_dispatcher");
	register_process(test->db, "Dispatcher", "dispatcher-1", "{}");
	assert_string_equal(found_kinds(test, scheduled), "scheduled");
	(void)take_all(test, worker, 1);
	assert_string_equal(found_kinds(test, holder), "running");
	test_execute(test->db, "DELETE FROM dray_slots"); /* as if Solid Queue had let it in */
	assert_string_equal(found_kinds(test, blocked), "limited");
}

/* Its slot comes back by healing; until then no job is named that nobody finds. */
DB_CASE(a_holder_that_is_gone_is_not_named)
{
	struct why_look look;

	declare(test, "Job", 1, LIMIT_BLOCK);
	int64_t holder = put_limited(test, "Job", "k");
	int64_t blocked = put_limited(test, "Job", "k");
	why_look(test, blocked, &test_policy, &look);
	assert_int_equal(look.facts.holders.count, 1);
	torn_unguard(test);
	sql_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id = %" PRId64, holder);
	why_look(test, blocked, &test_policy, &look);
	assert_int_equal(look.facts.holders.count, 0);
}

/* It waits under its second key, which another job holds than its first one. */
DB_CASE(facts_of_a_job_of_several_keys)
{
	const struct new_job both = several_job("Both", (const char *const[]){ "a", "b", NULL });
	struct why_look look;

	declare_several(test, "Both", (const int[]){ 2, 1, 0 }, LIMIT_BLOCK);
	declare(test, "A", 2, LIMIT_BLOCK);
	put_limited(test, "A", "a");
	int64_t holder = put_job(test->db, &both);
	int64_t blocked = put_job(test->db, &both);
	why_look(test, blocked, &test_policy, &look);
	assert_int_equal(look.details.more_count, 1);
	assert_string_equal(look.details.more_keys[0], "b");
	assert_int_equal(look.facts.holders.count, 2); /* of a, which is the first that is full */
	assert_true(settle_one(test->db, take_all(test, register_worker(test->db, "w"), 2),
			       OUTCOME_FINISHED));
	why_look(test, blocked, &test_policy, &look);
	assert_string_equal(look.details.waits_for, "b");
	assert_int_equal(look.facts.holders.count, 1);
	assert_int_equal(look.facts.holders.list[0].job_id, holder);
	assert_wording("why.limited_by_a_second_key", look.why.text);
}

/* The old worker is frozen: only its supervisor says that it is leaving. */
DB_CASE(facts_of_a_worker_that_is_held)
{
	struct prune patience = { .threshold = CLOCK_MINUTE };
	struct servers servers;

	put(test->db, "mail", 0);
	register_process(test->db, "Supervisor(fork)", "supervisor-1",
			 "{\"leaving\":[\"worker-1\"]}");
	register_process(test->db, "Worker", "worker-1",
			 "{\"queues\":\"mail\",\"thread_pool_size\":1}");
	assert_string_equal(found_kinds(test, 1), "leaving");
	register_process(test->db, "Worker", "worker-2",
			 "{\"queues\":\"mail\",\"thread_pool_size\":1,\"held\":true}");
	assert_string_equal(found_kinds(test, 1), "leaving waits");
	must(servers_read, test->db, test->arena, &patience, &servers);
	assert_int_equal(servers.list[0].leaving_since, 0);
	assert_int_equal(servers.list[1].leaving_since, servers.list[1].row.last_heartbeat_at);
	assert_int_equal(servers.list[2].leaving_since, 0);
	register_process(test->db, "Worker", "worker-3",
			 "{\"queues\":\"mail\",\"thread_pool_size\":1}");
	assert_string_equal(found_kinds(test, 1), "next");
}

#define TROUBLE "\"trouble\":\"no\",\"trouble_since\":\"2026-01-01T00:00:00Z\""

/* Their heartbeats work, and what they do fails. */
DB_CASE(facts_of_who_cannot_work)
{
	struct why_look look;
	int64_t ready = put(test->db, "mail", 0);
	int64_t scheduled = put_for_later(test->db, "A", "mail");

	register_process(test->db, "Worker", "worker-1", "{\"queues\":\"mail\"," TROUBLE "}");
	register_process(test->db, "Dispatcher", "dispatcher-1", "{" TROUBLE "}");
	assert_string_equal(found_kinds(test, ready), "trouble");
	assert_string_equal(found_kinds(test, scheduled), "scheduled trouble trouble");
	why_look(test, ready, &test_policy, &look);
	assert_string_equal(look.facts.workers.trouble->trouble, "no");
	assert_int_not_equal(look.facts.workers.trouble->trouble_since, 0);
	register_process(test->db, "Worker", "worker-2", "{\"queues\":\"mail\",\"trouble\":{}}");
	register_process(test->db, "Dispatcher", "dispatcher-2", "{}");
	assert_string_equal(found_kinds(test, ready), "next");
	assert_string_equal(found_kinds(test, scheduled), "scheduled");
}

DB_CASE(facts_of_other_pauses)
{
	struct pause_note note = { .who = "ann", .reason = "deploy" };
	bool changed;

	put(test->db, "mail", 0);
	register_process(test->db, "Worker", "worker-1",
			 "{\"queues\":\"mail\",\"thread_pool_size\":1}");
	must(pause_other, test->db, PAUSE_CLASS, "Test", &note, &changed);
	assert_string_equal(found_kinds(test, 1), "class_paused");
	must(pause_other, test->db, PAUSE_PROCESS, "worker-1", &note, &changed);
	assert_string_equal(found_kinds(test, 1), "class_paused process_paused");
}
