#include "tests/support/queue.h"

const char test_failure[] = "{\"exception_class\":\"TestError\",\"message\":\"no\","
			    "\"backtrace\":[\"a:1\"]}";

const struct loss_policy test_policy = { .max_losses = 3, .keep_attempts = 20 };
const struct loss_policy fail_all = { .max_losses = 0, .keep_attempts = 20 };
const struct prune test_patience = { 0, 30 * CLOCK_SECOND, 5 * CLOCK_MINUTE };

struct test_db own_open(const struct test_db *test)
{
	struct test_db own = *test;

	own.db = test_db_open(own.url);
	own.arena = arena_new();
	return own;
}

void own_close(struct test_db *own)
{
	arena_free(own->arena);
	db_close(own->db);
}

int64_t put_job(struct db *db, const struct new_job *job)
{
	struct enqueued result;

	must(enqueue, db, job, 1, &result);
	return result.id;
}

int64_t put(struct db *db, const char *queue, int priority)
{
	const struct new_job job = {
		.class_name = "Test", .queue = queue, .has_priority = true, .priority = priority
	};

	return put_job(db, &job);
}

int64_t put_for_later(struct db *db, const char *class_name, const char *queue)
{
	const struct new_job job = { .class_name = class_name,
				     .queue = queue,
				     .delay = CLOCK_HOUR };

	return put_job(db, &job);
}

char *repeat(struct arena *arena, char what, size_t times)
{
	char *text = arena_alloc(arena, times + 1);

	memset(text, what, times);
	text[times] = '\0';
	return text;
}

size_t more_than_a_packet(const struct test_db *test, size_t bytes)
{
	int64_t most = INT64_C(8) << 20; /* what test.sh starts servers with */

	if (db_dialect_of(test->db) == DB_MYSQL)
		most = test_query_int(test->url, "SELECT LEAST(@@max_allowed_packet, 16777216)");
	return (size_t)most / bytes + 2;
}

void put_copies(struct test_db *test, const struct new_job *job, size_t count)
{
	struct new_job *jobs = arena_array(test->arena, count, sizeof(*jobs));
	struct enqueued *results = arena_array(test->arena, count, sizeof(*results));

	for (size_t i = 0; i < count; i++)
		jobs[i] = *job;
	must(enqueue, test->db, jobs, count, results);
}

int64_t register_process(struct db *db, const char *kind, const char *name, const char *metadata)
{
	struct process_row row = {
		.kind = kind, .name = name, .pid = 1, .hostname = "test", .metadata = metadata
	};

	must(process_register, db, &row);
	return row.id;
}

int64_t register_ours(struct test_db *test, const char *name)
{
	return register_process(test->db, "Worker", name, TEST_OURS);
}

int64_t register_worker(struct db *db, const char *name)
{
	return register_process(
		db, "Worker", name,
		"{\"software\":\"dray test\",\"cancels\":true,\"heartbeat_interval\":5}");
}

struct claim *take(struct test_db *test, int64_t process, const char *const *queues, size_t limit,
		   size_t *count)
{
	struct selector selector;
	size_t queue_count = 0;
	struct claim *claims = NULL;

	while (queues[queue_count])
		queue_count++;
	must(selector_compile, test->arena, queues, queue_count, &selector);
	struct claim_request claim = { .selector = &selector,
				       .process_id = process,
				       .limit = limit };
	struct settle_request request = { .process_id = process, .claim = &claim };
	must(settle, test->db, test->arena, &request, &claims, count);
	return claims;
}

struct claim *take_some(struct test_db *test, int64_t process, size_t limit, size_t *count)
{
	static const char *const all[] = { "*", NULL };

	return take(test, process, all, limit, count);
}

struct claim *take_all(struct test_db *test, int64_t process, size_t expected)
{
	size_t count;
	struct claim *claims = take_some(test, process, 1000, &count);

	assert_int_equal(count, expected);
	return claims;
}

