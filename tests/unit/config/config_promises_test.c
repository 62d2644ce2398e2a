/* What queue.yml promises of queues, and what a reload finds of it. */
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"

static void assert_promise(const struct config_world *world, size_t number, const char *queue,
			   int64_t late_after)
{
	assert_true(number < world->config->promise_count);
	assert_string_equal(world->config->promises[number].queue, queue);
	assert_int_equal(world->config->promises[number].late_after, late_after);
}

WORLD_CASE(test_none)
{
	config_world_text(world, "workers: [{queues: a}]\n");
	assert_int_equal(world->config->promise_count, 0);
}

/* In the file's order; what the environment says comes first. */
WORLD_CASE(test_promises_of_the_file_and_of_the_environment)
{
	config_world_text(world, "queues: {mail: {late_after: 60s}, \"imports*\": {late_after: "
				 "30m}, \"*\": {late_after: 5m}, none: {}}\n"
				 "development:\n"
				 "  queues: {\"*\": {late_after: 0.5}, Mail: {late_after: 1d}}\n");
	assert_int_equal(world->config->promise_count, 5);
	assert_promise(world, 0, "mail", CLOCK_MINUTE);
	assert_promise(world, 1, "imports*", 30 * CLOCK_MINUTE);
	assert_promise(world, 2, "*", CLOCK_SECOND / 2);
	assert_promise(world, 3, "none", -1);
	assert_promise(world, 4, "Mail", CLOCK_DAY);
	assert_string_equal(config_origin(world->config, "queues.*.late_after"),
			    "config/queue.yml:3");
	assert_string_equal(config_origin(world->config, "queues.mail.late_after"),
			    "config/queue.yml:1");
}

/* So many as fit into the row of a process, with the longest names. */
WORLD_CASE(test_as_many_as_fit)
{
	struct text text = { 0 };

	text_add(&text, "queues:\n");
	for (int i = 0; i < CONFIG_PROMISES_MOST; i++)
		text_printf(&text, "  %0*d: {late_after: 365d}\n", CONFIG_PROMISE_NAME_MOST, i);
	config_world_text(world, text_string(&text));
	assert_int_equal(world->config->promise_count, CONFIG_PROMISES_MOST);
	text_add(&text, "  one: {late_after: 1}\n  more: {late_after: 1}\n");
	config_world_write("config/queue.yml", text_string(&text));
	config_world_refused(world, &(struct config_request){ 0 }, "config.many_promises");
	text_free(&text);
}

WORLD_CASE(test_hosts)
{
	config_world_text(world, "workers: [{queues: a}]\n");
	assert_null(world->config->expect_hosts);
	config_world_text(world, "expect_hosts: []\n");
	assert_non_null(world->config->expect_hosts);
	assert_int_equal(world->config->expect_host_count, 0);
	config_world_text(world, "expect_hosts: [a]\ndevelopment: {expect_hosts: [b, c.d]}\n");
	assert_int_equal(world->config->expect_host_count, 2);
	assert_string_equal(world->config->expect_hosts[1], "c.d");
	config_world_write("config/queue.yml", "expect_hosts: a\n");
	config_world_refused(world, &(struct config_request){ 0 }, "config.expect_hosts");
}

static unsigned parts_of(struct config_world *world, const char *before, const char *after)
{
	struct config_diff diff;

	config_world_text(world, before);
	struct config *first = world->config;
	world->config = NULL;
	config_world_text(world, after);
	config_diff(first, world->config, &diff);
	assert_int_equal(diff.count, 1);
	assert_string_equal(diff.list[0].path, diff.list[0].before && diff.list[0].after
						       ? "queues.mail.late_after"
						       : "queues.mail");
	config_free(first);
	return diff.parts;
}

/* No worker has to do with it. */
WORLD_CASE(test_a_change_is_the_supervisors)
{
	static const char none[] = "workers: [{}]\n";
	static const char one[] = "workers: [{}]\nqueues: {mail: {late_after: 60s}}\n";
	static const char other[] = "workers: [{}]\nqueues: {mail: {late_after: 61s}}\n";

	assert_int_equal(parts_of(world, none, one), PART_SUPERVISOR);
	assert_int_equal(parts_of(world, one, other), PART_SUPERVISOR);
	assert_int_equal(parts_of(world, other, none), PART_SUPERVISOR);
}
