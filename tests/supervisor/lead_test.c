/*
 * The leader's rounds and its commands, step by step: what it says once, what it tells people, and
 * what is left to others when it dies or is frozen.
 */
#include <sys/wait.h>

#include "common/fault.h"
#include "common/log/log.h"
#include "common/process.h"
#include "process/lead/lead.h"
#include "queue/findings/leader.h"
#include "supervisor/roles.h"
#include "tests/support/queue.h"
#include "tests/support/sites/deployment.h"

static struct deployment *deployment;
static struct site *site;
static struct test_db *db;

/* A process that may lead, as far as leading is concerned. */
struct candidate {
	struct membership member;
	struct lead lead;
	struct config config;
};

static struct candidate one, two;
static int log_file = -1;

static void join(struct candidate *candidate, const char *name, const char **on_alarm)
{
	candidate->config = deployment->config;
	candidate->config.process.on_alarm = on_alarm;
	membership_init(&candidate->member, &candidate->config, "Supervisor(fork)", name);
	membership_describe(&candidate->member, on_alarm ? "\"on_alarm\":true" : "");
	must(membership_connect, &candidate->member);
	must(membership_register, &candidate->member);
	must(membership_heartbeat, &candidate->member);
	lead_init(&candidate->lead, all_roles);
	candidate->lead.rounds.patience = 0;
}

static void part(struct candidate *candidate)
{
	lead_end(&candidate->lead);
	membership_clear(&candidate->member);
	*candidate = (struct candidate){ 0 };
}

static void prepare(struct test_db *test)
{
	db = test;
	deployment = deployment_open(test);
	site = deployment->site;
	log_file = test_memory_file("leads", NULL);
	log_configure(&(struct log_options){
		.level = LOG_INFO, .format = LOG_FORMAT_JSON, .fd = log_file });
}

static void finish(void)
{
	part(&one);
	part(&two);
	log_configure(&(struct log_options){ .level = LOG_INFO, .fd = STDERR_FILENO });
	(void)close(log_file);
	deployment_close(deployment);
}

#define LEAD_CASE(function)                                                                        \
	static void function##_in(void);                                                           \
	DB_CASE(function)                                                                          \
	{                                                                                          \
		prepare(test);                                                                     \
		function##_in();                                                                   \
		finish();                                                                          \
	}                                                                                          \
	static void function##_in(void)

static size_t logged(const char *part)
{
	static char written[1 << 16];
	const ssize_t length = pread(log_file, written, sizeof(written) - 1, 0);

	assert_true(length >= 0);
	written[length] = '\0';
	return test_count_text(written, part);
}

#define BEGAN "\"finding.began\""
#define ENDED "\"finding.ended\""

/* A turn in which everything is due. */
static void turn(struct candidate *candidate)
{
	candidate->lead.look_at = candidate->lead.round_at = candidate->lead.retry_at = 0;
	must(lead_run, &candidate->lead, &candidate->member);
}

static void turns(struct candidate *candidate, int count)
{
	while (count-- > 0)
		turn(candidate);
}

static void make_ill(const char *queue)
{
	put(db->db, queue, 0);
}

static void mend(const char *queue)
{
	(void)discard_ready(db, queue);
}

/* The finding was away for so long. */
static void let_pass(void)
{
	test_execute(db->db, "UPDATE dray_findings SET away_since = '2026-01-01 00:00:00' "
			     "WHERE away_since IS NOT NULL");
}

static void let_lead_end(void)
{
	test_execute(db->db, "UPDATE dray_leaders SET ends_at = '2026-01-01 00:00:00'");
}

static int64_t kept(void)
{
	return sql_number(db, "SELECT count(*) FROM dray_findings");
}

/* leading */

LEAD_CASE(one_leads_and_another_takes_it_when_it_is_over)
{
	join(&one, "one", NULL);
	join(&two, "two", NULL);
	turn(&one);
	turn(&two);
	turns(&one, 2);
	assert_true(one.member.epoch == 1 && two.member.epoch == 0);
	let_lead_end();
	turn(&two);
	assert_int_equal(two.member.epoch, 2);
	turn(&one); /* as after a minute in which it was frozen */
	assert_int_equal(one.member.epoch, 0);
	assert_int_equal(logged("\"lead.taken\""), 2);
	assert_int_equal(logged("\"lead.ended\""), 1);
}

LEAD_CASE(who_leaves_gives_it_up)
{
	int64_t released;

	join(&one, "one", NULL);
	join(&two, "two", NULL);
	turn(&one);
	turn(&two);
	must(membership_leave, &one.member, CLOCK_MINUTE, &released);
	turn(&two);
	assert_int_equal(two.member.epoch, 2);
}

