/* Claiming: RE1 to RE17 (docs/internals/solid-queue.md, 5), pauses, the order of everything. */
#include "db/operations.h"
#include "tests/support/jobs/poller.h"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Claims so many at a time and writes the queues in the order they came: "a b b". */
static const char *order_by(struct test_db *test, const char *const *queues, size_t limit)
{
	int64_t process = register_worker(test->db, "order");
	char *text = arena_strdup(test->arena, "");
	size_t count;

	do {
		struct claim *claims = take(test, process, queues, limit, &count);
		for (size_t i = 0; i < count; i++)
			text = arena_printf(test->arena, "%s%s%s", text, *text ? " " : "",
					    claims[i].job.queue);
	} while (count > 0);
	return text;
}

static const char *order(struct test_db *test, const char *const *queues)
{
	return order_by(test, queues, 1);
}

/* A job for each word, which is its queue and may have its priority: "a:5 b". */
static void put_words(struct test_db *test, const char *words)
{
	char *rest = arena_strdup(test->arena, words);

	for (char *word; (word = strsep(&rest, " "));) {
		const char *queue = strsep(&word, ":");
		put(test->db, queue, word ? (int)strtol(word, NULL, 10) : 0);
	}
}

DB_CASE(re1_to_re13_order_of_queues)
{
	static const struct {
		const char *jobs, *list[6], *order;
	} cases[] = {
		/* RE1 */ { "a a b", { "a" }, "a a" },
		/* RE4 */ { "a b c", { "c", "a" }, "c a" },
		/* RE6 */ { "back_1 back_2 front", { "back*" }, "back_1 back_2" },
		/* LIKE's metacharacters in a prefix are only characters (defect 29). */
		{ "a_b1 axb1 a%b", { "a_b*" }, "a_b1" },
		{ "a_b1 axb1 a%b", { "a%*" }, "a%b" },
		/* RE8 */ { "b1 a c", { "a", "b*" }, "a b1" },
		/* RE9 */ { "a", { "none*" }, "" },
		/* RE5, RE10 */ { "a:2 b:1 c:3", { "*" }, "b a c" },
		/* RE11 */ { "a:9 b:1", { "a", "b" }, "a b" },
		/* RE12 */
		{ "a1 a2 b1 b2 a1 a2 b1 b2", { "b*", "a*" }, "b1 b1 b2 b2 a1 a1 a2 a2" },
		/* RE13 */
		{ "a1 a2 b1 b2 c1 c2", { "a2", "c1", "b*", "c2", "a*" }, "a2 c1 b1 b2 c2 a1" },
	};

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		put_words(test, cases[i / 2].jobs);
		assert_string_equal(order_by(test, cases[i / 2].list, i % 2 == 0 ? 1 : 100),
				    cases[i / 2].order);
		test_invariant(test->db);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}

DB_CASE(re2_empty_queue)
{
	assert_string_equal(order(test, LIST("a")), "");
	assert_string_equal(order_by(test, LIST("*"), 100), "");
	assert_string_equal(order(test, LIST("a", "b*")), "");
}

DB_CASE(re3_limit_and_priority)
{
	int64_t process = register_worker(test->db, "w");
	int64_t low = put(test->db, "a", 9);
	int64_t high = put(test->db, "a", -3);
	int64_t middle = put(test->db, "a", 1);
	size_t count;
	struct claim *claims = take(test, process, LIST("a"), 2, &count);

	assert_int_equal(count, 2);
	assert_int_equal(claims[0].job.id, high);
	assert_int_equal(claims[1].job.id, middle);
	assert_int_equal(state_of(test, low), JOB_READY);
}

DB_CASE(re7_wildcard_with_a_paused_queue)
{
	put(test->db, "a", 5);
	put(test->db, "p", 0);
	put(test->db, "b", 1);
	put(test->db, "a", 3);
	put(test->db, "b", 4);
	pause_queue(test, "p");
	/* The order by priority over the queues stays, unlike in solid-queue.md, 2.5. */
	assert_string_equal(order(test, LIST("*")), "b a b a");
	resume_queue(test, "p");
	assert_string_equal(order(test, LIST("*")), "p");
	test_invariant(test->db);
}

DB_CASE(pauses_leave_lists_and_single_queues_alone)
{
	put(test->db, "a", 0);
	put(test->db, "b", 0);
	pause_queue(test, "a");
	assert_string_equal(order(test, LIST("a")), "");
	assert_string_equal(order(test, LIST("a", "b")), "b");
	resume_queue(test, "a");
	assert_string_equal(order(test, LIST("a")), "a");
}

/* The names that `claimable_queues` finds, those that the list takes with a "+". */
static const char *waiting_queues(struct test_db *test, const char *const *queues, size_t count)
{
	char *text = arena_strdup(test->arena, "");
	struct selector selector;
	struct db_rows rows;

	must(selector_compile, test->arena, queues, count, &selector);
	must(db_query, test->db, test->arena,
	     DB_CALL(claimable_queues, .queues = selector.all ? P_NULL : P_ROWS(&selector.rows),
		     .process_id = P_INT(1)),
	     &rows);
	for (size_t i = 0; i < rows.count; i++)
		if (!db_is_null(&rows, i, CLAIMABLE_QUEUES_QUEUE_NAME))
			text = arena_printf(test->arena, "%s%s%s", text,
					    db_is_null(&rows, i, CLAIMABLE_QUEUES_POSITION) ? " "
											    : " +",
					    db_text(&rows, i, CLAIMABLE_QUEUES_QUEUE_NAME));
	return text;
}

