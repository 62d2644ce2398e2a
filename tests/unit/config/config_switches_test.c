/* Without the scheduler, or only that: the switches and variables of Solid Queue's bin/jobs. */
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"

#define SKIP "SOLID_QUEUE_SKIP_RECURRING"
#define ONLY "SOLID_QUEUE_ONLY_RECURRING"

static void say(const char *variable, const char *value)
{
	assert_int_equal(setenv(variable, value, 1), 0);
}

static void write_tasks(void)
{
	config_world_write("config/queue.yml", "workers: [{}, {}]\ndispatchers: [{}]\n"
					       "scheduler: {dynamic_tasks_enabled: true}\n");
	config_world_write("config/recurring.yml", "a: {class: A, schedule: every day}\n");
}

static void expect(struct config_world *world, const struct config_request *request, size_t workers,
		   size_t dispatchers, bool scheduler)
{
	config_world_good(world, request);
	assert_int_equal(world->config->worker_count, workers);
	assert_int_equal(world->config->dispatcher_count, dispatchers);
	assert_int_equal(world->config->scheduler != NULL, scheduler);
}

/* CF13, CF14: tasks of the database are not run either. */
WORLD_CASE(test_skip)
{
	write_tasks();
	expect(world, &(struct config_request){ 0 }, 2, 1, true);
	expect(world, &(struct config_request){ .skip_recurring = SAID_YES }, 2, 1, false);
	assert_int_equal(world->config->files[2].state, FILE_SKIPPED);
	assert_string_equal(world->config->files[2].origin, "--skip-recurring");
	say(SKIP, "true");
	expect(world, &(struct config_request){ 0 }, 2, 1, false);
	assert_string_equal(world->config->skips_recurring, SKIP);
	expect(world, &(struct config_request){ .skip_recurring = SAID_NO }, 2, 1, true);
	say(SKIP, "f");
	expect(world, &(struct config_request){ 0 }, 2, 1, true);
}

WORLD_CASE(test_only)
{
	write_tasks();
	expect(world, &(struct config_request){ .only_recurring = SAID_YES }, 0, 0, true);
	assert_int_equal(world->config->scheduler->task_count, 1);
	assert_string_equal(world->config->only_recurring, "--only-recurring");
	say(ONLY, "1");
	expect(world, &(struct config_request){ 0 }, 0, 0, true);
	expect(world, &(struct config_request){ .only_recurring = SAID_NO }, 2, 1, true);
	say(ONLY, "");
	expect(world, &(struct config_request){ 0 }, 2, 1, true);
}

WORLD_CASE(test_only_without_tasks)
{
	write_tasks();
	say(ONLY, "true");
	config_world_write("config/recurring.yml", "");
	expect(world, &(struct config_request){ 0 }, 0, 0, true);
	config_world_write("config/queue.yml", "workers: [{}]\nscheduler: {polling_interval: 1}\n");
	config_world_refused(world, &(struct config_request){ 0 }, "config.only_without_tasks");
	config_world_write("config/queue.yml", "workers: [{}]\n");
	config_world_refused(world, &(struct config_request){ 0 }, "config.only_without_tasks");
	/* Who starts nothing is not stopped. */
	config_world_good(world, &(struct config_request){ .needs = NEED_DATABASE });
}

WORLD_CASE(test_both)
{
	write_tasks();
	config_world_refused(
		world,
		&(struct config_request){ .skip_recurring = SAID_YES, .only_recurring = SAID_YES },
		"config.only_and_skip");
	say(SKIP, "true");
	say(ONLY, "true");
	config_world_refused(world, &(struct config_request){ 0 },
			     "config.only_and_skip_variables");
	expect(world, &(struct config_request){ .skip_recurring = SAID_NO }, 0, 0, true);
}
