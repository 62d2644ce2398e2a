#include "common/text/text.h"
#include "tests/support/plan/plan.h"

#define QUEUES 20
#define BATCH  1000
#define IDLE   12 /* a process that holds nothing yet; MySQL rounds up to 11 */
#define NOW    (INT64_C(1767225600) * CLOCK_SECOND) /* 2026-01-01 00:00 */

/* For a table. */
#define INT(v)                                                                                     \
	{                                                                                          \
		.type = DB_INT, .number = (v)                                                      \
	}
#define BOOL(v)                                                                                    \
	{                                                                                          \
		.type = DB_BOOL, .number = (v)                                                     \
	}
#define TEXT(v)                                                                                    \
	{                                                                                          \
		.type = DB_TEXT, .text = (v)                                                       \
	}
#define TIME(v)                                                                                    \
	{                                                                                          \
		.type = DB_TIME, .number = (v)                                                     \
	}
#define IDS(v, c)                                                                                  \
	{                                                                                          \
		.type = DB_IDS, .ids = (v), .count = (c)                                           \
	}

/* An operation's own meaning of a parameter stands before the parameter's usual one. */
struct sample {
	const char *operations; /* NULL = any */
	const char *name;
	struct db_value value;
	bool optional; /* may be NULL */
};

static const int64_t ids[] = { 3, 7, 12 };

