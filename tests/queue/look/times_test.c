/* Times written by hand: found, explained, put right; no job is left out for them. */
#include "queue/doctor/times.h"

#include "tests/support/jobs/why.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

static int64_t put_later(struct test_db *test)
{
	return put_for_later(test->db, "A", NULL);
}

static void schedule(struct test_db *test, int64_t job, const char *time)
{
	torn_execute(test,
		     arena_printf(test->arena,
				  "UPDATE solid_queue_scheduled_executions SET scheduled_at = %s"
				  " WHERE job_id = #",
				  time),
		     job);
}

static const char *scheduled_at(struct test_db *test, int64_t job)
{
	const char *line = sql_text(test,
				    "SELECT CAST(scheduled_at AS CHAR(40)) FROM "
				    "solid_queue_scheduled_executions WHERE job_id = %lld",
				    (long long)job);

	return arena_printf(test->arena, "%.*s", (int)strcspn(line, "\n"), line);
}

static struct times mend(struct test_db *test)
{
	struct times times = { 0 };

	must(times_mend, test->db, &times);
	return times;
}

DB_CASE(a_doctor_finds_and_mends_them)
{
	int64_t sound = put_later(test);
	int64_t first = put_later(test);
	int64_t second = put_later(test);
	int64_t ready = put(test->db, "a", 0);

	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", sound);
	torn_set_odd_time(test, "solid_queue_jobs", "created_at", second);
	struct doctor doctor = torn_examine(test, false);
	const struct ailment_found *found = &doctor.found[AILMENT_TIME];
	assert_int_equal(found->count, 3);
	assert_int_equal(found->examples[2], ready);
	assert_string_equal(found->details[0],
			    arena_printf(test->arena, "scheduled_at '%s'", torn_odd_time(test)));
	assert_string_equal(found->details[2],
			    arena_printf(test->arena, "created_at '%s'", torn_odd_time(test)));
	torn_mend(test, AILMENT_TIME, 3, first);
	assert_int_equal(torn_odd_times(test), 0);
	/* In SQLite it was a time, of the year 2099. */
	assert_int_equal(dispatch_due(test, 1000), db_dialect_of(test->db) == DB_SQLITE ? 0 : 2);
	assert_int_equal(state_of(test, sound), JOB_SCHEDULED);
}

/* The job's own time, which people see, and which says when a job in no table is due. */
DB_CASE(the_time_of_the_job_itself)
{
	int64_t id = put_later(test);

	torn_set_odd_time(test, "solid_queue_jobs", "scheduled_at", 0);
	torn_mend(test, AILMENT_TIME, 1, id);
	assert_int_equal(state_of(test, id), JOB_SCHEDULED);
}

DB_CASE_ONLY(every_form_becomes_the_one_that_compares, "sqlite")
{
	static const struct {
		const char *written, *expected; /* NULL: due */
	} times[] = {
		{ "'2099-01-01T10:00:00Z'", "2099-01-01 10:00:00" },
		{ "'2099-01-01T10:00:00'", "2099-01-01 10:00:00" },
		{ "'2099-01-01 10:00:00Z'", "2099-01-01 10:00:00" },
		{ "'2099-01-01 10:00:00.25+02:00'", "2099-01-01 08:00:00.250000" },
		{ "'2099-01-01 10:00'", "2099-01-01 10:00:00" },
		{ "'2099-01-01'", "2099-01-01 00:00:00" },
		{ "4070908800", "2099-01-01 00:00:00" },
		{ "'tomorrow'", NULL },
		{ "''", NULL },
		{ "'2099-13-45 10:00:00'", NULL },
		{ "x'fffe'", NULL },
		{ "-5", NULL },
		{ "99999999999999", NULL },
	};
	enum { COUNT = sizeof(times) / sizeof(times[0]) };
	int64_t ids[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		ids[i] = put_later(test);
		schedule(test, ids[i], times[i].written);
	}
	struct times result = mend(test);
	assert_int_equal(result.mended, COUNT);
	assert_int_equal(result.never, 0);
	assert_int_equal(result.job, ids[0]);
	assert_string_equal(result.text, "2099-01-01T10:00:00Z");
	for (size_t i = 0; i < COUNT; i++)
		if (times[i].expected)
			assert_string_equal(scheduled_at(test, ids[i]), times[i].expected);
	assert_int_equal(mend(test).mended, 0);
	dispatch_due(test, 1000);
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(state_of(test, ids[i]),
				 times[i].expected ? JOB_SCHEDULED : JOB_READY);
	torn_assert_well(test);
}

