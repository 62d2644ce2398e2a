/* Why a job is not running: from facts to words, case by case. */
#include "queue/look/why.h"

#include "tests/support/wording.h"

#define NOW (INT64_C(1767225600) * CLOCK_SECOND) /* 2026-01-01 00:00 */

/* Facts that a test changes; at first a ready job that nothing keeps. */
struct rig {
	struct arena *arena;
	struct job job;
	struct job_details details;
	struct why_facts facts;
	struct why why;
};

static int open_rig(void **state)
{
	static struct rig rig;

	rig = (struct rig){ .arena = arena_new() };
	rig.job = (struct job){ .id = 7,
				.class_name = "A",
				.queue = "mail",
				.state = JOB_READY,
				.concurrency_key = "k",
				.since = NOW - CLOCK_MINUTE,
				.created_at = NOW - CLOCK_HOUR };
	rig.facts = (struct why_facts){ .now = NOW,
					.job = &rig.job,
					.details = &rig.details,
					.dispatcher = true,
					.workers = { .alive = 2, .takers = 2, .threads = 6 } };
	*state = &rig;
	return 0;
}

static int close_rig(void **state)
{
	struct rig *rig = *state;

	arena_free(rig->arena);
	return 0;
}

#define RIG_CASE(function)                                                                         \
	TEST_GIVEN(function, (struct rig * rig), function(*state), .set_up = open_rig,             \
		   .tear_down = close_rig)

static void assert_kinds(struct rig *rig, const char *expected)
{
	/* The kinds of all reasons, "queue_paused ahead". */
	const char *list = "";
	why_explain(rig->arena, &rig->facts, &rig->why);
	for (size_t i = 0; i < rig->why.count; i++)
		list = arena_printf(rig->arena, "%s%s%s", list, i > 0 ? " " : "",
				    rig->why.reasons[i].kind);
	assert_string_equal(list, expected);
	assert_int_equal(rig->why.running, strcmp(expected, "running") == 0);
}

/* And the words for them. */
static void assert_why(struct rig *rig, const char *expected, const char *wording)
{
	assert_kinds(rig, expected);
	assert_wording(wording, rig->why.text);
}

RIG_CASE(nothing_keeps_it)
{
	assert_why(rig, "next", "why.next");
}

RIG_CASE(its_queue_is_paused)
{
	rig->facts.queue_pause = (struct pause_row){ .since = NOW - 3 * CLOCK_MINUTE,
						     .note = { .who = "ann",
							       .host = "h",
							       .reason = "it moves",
							       .ends_at = NOW + 2 * CLOCK_HOUR } };
	assert_why(rig, "queue_paused", "why.queue_paused");
	rig->facts.queue_pause.note = (struct pause_note){ 0 };
	assert_why(rig, "queue_paused", "why.queue_paused_by_other_software");
}

RIG_CASE(its_class_is_paused)
{
	rig->facts.class_pause = (struct pause_row){ .since = NOW, .note = { .who = "ann" } };
	assert_why(rig, "class_paused", "why.class_paused");
}

RIG_CASE(the_database_refuses_it)
{
	rig->facts.refused = (struct pause_row){ .since = NOW - CLOCK_MINUTE,
						 .note = { .reason = "finish: not this one (P0001)",
							   .ends_at = NOW + CLOCK_MINUTE } };
	assert_why(rig, "refused", "why.database_refuses");
}

RIG_CASE(nobody_serves_it)
{
	rig->facts.workers = (struct why_workers){ 0 };
	assert_why(rig, "unserved", "why.unserved");
	rig->facts.workers.silent = 2;
	assert_why(rig, "unserved", "why.unserved_silent");
}

RIG_CASE(who_serves_it_takes_it_not)
{
	rig->facts.workers =
		(struct why_workers){ .alive = 4, .quiet = 1, .paused = 1, .strangers = 2 };
	assert_why(rig, "quiet process_paused class_left", "why.left_by_all");
	rig->facts.declared = true;
	assert_why(rig, "quiet process_paused class_left", "why.left_until_a_reload");
	rig->facts.workers.takers = 1;
	rig->facts.workers.alive = 5;
	assert_kinds(rig, "next");
}

