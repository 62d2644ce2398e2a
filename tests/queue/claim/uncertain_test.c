/* A commit whose answer is lost: enqueue finds out by itself, or says that it could not. */
#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"

#define SERVERS "postgresql mysql mariadb"
#define SHORT   (CLOCK_SECOND / 2)
/* On PostgreSQL any other test's transaction is waited for. */
#define LONG    CLOCK_MINUTE

/* A connection through a forwarder beside the test's direct one. */
struct detour {
	struct forwarder forwarder;
	struct db *db;
};

static struct detour open_detour(struct test_db *test, int64_t retry_for)
{
	const struct db_options options = { .retry_for = retry_for };
	struct detour detour = { 0 };
	const char *url = forwarder_url(&detour.forwarder, test->arena, test->url);

	detour.db = test_db_open_with(url, &options);
	return detour;
}

static void close_detour(struct detour *detour)
{
	db_close(detour->db);
	forwarder_stop(&detour->forwarder);
}

/* PostgreSQL's whole script is one request, MySQL's commit is one of its own. */
static const char *commit_of(const struct test_db *test)
{
	return strcmp(test->backend, "postgresql") == 0 ? "" : "COMMIT";
}

/* The first one prepares, so that the next is a commit like any other. */
static void enqueue_one_first(struct detour *detour)
{
	put(detour->db, "first", 0);
}

DB_CASE_ONLY(a_commit_that_took_place_is_ok, SERVERS)
{
	struct detour detour = open_detour(test, LONG);
	const struct new_job jobs[] = { { .class_name = "A" },
					{ .class_name = "B", .delay = CLOCK_HOUR },
					{ .class_name = "C" } };
	struct enqueued results[3] = { 0 };

	enqueue_one_first(&detour);
	forwarder_cut(&detour.forwarder, FORWARDER_CUT_ANSWER, commit_of(test), FORWARDER_PASS);
	must(enqueue, detour.db, jobs, 3, results);
	assert_int_equal(rows_of(test, "jobs"), 4);
	for (size_t i = 0; i < 3; i++) {
		struct job job = find_job(test, results[i].id);
		assert_string_equal(job.class_name, jobs[i].class_name);
		assert_string_equal(job.active_job_id, results[i].active_job_id);
		assert_int_equal(job.created_at, results[i].created_at);
	}
	close_detour(&detour);
	test_invariant(test->db);
}

DB_CASE_ONLY(a_commit_that_never_arrived_is_down, SERVERS)
{
	struct detour detour = open_detour(test, LONG);
	const struct new_job job = { .class_name = "Lost" };
	struct enqueued result;

	enqueue_one_first(&detour);
	forwarder_cut(&detour.forwarder, FORWARDER_CUT_REQUEST, commit_of(test), FORWARDER_PASS);
	must_say("enqueue.down", STATUS_DOWN, enqueue, detour.db, &job, 1, &result);
	assert_int_equal(rows_of(test, "jobs"), 1);
	/* So that repeating is right, and works. */
	must(enqueue, detour.db, &job, 1, &result);
	assert_int_equal(rows_of(test, "jobs"), 2);
	close_detour(&detour);
}

DB_CASE_ONLY(a_server_that_stays_away_leaves_it_uncertain, SERVERS)
{
	struct detour detour = open_detour(test, SHORT);
	const struct new_job job = { .class_name = "Unknown" };
	struct enqueued result;

	enqueue_one_first(&detour);
	forwarder_cut(&detour.forwarder, FORWARDER_CUT_ANSWER, commit_of(test), FORWARDER_REFUSE);
	must_say("enqueue.uncertain", STATUS_UNCERTAIN, enqueue, detour.db, &job, 1, &result);
	assert_int_equal(result.id, 0);
	/* It can be looked for when the server is back. */
	forwarder_mode(&detour.forwarder, FORWARDER_PASS);
	must(enqueue_resolve, detour.db, &result, 1);
	assert_int_equal(state_of(test, result.id), JOB_READY);
	close_detour(&detour);
}

/* A job as a lost enqueue would leave it, in a transaction of `db` that stays open. */
static struct enqueued insert_uncommitted(struct db *db)
{
	struct enqueued job = { .created_at = INT64_C(1700000000123456) };
	char time[CLOCK_TEXT_SIZE];

	(void)snprintf(job.active_job_id, sizeof(job.active_job_id), "still-under-way");
	clock_format(job.created_at, time);
	test_begin(db);
	sql_execute(db,
		    "INSERT INTO solid_queue_jobs (queue_name, class_name, priority, "
		    "active_job_id, created_at, updated_at) VALUES ('q', 'C', 0, '%s', '%s', '%s')",
		    job.active_job_id, time, time);
	return job;
}

static struct db *open_for(struct test_db *test, int64_t retry_for)
{
	const struct db_options options = { .retry_for = retry_for,
					    .call_timeout = 3 * CLOCK_SECOND };

	struct db *db = test_db_open_with(test->url, &options);
	return db;
}

DB_CASE_ONLY(what_is_still_under_way_is_not_called_absent, SERVERS)
{
	struct db *db = open_for(test, SHORT);
	struct db *other = test_db_open(test->url);
	struct enqueued job = insert_uncommitted(other);

	must_be(STATUS_UNCERTAIN, enqueue_resolve, db, &job, 1);
	test_execute(other, "COMMIT");
	must(enqueue_resolve, db, &job, 1);
	assert_true(job.id > 0);
	db_close(other);
	db_close(db);
}

/* A server held up before its transaction has a number: unseen, it would commit later. */
DB_CASE_ONLY(what_has_not_begun_does_not_come_later, "postgresql")
{
	const struct db_options options = { .retry_for = LONG, .call_timeout = CLOCK_SECOND };
	const char *url = arena_printf(
		test->arena, "%s?options=-c%%20statement_timeout%%3D0%%20-c%%20lock_timeout%%3D0",
		test->url);
	struct db *other = test_db_open(test->url);
	const struct new_job job = { .class_name = "Later" };
	struct enqueued result;

	struct db *db = test_db_open_with(url, &options);
	test_begin(other);
	test_execute(other, "LOCK TABLE solid_queue_jobs IN SHARE MODE");
	must_say("enqueue.down", STATUS_DOWN, enqueue, db, &job, 1, &result);
	test_execute(other, "COMMIT");
	/* A transaction that waits for the table comes before this. */
	test_execute(other, "BEGIN; LOCK TABLE solid_queue_jobs IN ACCESS EXCLUSIVE MODE; COMMIT");
	assert_int_equal(rows_of(test, "jobs"), 0);
	db_close(db);
	db_close(other);
}

DB_CASE_ONLY(what_was_rolled_back_is_absent, SERVERS)
{
	struct db *db = open_for(test, LONG);
	struct db *other = test_db_open(test->url);
	struct enqueued job = insert_uncommitted(other);

	test_execute(other, "ROLLBACK");
	must_be(STATUS_NONE, enqueue_resolve, db, &job, 1);
	assert_int_equal(job.id, 0);
	db_close(other);
	db_close(db);
}

DB_CASE(one_that_was_deleted_since_does_not_hide_the_others)
{
	const struct new_job jobs[] = { { .class_name = "A" }, { .class_name = "B" } };
	struct enqueued results[2];

	must(enqueue, test->db, jobs, 2, results);
	int64_t second = results[1].id;
	must(job_discard, test->db, results[0].id);
	results[0].id = results[1].id = 0;
	must(enqueue_resolve, test->db, results, 2);
	assert_int_equal(results[0].id, 0);
	assert_int_equal(results[1].id, second);
}
