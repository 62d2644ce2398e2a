/* The client's calls on every database, as a program sees them. */
#include <err.h>

#include "tests/library/client.h"
#include "tests/support/limited.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/command.h"

#define SERVERS "postgresql mysql mariadb"
#define SECOND  INT64_C(1000000)

CLIENT_CASE(a_job_is_enqueued_and_found)
{
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "GreetJob", .queue = "mail",
					       .arguments = "{\"name\": \"Ada\"}", .priority = 7,
					       .timeout = 90 * SECOND);
	struct dray_job_info info = DRAY_JOB_INFO();

	test_begin(test->db); /* JB20: of no matter to a client, whose connection is its own */
	expect(dray_enqueue(client, &job, error), DRAY_STATUS_OK, error);
	test_execute(test->db, "ROLLBACK");
	assert_true(job.id > 0);
	assert_int_equal(strlen(job.active_job_id), 36);
	expect(dray_find(client, job.id, &info, error), DRAY_STATUS_OK, error);
	assert_int_equal(info.id, job.id);
	assert_int_equal(info.state, DRAY_STATE_READY);
	assert_int_equal(info.priority, 7);
	assert_string_equal(info.class_name, "GreetJob");
	assert_string_equal(info.queue, "mail");
	assert_string_equal(info.active_job_id, job.active_job_id);
	assert_int_equal(info.created_at, job.created_at);
	assert_contains(info.payload, "\"name\":\"Ada\"");
	assert_contains(info.payload, "\"dray_timeout\":90}");
	assert_null(info.failure);
	assert_null(info.concurrency_key);
}

CLIENT_CASE(many_are_enqueued_in_order)
{
	struct dray_new_job jobs[50];
	struct dray_job_info info = DRAY_JOB_INFO();

	for (size_t i = 0; i < 50; i++)
		jobs[i] =
			(struct dray_new_job)DRAY_NEW_JOB(.class_name = arena_printf(test->arena,
										     "Job%zu", i),
							  .delay = i % 2 == 1 ? 3600 * SECOND : 0);
	expect(dray_enqueue_all(client, jobs, 50, error), DRAY_STATUS_OK, error);
	for (size_t i = 0; i < 50; i++) {
		expect(dray_find(client, jobs[i].id, &info, error), DRAY_STATUS_OK, error);
		assert_string_equal(info.class_name, jobs[i].class_name);
		assert_int_equal(info.state, i % 2 == 1 ? DRAY_STATE_SCHEDULED : DRAY_STATE_READY);
	}
	expect(dray_enqueue_all(client, NULL, 0, error), DRAY_STATUS_OK, error);
	expect(dray_enqueue_all(client, NULL, 1, error), DRAY_STATUS_INVALID, error);
	assert_int_equal(rows_of(test, "jobs"), 50);
}