/* A number sorts before all texts, a zone is not compared: neither is due before its time. */
DB_CASE_ONLY(another_form_is_not_due_before_its_time, "sqlite")
{
	char soon[CLOCK_TEXT_SIZE];
	int64_t ids[4];

	clock_format_short((db_now(test->db) / CLOCK_SECOND - 60) * CLOCK_SECOND, soon);
	for (size_t i = 0; i < 4; i++)
		ids[i] = put_later(test);
	schedule(test, ids[0], "4070908800");
	schedule(test, ids[1], arena_printf(test->arena, "'%s-05:00'", soon)); /* in 5 hours */
	schedule(test, ids[2], "-5");
	schedule(test, ids[3], "'2026-02-31 99:00:00'");
	assert_int_equal(dispatch_due(test, 3), 2);
	assert_int_equal(dispatch_due(test, 3), 0);
	assert_states(test, ids[0], JOB_SCHEDULED, ids[1], JOB_SCHEDULED);
	assert_states(test, ids[2], JOB_READY, ids[3], JOB_READY);
	assert_string_equal(scheduled_at(test, ids[0]), "2099-01-01 00:00:00");
	assert_int_equal(rows_of(test, "scheduled_executions WHERE scheduled_at > '2026'"), 2);
}

/* That it finished is known, when it did is not. */
DB_CASE_ONLY(a_finish_that_cannot_be_read_is_no_time, "sqlite")
{
	struct why_look look;
	int64_t id = put(test->db, "a", 0);

	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = 'never'");
	why_look(test, id, &test_policy, &look);
	assert_string_equal(look.why.reasons[0].kind, "finished");
	assert_null(strstr(look.why.text, "1970"));
}

/* A heartbeat that cannot be read is one of a process that is dead, now or later. */
DB_CASE_ONLY(a_heartbeat_that_cannot_be_read, "sqlite")
{
	static const char *const times[] = { "'never'", "'2026-02-31'", "4711", "'2026-13-01'",
					     "''" };
	const struct prune prune = prune_after(CLOCK_MINUTE, CLOCK_MINUTE, 0);

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		register_worker(test->db, "w");
		put(test->db, "a", 0);
		take_all(test, sql_number(test, "SELECT MAX(id) FROM solid_queue_processes"), 1);
		sql_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = %s",
			    times[i]);
		if (prune_dead(test, &prune, &test_policy).processes == 0) {
			/* It was one of the future, and is one of now. */
			assert_int_equal(rows_of(test, "processes WHERE last_heartbeat_at <= "
						       "strftime('%Y-%m-%d %H:%M:%f', 'now', "
						       "'+1 second')"),
					 1);
			test_execute(test->db, "UPDATE solid_queue_processes SET "
					       "last_heartbeat_at = '2026-01-01 00:00:00'");
			assert_int_equal(prune_dead(test, &prune, &test_policy).processes, 1);
		}
		assert_int_equal(rows_of(test, "claimed_executions"), 0);
		test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}

/* What dray and Solid Queue write is left as it is. */
DB_CASE(sound_times_are_left_alone)
{
	static const char *const times[] = { "2099-01-01 10:00:00", "2099-12-31 23:59:59.999999",
					     "2099-02-28 00:00:00.5", "2099-01-01 10:00:00.250" };
	int64_t ids[4];

	for (size_t i = 0; i < 4; i++) {
		ids[i] = put_later(test);
		schedule(test, ids[i], arena_printf(test->arena, "'%s'", times[i]));
	}
	const char *before[4];
	for (size_t i = 0; i < 4; i++)
		before[i] = scheduled_at(test, ids[i]);
	assert_int_equal(mend(test).mended, 0);
	struct doctor doctor = torn_examine(test, true);
	assert_false(doctor_found(&doctor));
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(scheduled_at(test, ids[i]), before[i]);
}

