/* What is run when something does not happen, and while all is well. */
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"

WORLD_CASE(test_none)
{
	config_world_text(world, "workers: [{queues: a}]\n");
	assert_null(world->config->process.on_alarm);
	assert_null(world->config->well.command);
}

/* Nothing in it is for us: there is no job. */
WORLD_CASE(test_the_words_are_as_they_are_written)
{
	config_world_text(world, "on_alarm: [sh, -c, 'echo {0} {name} {{', '{*}']\n"
				 "on_well: {command: [\"true\"]}\n");
	const char **words = world->config->process.on_alarm;
	assert_int_equal(world->config->process.on_alarm_count, 4);
	assert_string_equal(words[0], "sh");
	assert_string_equal(words[2], "echo {0} {name} {{");
	assert_string_equal(words[3], "{*}");
	assert_null(words[4]);
	assert_int_equal(world->config->well.every, CLOCK_MINUTE);
	assert_string_equal(world->config->well.command[0], "true");
	assert_string_equal(config_origin(world->config, "on_alarm"), "config/queue.yml:1");
}

/* No worker has to do with it. */
WORLD_CASE(test_a_change_is_the_supervisors)
{
	struct config_diff diff;

	config_world_text(world, "on_alarm: [a]\non_well: {command: [b]}\n");
	struct config *first = world->config;
	world->config = NULL;
	config_world_text(world, "on_alarm: [a, c]\non_well: {command: [b, c], every: 2m}\n");
	config_diff(first, world->config, &diff);
	assert_int_equal(diff.count, 3);
	assert_int_equal(diff.parts, PART_SUPERVISOR);
	config_free(first);
}