static const struct sample samples[] = {
	{ "batches_leave cancel cancel_running claims_missing clear_jobs cancellations_forget "
	  "cancellations_of ends_at "
	  "discard "
	  "dispatch_jobs "
	  "dispatch_limited slots_adopt "
	  "slots_adopt_several "
	  "slots_free "
	  "slots_gate slots_missing slots_of doctor_beyond mend_beyond mend_nowhere mend_strays "
	  "mend_times mend_twice jobs_named lost_jobs run_now arrange mend_sequences",
	  "jobs", IDS(ids, 3) },
	{ "enqueue_keys", "keys",
	  TEXT("[{\"key\":\"other\",\"position\":1,"
	       "\"active_job_id\":\"00000012-0000-7000-8000-000000000000\"}]") },
	{ "recurring_busy recurring_forget", "keys", TEXT("[\"task_3\",\"task_7\"]") },
	{ NULL, "runs",
	  TEXT("[{\"active_job_id\":\"00000012-0000-7000-8000-000000000000\","
	       "\"task_key\":\"task_3\",\"run_at\":\"2026-01-01 00:00:00\","
	       "\"outcome\":\"missed\"}]") },
	{ NULL, "tasks",
	  TEXT("[{\"key\":\"task_3\",\"schedule\":\"every hour\",\"rails\":\"0 * * * *\","
	       "\"class_name\":\"Import\",\"settings\":\"{}\"}]") },
	{ "recurring_clear audit_clear gone_clear", "before", TIME(NOW) },
	{ "recurring_add", "key", TEXT("new") },
	{ "recurring_change recurring_find recurring_history recurring_pause recurring_ran "
	  "recurring_remove recurring_resume",
	  "key", TEXT("task_3") },
	{ NULL, "arguments", TEXT("[]"), true },
	{ NULL, "besides", TEXT("manual") },
	{ NULL, "description", TEXT("why"), true },
	{ NULL, "queue_name", TEXT("queue_03"), true },
	{ NULL, "run_at", TIME(NOW) },
	{ NULL, "rails", TEXT("0 * * * *") },
	{ NULL, "schedule", TEXT("every hour") },
	{ NULL, "seen", TIME(NOW) },
	{ NULL, "settings", TEXT("{}") },
	{ NULL, "keys", TEXT("[{\"key\":\"key\",\"class_name\":\"Import\",\"position\":0}]") },
	{ "enqueue", "jobs",
	  TEXT("[{\"position\":0,\"queue_name\":\"queue_03\",\"class_name\":\"Import\","
	       "\"arguments\":\"{}\",\"priority\":0,"
	       "\"active_job_id\":\"00000000-0000-7000-8000-000000000001\","
	       "\"scheduled_at\":\"2026-01-01 00:00:00.000000\"}]") },
	{ "enqueue_limited", "jobs",
	  TEXT("[{\"position\":0,\"queue_name\":\"queue_03\",\"class_name\":\"Import\","
	       "\"arguments\":\"{}\",\"priority\":0,\"concurrency_key\":\"key\","
	       "\"active_job_id\":\"00000000-0000-7000-8000-000000000001\","
	       "\"scheduled_at\":\"2026-01-01 00:00:00.000000\"}]") },
	{ "retry", "jobs", TEXT("[{\"job_id\":13,\"arguments\":\"{}\"}]") },
	{ "found", "jobs", TEXT("[{\"active_job_id\":\"00000012-0000-7000-8000-000000000000\"}]") },
	{ "audit", "action", TEXT("pause"), true },
	{ "audit_begin", "action", TEXT("retry") },
	{ "audit", "since", TIME(NOW) },
	{ "refuse", "name", TEXT("12") },
	{ "refuse", "since", TIME(NOW) },
	{ NULL, "forget_before", TIME(NOW) },
	{ NULL, "scheduled_at", TIME(NOW) },
	{ "throughput", "until", TIME(NOW + CLOCK_HOUR) },
	{ NULL, "active_job_id", TEXT("00000012-0000-7000-8000-000000000000") },
	{ "slots_examine", "after", TEXT("") },
	{ NULL, "after", INT(1000) },
	{ NULL, "before", INT(10000) },
	{ "clear_finished clear_next finished_before", "before", TIME(NOW + 1000 * CLOCK_SECOND) },
	{ NULL, "claim", INT(12) },
	{ NULL, "job_id", INT(12) },
	{ "cancellations_forget", "claims", IDS(ids, 3) },
	{ NULL, "claims",
	  TEXT("[{\"id\":12,\"job_id\":12,\"process_id\":3,"
	       "\"created_at\":\"2026-01-01 00:00:00\"}]") },
	{ NULL, "class_name", TEXT("Import"), true },
	{ "classes_publish classes_introduce", "classes",
	  TEXT("[{\"class_name\":\"Import\",\"position\":0,\"max_losses\":3,"
	       "\"slots\":2,\"duration_ms\":1000,\"on_conflict\":\"block\","
	       "\"own_rows\":1}]") },
	{ NULL, "classes", TEXT("[\"Import\",\"Export\"]"), true },
	{ NULL, "alike", INT(0) },
	{ NULL, "keep", INT(20) },
	{ "audit_add process_lose", "audit", INT(12) },
	{ NULL, "count", INT(3) },
	{ NULL, "audit", INT(12), true },
	{ NULL, "ends_at", TIME(NOW), true },
	{ NULL, "advice", TEXT("Start one.") },
	{ NULL, "away_since", TIME(NOW), true },
	{ NULL, "dead", TEXT("0") },
	{ NULL, "ended_at", TIME(NOW), true },
	{ NULL, "epoch", INT(1) },
	{ NULL, "latest", TIME(NOW) },
	{ NULL, "said", TEXT("No worker serves it.") },
	{ "finding_begin", "since", TIME(NOW), true },
	{ NULL, "subject", TEXT("queue_03") },
	{ NULL, "told", TEXT("0") },
	{ NULL, "error", TEXT("{}") },
	{ NULL, "failures",
	  TEXT("[{\"id\":12,\"job_id\":12,\"process_id\":3,"
	       "\"created_at\":\"2026-01-01 00:00:00\",\"attempt\":1,"
	       "\"began_at\":\"2026-01-01 00:00:00\",\"due\":\"2026-01-01 00:00:00\","
	       "\"outcome\":\"retried\","
	       "\"ended_at\":\"2026-01-01 "
	       "00:00:00\",\"error\":\"{}\",\"error_group\":\"0123abcd\"}]") },
	{ NULL, "heartbeat_before", TIME(NOW), true },
	{ NULL, "last_heartbeat_at", TIME(NOW) },
	{ NULL, "how", TEXT("Exited.") },
	{ NULL, "heartbeat_after", TIME(NOW), true },
	{ NULL, "more", INT(16) },
	{ NULL, "from_job", INT(0) },
	{ NULL, "from_priority", INT(INT32_MIN) },
	{ NULL, "host", TEXT("host"), true },
	{ NULL, "hostname", TEXT("host"), true },
	{ NULL, "id", INT(12) },
	{ NULL, "key", TEXT("key") },
	{ NULL, "kind", TEXT("Worker") },
	{ "resume_other pause_name", "kind", TEXT("class") },
	{ NULL, "pattern", TEXT("queue_*") },
	{ NULL, "under", INT(0) },
	{ NULL, "length", INT(100) },
	{ NULL, "limit", INT(10) },
	{ NULL, "max_losses", INT(3) },
	{ "claim_eligible first_eligible", "max_losses", INT(3), true },
	{ NULL, "others", TEXT("[\"RubyJob\"]"), true },
	{ NULL, "metadata", TEXT("{}"), true },
	{ NULL, "minute", TIME(NOW) },
	{ NULL, "most", INT(100) },
	{ NULL, "scheduled", INT(100) },
	{ NULL, "newest", INT(12), true },
	{ NULL, "passed", INT(40) },
	{ NULL, "name", TEXT("worker-3") },
	{ NULL, "now", TIME(NOW) },
	{ NULL, "pid", INT(1) },
	{ NULL, "priority", INT(INT32_MAX) },
	{ "claim claim_eligible claim_queue claim_window", "process_id", INT(IDLE) },
	{ NULL, "process_id", INT(3) },
	{ "jobs arrange finished_before", "queue", TEXT("queue_03"), true },
	{ "arrange", "priority", INT(3), true },
	{ "clear_finished clear_next", "queue", { .type = DB_NULL }, true },
	{ "jobs", "key", TEXT("key"), true },
	{ "jobs", "since", TIME(0), true },
	{ "jobs", "until", TIME(NOW), true },
	{ "jobs", "after", INT(0) },
	{ NULL, "queue", TEXT("queue_03") },
	{ NULL, "queues", TEXT("[{\"position\":0,\"prefix\":1,\"name\":\"queue\"}]"), true },
	{ NULL, "reason", TEXT("deploy"), true },
	{ NULL, "requested_by", TEXT("ann@web") },
	{ NULL, "schema", TEXT("public"), true },
	{ NULL, "since", TIME(NOW) },
	{ NULL, "state", TEXT("done") },
	{ NULL, "supervisor_id", INT(1), true },
	{ NULL, "target", TEXT("queue mail") },
	{ NULL, "text", TEXT("%timeout%") },
	{ NULL, "error_group", TEXT("0123abcd") },
	{ NULL, "until", TIME(NOW) },
	{ NULL, "who", TEXT("root"), true },
	{ NULL, "to_job", INT(200) },
	{ NULL, "to_priority", INT(0) },
};