static const char *silent_command[] = { "true", NULL };

LEAD_CASE(one_that_can_tell_people_goes_before)
{
	join(&one, "one", NULL);
	turn(&one);
	assert_int_equal(one.member.epoch, 1);
	join(&two, "two", silent_command);
	turn(&one);
	assert_int_equal(one.member.epoch, 0);
	turn(&one);
	assert_int_equal(one.member.epoch, 0);
	turn(&two);
	assert_int_equal(two.member.epoch, 2);
	let_lead_end();
	turn(&one);
	assert_int_equal(one.member.epoch, 0);
	fall_silent(db, "two", CLOCK_HOUR);
	turn(&one);
	assert_int_equal(one.member.epoch, 3);
}

/* findings */

LEAD_CASE(a_finding_begins_once_and_ends_once)
{
	join(&one, "one", NULL);
	make_ill("mail");
	turn(&one);
	assert_int_equal(logged(BEGAN), 0);
	turns(&one, 3);
	assert_int_equal(logged(BEGAN), 1);
	assert_int_equal(logged("\"queue_unserved\""), 1);
	mend("mail");
	turns(&one, 3);
	assert_int_equal(logged(ENDED), 0);
	let_pass();
	turns(&one, 3);
	assert_int_equal(logged(ENDED), 1);
	assert_int_equal(kept(), 0);
	assert_int_equal(logged(BEGAN), 1);
}

LEAD_CASE(one_that_comes_and_goes_is_one)
{
	join(&one, "one", NULL);
	make_ill("mail");
	turns(&one, 2);
	for (int i = 0; i < 3; i++) {
		mend("mail");
		turns(&one, 2);
		make_ill("mail");
		turn(&one);
		let_pass();
	}
	assert_int_equal(logged(BEGAN), 1);
	assert_int_equal(logged(ENDED), 0);
	assert_int_equal(kept(), 1);
}

/* One that is there for a moment only is none. */
LEAD_CASE(what_is_seen_once_is_not_said)
{
	join(&one, "one", NULL);
	for (int i = 0; i < 3; i++) {
		make_ill("mail");
		turn(&one);
		mend("mail");
		turn(&one);
	}
	assert_int_equal(logged(BEGAN), 0);
	assert_int_equal(kept(), 0);
}

/* As at a start, and in a deploy: nobody serves a queue for a moment. */
LEAD_CASE(what_has_not_lasted_is_not_said)
{
	join(&one, "one", NULL);
	one.lead.rounds.patience = CLOCK_HOUR;
	make_ill("mail");
	turns(&one, 3);
	assert_int_equal(logged(BEGAN), 0);
	one.lead.rounds.patience = 0;
	turn(&one);
	assert_int_equal(logged(BEGAN), 1);
}

LEAD_CASE(another_leader_repeats_nothing)
{
	join(&one, "one", NULL);
	join(&two, "two", NULL);
	make_ill("mail");
	turns(&one, 2);
	let_lead_end();
	turns(&two, 3);
	assert_int_equal(logged(BEGAN), 1);
	mend("mail");
	turns(&two, 2);
	let_pass();
	turns(&two, 2);
	turns(&one, 2);
	assert_int_equal(logged(ENDED), 1);
}

/* What has names from outside is no more than a line: a service manager reads lines. */
LEAD_CASE(all_of_them_know_what_stands)
{
	join(&one, "one", NULL);
	join(&two, "two", NULL);
	turns(&one, 2);
	assert_string_equal(one.lead.rounds.degraded, "");
	make_ill("a\nMAINPID=1");
	turns(&one, 3);
	turn(&two);
	test_execute(db->db, "UPDATE dray_findings SET since = NULL, began_at = '2026-01-01 "
			     "00:00:00'");
	turn(&one);
	assert_contains(one.lead.rounds.degraded, "degraded: queue a?MAINPID=1 unserved ");
	assert_contains(one.lead.rounds.degraded, "h");
	assert_contains(two.lead.rounds.degraded, "degraded: queue a?MAINPID=1 unserved ");
	turns(&two, 2);
	assert_string_equal(two.lead.rounds.degraded, one.lead.rounds.degraded);
	make_ill("other");
	turns(&one, 3);
	assert_contains(one.lead.rounds.degraded, " +1");
	mend("a\nMAINPID=1");
	mend("other");
	turn(&one);
	let_pass();
	turns(&one, 2);
	turn(&two);
	assert_string_equal(one.lead.rounds.degraded, "");
	assert_string_equal(two.lead.rounds.degraded, "");
}

