/* One process leads: who takes that, leads on and gives up; what only the leader may write. */
#include "queue/findings/kept.h"
#include "queue/findings/leader.h"
#include "tests/support/queue.h"

static struct leader read_leader(struct test_db *test)
{
	struct leader leader;

	must(leader_read, test->db, test->arena, &leader);
	return leader;
}

static int64_t take_lead(struct test_db *test, const char *name)
{
	const struct leader leader = read_leader(test);
	int64_t epoch = 0;

	must(leader_take, test->db, name, &leader, &epoch);
	return epoch;
}

static void let_end(struct test_db *test)
{
	test_execute(test->db, "UPDATE dray_leaders SET ends_at = '2026-01-01 00:00:00'");
}

DB_CASE(the_first_one_leads_and_nobody_takes_it_before_its_end)
{
	int64_t epoch = 0;

	assert_true(read_leader(test).over);
	assert_int_equal(take_lead(test, "one"), 1);
	const struct leader leader = read_leader(test);
	assert_string_equal(leader.name, "one");
	assert_false(leader.over);
	must_be(STATUS_NONE, leader_take, test->db, "two", &leader, &epoch);
	assert_int_equal(epoch, 0);
	must(leader_renew, test->db, 1);
	assert_string_equal(read_leader(test).name, "one");
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_leaders"), 1);
}

/* Its process was replaced: the other one may still be there, and is none any more. */
DB_CASE(one_of_the_same_name_goes_on_with_the_next_number)
{
	assert_int_equal(take_lead(test, "one"), 1);
	assert_int_equal(take_lead(test, "one"), 2);
	must_be(STATUS_NONE, leader_renew, test->db, 1);
	must(leader_renew, test->db, 2);
}

DB_CASE(what_has_ended_or_was_given_up_others_take)
{
	(void)take_lead(test, "one");
	let_end(test);
	must(leader_renew, test->db, 1); /* nobody has taken it */
	assert_false(read_leader(test).over);
	let_end(test);
	assert_int_equal(take_lead(test, "two"), 2);
	must_be(STATUS_NONE, leader_renew, test->db, 1);
	must_be(STATUS_NONE, leader_give_up, test->db, 1);
	must(leader_give_up, test->db, 2);
	assert_true(read_leader(test).over);
	assert_int_equal(take_lead(test, "one"), 3);
}

/* Two who have seen the same end. */
DB_CASE(of_two_one_is_faster)
{
	int64_t epoch;

	(void)take_lead(test, "one");
	let_end(test);
	const struct leader seen = read_leader(test);
	must(leader_take, test->db, "two", &seen, &epoch);
	must_be(STATUS_NONE, leader_take, test->db, "three", &seen, &epoch);
	assert_string_equal(read_leader(test).name, "two");
}

/* The clock was set back by years: nobody waits so long. */
DB_CASE(an_end_that_is_too_far_away_is_none)
{
	(void)take_lead(test, "one");
	test_execute(test->db, "UPDATE dray_leaders SET ends_at = '2999-01-01 00:00:00'");
	assert_true(read_leader(test).over);
	assert_int_equal(take_lead(test, "two"), 2);
}

static struct kept_list list(struct test_db *test)
{
	struct kept_list kept;

	must(kept_read, test->db, test->arena, &kept);
	return kept;
}

DB_CASE(only_the_leader_writes_findings)
{
	const struct kept one = { .name = "queue_late",
				  .subject = "Mail",
				  .queue = "Mail",
				  .text = "It is late.",
				  .advice = "Wait.",
				  .dead = true };
	const int64_t epoch = take_lead(test, "one");

	must_be(STATUS_NONE, kept_begin, test->db, epoch + 1, &one);
	assert_int_equal(list(test).count, 0);
	must(kept_begin, test->db, epoch, &one);
	must(kept_begin, test->db, epoch, &one); /* as after an uncertain commit */
	struct kept_list kept = list(test);
	assert_int_equal(kept.count, 1);
	assert_string_equal(kept.list[0].subject, "Mail");
	assert_string_equal(kept.list[0].text, "It is late.");
	assert_true(kept.list[0].dead && !kept.list[0].told && kept.list[0].since == 0);
	assert_true(kept.list[0].began_at > 0 && kept.list[0].away_since == 0);

	kept.list[0].away_since = db_now(test->db);
	kept.list[0].told = true;
	must_be(STATUS_NONE, kept_mark, test->db, epoch - 1, &kept.list[0]);
	assert_false(list(test).list[0].told);
	must(kept_mark, test->db, epoch, &kept.list[0]);
	assert_int_equal(list(test).list[0].away_since, kept.list[0].away_since);
	assert_true(list(test).list[0].told);

	let_end(test);
	(void)take_lead(test, "two");
	must_be(STATUS_NONE, kept_forget, test->db, epoch, &kept.list[0]);
	assert_int_equal(list(test).count, 1);
	must(kept_forget, test->db, epoch + 1, &kept.list[0]);
	assert_int_equal(list(test).count, 0);
}

/* What has ended does not stand in the way of the same again; names are as they are written. */
DB_CASE(the_same_again_is_another)
{
	struct kept one = { .name = "queue_late",
			    .subject = "a",
			    .queue = "a",
			    .since = 1,
			    .text = "",
			    .advice = "" };
	const int64_t epoch = take_lead(test, "one");

	must(kept_begin, test->db, epoch, &one);
	one.subject = "A";
	must(kept_begin, test->db, epoch, &one);
	struct kept_list kept = list(test);
	assert_int_equal(kept.count, 2);
	kept.list[1].ended_at = db_now(test->db);
	must(kept_mark, test->db, epoch, &kept.list[1]);
	must(kept_begin, test->db, epoch, &one);
	assert_int_equal(list(test).count, 3);
}