/* "jobs" stands for its relatives, jobs_ready and so on, too. */
static bool means(const struct sample *sample, const char *operation, const char *parameter)
{
	if (strcmp(sample->name, parameter) != 0)
		return false;
	for (const char *at = sample->operations; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		size_t length = strcspn(at, " ");
		bool relative = length == 4 && strncmp(at, "jobs", 4) == 0 && operation[4] == '_';
		if (strncmp(at, operation, length) == 0 && (!operation[length] || relative))
			return true;
	}
	return !sample->operations;
}

static struct db_value sample_of(const char *operation, const char *parameter, bool sparse)
{
	const struct sample *found = NULL;

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		if (means(&samples[i], operation, parameter) &&
		    (!found || (samples[i].operations && !found->operations)))
			found = &samples[i];
	if (!found)
		fail_msg("%s: no sample for :%s in tests/support/plan/sample.c", operation,
			 parameter);
	if (sparse && found->optional)
		return P_NULL;
	return found->value;
}

const struct db_value *plan_values(struct arena *arena, const struct script *script, bool sparse)
{
	struct db_value *values = arena_array(arena, script->parameter_count + 1, sizeof(*values));

	for (unsigned i = 0; i < script->parameter_count; i++)
		values[i] = sample_of(script->name, script->parameters[i], sparse);
	return values;
}

/* A time of day 1, or with `later` of the second; the number of the job sets it. */
static void format_time(char time[CLOCK_TEXT_SIZE], unsigned job, bool later)
{
	clock_format(NOW - CLOCK_DAY + job * CLOCK_SECOND + (later ? 2 * CLOCK_DAY : 0), time);
}

/* One job; the remainder of its number by 20 is its state. */
static void add_job(struct text *sql, unsigned job)
{
	unsigned state = job % 20;
	char scheduled[CLOCK_TEXT_SIZE];
	char finished[CLOCK_TEXT_SIZE];

	format_time(scheduled, job, state == 8 || state == 9);
	format_time(finished, job, false);
	text_printf(sql, "('queue_%02u', '%s', '{}', %u, ", job / 20 % QUEUES,
		    job % 3 == 0 ? "Import" : "Export", job / 7 % 10);
	text_printf(sql, "'%08u-0000-7000-8000-000000000000', '%s', ", job, scheduled);
	if (state < 15)
		text_add(sql, "NULL, ");
	else
		text_printf(sql, "'%s', ", finished);
	text_printf(sql, "%s, '2026-01-01 00:00:00', '2026-01-01 00:00:00')",
		    state == 14 ? "'key'" : "NULL");
}

static void add_jobs(struct text *sql, unsigned first, unsigned count)
{
	text_add(sql, "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, "
		      "active_job_id, scheduled_at, finished_at, concurrency_key, created_at, "
		      "updated_at) VALUES ");
	for (unsigned job = first; job < first + count; job++) {
		text_add(sql, job > first ? ",\n" : "");
		add_job(sql, job);
	}
}

