/* What config_diff finds between two versions of the files, and whom it concerns. */
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"

#define QUEUE "workers: [{queues: a}, {queues: b, threads: 5}]\ndispatchers: [{}]\n"
#define JOBS  "jobs: {One: {command: [\"true\"]}}\n"

/* Two configurations and what differs; the world owns the second. */
struct pair {
	struct config *before;
	struct config_diff diff;
};

static struct config *load(struct config_world *world, const char *queue, const char *jobs)
{
	struct config *config;

	config_world_write("config/queue.yml", queue);
	config_world_write("config/jobs.yml", jobs);
	config_world_good(world, &(struct config_request){ 0 });
	config = world->config;
	world->config = NULL;
	return config;
}

static struct pair compare(struct config_world *world, const char *const before[2],
			   const char *const after[2])
{
	struct pair pair = { .before = load(world, before[0], before[1]) };

	world->config = load(world, after[0], after[1]);
	config_diff(pair.before, world->config, &pair.diff);
	return pair;
}

static const struct config_change *change_of(const struct pair *pair, const char *path)
{
	for (size_t i = 0; i < pair->diff.count; i++)
		if (strcmp(pair->diff.list[i].path, path) == 0)
			return &pair->diff.list[i];
	fail_msg("%s is not among %zu changes", path, pair->diff.count);
	return NULL;
}

/* One change and nothing else. */
static void assert_change(struct config_world *world, const char *queue, const char *jobs,
			  struct config_change expected)
{
	struct pair pair = compare(world, (const char *[]){ QUEUE, JOBS },
				   (const char *[]){ queue ? queue : QUEUE, jobs ? jobs : JOBS });
	const struct config_change *change = change_of(&pair, expected.path);

	assert_int_equal(pair.diff.count, 1);
	assert_int_equal(change->part, expected.part);
	assert_int_equal(pair.diff.parts, expected.part);
	if (expected.before)
		assert_string_equal(change->before, expected.before);
	else
		assert_null(change->before);
	if (expected.after)
		assert_string_equal(change->after, expected.after);
	else
		assert_null(change->after);
	config_free(pair.before);
	config_free(world->config);
	world->config = NULL;
}

WORLD_CASE(test_nothing)
{
	struct pair pair = compare(world, (const char *[]){ QUEUE, JOBS },
				   (const char *[]){ "# another comment\n" QUEUE, JOBS });

	assert_int_equal(pair.diff.count, 0);
	assert_int_equal(pair.diff.parts, 0);
	config_free(pair.before);
}

