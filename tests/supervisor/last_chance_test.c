/*
 * Many jobs on their last chance at once, on every backend whose server is given: they run one
 * after the other, and everything behind them runs meanwhile.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "queue/look/why.h"
#include "tests/support/query.h"
#include "tests/support/sites/deployment.h"

#define THREADS 8
#define HELD    8
#define OTHERS  50

static struct deployment deployment;

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static const char *go(int number)
{
	return arena_printf(deployment.arena, "%s/go.%d", deployment.directory, number);
}

static void release(int number)
{
	FILE *file = fopen(go(number), "w");

	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

/* They run until they are released; all that may be lost is lost. */
static void put_held(int64_t held[])
{
	const char *wait =
		arena_printf(deployment.arena, "until [ -e %s/go.$1 ]; do sleep 0.02; done",
			     deployment.directory);
	const char *const held_command[] = { "sh", "-c", wait, "sh", "{0}", NULL };
	const char *const other_command[] = { "true", NULL };

	deployment_command(&deployment, "Held", held_command);
	deployment_command(&deployment, "Other", other_command);
	for (int i = 0; i < HELD; i++) {
		held[i] = deployment_enqueue(&deployment, "Held", "default",
					     arena_printf(deployment.arena, "%d", i));
		deployment_execute(&deployment,
				   arena_printf(deployment.arena,
						"INSERT INTO dray_losses (job_id, losses, "
						"last_lost_at) VALUES (%lld, 3, "
						"'2026-01-01 00:00:00')",
						(long long)held[i]));
	}
}

static void put_others(int64_t others[])
{
	for (int i = 0; i < OTHERS; i++)
		others[i] = deployment_enqueue(&deployment, "Other", "default", "");
}

static void assert_reason(int64_t id, int64_t runs)
{
	const struct loss_policy policy = { .max_losses = 3, .classes = "[]" };
	const struct prune patience = { .threshold = CLOCK_MINUTE,
					.other_threshold = CLOCK_MINUTE };
	struct error error = { 0 };
	struct job_details details;
	struct job job;
	struct why why;
	struct why_facts facts = { .job = &job, .details = &details, .policy = &policy };

	deployment_must(job_find(deployment.db, deployment.arena, id, &job, &error), &error,
			"job_find", __LINE__);
	deployment_must(job_details_read(deployment.db, deployment.arena, &job, &details, &error),
			&error, "job_details_read", __LINE__);
	deployment_must(why_read(deployment.db, deployment.arena, &patience, &facts, &error),
			&error, "why_read", __LINE__);
	why_explain(deployment.arena, &facts, &why);
	assert_string_equal(why.reasons[0].kind, "last_chance");
	assert_non_null(strstr(
		why.text, arena_printf(deployment.arena, "(such as job %lld)", (long long)runs)));
}

/* Who could take it and runs none will take it. */
static void no_reason_while_one_worker_can_take_it(void **state)
{
	struct job job = { .class_name = "A", .queue = "q", .state = JOB_READY, .losses = 3 };
	const struct job_details details = { 0 };
	struct why_facts facts = { .job = &job,
				   .details = &details,
				   .workers = { .alive = 2, .takers = 2, .apart = 1 },
				   .apart_job = 5 };
	struct why why;

	(void)state;
	why_explain(deployment.arena, &facts, &why);
	assert_string_equal(why.reasons[0].kind, "next");
	facts.workers.apart = 2;
	why_explain(deployment.arena, &facts, &why);
	assert_non_null(strstr(why.text,
			       "It has been lost 3 times, and the next loss fails it. A worker "
			       "runs only one such job at a time, and each of the 2 workers that "
			       "serve its queue is running one (such as job 5)."));
	facts.workers = (struct why_workers){ .alive = 1, .takers = 1, .apart = 1 };
	facts.ahead = 1;
	facts.throughput.minute = 60;
	why_explain(deployment.arena, &facts, &why);
	assert_non_null(strstr(why.text,
			       "and the 1 worker that serves its queue is running one (such as "
			       "job 5). 1 job of its queue comes before it."));
}

static int64_t claim_of(int64_t job)
{
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	return test_query_int(deployment.config.database.url,
			      arena_printf(deployment.arena,
					   "SELECT id FROM solid_queue_claimed_executions "
					   "WHERE job_id = %lld",
					   (long long)job));
}

static void all_others_run_beside_one(void **state)
{
	int64_t held[HELD];
	int64_t others[OTHERS];

	(void)state;
	deployment_worker(&deployment, "*", THREADS);
	put_held(held);
	put_others(others);
	deployment_start(&deployment, NULL);
	deployment_await_jobs(&deployment, JOB_FINISHED, OTHERS);
	assert_int_equal(deployment_job_state(&deployment, held[0]), JOB_CLAIMED);
	for (int i = 1; i < HELD; i++)
		assert_int_equal(deployment_job_state(&deployment, held[i]), JOB_READY);
	deployment_await_log(&deployment, "worker.last_chance");
	assert_reason(held[HELD - 1], held[0]);
	for (int i = 0; i < HELD - 1; i++) {
		(void)claim_of(held[i]);
		assert_int_equal(deployment_job_state(&deployment, held[i + 1]), JOB_READY);
		release(i);
	}
	/* Each was claimed once, and those that came with the first once more. MySQL hands out
	 * numbers in advance. */
	assert_in_range(claim_of(held[HELD - 1]), OTHERS + HELD, 2 * (OTHERS + HELD + THREADS));
	release(HELD - 1);
	deployment_await_jobs(&deployment, JOB_FINISHED, OTHERS + HELD);
	assert_int_equal(deployment_logged(&deployment, "worker.last_chance"), 1);
	for (int i = 0; i < HELD; i++)
		unlink(go(i));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(all_others_run_beside_one),
		CASE(no_reason_while_one_worker_can_take_it),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