bool settle_one(struct db *db, const struct claim *claim, enum outcome_kind kind)
{
	struct arena *arena = arena_new();
	struct error error = { 0 };
	struct outcome outcome = { .claim = claim_name(claim),
				   .kind = kind,
				   .limited = claim->job.concurrency_key != NULL,
				   .error = outcome_rules[kind].in_history ? test_failure : NULL };
	struct settle_request request = { .process_id = claim->job.process_id,
					  .outcomes = &outcome,
					  .outcome_count = 1,
					  .preserve_finished_jobs = true };
	struct claim *claims;
	size_t count;

	assert_ok(settle(db, arena, &request, &claims, &count, &error), &error);
	arena_free(arena);
	return !outcome.refused;
}

void settle_only(struct test_db *test, struct settle_request *request)
{
	struct claim *none;
	size_t count;

	must(settle, test->db, test->arena, request, &none, &count);
}

void settle_outcomes(struct test_db *test, struct outcome outcomes[], size_t count, bool preserve)
{
	struct settle_request request = { .process_id = outcomes[0].claim.process_id,
					  .outcomes = outcomes,
					  .outcome_count = count,
					  .preserve_finished_jobs = preserve };

	settle_only(test, &request);
}

void finish_claims(struct test_db *test, const struct claim claims[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
}

void finish_jobs(struct test_db *test, int64_t process, size_t count)
{
	finish_claims(test, take_all(test, process, count), count);
}

int64_t discard_ready(struct test_db *test, const char *queue)
{
	const struct job_filter ready = { .has_state = true, .state = JOB_READY, .queue = queue };
	int64_t count;

	must(job_discard_all, test->db, &ready, &count);
	return count;
}

int64_t retry_failed(struct test_db *test, const char *queue)
{
	const struct job_filter filter = { .queue = queue };
	int64_t count;

	must(job_retry_all, test->db, &filter, &count);
	return count;
}

int64_t clear_finished(struct test_db *test, int64_t before, const char *class_name, int limit)
{
	int64_t count;

	must(job_clear_finished, test->db, before, class_name, limit, &count);
	return count;
}

void put_attempt(struct test_db *test, int64_t id, const char *outcome)
{
	sql_execute(test->db,
		    "INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, "
		    "outcome) VALUES (%" PRId64 ", 1, 1, '2026-01-01 00:00:00', "
		    "'2026-01-01 00:00:00', '%s')",
		    id, outcome);
}

void make_due(struct test_db *test)
{
	sql_do(test, "UPDATE solid_queue_scheduled_executions SET scheduled_at = '2026-01-01 "
		     "00:00:00'");
}

int64_t dispatch_due(struct test_db *test, int limit)
{
	int64_t moved;

	must(dispatch, test->db, &(struct dispatching){ 0 }, limit, &moved);
	return moved;
}

size_t sweep_pauses(struct test_db *test, int64_t *next)
{
	struct pause_row *ended;
	size_t count;

	must(pause_sweep, test->db, test->arena, &ended, &count, next);
	return count;
}

bool pause_queue(struct test_db *test, const char *name)
{
	bool changed;

	must(queue_pause, test->db, name, &changed);
	return changed;
}

bool resume_queue(struct test_db *test, const char *name)
{
	bool changed;

	must(queue_resume, test->db, name, &changed);
	return changed;
}

void declare_losses(struct db *db, const char *class_name, int64_t max_losses)
{
	const struct class_policy class = { .name = class_name, .max_losses = max_losses };

	must(classes_publish, db, &class, 1);
}

struct loss_result bury(struct test_db *test, const char *name, const struct loss_policy *policy)
{
	const struct burial burial = { name, 1, "Exited with status 1." };
	struct loss_result result;

	must(process_bury, test->db, &burial, policy, &result);
	return result;
}

struct loss_result prune_dead(struct test_db *test, const struct prune *prune,
			      const struct loss_policy *policy)
{
	struct loss_result result;

	must(process_prune, test->db, prune, policy, &result);
	return result;
}

struct loss_result lose_orphans(struct test_db *test, const struct loss_policy *policy)
{
	struct loss_result result;

	must(process_lose_orphans, test->db, policy, &result);
	return result;
}

void set_heartbeats(struct test_db *test, const char *time)
{
	sql_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '%s'", time);
}

void fall_silent(struct test_db *test, const char *name, int64_t ago)
{
	char time[CLOCK_TEXT_SIZE];

	clock_format(db_now(test->db) - ago, time);
	sql_execute(test->db,
		    "UPDATE solid_queue_processes SET last_heartbeat_at = '%s' WHERE name = '%s'",
		    time, name);
}

/* How the counter of claims is set: SET number REST. */
static const struct counter {
	const char *set, *rest;
	const char *lowest;      /* the number above all that are there */
	const char *begin, *end; /* around it, to keep claims away meanwhile */
} counters[] = {
	[DB_SQLITE] = { .set = "UPDATE sqlite_sequence SET seq = -1 +",
			.rest = "WHERE name = 'solid_queue_claimed_executions'",
			.lowest = "(SELECT COALESCE(max(id), 0) + 1"
				  " FROM solid_queue_claimed_executions)",
			.begin = "",
			.end = "" },
	[DB_POSTGRESQL] = { .set = "SELECT setval('solid_queue_claimed_executions_id_seq',",
			    .rest = ", false)",
			    .lowest = "(SELECT COALESCE(max(id), 0) + 1"
				      " FROM solid_queue_claimed_executions)",
			    .begin = "BEGIN; LOCK TABLE solid_queue_claimed_executions"
				     " IN EXCLUSIVE MODE;",
			    .end = "; COMMIT" },
	/* goes up by itself to what is free */
	[DB_MYSQL] = { .set = "ALTER TABLE solid_queue_claimed_executions AUTO_INCREMENT =",
		       .rest = "",
		       .lowest = "1",
		       .begin = "",
		       .end = "" },
};

void set_claims_back(struct test_db *test, int64_t number)
{
	const struct counter *counter = &counters[db_dialect_of(test->db)];

	/* No lock where the number is known: a process that stands still may have locked claims. */
	if (number > 0)
		sql_execute(test->db, "%s %" PRId64 " %s", counter->set, number, counter->rest);
	else
		sql_execute(test->db, "%s %s %s %s %s", counter->begin, counter->set,
			    counter->lowest, counter->rest, counter->end);
}

void forget_claim(struct test_db *test, const struct claim *claim)
{
	sql_execute(test->db, "DELETE FROM solid_queue_claimed_executions WHERE id = %" PRId64,
		    claim->id);
	sql_execute(test->db,
		    "INSERT INTO solid_queue_ready_executions"
		    " (job_id, queue_name, priority, created_at)"
		    " SELECT id, queue_name, priority, created_at"
		    " FROM solid_queue_jobs WHERE id = %" PRId64,
		    claim->job.id);
	set_claims_back(test, claim->id);
}

struct job find_job(struct test_db *test, int64_t id)
{
	struct job job;

	must(job_find, test->db, test->arena, id, &job);
	return job;
}

void assert_lost(struct test_db *test, int64_t id, const char *name, const char *message)
{
	const char *expected = arena_printf(test->arena,
					    "{\"exception_class\":\"SolidQueue::Processes::%s\","
					    "\"message\":\"%s\",\"backtrace\":null}",
					    name, message);

	assert_string_equal(find_job(test, id).error, expected);
}

enum job_state state_of(struct test_db *test, int64_t id)
{
	struct error error = { 0 };
	struct job job;
	enum status status = job_find(test->db, test->arena, id, &job, &error);

	if (status == STATUS_NONE)
		return JOB_STATES;
	assert_ok(status, &error);
	return job.state;
}

void test_assert_states(struct test_db *test, const int64_t list[], size_t count, const char *file,
			int line)
{
	for (size_t i = 0; i < count; i += 2)
		_assert_int_equal(state_of(test, list[i]), (uint64_t)list[i + 1], file, line);
}

struct queue_row *queue_row_of(struct test_db *test, const char *name)
{
	struct queue_row *rows;
	size_t count;

	must(queue_list, test->db, test->arena, &rows, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

int64_t rows_of(struct test_db *test, const char *table)
{
	return sql_number(test, "SELECT count(*) FROM solid_queue_%s", table);
}

int64_t runs_of(struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM dray_recurring_runs");
}
