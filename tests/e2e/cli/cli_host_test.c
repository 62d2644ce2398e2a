/*
 * The files of a host in /etc/dray: what root does and what the service does meet in /var/lib/dray,
 * and root does it there as the service's user.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"
#include "tests/support/test.h"
#include "tests/support/wait.h"

#define STATE  "var/lib/dray/"
#define NOBODY 65534

/* Tests need not run as root. */
static void assert_given(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	if (geteuid() == 0)
		assert_int_equal(status.st_uid, NOBODY);
}

static void await_file(const char *path)
{
	test_until(access(path, F_OK) == 0, path);
}

static void assert_fails(struct test_result result, int code, const char *why)
{
	assert_code(result, code);
	assert_contains(result.errors, why);
}

static void make_host(const struct config_world *world)
{
	static const char *const folders[] = { "etc", "var", "var/lib", "var/lib/dray" };

	assert_int_equal(setenv("DRAY_TEST_HOST", world->directory, 1), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(folders[i], 0755), 0);
	assert_int_equal(rename("config", "etc/dray"), 0);
	assert_int_equal(chmod(world->directory, 0755), 0);
	if (geteuid() == 0)
		assert_int_equal(chown(STATE, NOBODY, NOBODY), 0);
	config_world_write("etc/dray/queue.yml", "supervisor_pidfile: run/dray.pid\n"
						 "workers: [{polling_interval: 0.02}]\n"
						 "dispatchers: [{}]\n");
	config_world_write("etc/dray/jobs.yml", "jobs:\n  Touch: {command: [touch, done]}\n");
}

WORLD_CASE(root_and_the_service_have_one_database)
{
	static char done[] = STATE "done";

	make_host(world);
	assert_code(config_world_dray(world, "db", "migrate"), 0);
	assert_given(STATE "storage");
	assert_given(STATE "storage/dray.sqlite3");
	assert_code(config_world_dray(world, "enqueue", "Touch"), 0);
	struct test_running start = test_command_start(
		&(struct test_command){ .arguments = (const char *const[]){ "start", NULL } });
	await_file(done);
	assert_given(done);
	assert_given(STATE "storage/dray.sqlite3-wal");
	assert_given(STATE "storage/dray.sqlite3-shm");
	assert_given(STATE "run");
	assert_given(STATE "run/dray.pid");
	assert_int_equal(kill(start.pid, SIGTERM), 0);
	assert_code(test_command_finish(world->arena, &start, 30 * CLOCK_SECOND), 0);
	/* As the units have it. */
	const char *const units[] = {
		arena_printf(world->arena, "DRAY_CONFIG=%s/etc/dray/queue.yml", world->directory),
		"DRAY_ENV=production", NULL
	};
	struct test_result jobs = test_command_run(
		world->arena, &(struct test_command){
				      .arguments = (const char *const[]){ "jobs", "--json", NULL },
				      .environment = units });
	assert_code(jobs, 0);
	assert_contains(jobs.output, "\"class\": \"Touch\"");
	assert_int_not_equal(access("storage", F_OK), 0);
	assert_int_equal(setenv("DRAY_TEST_HOST", TEST_NO_HOST, 1), 0);
}

/*
 * Only the files' own paths begin in the folder; what the caller says begins where the caller is,
 * although root writes there as the service's user.
 */
WORLD_CASE(a_path_on_the_command_line_is_the_callers)
{
	make_host(world);
	assert_int_equal(mkdir("mine", 0777), 0);
	assert_int_equal(chmod("mine", 0777), 0);
	assert_code(config_world_dray(world, "--database", "sqlite3:mine/jobs", "db", "migrate"),
		    0);
	assert_int_equal(access("mine/jobs", F_OK), 0);
	assert_int_not_equal(access(STATE "mine", F_OK), 0);
	assert_code(config_world_dray(world, "--database", "sqlite3:mine/jobs", "enqueue", "Touch"),
		    0);
	assert_int_not_equal(access(STATE "storage", F_OK), 0);
	assert_int_equal(setenv("DRAY_TEST_HOST", TEST_NO_HOST, 1), 0);
}

