/* What config_load makes of jobs.yml. */

#include "common/text/text.h"
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"

WORLD_CASE(test_classes)
{
	config_world_write(
		"config/jobs.yml",
		"defaults:\n"
		"  queue: files\n"
		"  environment: [PATH, TOKEN=secret]\n"
		"  limits: {cpu: 2m, memory: 512M}\n"
		"  module: all.so\n"
		"  max_losses: 5\n"
		"jobs:\n"
		"  B: {command: [gzip, '{path}', ''], nice: 5, output: log, directory: /tmp}\n"
		"  A: {queue: other, priority: -3, limits: {memory: 1G, core: 0, files: 9}}\n"
		"  C: {on_lost: fail, max_losses: 0}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config *config = world->config;
	assert_int_equal(config->class_count, 3);
	const struct config_class *a = config_class_find(config, "A");
	const struct config_class *b = config_class_find(config, "B");
	const struct config_class *c = config_class_find(config, "C");
	assert_int_equal(a->handler, HANDLER_MODULE);
	assert_string_equal(a->module, "all.so");
	assert_string_equal(a->queue, "other");
	assert_int_equal(a->priority, -3);
	assert_int_equal(a->limits.cpu, 120);
	assert_int_equal(a->limits.memory, INT64_C(1) << 30);
	assert_int_equal(a->limits.core, 0);
	assert_int_equal(a->limits.files, 9);
	assert_int_equal(a->limits.processes, -1);
	assert_int_equal(a->limits.file_size, -1);
	assert_int_equal(b->handler, HANDLER_COMMAND);
	assert_null(b->module);
	assert_int_equal(b->command_count, 3);
	assert_string_equal(b->command[1], "{path}");
	assert_string_equal(b->command[2], "");
	assert_null(b->command[3]);
	assert_int_equal(b->nice, 5);
	assert_int_equal(b->output, OUTPUT_LOG);
	assert_string_equal(b->directory, "/tmp");
	assert_int_equal(b->limits.memory, 512 << 20);
	assert_string_equal(b->environment[1], "TOKEN=secret");
	assert_null(b->environment[2]);
	assert_string_equal(b->file, "config/jobs.yml");
	assert_int_equal(b->line, 8);
	assert_string_equal(c->queue, "files");
	assert_int_equal(a->on_lost, ON_LOST_INHERITED);
	assert_int_equal(a->max_losses, 5);
	assert_int_equal(c->on_lost, ON_LOST_FAIL);
	assert_int_equal(c->max_losses, 0);
	assert_int_equal(config->process.on_lost, ON_LOST_REQUEUE);
	assert_int_equal(config->process.max_losses, 3);
	assert_null(config_class_find(config, "D"));
	assert_string_equal(config_origin(world->config, "jobs.A.limits.cpu"), "config/jobs.yml:4");
	assert_string_equal(config_origin(world->config, "jobs.A.limits.core"),
			    "config/jobs.yml:9");
	assert_string_equal(config_origin(world->config, "jobs.B.module"), "default");
	assert_null(config_origin(world->config, "jobs.D.module"));
}

WORLD_CASE(test_classes_of_environment)
{
	config_world_write("config/jobs.yml", "defaults: {queue: a, nice: 1}\n"
					      "jobs:\n"
					      "  A: {command: [a], priority: 4}\n"
					      "production:\n"
					      "  defaults: {queue: b}\n"
					      "  jobs:\n"
					      "    A: {module: a.so}\n"
					      "    B: {command: [b]}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->class_count, 1);
	assert_string_equal(world->config->classes[0].queue, "a");
	config_world_good(world, &(struct config_request){ .environment = "production" });
	assert_int_equal(world->config->class_count, 2);
	const struct config_class *a = config_class_find(world->config, "A");
	assert_int_equal(a->handler, HANDLER_MODULE);
	assert_null(a->command);
	assert_int_equal(a->priority, 4);
	assert_int_equal(a->nice, 1);
	assert_string_equal(a->queue, "b");
}

WORLD_CASE(test_how_classes_are_stopped)
{
	config_world_write("config/queue.yml", "stop_grace: 7s\n");
	config_world_write("config/jobs.yml",
			   "defaults: {stop: {signal: SIGINT}}\n"
			   "jobs:\n"
			   "  A: {command: [a], stop: {grace: 10m}, timeout: 2h, expires_in: 1d}\n"
			   "  B: {command: [b], stop: {signal: USR1, grace: 0s}}\n"
			   "  C: {command: [c]}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_class *a = config_class_find(world->config, "A");
	const struct config_class *b = config_class_find(world->config, "B");
	const struct config_class *c = config_class_find(world->config, "C");
	assert_int_equal(a->stop.signal, SIGINT);
	assert_int_equal(config_grace(world->config, a), 10 * CLOCK_MINUTE);
	assert_int_equal(a->timeout, 2 * CLOCK_HOUR);
	assert_int_equal(a->expires_in, CLOCK_DAY);
	assert_true(b->timeout <= 0 && b->expires_in <= 0);
	assert_int_equal(b->stop.signal, SIGUSR1);
	assert_int_equal(config_grace(world->config, b), 0);
	assert_int_equal(c->stop.signal, SIGINT);
	assert_int_equal(config_grace(world->config, c), 7 * CLOCK_SECOND);
	assert_int_equal(config_grace(world->config, NULL), 7 * CLOCK_SECOND);
	assert_int_equal(config_grace_most(world->config), 10 * CLOCK_MINUTE);
	assert_string_equal(config_origin(world->config, "jobs.C.stop.signal"),
			    "config/jobs.yml:1");
}

/* Where one layer says who runs a class, what the layers below said of it no longer counts. */
WORLD_CASE(test_classes_that_others_run)
{
	config_world_write("config/jobs.yml",
			   "defaults: {command: ['true'], on_lost: fail}\n"
			   "jobs:\n"
			   "  A: {run_by: other, queue: ruby, concurrency: {to: 2}}\n"
			   "  B: {}\n"
			   "  C: {run_by: other}\n"
			   "production:\n"
			   "  defaults: {run_by: other}\n"
			   "  jobs:\n"
			   "    C: {command: [c]}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_class *a = config_class_find(world->config, "A");
	assert_int_equal(a->handler, HANDLER_NONE);
	assert_null(a->command);
	assert_string_equal(a->queue, "ruby");
	assert_int_equal(a->concurrency[0].to, 2);
	assert_int_equal(config_class_find(world->config, "B")->handler, HANDLER_COMMAND);
	assert_int_equal(config_class_find(world->config, "C")->handler, HANDLER_NONE);
	assert_string_equal(config_origin(world->config, "jobs.A.command"), "default");
	assert_string_equal(config_origin(world->config, "jobs.A.run_by"), "config/jobs.yml:3");
	config_world_good(world, &(struct config_request){ .environment = "production" });
	assert_int_equal(config_class_find(world->config, "B")->handler, HANDLER_NONE);
	assert_int_equal(config_class_find(world->config, "C")->handler, HANDLER_COMMAND);
	assert_string_equal(config_class_find(world->config, "C")->command[0], "c");
}

/* $${NAME} is for a shell, however it is written; what stands in single braces is the job's. */
WORLD_CASE(test_shell_variables_are_no_placeholders)
{
	config_world_write("config/jobs.yml",
			   "jobs: {A: {command: [sh, 'echo $${HOME} {0} $${A:-b}$${C}', "
			   "'$${{D}}', '{{}} $HOME']}}\n");
	config_world_write("config/recurring.yml",
			   "own: {command: [sh, 'echo $${HOME}'], schedule: every hour}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const char **command = config_class_find(world->config, "A")->command;
	assert_string_equal(command[1], "echo ${{HOME}} {0} ${{A:-b}}${{C}}");
	assert_string_equal(command[2], "${{D}}");
	assert_string_equal(command[3], "{{}} $HOME");
	command = config_class_find(world->config, "recurring:own")->command;
	assert_string_equal(command[1], "echo ${{HOME}}");
}
