/* Files that are missing, unreadable or no text. */
#include <sys/stat.h>

#include "tests/support/model/config_world.h"
#include "tests/support/wording.h"

WORLD_CASE(test_file_names)
{
	config_world_write("config/jobs.yml", "jobs:\n");
	config_world_write("other.yml", "workers: [{threads: 9}]\n");
	config_world_refused(world, &(struct config_request){ .config_file = "missing.yml" },
			     "config.no_file_of_the_command_line");
	assert_int_equal(setenv("SOLID_QUEUE_CONFIG", "missing.yml", 1), 0);
	config_world_refused(world, &(struct config_request){ 0 }, "config.no_file_of_a_variable");
	assert_int_equal(setenv("DRAY_CONFIG", "other.yml", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->workers[0].threads, 9);
	assert_int_equal(setenv("DRAY_JOBS", "missing.yml", 1), 0);
	config_world_refused(world, &(struct config_request){ 0 }, "config.no_file_of_classes");
	config_world_good(world, &(struct config_request){ .jobs_file = "config/jobs.yml" });
	assert_int_equal(chdir("/"), 0);
	config_world_good(world, &(struct config_request){ .root = world->directory,
							   .jobs_file = "config/jobs.yml" });
	assert_string_equal(world->config->root, world->directory);
	assert_int_equal(world->config->workers[0].threads, 9);
	assert_int_equal(chdir(world->directory), 0);
}

/* The warning that has this text; NULL = none. */
static const char *warning_of(const struct config_world *world, const char *text)
{
	for (size_t i = 0; i < world->problems.count; i++)
		if (world->problems.list[i].warning && strstr(world->problems.list[i].text, text))
			return world->problems.list[i].text;
	return NULL;
}

static void assert_file(const struct config_world *world, size_t number, const char *path,
			const char *origin)
{
	assert_string_equal(world->config->files[number].path, path);
	assert_string_equal(world->config->files[number].origin, origin);
}

WORLD_CASE(test_recurring_file_names)
{
	config_world_write("config/recurring.yml", "a: {class: A, schedule: every day}\n");
	config_world_write("one.yml", "b: {class: B, schedule: every day}\n");
	config_world_write("two.yml", "c: {class: C, schedule: every day}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_string_equal(world->config->scheduler->tasks[0].key, "a");
	assert_file(world, 2, "config/recurring.yml", "default");
	assert_int_equal(setenv("SOLID_QUEUE_RECURRING_SCHEDULE", "one.yml", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_string_equal(world->config->scheduler->tasks[0].key, "b");
	assert_int_equal(setenv("DRAY_RECURRING", "two.yml", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_string_equal(world->config->scheduler->tasks[0].key, "c");
	assert_file(world, 2, "two.yml", "DRAY_RECURRING");
	config_world_good(world, &(struct config_request){ .recurring_file = "one.yml" });
	assert_string_equal(world->config->scheduler->tasks[0].key, "b");
	assert_file(world, 2, "one.yml", "the command line");
	assert_int_equal(setenv("SOLID_QUEUE_SKIP_RECURRING", "1", 1), 0);
	config_world_good(world, &(struct config_request){ .recurring_file = "one.yml" });
	assert_file(world, 2, "one.yml", "SOLID_QUEUE_SKIP_RECURRING");
	assert_int_equal(world->config->files[2].state, FILE_SKIPPED);
}

/* As in systemd's units, where not every host has the file. */
WORLD_CASE(test_files_that_may_be_missing)
{
	assert_int_equal(setenv("DRAY_RECURRING", "missing.yml", 1), 0);
	config_world_refused(world, &(struct config_request){ 0 }, "config.no_file_of_tasks");
	assert_int_equal(setenv("DRAY_RECURRING", "-missing.yml", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_file(world, 2, "missing.yml", "DRAY_RECURRING");
	assert_int_equal(world->config->files[2].state, FILE_MISSING);
	config_world_write("missing.yml", "a: {class: A, schedule: every day}\n");
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->files[2].state, FILE_READ);
	assert_string_equal(world->config->scheduler->tasks[0].key, "a");
	config_world_refused(world, &(struct config_request){ .recurring_file = "-missing.yml" },
			     "config.no_file_with_a_dash");
}

/* Moving both elsewhere and naming only one brings a warning. */
WORLD_CASE(test_a_recurring_file_beside_queue_yml)
{
	assert_int_equal(mkdir("etc", 0700), 0);
	config_world_write("etc/queue.yml", "workers: [{threads: 9}]\n");
	config_world_write("etc/recurring.yml", "a: {class: A, schedule: every day}\n");
	config_world_good(world, &(struct config_request){ .config_file = "etc/queue.yml" });
	assert_wording("config.recurring_elsewhere", warning_of(world, "recurring"));
	config_world_good(world, &(struct config_request){ .config_file = "etc/queue.yml",
							   .recurring_file = "etc/recurring.yml" });
	assert_null(warning_of(world, "recurring"));
}

struct wrong_bytes {
	const char *bytes;
	size_t length;
	const char *wording;
};

#define BYTES(text) (text), sizeof(text) - 1

WORLD_CASE(test_wrong_bytes)
{
	static const struct wrong_bytes cases[] = {
		{ BYTES(""), "config.empty" },
		{ BYTES(" \n\n\t\n"), "config.empty" },
		{ BYTES("log:\n  level: \xE4\n"), "config.latin1" },
		{ BYTES("\xFF\xFEl\0o\0"), "config.utf16" },
		{ BYTES("# \xC3\xA4\nlo\0g: 1\n"), "config.nul" },
		{ BYTES("# \xC3\xA4\r\n\r\nlog: 1\r\n"), "config.place_after_utf8" },
		{ BYTES("\xEF\xBB\xBFlog: 1\n"), "config.place_after_mark" },
		{ BYTES("log:\n  \xEF\xBB\xBFlevel: debug\n"), "config.mark_within" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		config_world_bytes("config/queue.yml", cases[i].bytes, cases[i].length);
		config_world_refused(world, &(struct config_request){ 0 }, cases[i].wording);
	}
}

WORLD_CASE(test_byte_order_mark)
{
	config_world_text(world, "\xEF\xBB\xBFworkers: [{threads: 2}]\r\n");
	assert_int_equal(world->config->workers[0].threads, 2);
}

WORLD_CASE(test_directory)
{
	config_world_refused(world, &(struct config_request){ .config_file = "config" },
			     "config.a_folder");
	config_world_refused(world, &(struct config_request){ .jobs_file = "config" },
			     "config.a_folder");
}

WORLD_CASE(test_too_long)
{
	size_t length = 1048577;
	char *bytes = arena_alloc(world->arena, length);
	memset(bytes, '#', length);
	config_world_bytes("config/queue.yml", bytes, length);
	config_world_refused(world, &(struct config_request){ 0 }, "config.too_long");
}

/* Root reads everything, so the reader must be somebody else. */
WORLD_CASE(test_unreadable)
{
	config_world_write("config/queue.yml", "{}\n");
	assert_int_equal(chmod("config/queue.yml", 0), 0);
	assert_int_equal(chmod(world->directory, 0755), 0);
	bool root = geteuid() == 0;
	if (root)
		assert_int_equal(seteuid(65534), 0);
	enum status status = config_world_load(world, &(struct config_request){ 0 });
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(status, STATUS_INVALID);
	assert_wording("config.unreadable", config_world_problems(world, false));
}

/* All mistakes of both files, in order. */
WORLD_CASE(test_both_files)
{
	config_world_write("config/queue.yml", "workers:\n  - threads: 0\nfoo: 1\n");
	config_world_write("config/jobs.yml", "jobs:\n  A: {}\n  B: {command: [b], nice: 99}\n");
	assert_int_equal(config_world_load(world, &(struct config_request){ 0 }), STATUS_INVALID);
	assert_wording("config.both_files", config_world_problems(world, true));
}