/* What is in the folder was put there by its owner. */
WORLD_CASE(root_does_nothing_as_root_in_the_folder_of_another)
{
	make_host(world);
	if (geteuid() != 0)
		return;
	config_world_write("etc/dray/jobs.yml", "jobs:\n  Touch: {module: touch.so}\n");
	config_world_write(STATE "touch.so", "theirs");
	assert_int_equal(chmod(STATE "touch.so", 0600), 0); /* root could read it */
	struct test_result check = config_world_dray(world, "check", "--no-database");
	assert_code(check, 2);
	assert_contains(check.errors,
			"touch.so: cannot open shared object file: Permission denied");

	config_world_write("lines", "");
	assert_int_equal(chmod("lines", 0600), 0);
	assert_code(config_world_dray(world, "db", "migrate"), 0);
	assert_fails(config_world_dray(world, "enqueue", "--bulk", "lines"), 1,
		     "lines: Permission denied as the user nobody");
	assert_code(config_world_dray(world, "pause", "default"), 0);
	assert_contains(config_world_dray(world, "audit", "--json").output, "\"who\": \"root\"");

	assert_int_equal(mkdir("roots", 0700), 0);
	assert_int_equal(rename(STATE "storage", STATE "before"), 0);
	assert_int_equal(mkdir(STATE "storage", 0777), 0);
	assert_int_equal(symlink("../../../../roots/new", STATE "storage/dray.sqlite3"), 0);
	assert_fails(config_world_dray(world, "db", "migrate"), 3,
		     "Permission denied as the user nobody");
	assert_int_not_equal(access("roots/new", F_OK), 0);
	assert_int_equal(setenv("DRAY_TEST_HOST", TEST_NO_HOST, 1), 0);
}

/* A folder that is only called so is taken for the caller's own configuration. */
WORLD_CASE(a_folder_called_config_is_named_where_it_hides_the_hosts_files)
{
	make_host(world);
	const char *files = arena_printf(world->arena, "%s/etc/dray", world->directory);
	assert_int_equal(mkdir("config", 0755), 0);
	struct test_result jobs = config_world_dray(world, "jobs");
	assert_fails(jobs, 2, "'dray db migrate' creates it");
	assert_contains(jobs.errors, files);
	assert_contains(config_world_dray(world, "check", "--no-database").errors, files);
	assert_null(
		strstr(config_world_dray(world, "--database", "sqlite3:x", "jobs").errors, files));
	config_world_write("config/queue.yml", "workers: [{}]\n");
	assert_null(strstr(config_world_dray(world, "jobs").errors, files));
	assert_int_equal(rename("config/queue.yml", "config/jobs.yml"), 0);
	assert_null(strstr(config_world_dray(world, "jobs").errors, files));
	assert_int_equal(setenv("DRAY_TEST_HOST", TEST_NO_HOST, 1), 0);
}

static struct test_result run_below(const struct config_world *world, const char *command,
				    const char *option)
{
	return test_command_run(
		world->arena,
		&(struct test_command){ .arguments = (const char *const[]){ command, option, NULL },
					.directory = "app/jobs" });
}

/* One may stand below the application's root. */
WORLD_CASE(an_application_above_is_named_where_there_is_no_database)
{
	config_world_write("config/application.rb", "");
	config_world_write("config/database.yml", "development: {adapter: sqlite3, database: a}\n");
	const char *above = arena_printf(world->arena, " %s ", world->directory);
	assert_int_equal(mkdir("app", 0755) | mkdir("app/jobs", 0755), 0);
	struct test_result jobs = run_below(world, "jobs", NULL);
	assert_fails(jobs, 2, "'dray db migrate' creates it");
	assert_contains(jobs.errors, above);
	assert_contains(run_below(world, "check", "--no-database").errors, world->directory);
	assert_null(strstr(config_world_dray(world, "jobs").errors, above));
}

/* The administrator has said so. */
WORLD_CASE(a_folder_of_roots_is_used_as_root)
{
	struct stat status;

	make_host(world);
	assert_int_equal(chown(STATE, geteuid(), getegid()), 0);
	assert_code(config_world_dray(world, "db", "migrate"), 0);
	assert_int_equal(stat(STATE "storage/dray.sqlite3", &status), 0);
	assert_int_equal(status.st_uid, geteuid());
	assert_int_equal(setenv("DRAY_TEST_HOST", TEST_NO_HOST, 1), 0);
}

/* A folder that root makes would be of no use to the service. */
WORLD_CASE(a_folder_that_is_not_there_is_not_made_by_root)
{
	make_host(world);
	assert_int_equal(rmdir(STATE), 0);
	assert_fails(config_world_dray(world, "db", "migrate"), 2, "'install -d -o dray -g dray ");
	assert_fails(config_world_dray(world, "db", "migrate", "--create-folders"), 2,
		     "there is no folder ");
	assert_fails(config_world_dray(world, "start", "--database", "sqlite3:/tmp/elsewhere.db"),
		     2, "run/dray.pid: there is no folder ");
	assert_int_not_equal(access(STATE, F_OK), 0);
	assert_int_equal(unsetenv("DRAY_TEST_HOST"), 0);
}
