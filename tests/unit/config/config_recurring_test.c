/* What config_load makes of recurring.yml. */
#include "schedule/schedule.h"
#include "supervisor/roles.h"
#include "tests/support/model/config_world.h"
#include "tests/support/wording.h"

static const struct config_scheduler *load(struct config_world *world, const char *text)
{
	config_world_write("config/queue.yml", "workers: [{}]\ntime_zone: Europe/Madrid\n");
	config_world_write("config/jobs.yml",
			   "jobs: {A: {command: [\"true\"], priority: 10, queue: ten}}\n");
	config_world_write("config/recurring.yml", text);
	config_world_good(world, &(struct config_request){ 0 });
	return world->config->scheduler;
}

/* The example of docs/configuration.md. */
WORLD_CASE(test_documented)
{
	char *text = test_read_file(world->arena, SOURCE_DIR "/docs/configuration.md");
	char *begin = strstr(strstr(text, "## recurring.yml"), "production:\n");
	*strstr(begin, "```") = '\0';
	config_world_write("config/queue.yml", "workers: [{}]\n");
	config_world_write("config/recurring.yml", begin);
	config_world_good(world, &(struct config_request){ .environment = "production" });
	assert_int_equal(world->config->scheduler->task_count, 2);
}

/* What Rails writes, and no scheduler section in queue.yml: one scheduler with the tasks. */
WORLD_CASE(test_rails)
{
	const struct config_scheduler *scheduler =
		load(world, "development:\n"
			    "  one: {class: A, schedule: every hour, args: [1, {a: 2}]}\n"
			    "  two: {class: A, schedule: '@daily', queue: b, priority: 0}\n"
			    "production:\n"
			    "  three: {class: A, schedule: every hour}\n");

	assert_non_null(scheduler);
	assert_int_equal(scheduler->task_count, 2);
	const struct config_task *one = &scheduler->tasks[0];
	assert_string_equal(one->key, "one");
	assert_string_equal(one->class, "A");
	assert_string_equal(one->args, "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]}]");
	assert_null(one->queue);
	assert_false(one->has_priority);
	assert_string_equal(zone_name(one->timer->zone), "Europe/Madrid");
	assert_true(scheduler->tasks[1].has_priority);
	assert_null(scheduler->tasks[1].args);
}

#define SERIALIZED(serializer, value)                                                              \
	"{\"_aj_serialized\":\"ActiveJob::Serializers::" serializer                                \
	"Serializer\",\"value\":\"" value "\"}"

WORLD_CASE(test_arguments)
{
	static const struct {
		const char *yaml, *json;
	} cases[] = {
		{ "hello", "[\"hello\"]" },
		{ "[]", "[]" },
		{ "[1, -2, 1_000, 017, '3', 4.5, 1e3]", "[1,-2,1000,15,\"3\",4.5,\"1e3\"]" },
		/* as `YAML.load` of Psych 4 and 5 */
		{ "[0x1F, -0x1_f, 0b11, 0_7, -017, 1_000, '1,000', +1, 0, 00, "
		  "123456789012345678901]",
		  "[31,-31,3,7,-15,1000,\"1,000\",1,0,0,123456789012345678901]" },
		{ "[0X1F, 0o7, 0x, 0b12, 1_, 1__0, 0_8, 0xG, 12e3, 99999999999999999999x]",
		  "[\"0X1F\",\"0o7\",\"0x\",\"0b12\",\"1_\",\"1__0\",\"0_8\",\"0xG\",\"12e3\","
		  "\"99999999999999999999x\"]" },
		{ "[12:30, 1:2:3, -12:30, 24:00:00, 0:00, 12:60, 12:30:45.5, 5:30.5]",
		  "[45000,3723,-41400,86400,0,\"12:60\",45045.5,19830.0]" },
		{ "[.5, -.5, 1., 00.5, 01.5, 1_000.25, 1.5e+3, 1.5e3, ., 1.2.3]",
		  "[0.5,-0.5,1.0,0.5,1.5,1000.25,1.5e+3,\"1.5e3\",\".\",\"1.2.3\"]" },
		{ "\n    - 1,000\n    - -1,000.5", "[1000,-1000.5]" },
		{ "[true, No, ~, 'null', 08]", "[true,false,null,\"null\",\"08\"]" },
		{ "\n    - :now", "[" SERIALIZED("Symbol", "now") "]" },
		{ "[0xFFFFFFFFFFFFFFFF, -0x8000000000000001, 01777777777777777777777, "
		  "0b1_0000000000000000000000000000000000000000000000000000000000000000, "
		  "0xDEADBEEF]",
		  "[18446744073709551615,-9223372036854775809,18446744073709551615,"
		  "18446744073709551616,3735928559]" },
		{ "[2026-1-05, 2026-02-30, '2026-01-05', 2026-13-01]",
		  "[" SERIALIZED("Date", "2026-01-05") ",\"2026-02-30\",\"2026-01-05\","
						       "\"2026-13-01\"]" },
		{ "[2026-01-05 10:00:00, 2026-01-05T10:00:00.5+02:00, 2026-01-05 10:00]",
		  "[" SERIALIZED("Time", "2026-01-05T10:00:00.000000000Z") "," SERIALIZED(
			  "Time", "2026-01-05T08:00:00.500000000Z") ",\"2026-01-05 10:00\"]" },
		{ "{a: [1, {b: c}]}", "[{\"a\":[1,{\"b\":\"c\",\"_aj_symbol_keys\":[\"b\"]}],"
				      "\"_aj_symbol_keys\":[\"a\"]}]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		(void)snprintf(text, sizeof(text),
			       "t:\n  class: A\n  schedule: every hour\n  args: %s\n",
			       cases[i].yaml);
		assert_string_equal(load(world, text)->tasks[0].args, cases[i].json);
	}
}

