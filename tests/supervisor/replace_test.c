/* Children that misbehave, played by a role of the test (BS2 and others), alone, too. */
#include "tests/support/sites/deployment.h"

/* Shared by the test and every process of the deployment. */
static struct {
	atomic_int starts;
	atomic_int ticks;
	atomic_int late;  /* how many starts never end */
	atomic_int exits; /* how many ticks end the process with exit(0) */
	atomic_int start_status;
	atomic_int stops;
	atomic_int closes;
} * play;

static struct deployment *deployment;
static struct site *site;

static enum status play_start(struct role_context *context, struct error *error)
{
	context->state = NULL;
	if (atomic_fetch_add(&play->starts, 1) < atomic_load(&play->late))
		for (;;)
			pause();
	enum status status = (enum status)atomic_load(&play->start_status);
	return status == STATUS_OK ? status : error_set(error, status, "a start that fails");
}

static enum status play_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	(void)error;
	atomic_fetch_add(&play->ticks, 1);
	if (atomic_load(&play->exits) > 0 && atomic_fetch_sub(&play->exits, 1) > 0)
		exit(0); /* NOLINT(concurrency-mt-unsafe): as a job might */
	*wait = 10 * CLOCK_MILLISECOND;
	return STATUS_OK;
}

static void play_stop(struct role_context *context)
{
	assert_true(context->stopping);
	atomic_fetch_add(&play->stops, 1);
}

static void play_close(struct role_context *context)
{
	(void)context;
	atomic_fetch_add(&play->closes, 1);
}

static void play_describe(const struct role_context *context, struct text *metadata,
			  struct text *title)
{
	(void)context;
	text_add(metadata, "\"play\":true");
	text_add(title, "player");
}

static const struct role player = {
	.kind = "Player",
	.word = "player",
	.section = "workers",
	.tier = TIER_WORKERS,
	.start = play_start,
	.tick = play_tick,
	.stop = play_stop,
	.close = play_close,
	.describe = play_describe,
};

static enum status refuse_start(struct role_context *context, struct error *error)
{
	context->state = NULL;
	return error_set(error, STATUS_INVALID, "a start that fails");
}

static const struct role faulty = {
	.kind = "Faulty",
	.word = "faulty",
	.section = "workers",
	.tier = TIER_WORKERS,
	.start = refuse_start,
	.tick = play_tick,
	.describe = play_describe,
};

static const struct role *const players[] = { &faulty, &player, NULL };
static const struct supervisor_options nobody = { players + 2 };
static const struct supervisor_options one = { players + 1 };
static const struct supervisor_options both = { players };

static void start(const struct supervisor_options *options)
{
	deployment_worker(deployment, "*", 1); /* an entry for each */
	deployment_start(deployment, options);
}

static void assert_exits(int code)
{
	assert_code(site_finish(site), code);
	assert_int_equal(site_row_count(site, NULL), 0);
}

/* Its start cannot even be told to stop: TERM is not heard, KILL is. */
DEPLOYMENT_CASE_ONLY(test_bs2_a_late_child_is_replaced, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->late, 1);
	deployment->config.process.fork_startup_timeout = 300 * CLOCK_MILLISECOND;
	start(&one);
	deployment_await(deployment, &play->ticks, 1);
	/* Once by TERM, once by KILL; on a busy machine its successor may be late, too. */
	assert_true(site_logged(site, "not ready in time") >= 2);
}

DEPLOYMENT_CASE_ONLY(test_a_child_that_never_starts_is_given_up, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->start_status, STATUS_FATAL);
	start(&one);
	assert_exits(EXIT_ERROR);
	assert_int_equal(atomic_load(&play->starts), 5);
	assert_int_equal(site_logged(site, "player 1 ended 5 times in 30 s before it was ready; "
					   "last: exited with status 1: a start that fails"),
			 1);
	assert_int_equal(site_logged(site, "none of the configured processes"), 1);
}

DEPLOYMENT_CASE_ONLY(test_a_wrong_configuration_is_not_tried_again, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->start_status, STATUS_INVALID);
	start(&one);
	assert_exits(EXIT_USAGE);
	assert_int_equal(atomic_load(&play->starts), 1);
}

/* While the others go on, the supervisor's row names it. */
DEPLOYMENT_CASE_ONLY(test_who_was_given_up_is_published, "sqlite")
{
	play = test_share(sizeof(*play));
	start(&both);
	site_await_log(site, "child.given_up", 1);
	(void)site_await_row(site, "Supervisor(fork)", "\"given_up\":\"faulty 1\"", 0);
	site_await_rows(site, "Player", 1);
}

DEPLOYMENT_CASE_ONLY(test_fs3_nothing_to_supervise, "sqlite")
{
	play = test_share(sizeof(*play));
	start(&nobody);
	assert_exits(EXIT_USAGE);
	assert_int_equal(site_logged(site, "no processes are configured"), 1);
}

/* Exit status 0 proves nothing: the row is still there and must go. */
DEPLOYMENT_CASE_ONLY(test_an_exit_without_leaving_is_buried, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->exits, 1);
	start(&one);
	site_await_log(site, "process.buried", 1);
	deployment_await(deployment, &play->starts, 2);
	site_await_rows(site, "Player", 1);
}

/* a role alone */

/* A start that finds the database away goes on trying and can be told to stop. */
DEPLOYMENT_CASE_ONLY(test_alone_waits_for_the_database, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->start_status, STATUS_DOWN);
	deployment_start_role(deployment, &player);
	deployment_await(deployment, &play->starts, 3);
	assert_int_equal(site_logged(site, "database.away"), 1);
	atomic_store(&play->start_status, STATUS_OK);
	deployment_await(deployment, &play->ticks, 1);
}

DEPLOYMENT_CASE_ONLY(test_alone_stops_while_waiting_for_the_database, "sqlite")
{
	play = test_share(sizeof(*play));
	atomic_store(&play->start_status, STATUS_DOWN);
	deployment_start_role(deployment, &player);
	deployment_await(deployment, &play->starts, 2);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(atomic_load(&play->ticks), 0);
}

DEPLOYMENT_CASE_ONLY(test_alone_a_lost_row_ends_it, "sqlite")
{
	play = test_share(sizeof(*play));
	deployment_start_role(deployment, &player);
	deployment_await(deployment, &play->ticks, 1);
	test_execute(site->db, "DELETE FROM solid_queue_processes");
	assert_code(site_finish(site), EXIT_ERROR);
	assert_int_equal(atomic_load(&play->stops), 1);
	assert_int_equal(atomic_load(&play->closes), 1);
}