/* From the jobs above a number to where their state is. */
static const struct {
	const char *into; /* the columns of the table and what they are selected as */
	const char *states;
} executions[] = {
	{ "ready_executions (job_id, queue_name, priority, created_at) "
	  "SELECT id, queue_name, priority, created_at",
	  "BETWEEN 0 AND 7" },
	{ "scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at) "
	  "SELECT id, queue_name, priority, scheduled_at, created_at",
	  "BETWEEN 8 AND 10" },
	{ "claimed_executions (job_id, process_id, created_at) "
	  "SELECT id, id / 20 % 10 + 1, created_at",
	  "= 11" },
	{ "failed_executions (job_id, error, created_at) SELECT id, '{}', created_at",
	  "BETWEEN 12 AND 13" },
	{ "blocked_executions "
	  "(job_id, queue_name, priority, concurrency_key, expires_at, created_at) "
	  "SELECT id, queue_name, priority, concurrency_key, created_at, created_at",
	  "= 14" },
};

static void add_executions(struct test_db *test, int64_t first)
{
	sql_execute(test->db,
		    "INSERT INTO dray_losses (job_id, losses, last_lost_at) "
		    "SELECT id, 1, created_at FROM solid_queue_jobs "
		    "WHERE id >= %lld AND (id - %lld) %% 20 IN (0, 11, 12)",
		    (long long)first, (long long)first);
	sql_execute(test->db,
		    "INSERT INTO dray_keys (job_id, position, concurrency_key) "
		    "SELECT id, 1, 'other' FROM solid_queue_jobs "
		    "WHERE id >= %lld AND (id - %lld) %% 20 = 14",
		    (long long)first, (long long)first);
	for (size_t i = 0; i < sizeof(executions) / sizeof(executions[0]); i++)
		sql_execute(test->db,
			    "INSERT INTO solid_queue_%s FROM solid_queue_jobs "
			    "WHERE id >= %lld AND (id - %lld) %% 20 %s",
			    executions[i].into, (long long)first, (long long)first,
			    executions[i].states);
}

void plan_analyze(struct test_db *test)
{
	static const char *const tables[] = { "solid_queue_jobs",
					      "solid_queue_ready_executions",
					      "solid_queue_scheduled_executions",
					      "solid_queue_claimed_executions",
					      "solid_queue_failed_executions",
					      "solid_queue_blocked_executions",
					      "solid_queue_processes",
					      "solid_queue_pauses",
					      "dray_losses",
					      "dray_classes",
					      "dray_slots",
					      "dray_keys",
					      "dray_pauses",
					      "dray_audit",
					      "dray_attempts",
					      "dray_gone" };

	if (db_dialect_of(test->db) != DB_MYSQL) {
		test_execute(test->db, "ANALYZE");
		return;
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		sql_execute(test->db, "ANALYZE TABLE %s", tables[i]);
}

/*
 * PostgreSQL keeps the pages of tables that were emptied, and of their indexes, and reckons with
 * them: what cases before have left there would decide between plans.
 */
static const char truncate_all[] =
	"DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(tablename, ', ') FROM pg_tables"
	" WHERE schemaname = current_schema() AND tablename NOT LIKE '%\\_migrations'); END $$";

void plan_begin(struct test_db *test)
{
	if (db_dialect_of(test->db) == DB_POSTGRESQL)
		test_execute(test->db, truncate_all);
	for (unsigned i = 1; i <= IDLE; i++)
		sql_execute(test->db,
			    "INSERT INTO solid_queue_processes (kind, name, pid, "
			    "hostname, last_heartbeat_at, created_at) VALUES "
			    "('Worker', 'worker-%u', %u, 'host', "
			    "'2026-01-01 00:00:00', '2026-01-01 00:00:00')",
			    i, i);
}

void plan_fill(struct test_db *test, unsigned jobs)
{
	const char *url = test->url;
	int64_t last = test_query_int(url, "SELECT COALESCE(max(id), 0) FROM solid_queue_jobs");
	const char *first =
		arena_printf(test->arena, "SELECT min(id) FROM solid_queue_jobs WHERE id > %lld",
			     (long long)last);
	int64_t before = test_query_int(url, "SELECT count(*) FROM solid_queue_jobs");
	struct text sql = { 0 };

	for (unsigned at = 0; at < jobs; at += BATCH) {
		text_clear(&sql);
		add_jobs(&sql, (unsigned)before + at, jobs - at < BATCH ? jobs - at : BATCH);
		test_execute(test->db, text_string(&sql));
	}
	text_free(&sql);
	add_executions(test, test_query_int(url, first));
	assert_int_equal(test_query_int(url, "SELECT count(*) FROM solid_queue_jobs"),
			 before + jobs);
}