WORLD_CASE(test_ours)
{
	const struct config_scheduler *scheduler =
		load(world, "t:\n"
			    "  command: echo {0}\n"
			    "  args: 1\n"
			    "  schedule: 30 2 * * *\n"
			    "  time_zone: Eastern Time (US & Canada)\n"
			    "  dst: compatible\n"
			    "  misfire: all\n"
			    "  misfire_limit: 7\n"
			    "  misfire_window: 2h\n"
			    "  overlap: skip\n"
			    "  jitter: 5s\n"
			    "  timeout: 90s\n"
			    "  late_after: 2m\n"
			    "  failures_after: 4\n"
			    "  enabled: false\n"
			    "  end_at: 2027-01-01\n");
	const struct config_task *task = &scheduler->tasks[0];
	const struct config_class *class = config_class_find(world->config, "recurring:t");

	assert_string_equal(task->class, "recurring:t");
	assert_string_equal(task->queue, "dray_commands");
	assert_non_null(class);
	assert_int_equal(class->handler, HANDLER_COMMAND);
	assert_int_equal(class->command_count, 2);
	assert_string_equal(class->command[1], "{0}");
	assert_string_equal(zone_name(task->timer->zone), "America/New_York");
	assert_int_equal(task->timer->gap, SCHEDULE_GAP_SKIP);
	assert_int_equal(task->timer->overlap, SCHEDULE_OVERLAP_BOTH);
	assert_int_equal(task->misfire, MISFIRE_ALL);
	assert_int_equal(task->misfire_limit, 7);
	assert_int_equal(task->misfire_window, 2 * CLOCK_HOUR);
	assert_int_equal(task->overlap, OVERLAP_SKIP);
	assert_int_equal(task->jitter, 5 * CLOCK_SECOND);
	assert_int_equal(task->timeout, 90 * CLOCK_SECOND);
	assert_int_equal(task->late_after, 2 * CLOCK_MINUTE);
	assert_int_equal(task->failures_after, 4);
	assert_false(task->enabled);
	assert_int_equal(task->starts, INT64_MIN);
	assert_true(task->ends < CLOCK_LAST);
}

static const struct config_retry *retry_of(struct config_world *world, const char *task)
{
	return &config_class_find(world->config, arena_printf(world->arena, "recurring:%s", task))
			->retry;
}

