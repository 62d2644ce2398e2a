/* Why a job is not running: from facts to words, case by case. */
#include "queue/look/why.h"

#include <string.h>

#include "common/clock.h"
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

/* The kinds of all reasons, "queue_paused ahead". */
static const char *kinds(struct rig *rig)
{
	const char *list = "";

	why_explain(rig->arena, &rig->facts, &rig->why);
	for (size_t i = 0; i < rig->why.count; i++)
		list = arena_printf(rig->arena, "%s%s%s", list, i > 0 ? " " : "",
				    rig->why.reasons[i].kind);
	return list;
}

static void assert_kinds(struct rig *rig, const char *expected)
{
	assert_string_equal(kinds(rig), expected);
	assert_int_equal(rig->why.running, strcmp(expected, "running") == 0);
}

CASE_WITH(nothing_keeps_it, open_rig, close_rig)
{
	struct rig *rig = *state;

	assert_kinds(rig, "next");
	assert_wording("why.next", rig->why.text);
}

CASE_WITH(its_queue_is_paused, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.queue_pause = (struct pause_row){ .since = NOW - 3 * CLOCK_MINUTE,
						     .note = { .who = "ann",
							       .host = "h",
							       .reason = "it moves",
							       .ends_at = NOW + 2 * CLOCK_HOUR } };
	assert_kinds(rig, "queue_paused");
	assert_wording("why.queue_paused", rig->why.text);
	rig->facts.queue_pause.note = (struct pause_note){ 0 };
	assert_kinds(rig, "queue_paused");
	assert_wording("why.queue_paused_by_other_software", rig->why.text);
}

CASE_WITH(its_class_is_paused, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.class_pause = (struct pause_row){ .since = NOW, .note = { .who = "ann" } };
	assert_kinds(rig, "class_paused");
	assert_wording("why.class_paused", rig->why.text);
}

CASE_WITH(nobody_serves_it, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "unserved");
	assert_wording("why.unserved", rig->why.text);
	rig->facts.workers.silent = 2;
	assert_kinds(rig, "unserved");
	assert_wording("why.unserved_silent", rig->why.text);
}

CASE_WITH(who_serves_it_takes_it_not, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.workers =
		(struct why_workers){ .alive = 4, .quiet = 1, .paused = 1, .leaving = 2 };
	assert_kinds(rig, "quiet process_paused class_left");
	assert_wording("why.left_by_all", rig->why.text);
	rig->facts.workers.takers = 1;
	rig->facts.workers.alive = 5;
	assert_kinds(rig, "next");
}

CASE_WITH(all_threads_are_busy, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.workers.busy = 6;
	assert_kinds(rig, "busy");
	assert_wording("why.all_busy", rig->why.text);
	rig->facts.workers.threads = 0;
	assert_kinds(rig, "next");
}

CASE_WITH(others_come_before, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->facts.ahead = 1;
	assert_kinds(rig, "ahead");
	assert_wording("why.one_ahead", rig->why.text);
	rig->facts.ahead = 60;
	rig->facts.throughput = (struct throughput){ .minute = 30, .hour = 60 };
	assert_kinds(rig, "ahead");
	assert_wording("why.ahead_by_the_minute", rig->why.text);
	rig->facts.throughput.minute = 0;
	assert_kinds(rig, "ahead");
	assert_wording("why.ahead_by_the_hour", rig->why.text);
	rig->facts.ahead = WHY_MOST_AHEAD + 1;
	assert_kinds(rig, "ahead");
	assert_wording("why.many_ahead", rig->why.text);
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "unserved ahead");
	assert_null(strstr(rig->why.text, "rate"));
}

/* Who could take a job on its last chance and runs none will take it. */
CASE_WITH(every_worker_runs_a_last_chance, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->job.losses = 3;
	rig->facts.apart_job = 5;
	rig->facts.workers = (struct why_workers){ .alive = 2, .takers = 2, .apart = 1 };
	assert_kinds(rig, "next");
	rig->facts.workers.apart = 2;
	assert_kinds(rig, "last_chance");
	assert_wording("why.last_chance", rig->why.text);
	rig->facts.workers = (struct why_workers){ .alive = 1, .takers = 1, .apart = 1 };
	rig->facts.ahead = 1;
	rig->facts.throughput.minute = 60;
	assert_kinds(rig, "last_chance ahead");
	assert_wording("why.last_chance_and_one_ahead", rig->why.text);
}

CASE_WITH(it_is_not_due, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->job.state = JOB_SCHEDULED;
	rig->job.scheduled_at = NOW + 3 * CLOCK_HOUR;
	assert_kinds(rig, "scheduled");
	assert_wording("why.scheduled", rig->why.text);
	rig->facts.dispatcher = false;
	assert_kinds(rig, "scheduled no_dispatcher");
	rig->job.scheduled_at = NOW - CLOCK_MINUTE;
	rig->facts.workers = (struct why_workers){ 0 };
	assert_kinds(rig, "due no_dispatcher unserved");
	rig->facts.dispatcher = true;
	assert_kinds(rig, "due unserved");
	assert_wording("why.due", rig->why.text);
}

CASE_WITH(it_waits_for_a_key, open_rig, close_rig)
{
	struct rig *rig = *state;
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
	assert_kinds(rig, "limited limited ahead");
	assert_wording("why.limited", rig->why.text);
	rig->details.waits_for = "m";
	rig->details.more_count = 2;
	assert_kinds(rig, "limited limited ahead");
	assert_wording("why.limited_by_several", rig->why.text);
	rig->facts.holders.count = 0;
	rig->facts.ahead = 0;
	rig->facts.dispatcher = false;
	assert_kinds(rig, "limited no_dispatcher");
}

CASE_WITH(it_is_claimed, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->job.state = JOB_CLAIMED;
	rig->details.process =
		(struct process_row){ .id = 1, .name = "worker-1", .pid = 5, .hostname = "h" };
	assert_kinds(rig, "running");
	assert_wording("why.running", rig->why.text);
	rig->facts.process_silent = true;
	assert_kinds(rig, "silent");
	rig->details.process.id = 0;
	assert_kinds(rig, "orphaned");
}

CASE_WITH(it_is_over, open_rig, close_rig)
{
	struct rig *rig = *state;

	rig->job.state = JOB_FAILED;
	rig->job.error = "{\"exception_class\":\"E\",\"message\":\"m\"}";
	assert_kinds(rig, "failed");
	assert_wording("why.failed", rig->why.text);
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