WORLD_CASE(test_whom_a_change_concerns)
{
	static const struct {
		const char *queue, *jobs, *path, *before, *after;
		enum config_part part;
	} cases[] = {
		{ QUEUE "shutdown_timeout: 9\n", NULL, "shutdown_timeout", "5s", "9s",
		  PART_COMMON },
		{ QUEUE "fork_startup_timeout: 9\n", NULL, "fork_startup_timeout", "5m", "9s",
		  PART_SUPERVISOR },
		{ QUEUE "max_leaving: 2\n", NULL, "max_leaving", "5", "2", PART_SUPERVISOR },
		{ QUEUE "supervisor_pidfile: p\n", NULL, "supervisor_pidfile", "none", "p",
		  PART_FIXED },
		{ QUEUE "database: {url: \"sqlite3:x\"}\n", NULL, "database.url",
		  "sqlite3:storage/dray.sqlite3", "sqlite3:x", PART_FIXED },
		{ QUEUE "database: {call_timeout: 7}\n", NULL, "database.call_timeout", "30s", "7s",
		  PART_DATABASE },
		{ QUEUE "log: {level: warn}\n", NULL, "log.level", "info", "warn", PART_LOG },
		{ "workers: [{queues: a}, {queues: b, threads: 6}]\ndispatchers: [{}]\n", NULL,
		  "workers[1].threads", "5", "6", PART_ENTRIES },
		{ "workers: [{queues: a}, {queues: b, threads: 5}]\ndispatchers: [{}, {}]\n", NULL,
		  "dispatchers[1]", NULL, "added", PART_ENTRIES },
		{ "workers: [{queues: a}]\ndispatchers: [{}]\n", NULL, "workers[1]", "removed",
		  NULL, PART_ENTRIES },
		{ QUEUE "scheduler: {}\n", NULL, "scheduler", NULL, "added", PART_ENTRIES },
		{ NULL, "jobs: {One: {command: [\"false\"]}}\n", "jobs.One.command", "[\"true\"]",
		  "[\"false\"]", PART_JOBS },
		{ NULL, "jobs: {One: {command: [\"true\"]}, Two: {command: [a]}}\n", "jobs.Two",
		  NULL, "added", PART_JOBS },
		{ NULL, "jobs: {One: {command: [\"true\"], limits: {files: 9}}}\n",
		  "jobs.One.limits.files", "inherited", "9", PART_JOBS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_change(world, cases[i].queue, cases[i].jobs,
			      (struct config_change){ cases[i].path, cases[i].before,
						      cases[i].after, cases[i].part });
}

#define MODULE "{module: m.so, limits: {processes: 3}, concurrency: {to: 2}, retry: 5"

/* Workers take over what they need not load. */
WORLD_CASE(test_a_module_is_more)
{
	static const struct {
		const char *class;
		unsigned parts;
	} cases[] = {
		{ "Two: " MODULE "}, Three: {command: [a]}", PART_JOBS },
		{ "Two: {command: [a]}", PART_JOBS | PART_MODULES },
		{ "Three: " MODULE "}", PART_JOBS | PART_MODULES },
		{ "Two: " MODULE "}, Three: " MODULE "}", PART_JOBS | PART_MODULES },
		{ "Two: {module: n.so, limits: {processes: 3}, concurrency: {to: 2}, retry: 5}",
		  PART_JOBS | PART_MODULES },
		{ "Two: {module: m.so, limits: {processes: 4}, concurrency: {to: 2}, retry: 5}",
		  PART_JOBS | PART_MODULES },
		{ "Two: {module: m.so, limits: {processes: 3}, concurrency: {to: 3}, retry: 5}",
		  PART_JOBS | PART_MODULES },
		{ "Two: {module: m.so, limits: {processes: 3}, concurrency: {to: 2}, retry: 6}",
		  PART_JOBS | PART_MODULES },
		{ "Two: {module: m.so, limits: {processes: 3}, concurrency: {to: 2}}",
		  PART_JOBS | PART_MODULES },
		{ "Two: " MODULE ", stop: {signal: INT}}", PART_JOBS | PART_MODULES },
		{ "Two: " MODULE ", environment: [A=b]}", PART_JOBS | PART_MODULES },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair pair =
			compare(world, (const char *[]){ QUEUE, "jobs: {Two: " MODULE "}}\n" },
				(const char *[]){ QUEUE, arena_printf(world->arena, "jobs: {%s}\n",
								      cases[i].class) });
		assert_int_equal(pair.diff.parts, cases[i].parts);
		config_free(pair.before);
		config_free(world->config);
		world->config = NULL;
	}
}

static bool is_of_jobs(const struct config_change *change)
{
	return strncmp(change->path, "jobs.", strlen("jobs.")) == 0;
}

/* From the texts alone, what was read from the files. */
WORLD_CASE(test_again)
{
	static const char jobs[] =
		"defaults: {nice: 3}\ndevelopment:\n  jobs:\n    One: {command: ['${HOME}'], "
		"priority: <%= ENV.fetch(\"NONE\", \"7\") %>, retry: 3}\n"
		"    Two: {module: m.so, concurrency: {to: 2, key: '{0}'}}\n";
	struct config_text texts[CONFIG_TEXTS];
	struct config_diff diff;
	struct config *again;

	config_world_write("config/recurring.yml",
			   "a: {command: [x], schedule: every hour, time_zone: Europe/Madrid}\n"
			   "b: {class: One, schedule: every hour}\n");
	struct config *before = load(world, QUEUE, JOBS);
	world->config = load(world, QUEUE, jobs);
	config_texts(world->config, texts);
	assert_int_equal(unlink("config/jobs.yml"), 0);
	assert_int_equal(unlink("config/recurring.yml"), 0);
	must(config_again, &again, before, texts);
	assert_int_equal(again->class_count, 3);
	assert_string_equal(again->classes[2].name, "recurring:a");
	assert_int_equal(config_class_find(again, "One")->priority, 7);
	config_diff(world->config, again, &diff);
	for (size_t i = 0; i < diff.count; i++)
		assert_false(is_of_jobs(&diff.list[i]));
	config_free(again);

	texts[CONFIG_RECURRING_TEXT] = (struct config_text){ NULL, 0 };
	texts[CONFIG_JOBS_TEXT] = (struct config_text){ "jobs: {One: 1}\n", 15 };
	struct error error = { 0 };
	assert_int_equal(config_again(&again, before, texts, &error), STATUS_INVALID);
	assert_contains(error.text, "config/jobs.yml:1:13: jobs.One is ");
	texts[CONFIG_JOBS_TEXT] = (struct config_text){ "", 0 };
	must(config_again, &again, before, texts);
	assert_int_equal(again->class_count, 0);
	config_free(again);
	config_free(before);
}

/* What a worker must not go on with. */
WORLD_CASE(test_exit_is_taken_away)
{
	struct pair pair = compare(
		world,
		(const char *[]){ QUEUE, "jobs: {One: {command: [a], exit: {65: discard}}}\n" },
		(const char *[]){ QUEUE, "jobs: {One: {command: [a]}}\n" });

	assert_int_equal(pair.diff.count, 1);
	assert_int_equal(change_of(&pair, "jobs.One.exit")->part, PART_JOBS);
	assert_string_equal(pair.diff.list[0].before, "{65: discard}");
	assert_string_equal(pair.diff.list[0].after, "none");
	config_free(pair.before);
}

/* A new password is a change that is applied and not shown. */
WORLD_CASE(test_secrets)
{
	struct pair pair = compare(
		world,
		(const char *[]){ QUEUE "database: {url: \"postgres://u:first@h/d\"}\n",
				  "jobs: {One: {command: [a], environment: [TOKEN=first]}}\n" },
		(const char *[]){ QUEUE "database: {url: \"postgres://u:second@h/d\"}\n",
				  "jobs: {One: {command: [a], environment: [TOKEN=second]}}\n" });

	assert_int_equal(pair.diff.count, 2);
	assert_int_equal(change_of(&pair, "database.url")->part, PART_DATABASE);
	assert_int_equal(change_of(&pair, "jobs.One.environment")->part, PART_JOBS);
	for (size_t i = 0; i < pair.diff.count; i++) {
		const struct config_change *change = &pair.diff.list[i];
		assert_null(strstr(change->before, "first"));
		assert_null(strstr(change->after, "second"));
		assert_non_null(strstr(change->after, "secret"));
	}
	config_free(pair.before);
}

WORLD_CASE(test_same_entries)
{
	struct pair pair = compare(
		world,
		(const char *[]){ "workers: [{queues: a}, {queues: b, processes: 2}]\n", JOBS },
		(const char *[]){ "workers: [{queues: b, processes: 4}, {queues: [a, b]}]\n",
				  JOBS });
	const struct config *after = ((struct config_world *)world)->config;

	assert_true(config_same_entry(pair.before, after, "workers", 1, 0));
	assert_false(config_same_entry(pair.before, after, "workers", 0, 0));
	assert_false(config_same_entry(pair.before, after, "workers", 0, 1));
	config_free(pair.before);
}

static struct config *load_task(struct config_world *world, const char *retry)
{
	config_world_write("config/recurring.yml",
			   arena_printf(world->arena,
					"t: {command: a, schedule: every hour, retry: %s}\n",
					retry));
	return load(world, QUEUE, JOBS);
}

/* The workers', who run its command: the scheduler goes on. */
WORLD_CASE(a_tasks_retry_is_the_workers)
{
	struct config *before = load_task(world, "{wait: 1m}");
	struct pair pair = { .before = before };

	world->config = load_task(world, "{wait: 2m}");
	config_diff(before, world->config, &pair.diff);
	assert_string_equal(change_of(&pair, "recurring.t.retry.wait")->after, "2m");
	assert_int_equal(pair.diff.parts, PART_JOBS);
	assert_true(config_same_entry(before, world->config, "scheduler", 0, 0));
	config_free(before);
}