/* RE14, RE15: every queue that has something, once, and which of them a prefix means. */
DB_CASE(re14_to_re17_queues_that_have_jobs)
{
	assert_string_equal(waiting_queues(test, LIST("*"), 1), ""); /* RE17 */
	for (int i = 0; i < 3; i++) {
		put(test->db, "b1", i);
		put(test->db, "a", i);
		put(test->db, "b2", i);
	}
	assert_string_equal(waiting_queues(test, LIST("*"), 1), " +a +b1 +b2");
	assert_string_equal(waiting_queues(test, LIST("b*"), 1), " a +b1 +b2");
	assert_string_equal(waiting_queues(test, LIST("x*", "c"), 2), " a b1 b2"); /* RE16 */
}

DB_CASE(bad_selectors)
{
	static const char *const bad[] = { "*x", "a*b", "", "**" };
	struct selector selector;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		must_be(STATUS_INVALID, selector_compile, test->arena, &bad[i], 1, &selector);
}

/* unknown_classes: leave; other classes stay ready, whatever the selector. */
DB_CASE(only_some_classes)
{
	static const struct poller_queues chosen = { "q", "q*" };
	static const char *const classes[] = { "Mine", "it's" };
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		const struct new_job foreign = { .class_name = "Theirs", .queue = "q" };
		const struct new_job mine = { .class_name = classes[i % 2], .queue = "q" };
		open_poller(&worker, test, i, &chosen);
		worker.claim.only_classes = classes;
		worker.claim.only_count = 2;
		int64_t left = put_job(test->db, &foreign);
		int64_t taken = put_job(test->db, &mine);
		assert_int_equal(poll_once(&worker), 1);
		assert_int_equal(worker.claims[0].job.id, taken);
		assert_int_equal(state_of(test, left), JOB_READY);
	}
}

/* A ready row of a job that is claimed already is not run twice and blocks nobody (defect 18). */
DB_CASE(a_stale_ready_row_blocks_nobody)
{
	int64_t process = register_worker(test->db, "w");
	int64_t other = register_worker(test->db, "other");
	int64_t first = put(test->db, "a", 0);

	take_all(test, process, 1);
	sql_execute(test->db,
		    "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		    "created_at) VALUES (%" PRId64 ", 'a', 0, '2026-01-01 00:00:00')",
		    first);
	int64_t second = put(test->db, "a", 0);
	size_t count = 0;
	struct claim *claims = take(test, other, LIST("*"), 2, &count);
	if (count == 0) /* the stale row was in the way once and is gone now */
		claims = take(test, other, LIST("*"), 2, &count);
	assert_int_equal(count, 1);
	assert_int_equal(claims[0].job.id, second);
}

/* One that was presumed dead, or died with its claim on the way to the server (defect 6). */
DB_CASE(a_process_without_a_row_claims_nothing)
{
	int64_t gone = register_worker(test->db, "gone");
	int64_t id = put(test->db, "a", 0);
	size_t count;

	test_execute(test->db, "DELETE FROM solid_queue_processes");
	(void)take(test, gone, LIST("*"), 2, &count);
	assert_int_equal(count, 0);
	(void)take(test, gone, LIST("a"), 2, &count);
	assert_int_equal(count, 0);
	assert_int_equal(state_of(test, id), JOB_READY);
	take_all(test, register_worker(test->db, "alive"), 1);
}

/* IN2: and who has claimed it. */
DB_CASE(claims_carry_the_job)
{
	const struct new_job job = { .class_name = "Whole",
				     .queue = "q",
				     .arguments = "[1]",
				     .has_priority = true,
				     .priority = 7,
				     .concurrency_key = "k" };
	int64_t process = register_worker(test->db, "w");
	int64_t id = put_job(test->db, &job);
	struct claim *claim = take_all(test, process, 1);

	assert_int_equal(claim->job.id, id);
	assert_string_equal(claim->job.class_name, "Whole");
	assert_string_equal(claim->job.queue, "q");
	assert_string_equal(claim->job.concurrency_key, "k");
	assert_int_equal(claim->job.priority, 7);
	assert_contains(claim->job.payload, "\"arguments\":[1]");
	assert_true(claim->job.created_at > 0 && claim->job.scheduled_at > 0);
	assert_int_equal(claim->job.process_id, process);
	assert_true(claim->id > 0);
}

/* Of this session; reading it makes none. */
static void note_disk_tables(struct test_db *test)
{
	test_execute(test->db, "INSERT INTO noted (tables) SELECT variable_value FROM "
			       "information_schema.session_status WHERE variable_name = "
			       "'Created_tmp_disk_tables'");
}

/* Sorted by the server, payloads would go through a temporary table on disk. */
DB_CASE_ONLY(payloads_are_not_sorted_by_the_server, "mariadb")
{
	test_execute(test->db, "CREATE TABLE noted (tables bigint)");
	for (int priority = 2; priority >= 0; priority--)
		put(test->db, arena_printf(test->arena, "q%d", priority), priority);
	note_disk_tables(test);
	assert_string_equal(order_by(test, LIST("*"), 100), "q0 q1 q2");
	put(test->db, "one", 0);
	assert_string_equal(order_by(test, LIST("one"), 100), "one");
	note_disk_tables(test);
	assert_int_equal(sql_number(test, "SELECT max(tables) - min(tables) FROM noted"), 0);
}
