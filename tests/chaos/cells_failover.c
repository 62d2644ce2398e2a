/*
 * The real thing: a PostgreSQL pair whose replica is cut off while the primary goes on, then the
 * primary dies and the replica takes its place. It knows nothing of the last claims and gives their
 * numbers to others, while those who made them still run.
 */
#include <inttypes.h>

#include "bench/history.h"
#include "queue/enqueue/enqueue.h"
#include "tests/chaos/cells.h"

#define HELD    4 /* as many as a worker has threads: they are claimed together */
#define BETWEEN 1000
#define SLACK   (200 * CLOCK_MILLISECOND) /* of a worker's idea of the database's clock */

#define LONG_WORK   "[9000]"  /* outlasts the failover */
#define LONGER_WORK "[15000]" /* is still at work when that ends */

static void await(const char *url, const char *sql, int64_t wanted)
{
	test_until(test_query_int(url, sql) == wanted, sql);
}

static void put(struct field *field, const char *queue, const char *arguments, int priority,
		size_t count)
{
	const struct new_job job = { .class_name = "Effect",
				     .queue = queue,
				     .arguments = arguments,
				     .has_priority = true,
				     .priority = priority };
	struct db *db = test_db_open(field->url);
	struct new_job *jobs = arena_array(field->arena, count, sizeof(*jobs));
	struct enqueued *results = arena_array(field->arena, count, sizeof(*results));

	for (size_t i = 0; i < count; i++)
		jobs[i] = job;
	must(enqueue, db, jobs, count, results);
	db_close(db);
}

/* Those that will be held over the failover, a backlog, and those that will get their numbers. */
static void put_all(struct field *field)
{
	put(field, "held", LONG_WORK, -9, HELD);
	put(field, "between", "[10]", 0, BETWEEN);
	put(field, "next", LONGER_WORK, 9, HELD);
}

static void pause_all(struct field *field)
{
	field_execute(field, "INSERT INTO solid_queue_pauses (queue_name, created_at) SELECT name, "
			     "now() FROM unnest(ARRAY['held', 'between', 'next', 'default']) name");
	await(field->url, "SELECT count(*) FROM solid_queue_claimed_executions", 0);
}

/* What a server's highest user says, each statement by itself. */
static void tell(const char *url, const char *const statements[])
{
	struct db *db = test_db_open(url);

	for (size_t i = 0; statements[i]; i++)
		test_execute(db, statements[i]);
	db_close(db);
}

/* It has everything so far, and gets no more. */
static void cut_off(struct field *field, const struct server *replica)
{
	static const char *const alone[] = { "ALTER SYSTEM SET primary_conninfo = ''",
					     "SELECT pg_reload_conf()", NULL };
	const char *end =
		test_query_text(field->arena, field->server->url, "SELECT pg_current_wal_lsn()");

	await(replica->url,
	      arena_printf(field->arena,
			   "SELECT (pg_last_wal_replay_lsn() >= '%.*s'::pg_lsn)::integer",
			   (int)strcspn(end, "\n"), end),
	      1);
	tell(replica->url, alone);
	await(replica->url, "SELECT count(*) FROM pg_stat_wal_receiver", 0);
}

/* It takes the primary's place, at its address. */
static void fail_over(struct field *field, struct server *replica)
{
	static const char *const promote[] = { "SELECT pg_promote()", NULL };
	struct server old = *field->server;

	server_crash(field->server);
	old.started = 0;
	server_stop(replica);
	server_move(replica, old.port);
	*field->server = *replica;
	server_start(field->server);
	tell(field->server->url, promote);
	await(field->server->url, "SELECT pg_is_in_recovery()::integer", 0);
	server_close(&old);
}

/*
 * PostgreSQL counts up to 32 numbers ahead, which the replica has skipped: back to where the others
 * were, as other servers do by themselves. What was below comes first now.
 */
static void resume(struct field *field, int64_t number)
{
	field_execute(field, "UPDATE solid_queue_ready_executions SET priority = -99"
			     " WHERE queue_name = 'next'");
	field_execute(field, arena_printf(field->arena,
					  "ALTER SEQUENCE solid_queue_claimed_executions_id_seq"
					  " RESTART WITH %" PRId64,
					  number));
	field_execute(field, "DELETE FROM solid_queue_pauses");
}

void cell_failover(struct field *field)
{
	static const char held[] = "SELECT count(*) FROM solid_queue_claimed_executions c"
				   " JOIN solid_queue_jobs j ON j.id = c.job_id"
				   " WHERE j.queue_name = 'held'";
	struct server replica;

	feeder_stop(&field->feeder);
	server_open_replica(&replica, field->server);
	pause_all(field);
	put_all(field);
	cut_off(field, &replica);
	field_execute(field, "DELETE FROM solid_queue_pauses");
	await(field->url, held, HELD);
	int64_t number =
		test_query_int(field->url, "SELECT min(c.id) FROM solid_queue_claimed_executions c"
					   " JOIN solid_queue_jobs j ON j.id = c.job_id"
					   " WHERE j.queue_name = 'held'");
	fail_over(field, &replica);
	db_close(field->admin);
	field->admin = test_db_open(arena_printf(
		field->arena, "%.*s/jobs",
		(int)(strrchr(field->server->url, '/') - field->server->url), field->server->url));
	resume(field, number);
	field_await_log(field, "number stands for");
	await(field->url,
	      "SELECT count(*) FROM solid_queue_jobs WHERE queue_name = 'held' OR"
	      " queue_name = 'next' AND finished_at IS NULL",
	      HELD);
	feeder_close(&field->feeder);
	feeder_start(&field->feeder, field->url, field->effects);
}

/* Was it finished by a run that had ended? */
static bool is_earned(const struct history *history, int64_t job, int64_t finished)
{
	size_t count;
	const struct run *runs = history_of(history, job, &count);
	bool earned = false;

	for (size_t i = 0; i < count; i++)
		earned = earned || (runs[i].end > 0 && runs[i].end <= finished + SLACK);
	return earned;
}

/* What the primary alone knew ran again; all that the database has is finished by its own run. */
const char *cell_failover_fault(const struct field *field)
{
	struct history history = { 0 };
	const char *fault = NULL;
	struct db_rows jobs =
		test_query(field->arena, field->url,
			   "SELECT id, finished_at FROM solid_queue_jobs ORDER BY id");

	must(history_read, &history, field->effects);
	for (size_t i = 0; i < jobs.count && !fault; i++) {
		if (db_is_null(&jobs, i, 1))
			fault = "jobs are not finished";
		else if (!is_earned(&history, db_int(&jobs, i, 0), db_time(&jobs, i, 1)))
			fault = arena_printf(field->arena, "job %s was finished and had not run",
					     db_text(&jobs, i, 0));
	}
	history_clear(&history);
	if (!fault && field_logged(field, "database.other_server") == 0 &&
	    !strstr(field->log, "database.other_server"))
		fault = "nobody saw that another server answers";
	return fault;
}