#ifdef DRAY_FAULTS
/* It has said something and could not write it: it is not said again, but written. */
LEAD_CASE(what_cannot_be_written_is_said_once)
{
	struct error error = { 0 };

	join(&one, "one", NULL);
	make_ill("mail");
	turn(&one);
	must(fault_arm, "finding_begin.0=fatal");
	one.lead.round_at = 0;
	assert_true(lead_run(&one.lead, &one.member, &error) != STATUS_OK);
	assert_int_equal(logged(BEGAN), 1);
	assert_int_equal(kept(), 0);
	fault_disarm();
	turn(&one);
	assert_int_equal(logged(BEGAN), 1);
	assert_int_equal(kept(), 1);
	mend("mail");
	turns(&one, 2);
	let_pass();
	must(fault_arm, "finding_forget.0=fatal");
	one.lead.round_at = 0;
	assert_true(lead_run(&one.lead, &one.member, &error) != STATUS_OK);
	fault_disarm();
	assert_int_equal(logged(ENDED), 1);
	turn(&one);
	assert_int_equal(logged(ENDED), 1);
	assert_int_equal(kept(), 0);
}
#endif

/* Frozen in the middle of a round, it writes nothing when it goes on. */
LEAD_CASE(one_that_leads_no_more_writes_nothing)
{
	join(&one, "one", NULL);
	join(&two, "two", NULL);
	make_ill("mail");
	turn(&one);
	let_lead_end();
	turn(&two);
	one.lead.round_at = one.lead.retry_at = 0; /* it does not look who leads */
	one.lead.look_at = CLOCK_NEVER;
	must(lead_run, &one.lead, &one.member);
	assert_int_equal(one.member.epoch, 0);
	assert_int_equal(kept(), 0);
	turn(&two);
	assert_int_equal(kept(), 1);
}

/* commands */

/* Appends what it is given to a file, and a line of it to another. */
static const char **keeps(const char *also)
{
	const char **argv = arena_array(db->arena, 4, sizeof(*argv));

	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = arena_printf(db->arena, "cat >> %s/told; %s", site->directory, also);
	return argv;
}

static const char *told(void)
{
	return test_read_file(db->arena, arena_printf(db->arena, "%s/told", site->directory));
}

/* Until its command has ended, and what it told is written. */
static void await_told(struct candidate *candidate)
{
	const int64_t deadline = clock_monotonic() + CLOCK_MINUTE;

	while (!alarm_is_free(&candidate->lead.alarm)) {
		assert_true(clock_monotonic() < deadline);
		candidate->lead.alarm.try_at = 0;
		lead_tend(&candidate->lead, &candidate->config);
		clock_sleep(CLOCK_MILLISECOND);
	}
	turn(candidate);
}

LEAD_CASE(people_are_told_of_the_beginning_and_of_the_end)
{
	join(&one, "one", keeps("true"));
	make_ill("mail");
	turns(&one, 2);
	await_told(&one);
	assert_json((struct test_result){ .output = told() }, 0,
		    "{'event': 'began', 'name': 'queue_unserved', 'subject': 'mail', 'queue': "
		    "'mail', 'dead': false}");
	turns(&one, 2);
	assert_true(alarm_is_free(&one.lead.alarm));
	mend("mail");
	turns(&one, 2);
	let_pass();
	turn(&one);
	assert_int_equal(kept(), 1);
	await_told(&one);
	assert_int_equal(kept(), 0);
	assert_int_equal(test_count_text(told(), "\n"), 2);
	assert_contains(told(), "\"event\":\"ended\"");
	assert_contains(told(), "\"ended_at\":");
}

/* The first one dies before its command has ended: the next one tells it. */
LEAD_CASE(what_was_not_told_the_next_one_tells)
{
	join(&one, "one", keeps("exec sleep 1000"));
	join(&two, "two", keeps("true"));
	make_ill("mail");
	turns(&one, 2);
	lead_tend(&one.lead, &one.config);
	const pid_t command = one.lead.alarm.command.pid;
	assert_true(command > 0);
	lead_end(&one.lead);
	assert_int_equal(kill(command, 0), -1);
	let_lead_end();
	turn(&two);
	await_told(&two);
	assert_int_equal(sql_number(db, "SELECT count(*) FROM dray_findings WHERE told"), 1);
	assert_int_equal(logged(BEGAN), 1);
}