RIG_CASE(who_serves_it_cannot_work)
{
	const struct server stuck = { .trouble = "permission denied for table t",
				      .trouble_since = rig->facts.now - CLOCK_MINUTE };

	rig->facts.workers = (struct why_workers){ .alive = 2, .troubled = 1, .trouble = &stuck };
	assert_why(rig, "trouble", "why.trouble");
	rig->facts.workers.troubled = 2;
	assert_why(rig, "trouble", "why.troubles");
	rig->facts.workers.takers = 1;
	assert_kinds(rig, "next");
	rig->job.state = JOB_SCHEDULED;
	rig->job.scheduled_at = rig->facts.now;
	rig->facts.dispatcher = false;
	rig->facts.stuck_dispatcher = &stuck;
	assert_why(rig, "due trouble", "why.trouble_of_the_dispatcher");
}

RIG_CASE(all_threads_are_busy)
{
	rig->facts.workers.busy = 6;
	assert_why(rig, "busy", "why.all_busy");
	rig->facts.workers.ending_jobs = 2;
	assert_why(rig, "busy", "why.all_busy");
	rig->facts.workers.busy = 5;
	assert_why(rig, "held", "why.may_be_held");
	rig->facts.workers.ending_jobs = 0;
	assert_kinds(rig, "next");
	rig->facts.workers.busy = 6;
	rig->facts.workers.threads = 0;
	assert_kinds(rig, "next");
}

RIG_CASE(others_come_before)
{
	rig->facts.ahead = 1;
	assert_why(rig, "ahead", "why.one_ahead");
	rig->facts.ahead = 60;
	rig->facts.throughput = (struct throughput){ .minute = 30, .hour = 60 };
	assert_why(rig, "ahead", "why.ahead_by_the_minute");
	rig->facts.throughput.minute = 0;
	assert_why(rig, "ahead", "why.ahead_by_the_hour");
	rig->facts.ahead = WHY_MOST_AHEAD + 1;
	assert_why(rig, "ahead", "why.many_ahead");
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "unserved ahead");
	assert_null(strstr(rig->why.text, "rate"));
}

/* Who could take a job on its last chance and runs none will take it. */
RIG_CASE(every_worker_runs_a_last_chance)
{
	rig->job.losses = 3;
	rig->facts.apart_job = 5;
	rig->facts.workers = (struct why_workers){ .alive = 2, .takers = 2, .apart = 1 };
	assert_kinds(rig, "next");
	rig->facts.workers.apart = 2;
	assert_why(rig, "last_chance", "why.last_chance");
	rig->facts.workers = (struct why_workers){ .alive = 1, .takers = 1, .apart = 1 };
	rig->facts.ahead = 1;
	rig->facts.throughput.minute = 60;
	assert_why(rig, "last_chance ahead", "why.last_chance_and_one_ahead");
}

RIG_CASE(it_is_not_due)
{
	rig->job.state = JOB_SCHEDULED;
	rig->job.scheduled_at = NOW + 3 * CLOCK_HOUR;
	assert_why(rig, "scheduled", "why.scheduled");
	rig->facts.dispatcher = false;
	assert_kinds(rig, "scheduled no_dispatcher");
	rig->job.scheduled_at = NOW - CLOCK_MINUTE;
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "due no_dispatcher unserved");
	rig->facts.dispatcher = true;
	assert_why(rig, "due unserved", "why.due");
}

