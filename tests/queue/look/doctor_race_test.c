/* Doctors beside running workers: no job is lost or run twice, and no claim is taken. */
#include <stdatomic.h>

#include "db/driver.h"
#include "queue/doctor/doctor.h"
#include "tests/support/limited.h"

#define JOBS     300
#define PATIENCE (50 * CLOCK_SECOND) /* less than that of test_in_children */

enum part { PART_SOURCE, PART_DOCTOR, PART_OTHER_DOCTOR, PART_WORKERS, PARTS = PART_WORKERS + 3 };

/* Shared by the processes of one test. */
struct shared {
	atomic_bool done;         /* every job is finished or failed */
	atomic_int wrong;         /* what the doctors saw */
	atomic_int claimed[JOBS]; /* how often, by the job's place */
	int64_t first;            /* number of the first job */
};

struct race {
	struct test_db *test;
	struct shared *shared;
	bool harm; /* tear rows apart; the doctors then mend */
};

/* What a job's place by five does to it, while it is ready; '#' is its number. */
static const char *const harms[] = {
	"DELETE FROM solid_queue_ready_executions WHERE job_id = #",
	"INSERT INTO solid_queue_scheduled_executions"
	" (job_id, queue_name, priority, scheduled_at, created_at)"
	" SELECT job_id, queue_name, priority, '2099-01-01 00:00:00', created_at"
	" FROM solid_queue_ready_executions WHERE job_id = #",
	"INSERT INTO solid_queue_failed_executions (job_id, error, created_at)"
	" SELECT job_id, '{}', created_at FROM solid_queue_ready_executions WHERE job_id = #",
	"INSERT INTO solid_queue_blocked_executions"
	" (job_id, queue_name, priority, concurrency_key, expires_at, created_at)"
	" SELECT job_id, queue_name, priority, 'k', created_at, created_at"
	" FROM solid_queue_ready_executions WHERE job_id = #",
	NULL,
};

#define HARMS (sizeof(harms) / sizeof(harms[0]))

static void harm(struct db *db, struct arena *arena, int64_t job, const char *sql)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	const char *mark = strchr(sql, '#');
	const char *statement =
		arena_printf(arena, "%.*s%lld", (int)(mark - sql), sql, (long long)job);
	struct error error = { 0 };
	enum status status = STATUS_RETRY;

	while (status == STATUS_RETRY && clock_monotonic() < deadline)
		status = db_execute(db, statement, &error);
	assert_ok(status, &error);
}

/* Harms most of what it enqueues, until all is done. A doctor's clock may take new for later. */
static void feed(const struct race *race, struct test_db *own)
{
	static const char unsettled[] =
		"SELECT count(*) FROM solid_queue_jobs j WHERE finished_at IS NULL AND"
		" (SELECT count(*) FROM solid_queue_failed_executions f WHERE f.job_id = j.id) = 0";
	int64_t deadline = clock_monotonic() + PATIENCE;
	int64_t moved;

	for (size_t i = 0; i < JOBS; i++) {
		bool limited = !race->harm && i % 2 == 0;
		int64_t job = limited ? put_limited(own, "Limited", i % 4 == 0 ? "k" : "l")
				      : put(own->db, "a", 0);
		if (race->harm && harms[i % HARMS])
			harm(own->db, own->arena, job, harms[i % HARMS]);
	}
	while (test_query_int(own->url, unsettled) > 0 && clock_monotonic() < deadline)
		must(dispatch, own->db, &(struct dispatching){ 0 }, 100, &moved);
	atomic_store(&race->shared->done, true);
}

static void look_after(const struct race *race, struct test_db *own)
{
	do {
		struct doctor doctor = {
			.db = own->db,
			.prune = { 0, CLOCK_HOUR, CLOCK_HOUR },
			.policy = test_policy,
			.mend = race->harm,
		};
		must(doctor_examine, &doctor);
		for (int i = 0; i < AILMENTS; i++)
			atomic_fetch_add(&race->shared->wrong, (int)doctor.found[i].count);
		clock_sleep(IDLE);
	} while (!atomic_load(&race->shared->done));
}

static void work(const struct race *race, struct test_db *own, unsigned index)
{
	int64_t process = register_worker(own->db, arena_printf(own->arena, "w%u", index));

	while (!atomic_load(&race->shared->done)) {
		size_t count;
		struct claim *claims = take_some(own, process, 3, &count);
		for (size_t i = 0; i < count; i++) {
			int64_t place = claims[i].job.id - race->shared->first;
			atomic_fetch_add(&race->shared->claimed[place], 1);
			assert_true(settle_one(own->db, &claims[i], OUTCOME_FINISHED));
		}
		arena_clear(own->arena);
		if (count == 0)
			clock_sleep(IDLE);
	}
}

static int run_part(unsigned index, void *data)
{
	const struct race *race = data;
	struct test_db own = own_open(race->test);

	if (index == PART_SOURCE)
		feed(race, &own);
	else if (index < PART_WORKERS)
		look_after(race, &own);
	else
		work(race, &own, index);
	own_close(&own);
	return 0;
}

static void run_race(struct race *race)
{
	race->shared = test_share(sizeof(*race->shared));
	/* What number the first job will have. */
	race->shared->first = put(race->test->db, "z", 0) + 1;
	test_execute(race->test->db, "DELETE FROM solid_queue_jobs");
	test_in_children(&(struct test_function){ run_part, race }, PARTS);
}

DB_CASE(nothing_is_wrong_with_jobs_on_their_way)
{
	struct race race = { .test = test };

	declare(race.test, "Limited", 2, LIMIT_BLOCK);
	run_race(&race);
	assert_int_equal(atomic_load(&race.shared->wrong), 0);
	assert_count(race.test, JOBS, "solid_queue_jobs WHERE finished_at IS NOT NULL");
}

DB_CASE(doctors_and_workers_lose_nothing)
{
	struct race race = { .test = test, .harm = true };
	int ran = 0;

	run_race(&race);
	struct doctor doctor = {
		.db = race.test->db,
		.prune = { 0, CLOCK_HOUR, CLOCK_HOUR },
		.policy = test_policy,
		.mend = true,
	};
	must(doctor_examine, &doctor);
	test_invariant(race.test->db);
	for (int i = 0; i < JOBS; i++) {
		assert_in_range(atomic_load(&race.shared->claimed[i]), 0, 1);
		ran += atomic_load(&race.shared->claimed[i]);
	}
	/* One that never ran was made a failure while it was ready, and waits for a person. */
	assert_int_equal(rows_of(race.test, "failed_executions"), JOBS - ran);
	assert_int_equal(rows_of(race.test, "jobs"), JOBS);
	assert_true(JOBS - ran <= JOBS / (int)HARMS);
}