/* As a class of jobs.yml, which inherits what `defaults` has. */
WORLD_CASE(a_command_has_retries)
{
	config_world_write("config/jobs.yml", "defaults: {retry: {attempts: 9, wait: 1m}}\n"
					      "jobs: {A: {command: [\"true\"]}}\n");
	config_world_write("config/recurring.yml",
			   "usual: {command: a, schedule: every hour}\n"
			   "own: {command: a, schedule: every hour, retry: {wait: [1s, 2s]}}\n"
			   "never: {command: a, schedule: every hour, retry: false}\n"
			   "class: {class: A, schedule: every hour, retry: }\n");
	config_world_write("config/queue.yml", "workers: [{}]\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_retry *usual = retry_of(world, "usual");
	const struct config_retry *own = retry_of(world, "own");
	assert_true(usual->given && own->given);
	assert_int_equal(usual->attempts, 9);
	assert_int_equal(usual->waits[0], CLOCK_MINUTE);
	assert_int_equal(own->attempts, 9);
	assert_int_equal(own->wait, WAIT_LIST);
	assert_int_equal(own->waits[1], 2 * CLOCK_SECOND);
	assert_false(retry_of(world, "never")->given);
	assert_int_equal(retry_of(world, "never")->attempts, 5); /* for `exit` of defaults */
	assert_int_equal(retry_of(world, "never")->wait, WAIT_POLYNOMIAL);
	assert_string_equal(config_origin(world->config, "recurring.own.retry.wait"),
			    "config/recurring.yml:2");
	assert_string_equal(config_origin(world->config, "recurring.own.retry.attempts"),
			    "config/jobs.yml:1");
	assert_string_equal(config_origin(world->config, "recurring.usual.retry.wait"),
			    "config/jobs.yml:1");
	assert_null(config_origin(world->config, "recurring.never.retry.wait"));
}

static const struct config_class *command_of(struct config_world *world, const char *task)
{
	return config_class_find(world->config, arena_printf(world->arena, "recurring:%s", task));
}

/* As a whole, as a class's `exit` is. */
WORLD_CASE(a_command_says_how_its_jobs_begin_and_end)
{
	config_world_write("config/jobs.yml",
			   "defaults: {exit: {3: ok}, history: all, stdin: none, nice: 1}\n"
			   "jobs: {A: {command: [\"true\"]}}\n");
	config_world_write(
		"config/recurring.yml",
		"usual: {command: a, schedule: every hour}\n"
		"own: {command: a, schedule: every hour, history: failures, stdin: payload, exit: "
		"{4: discard}}\n"
		"none: {command: a, schedule: every hour, exit: {}}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_class *own = command_of(world, "own");
	assert_int_equal(command_of(world, "usual")->exit[0].from, 3);
	assert_int_equal(command_of(world, "usual")->history, HISTORY_ALL);
	assert_int_equal(command_of(world, "usual")->input, INPUT_NONE);
	assert_int_equal(own->input, INPUT_PAYLOAD);
	assert_int_equal(own->exit_count, 1);
	assert_int_equal(own->exit[0].from, 4);
	assert_int_equal(own->history, HISTORY_FAILURES);
	assert_int_equal(command_of(world, "none")->exit_count, 0);
	static const char *const origins[][2] = {
		{ "recurring.usual.exit", "config/jobs.yml:1" },
		{ "recurring.own.exit", "config/recurring.yml:2" },
		{ "recurring.own.history", "config/recurring.yml:2" },
		{ "jobs.recurring:usual.exit", "config/jobs.yml:1" },
		{ "jobs.recurring:usual.nice", "config/jobs.yml:1" },
		{ "jobs.recurring:own.exit", "config/recurring.yml:2" },
		{ "jobs.recurring:own.history", "config/recurring.yml:2" },
		{ "jobs.recurring:own.stdin", "config/recurring.yml:2" },
		{ "jobs.recurring:own.command", "config/recurring.yml:2" },
	};
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++)
		assert_string_equal(config_origin(world->config, origins[i][0]), origins[i][1]);
}

/* What `defaults` say of limits and of stopping holds for commands, and is shown of them. */
WORLD_CASE(a_command_has_the_limits_of_defaults)
{
	config_world_write("config/jobs.yml",
			   "defaults: {limits: {cpu: 1m}, stop: {grace: 9s}}\njobs: {}\n");
	config_world_write("config/recurring.yml", "own: {command: a, schedule: every hour}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(command_of(world, "own")->limits.cpu, 60);
	assert_string_equal(config_origin(world->config, "jobs.recurring:own.limits.cpu"),
			    "config/jobs.yml:1");
	assert_string_equal(config_origin(world->config, "jobs.recurring:own.stop.grace"),
			    "config/jobs.yml:1");
	assert_string_equal(config_origin(world->config, "jobs.recurring:own.stop.signal"),
			    "default");
}

static const char *zone_of(struct config_world *world, const char *zone, const char *task)
{
	config_world_write("config/queue.yml", zone);
	config_world_write("config/recurring.yml", task);
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_task *only = &world->config->scheduler->tasks[0];
	assert_int_equal(world->config->scheduler->task_count, 1);
	const char *shown = strstr(task, only->schedule); /* RK25: as it stands there */
	assert_non_null(shown);
	assert_int_equal(strncmp(shown - strlen("schedule: "), "schedule: ", 10), 0);
	assert_non_null(strchr(",}", shown[strlen(only->schedule)]));
	return zone_name(only->timer->zone);
}

/*
 * RK21, RK22, RK23, RK24, RK25: the schedule's zone before the task's, before the configuration's,
 * before that of the host; Rails' names for the latter three. What is shown is the schedule as it
 * was written.
 */
WORLD_CASE(test_rk21_to_rk25_zones)
{
	static const char plain[] = "a: {class: A, schedule: every day}\n";
	static const char task[] = "a: {class: A, schedule: every day, time_zone: Hawaii}\n";
	static const char own[] =
		"a: {class: A, schedule: every day in Asia/Tokyo, time_zone: Hawaii}\n";
	static const char rails[] = "time_zone: Eastern Time (US & Canada)\n";

	assert_string_equal(zone_of(world, "time_zone: Europe/Madrid\n", plain), "Europe/Madrid");
	assert_string_equal(zone_of(world, rails, plain), "America/New_York");
	assert_string_equal(zone_of(world, rails, task), "Pacific/Honolulu");
	assert_string_equal(zone_of(world, rails, own), "Asia/Tokyo");
	assert_int_equal(setenv("TZ", "America/Bogota", 1), 0);
	assert_string_equal(zone_of(world, "workers: [{}]\n", plain), "America/Bogota");
	assert_int_equal(unsetenv("TZ"), 0);
}

/* CF1, CF9, CF10: tasks bring their scheduler with them, whatever else there is. */
WORLD_CASE(test_cf1_cf9_cf10_processes)
{
	(void)unlink("config/queue.yml");
	config_world_write("config/recurring.yml", "a: {class: A, schedule: every day}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->worker_count, 1);
	assert_int_equal(world->config->dispatcher_count, 1);
	assert_int_equal(world->config->scheduler->task_count, 1);
	config_world_queue(world, "dispatchers: [{batch_size: 10}]\n");
	assert_int_equal(world->config->worker_count, 0);
	assert_int_equal(world->config->dispatcher_count, 1);
	assert_int_equal(world->config->scheduler->task_count, 1);
	config_world_queue(world, "dispatchers: []\n");
	assert_int_equal(world->config->worker_count + world->config->dispatcher_count, 0);
	assert_int_equal(world->config->scheduler->task_count, 1);
}

/* How many schedulers a supervisor would start. */
static size_t schedulers(const struct config_world *world)
{
	for (size_t i = 0; all_roles[i]; i++)
		if (strcmp(all_roles[i]->word, "scheduler") == 0)
			return role_entries(all_roles[i], world->config);
	return 0;
}

/* CF11, CF12: without tasks there is one where some may be added, and only there. */
WORLD_CASE(test_cf11_cf12_no_tasks)
{
	config_world_queue(world, "scheduler: {dynamic_tasks_enabled: true}\n");
	assert_int_equal(schedulers(world), 1);
	config_world_queue(world, "workers: [{}]\nscheduler: {dynamic_tasks_enabled: false}\n");
	assert_int_equal(schedulers(world), 0);
	config_world_queue(world, "workers: [{}]\n");
	assert_int_equal(schedulers(world), 0);
	config_world_write("config/recurring.yml", "a: {class: A, schedule: every day}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(schedulers(world), 1);
}

/* CF13, CF14, CF15, CF16, CF17: no scheduler, and no error. */
WORLD_CASE(test_none)
{
	assert_null(load(world, ""));
	assert_int_equal(world->problems.count, 0);
	assert_null(load(world, "production:\n  a: {class: A, schedule: every hour}\n"));
	assert_true(world->problems.list[0].warning);
	assert_wording("config.tasks_of_others", config_world_problems(world, true));
	assert_int_equal(setenv("SOLID_QUEUE_SKIP_RECURRING", "true", 1), 0);
	assert_null(load(world, "a: {class: A, schedule: every hour}\n"));
	assert_int_equal(setenv("SOLID_QUEUE_SKIP_RECURRING", "false", 1), 0);
	assert_non_null(load(world, "a: {class: A, schedule: every hour}\n"));
	assert_int_equal(setenv("SOLID_QUEUE_SKIP_RECURRING", "off", 1), 0);
	assert_non_null(load(world, "a: {class: A, schedule: every hour}\n"));
	assert_int_equal(unsetenv("SOLID_QUEUE_SKIP_RECURRING"), 0);
	assert_non_null(load(world, "a: {class: A, schedule: every hour}\n"));
}

WORLD_CASE(test_strict)
{
	(void)load(world, "a: {class: A, schedule: every 45 minutes}\n");
	assert_int_equal(world->problems.count, 1);
	config_world_write("config/queue.yml", "workers: [{}]\nscheduler: {strict: true}\n");
	assert_int_equal(config_world_load(world, &(struct config_request){ 0 }), STATUS_INVALID);
}

/* A reload sees what changed, and whom it concerns: a command is the workers', too. */
WORLD_CASE(test_difference)
{
	struct config_diff diff;

	(void)load(world, "a: {class: A, schedule: every hour}\nb: {command: [x], schedule: "
			  "every hour}\n");
	struct config *before = world->config;
	world->config = NULL;
	(void)load(world, "a: {class: A, schedule: every day, dst: {gap: skip}}\nb: {command: [y], "
			  "schedule: every hour}\n");
	config_diff(before, world->config, &diff);
	assert_false(config_same_entry(before, world->config, "scheduler", 0, 0));
	assert_true(config_same_entry(before, before, "scheduler", 0, 0));
	assert_int_equal(diff.parts, PART_ENTRIES | PART_JOBS);
	assert_int_equal(diff.count, 4);
	config_free(before);
}