RIG_CASE(it_waits_for_a_retry)
{
	struct job_details_run runs[] = {
		{ .attempt = 3,
		  .ended_at = NOW - CLOCK_MINUTE,
		  .outcome = "retried",
		  .error = "{\"exception_class\":\"E\",\"message\":\"m\"}" },
		{ .attempt = 2, .outcome = "retried" },
	};

	rig->job.state = JOB_SCHEDULED;
	rig->job.scheduled_at = NOW + CLOCK_HOUR;
	rig->details.runs = runs;
	rig->details.run_count = 2;
	rig->details.executions = 2; /* one run was lost */
	assert_why(rig, "retrying scheduled", "why.retrying");
	rig->facts.attempts = 4;
	assert_why(rig, "retrying scheduled", "why.retrying_two_of_four");
	rig->facts.attempts = 3;
	assert_why(rig, "retrying scheduled", "why.retrying_for_the_last_time");
	rig->details.runs = &(struct job_details_run){
		.attempt = 4,
		.ended_at = NOW - CLOCK_MINUTE,
		.outcome = "snoozed",
		.error = "{\"exception_class\":\"Dray::Snoozed\","
			 "\"message\":\"the API rests\"}",
	};
	rig->details.run_count = 1;
	assert_why(rig, "snoozed scheduled", "why.snoozed");
}

RIG_CASE(it_waits_for_a_key)
{
	struct holder holders[] = { { .job_id = 3,
				      .class_name = "B",
				      .since = NOW - CLOCK_MINUTE,
				      .claimed_at = NOW,
				      .process = "worker-1",
				      .pid = 5,
				      .hostname = "h" },
				    { .job_id = 4, .class_name = "B", .since = NOW } };

	rig->job.state = JOB_BLOCKED;
	rig->details.waits_for = "k";
	rig->facts.holders = (struct holders){ holders, 2 };
	rig->facts.ahead = 2;
	assert_why(rig, "limited limited ahead", "why.limited");
	rig->details.waits_for = "m";
	rig->details.more_count = 2;
	assert_why(rig, "limited limited ahead", "why.limited_by_several");
	rig->facts.holders.count = 0;
	rig->facts.ahead = 0;
	rig->facts.dispatcher = false;
	assert_kinds(rig, "limited no_dispatcher");
}

RIG_CASE(it_is_claimed)
{
	rig->job.state = JOB_CLAIMED;
	rig->details.process =
		(struct process_row){ .id = 1, .name = "worker-1", .pid = 5, .hostname = "h" };
	assert_why(rig, "running", "why.running");
	rig->facts.process_silent = true;
	assert_kinds(rig, "silent");
	rig->details.process.id = 0;
	assert_kinds(rig, "orphaned");
}

RIG_CASE(it_is_over)
{
	rig->job.state = JOB_FAILED;
	rig->job.error = "{\"exception_class\":\"E\",\"message\":\"m\"}";
	assert_why(rig, "failed", "why.failed");
	rig->job.error = "{\"exception_class\":\"Dray::UnknownClassError\",\"message\":\"m\"}";
	assert_kinds(rig, "failed unknown_class");
	rig->job.error = "nonsense";
	assert_kinds(rig, "failed");
	rig->job.state = JOB_FINISHED;
	rig->job.finished_at = NOW;
	assert_kinds(rig, "finished");
	rig->job.state = JOB_STATES;
	assert_kinds(rig, "nowhere");
}

/* It does not exist: what is left of it, and who deletes that. */
RIG_CASE(its_row_is_gone)
{
	static const struct why_left list[] = {
		{ .state = "scheduled", .since = NOW - CLOCK_HOUR, .due_at = NOW + CLOCK_HOUR },
		{ .state = "claimed", .since = NOW, .process_id = 4, .process = "worker-1" },
		{ .state = "claimed", .since = NOW, .process_id = 4 },
		{ .state = "ready", .since = NOW, .queue = "mail" },
		{ .state = "blocked", .since = NOW, .queue = "mail" },
		{ .state = "failed", .since = NOW },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		why_explain_left(rig->arena, 7, NOW, &list[i], 1, &rig->why);
		assert_int_equal(rig->why.count, 1);
		assert_string_equal(rig->why.reasons[0].kind, "missing");
		assert_string_equal(rig->why.reasons[0].fields[0].text, list[i].state);
		assert_int_equal(rig->why.running, list[i].process != NULL);
	}
	why_explain_left(rig->arena, 7, NOW, list, sizeof(list) / sizeof(list[0]), &rig->why);
	assert_wording("why.left", rig->why.text);
}
