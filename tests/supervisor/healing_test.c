/* When silence says nothing: the database's clock was set, or nobody could beat for a while. */
#include "process/healing.h"
#include "queue/pauses/pause.h"
#include "tests/support/queue.h"
#include "tests/support/sites/deployment.h"

static struct deployment *deployment;
static struct site *site;
static struct membership member;
static struct healing healing;

static void heal(void)
{
	must(healing_run, &healing, &member);
}

/* The silent worker was last heard so many seconds ago. */
static void silent_for(int64_t seconds)
{
	fall_silent(site->test, "worker-silent", seconds * CLOCK_SECOND);
}

/* A member that heals, and the row of a worker that has been silent for long. */
static void prepare(struct test_db *test)
{
	deployment = deployment_open(test);
	site = deployment->site;
	membership_init(&member, &deployment->config, "Supervisor(fork)", "supervisor-test");
	must(membership_connect, &member);
	must(membership_register, &member);
	healing_init(&healing, &deployment->config);
	healing_begin(&healing, false);
	heal();
	register_process(site->db, "Worker", "worker-silent", "{\"heartbeat_interval\": 0.1}");
	silent_for(CLOCK_DAY / CLOCK_SECOND);
	healing.at = clock_monotonic();
	healing.late_at = healing.at - CLOCK_HOUR;
}

static void finish(void)
{
	membership_clear(&member);
	deployment_close(deployment);
}

#define HEALING_CASE(function)                                                                     \
	static void function##_in(void);                                                           \
	DB_CASE_ONLY(function, "sqlite")                                                           \
	{                                                                                          \
		prepare(test);                                                                     \
		function##_in();                                                                   \
		finish();                                                                          \
	}                                                                                          \
	static void function##_in(void)

/* We come so many seconds too late. */
static void come_late(int64_t seconds)
{
	healing.at = clock_monotonic() - seconds * CLOCK_SECOND;
	healing.looked_at = healing.at;
	healing.late_at -= seconds * CLOCK_SECOND; /* so long ago, too */
	heal();
}

static void assert_alive(bool alive)
{
	assert_int_equal(site_row_count(site, "Worker"), alive ? 1 : 0);
}

#define JOBS_OF(class) "SELECT count(*) FROM solid_queue_jobs WHERE class_name = '" class "'"

HEALING_CASE(test_the_silent_are_dead)
{
	heal();
	assert_alive(false);
}

/* A minute's look clears what was kept for long enough, and goes on soon while there is more. */
HEALING_CASE(test_old_finished_jobs_are_cleared)
{
	sql_do(site, "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < "
		     "1200) INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		     "priority, finished_at, created_at, updated_at) SELECT 'a', CASE WHEN n <= "
		     "1100 THEN 'Old' ELSE 'Waiting' END, '{}', 0, CASE WHEN n <= 1100 THEN "
		     "'2026-01-01 00:00:00' END, '2026-01-01 00:00:00', '2026-01-01 00:00:00' "
		     "FROM n");
	sql_do(site, "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		     "priority, finished_at, created_at, updated_at) VALUES ('a', 'New', '{}', "
		     "0, '2999-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00')");
	sql_do(site, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT id, queue_name, priority, created_at FROM "
		     "solid_queue_jobs WHERE finished_at IS NULL");
	int64_t looks = 0;
	do {
		healing.clear_at = clock_monotonic();
		must(healing_tend, &healing, &member);
		looks++;
	} while (site_int(site, JOBS_OF("Old")) > 0 && looks < 100);
	assert_int_equal(site_int(site, JOBS_OF("Old")), 0);
	assert_int_equal(site_int(site, JOBS_OF("Waiting")), 100);
	assert_int_equal(site_int(site, JOBS_OF("New")), 1);
	assert_true(healing_due(&healing) <= healing.clear_at);
}

HEALING_CASE(test_nobody_is_dead_because_the_clock_was_set)
{
	silent_for(3610);
	healing.clock -= CLOCK_HOUR; /* as if it had been an hour behind until now */
	heal();
	assert_alive(true);
	/* Had it been alive, it would have been heard meanwhile. */
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

HEALING_CASE(test_nobody_is_dead_because_we_come_late)
{
	silent_for(70);
	come_late(60);
	assert_alive(true);
	heal();
	assert_alive(true);
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

/* All that nobody saw since our last look is forgiven, not only what we are late by. */
HEALING_CASE(test_nobody_is_dead_for_what_was_not_seen)
{
	silent_for(130);
	healing.at = clock_monotonic() - CLOCK_MINUTE;
	healing.looked_at = healing.at - 40 * CLOCK_SECOND;
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(true);
}

/* Others need not have come back between two outages, if we did. */
HEALING_CASE(test_nobody_is_dead_because_we_come_late_again)
{
	silent_for(70);
	come_late(60);
	silent_for(133);
	come_late(60);
	assert_alive(true);
}

/* Rows of other software have five minutes, so they get as long to be heard again. */
HEALING_CASE(test_slow_hearts_get_longer)
{
	test_execute(site->db, "UPDATE solid_queue_processes SET metadata = NULL");
	silent_for(360);
	come_late(310);
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(true);
	healing.late_at -= 5 * CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

HEALING_CASE(test_who_was_dead_before_is_dead)
{
	silent_for(150);
	come_late(60);
	assert_alive(false);
}

/* A third of a short threshold is late already; the dead are found however often we come late. */
HEALING_CASE(test_on_a_busy_host_the_dead_are_found)
{
	deployment->config.process.process_alive_threshold = 9 * CLOCK_SECOND;
	for (int64_t age = 6; age <= 15; age += 3) {
		silent_for(age);
		come_late(4);
		assert_alive(true);
	}
	silent_for(40);
	come_late(4);
	assert_alive(false);
}

/* Being asked to hurry does not hide that we are late. */
HEALING_CASE(test_hurry_is_late_as_well)
{
	silent_for(70);
	healing.at -= CLOCK_MINUTE;
	healing.looked_at -= CLOCK_MINUTE;
	healing_begin(&healing, false);
	heal();
	assert_alive(true);
}

static size_t pauses(void)
{
	struct pause_row *rows;
	size_t count = 0;

	must(pause_list, site->db, site->arena, &rows, &count);
	return count;
}

/* Between two healings a timed pause is waited for, and ended at its instant. */
HEALING_CASE(test_a_pause_ends_between_two_healings)
{
	const char *queue = "mail";
	struct pause_note note = { .who = "alice" };
	int64_t before = clock_monotonic();
	bool changed;

	note.ends_at = db_now(member.db) + CLOCK_HOUR;
	must(pause_queues, site->db, &queue, 1, &note, &changed);
	heal();
	assert_true(healing.pauses_at > before); /* others may come before it */
	assert_true(healing.pauses_at < CLOCK_NEVER);
	note.ends_at = db_now(member.db) + CLOCK_SECOND / 10;
	must(pause_queues, site->db, &queue, 1, &note, &changed);
	heal();
	int64_t healed_at = healing.looked_at;
	assert_true(healing_due(&healing) == healing.pauses_at);
	healing.at = CLOCK_NEVER; /* however slow this machine is */
	while (pauses() > 0) {
		clock_sleep(10 * CLOCK_MILLISECOND);
		must(healing_tend, &healing, &member);
	}
	assert_true(healing.looked_at == healed_at);
	must(resume_queues, site->db, &queue, 1, &note, &changed);
	assert_false(changed);
}
