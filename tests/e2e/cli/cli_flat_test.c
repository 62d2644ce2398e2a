/* A hundred thousand failed jobs are retried, and then discarded, in as much memory as a tenth. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

#define PAYLOAD                                                                                    \
	"{\"job_class\":\"A\",\"job_id\":\"0\",\"queue_name\":\"a\",\"arguments\":[\"some words "  \
	"to make it as long as they are\",1234567890],\"executions\":5,\"exception_executions\":"  \
	"{\"[StandardError]\":5},\"locale\":\"en\",\"timezone\":\"UTC\"}"

/* In a statement each, so that it takes seconds. */
static void put_failed(struct test_db *test, int thousands)
{
	sql_execute(test->db,
		    "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		    "priority, created_at, updated_at) WITH RECURSIVE n (n) AS "
		    "(SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000) "
		    "SELECT 'a', 'A', '%s', 0, '2026-01-01 00:00:00', "
		    "'2026-01-01 00:00:00' FROM n CROSS JOIN n m WHERE m.n <= %d",
		    PAYLOAD, thousands);
	sql_do(test, "INSERT INTO solid_queue_failed_executions (job_id, error, created_at) "
		     "SELECT id, '{\"message\":\"down\"}', created_at FROM solid_queue_jobs");
}

struct peaks {
	long retry;
	long discard;
};

static struct peaks act(struct test_db *test, int thousands)
{
	struct peaks peaks;

	put_failed(test, thousands);
	peaks.retry = test_cli_peak(test, "retry", "--text", "DOWN", "--yes");
	assert_int_equal(rows_of(test, "ready_executions"), thousands * 1000);
	peaks.discard = test_cli_peak(test, "discard", "--state", "ready", "--class", "A", "--yes");
	assert_int_equal(rows_of(test, "jobs"), 0);
	assert_query(test,
		     arena_printf(test->arena, "discard %d done\nretry %d done\n", thousands * 1000,
				  thousands * 1000),
		     "SELECT action, count, state FROM dray_audit "
		     "ORDER BY id DESC LIMIT 2");
	return peaks;
}

/* Fewer where they take a minute, unless somebody asks for all. */
static int how_many(const struct test_db *test)
{
	if (SANITIZED)
		return 10;
	if (getenv("DRAY_TEST_FLAT"))
		return 100;
	return db_dialect_of(test->db) == DB_MYSQL ? 20 : 100;
}

DB_CASE(test_memory_is_flat)
{
	int thousands = how_many(test);
	struct peaks few = act(test, thousands / 10);
	struct peaks many = act(test, thousands);

	print_message("retry %ld kB and %ld kB, discard %ld kB and %ld kB\n", few.retry, many.retry,
		      few.discard, many.discard);
	test_invariant(test->db);
	if (SANITIZED)
		return; /* what was freed stays for a while */
	assert_true(many.retry < few.retry + few.retry / 2);
	assert_true(many.discard < few.discard + few.discard / 2);
}