CLIENT_CASE(bad_input_is_named)
{
	struct dray_new_job jobs[] = { DRAY_NEW_JOB(.class_name = "Good"),
				       DRAY_NEW_JOB(.class_name = "Bad", .arguments = "[1,") };
	struct dray_new_job nameless = DRAY_NEW_JOB();
	struct dray_new_job endless =
		DRAY_NEW_JOB(.class_name = "Bad", .timeout = (int64_t)366 * 86400 * SECOND);

	expect(dray_enqueue_all(client, jobs, 2, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "job 2: arguments: line 1");
	assert_int_equal(error->status, DRAY_STATUS_INVALID);
	assert_int_equal(jobs[0].id, 0);
	expect(dray_enqueue(client, &nameless, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "the class is missing");
	expect(dray_enqueue(client, &nameless, NULL), DRAY_STATUS_INVALID, error);
	expect(dray_enqueue(client, &endless, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "the timeout is longer than 365d");
	endless.timeout = -1;
	expect(dray_enqueue(client, &endless, error), DRAY_STATUS_INVALID, error);
	expect(dray_pause_queue(client, "", error), DRAY_STATUS_INVALID, error);
	expect(dray_pause_queue(client, "\xff", error), DRAY_STATUS_INVALID, error);
	expect(dray_find(client, 1, NULL, error), DRAY_STATUS_INVALID, error);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

/* Structs of other versions: what an older one lacks, and what a newer one asks for. */
CLIENT_CASE(sizes_tell_versions)
{
	struct newer_job {
		struct dray_new_job known;
		int64_t added;
	} newer = { .known = DRAY_NEW_JOB(.class_name = "Newer") };
	struct newer_job two[2];
	struct dray_new_job unmade = { .class_name = "Unmade" };

	expect(dray_enqueue(client, &unmade, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "DRAY_NEW_JOB");
	newer.known.size = sizeof(newer);
	expect(dray_enqueue(client, &newer.known, error), DRAY_STATUS_OK, error);
	two[0] = two[1] = newer;
	expect(dray_enqueue_all(client, &two[0].known, 2, error), DRAY_STATUS_OK, error);
	assert_true(two[1].known.id > two[0].known.id);
	two[1].added = 1;
	expect(dray_enqueue_all(client, &two[0].known, 2, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "job 2: DRAY_NEW_JOB: a member is set that");
	assert_int_equal(rows_of(test, "jobs"), 3);
}

static int64_t fail_a_job(struct test_db *test)
{
	size_t count;
	int64_t id = put(test->db, "failing", 0);
	int64_t process = register_worker(test->db, "worker-1");
	struct claim *claims =
		take(test, process, (const char *const[]){ "failing", NULL }, 1, &count);

	assert_int_equal(count, 1);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
	return id;
}

CLIENT_CASE(failed_jobs_are_retried)
{
	struct dray_job_info info = DRAY_JOB_INFO();
	int64_t id = fail_a_job(test);

	expect(dray_find(client, id, &info, error), DRAY_STATUS_OK, error);
	assert_int_equal(info.state, DRAY_STATE_FAILED);
	assert_contains(info.failure, "exception_class");
	expect(dray_retry(client, id, error), DRAY_STATUS_OK, error);
	expect(dray_retry(client, id, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "ready");
	expect(dray_retry(client, id + 1000, error), DRAY_STATUS_NONE, error);
	assert_int_equal(state_of(test, id), JOB_READY);
}

CLIENT_CASE(jobs_are_discarded)
{
	struct dray_job_info info = DRAY_JOB_INFO();
	int64_t id = put(test->db, "q", 0);

	expect(dray_discard(client, id, error), DRAY_STATUS_OK, error);
	expect(dray_discard(client, id, error), DRAY_STATUS_NONE, error);
	expect(dray_find(client, id, &info, error), DRAY_STATUS_NONE, error);
	assert_contains(error->text, "no such job");
}

CLIENT_CASE(queues_are_paused_and_resumed)
{
	for (int i = 0; i < 2; i++)
		expect(dray_pause_queue(client, "mail", error), DRAY_STATUS_OK, error);
	assert_int_equal(rows_of(test, "pauses"), 1);
	for (int i = 0; i < 2; i++)
		expect(dray_resume_queue(client, "mail", error), DRAY_STATUS_OK, error);
	assert_int_equal(rows_of(test, "pauses"), 0);
}

DB_CASE_ON_EMPTY(a_database_without_tables_is_refused)
{
	struct dray_client *client = NULL;
	struct dray_error error = { 0 };

	expect(dray_open(test->url, NULL, &client, &error), DRAY_STATUS_INVALID, &error);
	assert_contains(error.text, "dray db migrate");
	assert_null(client);
}

TEST_ONLY(what_cannot_be_opened_is_explained, "sqlite")
{
	const struct dray_options unmade = { .call_timeout = 1 };
	struct dray_client *client = NULL;
	struct dray_error error = { 0 };

	expect(dray_open("oracle://somewhere", NULL, &client, &error), DRAY_STATUS_INVALID, &error);
	expect(dray_open(NULL, NULL, &client, &error), DRAY_STATUS_INVALID, &error);
	expect(dray_open("sqlite3:/proc", NULL, &client, &error), DRAY_STATUS_DOWN, &error);
	expect(dray_open("sqlite3:none/x", NULL, &client, &error), DRAY_STATUS_INVALID, &error);
	assert_int_not_equal(access("none", F_OK), 0);
	expect(dray_open("sqlite3:x", &unmade, &client, &error), DRAY_STATUS_INVALID, &error);
	assert_contains(error.text, "DRAY_OPTIONS");
	expect(dray_enqueue(NULL, NULL, &error), DRAY_STATUS_MISUSE, &error);
	assert_null(client);
	dray_close(NULL);
	assert_true(strlen(dray_version()) >= 5);
	assert_string_equal(dray_status_name((enum dray_status)99), "unknown");
}

struct inherited {
	struct dray_client *client;
	struct test_db *test;
};

static int use_inherited(unsigned index, void *data)
{
	struct inherited *inherited = data;
	struct dray_error error = { 0 };
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Child");

	(void)index;
	expect(dray_enqueue(inherited->client, &job, &error), DRAY_STATUS_MISUSE, &error);
	assert_contains(error.text, "another process");
	dray_close(inherited->client);
	/* One of its own works. */
	struct dray_client *own = open_client(inherited->test->url, NULL);
	expect(dray_enqueue(own, &job, &error), DRAY_STATUS_OK, &error);
	dray_close(own);
	return 0;
}

CLIENT_CASE(a_forked_child_is_refused_and_harms_nothing)
{
	struct inherited inherited = { client, test };
	const struct test_function function = { .run = use_inherited, .data = &inherited };
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Parent");

	test_in_children(&function, 1);
	expect(dray_enqueue(client, &job, error), DRAY_STATUS_OK, error);
	assert_int_equal(rows_of(test, "jobs"), 2);
}

static struct dray_client *open_through(struct test_db *test, struct forwarder *forwarder)
{
	const struct dray_options options = DRAY_OPTIONS(.retry_for = SECOND / 2);

	return open_client(forwarder_url(forwarder, test->arena, test->url), &options);
}

DB_CASE_ONLY(a_lost_connection_is_made_anew, SERVERS)
{
	struct forwarder forwarder;
	struct dray_client *client = open_through(test, &forwarder);
	struct dray_error error = { 0 };
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Again");
	struct sigaction action;

	(void)signal(SIGPIPE, SIG_DFL);
	forwarder_mode(&forwarder, FORWARDER_REFUSE);
	for (int i = 0; i < 3; i++)
		assert_int_not_equal(dray_enqueue(client, &job, &error), DRAY_STATUS_OK);
	forwarder_mode(&forwarder, FORWARDER_PASS);
	expect(dray_enqueue(client, &job, &error), DRAY_STATUS_OK, &error);
	/* And writing to a server that has left did not end us, although SIGPIPE would. */
	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_DFL);
	dray_close(client);
	forwarder_stop(&forwarder);
}

/* In a program of its own, where nothing has used the client libraries before. */
__attribute__((constructor)) static void check_signals(void)
{
	const char *url = getenv("CHECK_SIGNALS");
	struct sigaction before[NSIG] = { 0 };
	struct sigaction after = { 0 };

	if (!url)
		return;
	(void)signal(SIGPIPE, SIG_DFL); /* the test's own may have come along */
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, NULL, &before[i]);
	dray_close(open_client(url, NULL));
	for (int i = 1; i < NSIG; i++)
		if (sigaction(i, NULL, &after) == 0 && after.sa_handler != before[i].sa_handler)
			errx(1, "signal %d has another handler", i);
	exit(0); /* NOLINT(concurrency-mt-unsafe): no thread yet */
}

DB_CASE(signal_handlers_are_left_alone)
{
	const char *url = arena_printf(test->arena, "CHECK_SIGNALS=%s", test->url);
	const struct test_command command = { .arguments = (const char *const[]){ NULL },
					      .environment = (const char *const[]){ url, NULL },
					      .program = "/proc/self/exe" };
	struct test_result result = test_command_run(test->arena, &command);

	if (result.code != 0)
		fail_msg("exit %d: %s", result.code, result.errors);
}

DB_CASE_ONLY(an_uncertain_enqueue_can_be_resolved, SERVERS)
{
	const char *commit = strcmp(test->backend, "postgresql") == 0 ? "" : "COMMIT";
	struct forwarder forwarder;
	struct dray_client *client = open_through(test, &forwarder);
	struct dray_error error = { 0 };
	struct dray_new_job first = DRAY_NEW_JOB(.class_name = "First");
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Unsure");

	expect(dray_resolve(client, &job, 1, &error), DRAY_STATUS_NONE, &error);
	expect(dray_enqueue(client, &first, &error), DRAY_STATUS_OK, &error);
	forwarder_cut(&forwarder, FORWARDER_CUT_ANSWER, commit, FORWARDER_REFUSE);
	expect(dray_enqueue(client, &job, &error), DRAY_STATUS_UNCERTAIN, &error);
	assert_int_equal(job.id, 0);
	forwarder_mode(&forwarder, FORWARDER_PASS);
	expect(dray_resolve(client, &job, 1, &error), DRAY_STATUS_OK, &error);
	assert_int_equal(state_of(test, job.id), JOB_READY);
	dray_close(client);
	forwarder_stop(&forwarder);
	assert_int_equal(rows_of(test, "jobs"), 2);
}

CLIENT_CASE(jobs_are_cancelled)
{
	struct dray_job_info info = DRAY_JOB_INFO();
	int64_t id = put(test->db, "q", 0);

	expect(dray_cancel(client, id, "it is not needed", error), DRAY_STATUS_OK, error);
	expect(dray_cancel(client, id, NULL, error), DRAY_STATUS_INVALID, error);
	expect(dray_find(client, id, &info, error), DRAY_STATUS_OK, error);
	assert_int_equal(info.state, DRAY_STATE_FINISHED);
	expect(dray_cancel(client, id + 1000, NULL, error), DRAY_STATUS_NONE, error);
}

/* What on_conflict discards has no id; what it does not may wait. */
CLIENT_CASE(a_discarded_job_has_no_id)
{
	struct dray_new_job jobs[] = {
		DRAY_NEW_JOB(.class_name = "Once", .concurrency_key = "Once/1"),
		DRAY_NEW_JOB(.class_name = "Once", .concurrency_key = "Once/1"),
	};

	declare(test, "Once", 1, LIMIT_DISCARD);
	expect(dray_enqueue_all(client, jobs, 2, error), DRAY_STATUS_OK, error);
	assert_true(jobs[0].id > 0);
	assert_int_equal(jobs[1].id, 0);
}