/* It fails three times: that is said, and is a finding until one works. */
LEAD_CASE(a_command_that_fails_is_a_finding)
{
	join(&one, "one", keeps("exit 3"));
	make_ill("mail");
	turns(&one, 2);
	await_told(&one);
	assert_int_equal(test_count_text(told(), "\"queue_unserved\""), 3);
	assert_int_equal(logged("\"alarm.failed\""), 1);
	turns(&one, 2);
	assert_int_equal(sql_number(db, "SELECT count(*) FROM dray_findings WHERE name = "
					"'alarm_failing'"),
			 1);
	assert_int_equal(sql_number(db, "SELECT count(*) FROM dray_findings WHERE told"), 0);
	assert_false(alarm_is_free(&one.lead.alarm)); /* for a while */
	one.lead.alarm.again_at = 0;
	turn(&one);
	await_told(&one);
	assert_int_equal(logged("\"alarm.failed\""), 2);
	assert_int_equal(test_count_text(told(), "\"queue_unserved\""), 6);

	/* Another leader goes on with it, and ends it when its own has worked. */
	join(&two, "two", keeps("true"));
	let_lead_end();
	turns(&two, 2);
	assert_int_equal(sql_number(db, "SELECT count(*) FROM dray_findings WHERE away_since IS "
					"NOT NULL"),
			 0);
	make_ill("other");
	turns(&two, 2);
	for (int i = 0; i < 3; i++)
		await_told(&two);
	turn(&two);
	let_pass();
	turn(&two);
	await_told(&two);
	assert_int_equal(logged("\"alarm_failing\""), 2);
	assert_int_equal(kept(), 2);
}

/* It, and what it has begun, is ended when its time is up. */
LEAD_CASE(a_command_that_hangs_is_killed)
{
	const char *const hangs[] = { "sh", "-c", "trap '' TERM; sleep 1000 & wait; wait", NULL };
	struct command command = { 0 };
	const int64_t deadline = clock_monotonic() + CLOCK_MINUTE;

	assert_true(command_begin(&command, hangs, "{}"));
	const pid_t pid = command.pid;
	while (!command_ended(&command)) {
		assert_true(clock_monotonic() < deadline);
		command.ends_at = 0;
		clock_sleep(CLOCK_MILLISECOND);
	}
	assert_true(command.failed);
	assert_int_equal(kill(pid, 0), -1);
}

/* Its number may be anybody's then. */
LEAD_CASE(a_command_that_somebody_else_has_reaped_has_ended)
{
	const char *const ends[] = { "true", NULL };
	struct command command = { 0 };

	assert_true(command_begin(&command, ends, ""));
	assert_true(process_is_expected(command.pid));
	assert_int_equal(waitpid(command.pid, NULL, 0), command.pid);
	assert_true(command_ended(&command));
	assert_true(command.failed);
	assert_int_equal(command.pid, 0);
	assert_false(process_is_expected(command.pid));
}

/* Who hears of its beginning hears of its end, though nobody could be told when it came. */
LEAD_CASE(the_end_waits_for_one_that_can_tell)
{
	join(&one, "one", keeps("true"));
	make_ill("mail");
	turns(&one, 2);
	await_told(&one);
	lead_end(&one.lead);
	must(membership_leave, &one.member, CLOCK_SECOND, &(int64_t){ 0 });
	join(&two, "two", NULL);
	let_lead_end();
	mend("mail");
	turns(&two, 2);
	let_pass();
	turns(&two, 2);
	assert_int_equal(logged(ENDED), 1);
	assert_int_equal(kept(), 1);
	membership_clear(&one.member);
	join(&one, "one", keeps("true"));
	turn(&two); /* gives it up */
	turns(&one, 2);
	await_told(&one);
	assert_int_equal(kept(), 0);
	assert_contains(told(), "\"event\":\"ended\"");
	assert_int_equal(logged(ENDED), 1);
}

LEAD_CASE(a_command_that_is_not_there_fails)
{
	const char *const none[] = { "/nonexistent/program", NULL };
	struct command command = { 0 };

	assert_true(command_begin(&command, none, ""));
	while (!command_ended(&command))
		clock_sleep(CLOCK_MILLISECOND);
	assert_true(command.failed);
}

LEAD_CASE(something_runs_while_all_is_well)
{
	const char *path = arena_printf(db->arena, "%s/well", site->directory);
	const char *touches[] = { "touch", path, NULL };

	register_worker(db->db, "worker");
	deployment->config.well.every = CLOCK_HOUR;
	deployment->config.well.command = touches;
	join(&one, "one", NULL);
	make_ill("mail");
	turns(&one, 2);
	assert_int_equal(one.lead.well.pid, 0);
	mend("mail");
	turn(&one);
	let_pass();
	turn(&one);
	assert_int_equal(one.lead.well.pid, 0);
	turn(&one);
	assert_true(one.lead.well.pid > 0);
	while (one.lead.well.pid > 0)
		lead_tend(&one.lead, &one.config);
	assert_int_equal(access(path, F_OK), 0);
	turn(&one);
	assert_int_equal(one.lead.well.pid, 0);
	one.lead.well_at = 0;
	turn(&one);
	assert_true(one.lead.well.pid > 0);
}