/* In PostgreSQL infinity is what a person may mean: it is said, and left to people. */
DB_CASE_ONLY(what_says_never_is_left_to_people, "postgresql")
{
	int64_t id = put_later(test);

	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", 0);
	struct times times = mend(test);
	assert_int_equal(times.mended, 0);
	assert_int_equal(times.never, 1);
	assert_int_equal(times.job, id);
	assert_string_equal(times.text, "infinity");
	assert_int_equal(dispatch_due(test, 1000), 0);
	torn_mend(test, AILMENT_TIME, 1, id);
	assert_int_equal(dispatch_due(test, 1000), 1);
}

/* A thousand at a time, until all were looked at. */
DB_CASE_ONLY(more_than_one_look, "sqlite")
{
	enum { JOBS = 1100 };
	struct times times = { 0 };

	put_copies(test, &(struct new_job){ .class_name = "A", .delay = CLOCK_HOUR }, JOBS);
	schedule(test, JOBS, "'2099-01-01T10:00:00Z'"); /* their numbers begin at 1 */
	must(times_mend, test->db, &times);
	assert_int_equal(times.after, 1000);
	assert_int_equal(times.mended, 0);
	must(times_mend, test->db, &times);
	assert_int_equal(times.mended, 1);
	must(times_mend, test->db, &times);
	assert_int_equal(times.after, 0);
}

/* What stands there, and never that it is due at some time. */
DB_CASE(why_tells_the_truth)
{
	bool never = db_dialect_of(test->db) == DB_POSTGRESQL;
	struct why_look look;
	int64_t sound = put_later(test);
	int64_t odd[] = { put_later(test), put_later(test) };

	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", sound);
	why_look(test, sound, &test_policy, &look);
	assert_string_equal(look.why.reasons[0].kind, "scheduled");
	for (size_t i = 0; i < 2; i++) {
		why_look(test, odd[i], &test_policy, &look);
		assert_string_equal(look.why.reasons[0].kind, never ? "never_due" : "odd_time");
		assert_non_null(strstr(look.why.text, torn_odd_time(test)));
		assert_null(strstr(look.why.text, "is due at"));
		assert_null(strstr(look.why.text, "been due"));
		assert_string_equal(look.why.reasons[1].kind, "no_dispatcher");
	}
}

/* Whatever its times say, a job is in the lists. */
DB_CASE(no_list_leaves_them_out)
{
	struct job *jobs;
	size_t count;

	put_later(test);
	put(test->db, "a", 0);
	torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", 0);
	torn_set_odd_time(test, "solid_queue_jobs", "scheduled_at", 0);
	torn_set_odd_time(test, "solid_queue_jobs", "created_at", 0);
	if (db_dialect_of(test->db) == DB_SQLITE)
		test_execute(test->db, "UPDATE solid_queue_jobs SET created_at = 'no time'");
	for (int oldest = 0; oldest < 2; oldest++) {
		struct job_filter filter = { .oldest = oldest != 0 };
		must(job_list, test->db, test->arena, &filter, &jobs, &count);
		assert_int_equal(count, 2);
		filter.has_state = true;
		filter.state = JOB_SCHEDULED;
		must(job_list, test->db, test->arena, &filter, &jobs, &count);
		assert_int_equal(count, 1);
	}
}

/* Written by hand, and never let in by a release, as no job holds that key. */
DB_CASE(blocked_by_an_empty_key)
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	int64_t holder = put_limited(test, "Limited", "k");
	int64_t next = put_limited(test, "Limited", "k");
	test_execute(test->db, "UPDATE solid_queue_blocked_executions SET concurrency_key = ''");
	torn_execute(test, "UPDATE solid_queue_jobs SET concurrency_key = '' WHERE id = #", next);
	torn_mend(test, AILMENT_EMPTY_KEY, 1, next);
	assert_states(test, holder, JOB_READY, next, JOB_READY);
	assert_int_equal(value_of(test, ""), 0);
	/* Held as any other key is, it is no ailment. */
	int64_t waits = put_limited(test, "Limited", "k");
	test_execute(test->db, "UPDATE solid_queue_blocked_executions SET concurrency_key = ''");
	torn_execute(test, "UPDATE solid_queue_jobs SET concurrency_key = '' WHERE id = #", waits);
	assert_int_equal(state_of(test, waits), JOB_BLOCKED);
	torn_assert_well(test);
}
