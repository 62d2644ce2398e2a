/*
 * What happens while the database is away: a role that waits for an event is not forgotten, and
 * what needs no database is done when it is due.
 */
#include "common/loop.h"
#include "tests/support/sites/deployment.h"

static int bell[2]; /* a byte in it is the role's event */

/* Shared with the role's process. */
static struct {
	atomic_int ticks;
	atomic_int events;
	atomic_int tended; /* since the last tick */
	atomic_int alone;  /* how often that was not the first time */
} * play;

static void hear(void *context)
{
	char byte;

	(void)context;
	assert_int_equal(read(bell[0], &byte, 1), 1);
	atomic_fetch_add(&play->events, 1);
}

static enum status waiter_start(struct role_context *context, struct error *error)
{
	enum status status = loop_watch(context->loop, bell[0], LOOP_READ, hear, NULL);

	return status == STATUS_OK ? status : error_set(error, status, "no bell");
}

/* As a worker whose slots are all taken: only an event brings work. */
static enum status waiter_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	(void)error;
	atomic_fetch_add(&play->ticks, 1);
	*wait = CLOCK_NEVER;
	return STATUS_OK;
}

static void waiter_describe(const struct role_context *context, struct text *metadata,
			    struct text *title)
{
	(void)context;
	text_add(metadata, "\"waiter\":true");
	text_add(title, "waiter");
}

static const struct role waiter = {
	.kind = "Waiter",
	.word = "waiter",
	.start = waiter_start,
	.tick = waiter_tick,
	.describe = waiter_describe,
};

TEST_ONLY(test_an_event_during_an_outage_is_not_forgotten, "sqlite")
{
	struct deployment *deployment = deployment_open(*state);
	struct site *site = deployment->site;

	play = test_share(sizeof(*play));
	assert_int_equal(pipe2(bell, O_CLOEXEC), 0);
	deployment->config.process.process_heartbeat_interval = 100 * CLOCK_MILLISECOND;
	deployment_start_role(deployment, &waiter);
	deployment_await(deployment, &play->ticks, 1);
	test_execute(site->db, "ALTER TABLE solid_queue_processes RENAME TO hidden");
	site_await_log(site, "during=heartbeat", 1);
	assert_int_equal(write(bell[1], "!", 1), 1);
	deployment_await(deployment, &play->events, 1);
	test_execute(site->db, "ALTER TABLE hidden RENAME TO solid_queue_processes");
	deployment_await(deployment, &play->ticks, 2);
	site_await_log(site, "process.recovered", 1);
	assert_code(site_stop(site, SIGTERM), EXIT_STOPPED);
	deployment_close(deployment);
	close(bell[0]);
	close(bell[1]);
}

/* As a worker in an outage that has a run to stop. */
static enum status cut_off_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	*wait = 0;
	atomic_store(&play->tended, 0);
	return error_set(error, STATUS_DOWN, "there is no database");
}

static int64_t cut_off_tend(struct role_context *context)
{
	(void)context;
	if (atomic_fetch_add(&play->tended, 1) > 0)
		atomic_fetch_add(&play->alone, 1);
	return 0;
}

static enum status cut_off_start(struct role_context *context, struct error *error)
{
	(void)context;
	(void)error;
	return STATUS_OK;
}

static const struct role cut_off = {
	.kind = "CutOff",
	.word = "cut off",
	.start = cut_off_start,
	.tick = cut_off_tick,
	.tend = cut_off_tend,
	.describe = waiter_describe,
};

/* It does not wait for a tick, which waits for the database. */
TEST_ONLY(test_what_needs_no_database_is_done_in_an_outage, "sqlite")
{
	struct deployment *deployment = deployment_open(*state);

	play = test_share(sizeof(*play));
	deployment_start_role(deployment, &cut_off);
	deployment_await(deployment, &play->alone, 1);
	assert_code(site_stop(deployment->site, SIGTERM), EXIT_STOPPED);
	deployment_close(deployment);
}
