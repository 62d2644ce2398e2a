/* What shells get that complete names: dray complete. */
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/support/sites/cli.h"
#include "tests/support/wait.h"

#define JOB(queue, class)                                                                          \
	"INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, created_at, "  \
	"updated_at) VALUES ('" queue "', '" class "', '{}', 0, '2026-01-01 00:00:00', "           \
						   "'2026-01-01 00:00:00');"

/* A machine may be slow, and this is not about it. */
#define PATIENT "complete", "--within", "1h"

/* Nothing but these names, in whatever order. */
static void assert_names(struct test_db *test, struct test_result result, const char *const *names)
{
	char *copy = arena_strdup(test->arena, result.output);
	size_t count = 0;
	size_t found = 0;

	assert_code(result, 0);
	assert_string_equal(result.errors, "");
	while (names[count])
		count++;
	for (char *rest = NULL, *line = strtok_r(copy, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest), found++) {
		bool known = false;
		for (size_t i = 0; i < count; i++)
			known = known || strcmp(names[i], line) == 0;
		if (!known)
			fail_msg("\"%s\" is none of the names", line);
	}
	assert_int_equal(found, count);
}

#define assert_complete(test, result, ...)                                                         \
	assert_names((test), (result), (const char *const[]){ __VA_ARGS__, NULL })

CLI_CASE(test_names_of_each_kind)
{
	test_execute(test->db, JOB("mail", "Billing::InvoiceJob") JOB("mail", "App::Mail")
				       JOB("mail box", "App::Mail"));
	assert_code(test_cli(test, "pause", "idle", "-q"), 0);
	assert_code(test_cli(test, "pause", "mail box"), 0);
	assert_code(test_cli(test, "pause", "report_*"), 0);
	assert_code(test_cli(test, "pause", "--class", "NoQueue"), 0);
	assert_code(test_cli(test, "recurring", "add", "nightly:report", "--schedule",
			     "every day at 4am", "--class", "Report"),
		    0);
	test_execute(test->db, "INSERT INTO solid_queue_processes (kind, last_heartbeat_at, pid, "
			       "name, created_at) VALUES "
			       "('Worker', '2026-01-01 00:00:00', 1, 'worker-1', "
			       "'2026-01-01 00:00:00'), ('Dispatcher', '2026-01-01 00:00:00', 2, "
			       "'dispatcher-1', '2026-01-01 00:00:00')");
	assert_complete(test, test_cli(test, PATIENT, "classes"), "Billing::InvoiceJob",
			"App::Mail");
	assert_complete(test, test_cli(test, PATIENT, "queues"), "mail", "mail box", "idle");
	assert_complete(test, test_cli(test, PATIENT, "paused"), "mail box", "idle", "report_*");
	assert_complete(test, test_cli(test, PATIENT, "tasks"), "nightly:report");
	assert_complete(test, test_cli(test, PATIENT, "processes"), "worker-1");
	assert_code(test_cli(test, PATIENT, "jobs"), 2);
}

/* As they stand on the line that is completed, quotes and all. */
CLI_CASE(test_options_of_the_line)
{
	const char *url = test->url;
	const char *quoted = arena_printf(test->arena, "\"%s\"", url);
	const char *glued = arena_printf(test->arena, "--database='%s'", url);

	test_execute(test->db, JOB("mail", "A"));
	assert_complete(test,
			test_dray(test->arena, PATIENT, "queues", "--", "jobs", "--limit", "3",
				  "--database", url, "--queue"),
			"mail");
	assert_complete(test,
			test_dray(test->arena, PATIENT, "--quoted", "queues", "--", "-q",
				  "--database", quoted),
			"mail");
	assert_complete(test,
			test_dray(test->arena, PATIENT, "--quoted", "queues", "--", glued, "-v"),
			"mail");
	assert_complete(test,
			test_dray(test->arena, PATIENT, "--quoted", "queues", "--", "--database",
				  url, "--database", "sqlite3:\"$X\""),
			NULL);
	assert_complete(test,
			test_dray(test->arena, PATIENT, "--quoted", "queues", "--", "--database",
				  url, "--database=`x`"),
			NULL);
	assert_complete(test,
			test_dray(test->arena, PATIENT, "queues", "--", "--database", url, "--root",
				  "/nonexistent"),
			NULL);
}

/* What would be two lines, or something else on a terminal, is no name to complete with. */
CLI_CASE(test_names_that_are_left_out)
{
	const char *queues[] = { "two\nlines", "a\ttab",     "\033[2J",
				 "--yes",      "\302\2332J", "$(reboot)" };

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		test_execute(test->db,
			     arena_printf(test->arena,
					  "INSERT INTO solid_queue_jobs (queue_name, class_name, "
					  "arguments, priority, created_at, updated_at) VALUES "
					  "('%s', 'A', '{}', 0, '2026-01-01 00:00:00', "
					  "'2026-01-01 00:00:00')",
					  queues[i]));
	assert_complete(test, test_cli(test, PATIENT, "queues"), "$(reboot)");
}

/* There need be no tables. */
CLI_CASE_ON_EMPTY(test_an_empty_database_has_no_names)
{
	static const char *const kinds[] = { "classes", "queues", "paused", "tasks", "processes" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		assert_complete(test, test_cli(test, PATIENT, kinds[i]), NULL);
}

static void write_file(struct arena *arena, const char *folder, const char *name, const char *text)
{
	FILE *file = fopen(arena_printf(arena, "%s/%s", folder, name), "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static char folder[32];

static void make_folder(struct arena *arena)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/dray-complete-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(mkdir(arena_printf(arena, "%s/config", folder), 0700), 0);
}

static void remove_folder(struct arena *arena)
{
	static const char *const names[] = { "config/jobs.yml", "config/queue.yml", "config" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)remove(arena_printf(arena, "%s/%s", folder, names[i]));
	assert_int_equal(rmdir(folder), 0); /* and nothing else was made there */
}

/* A database that is not there is not made, and mistakes in one file do not hide another's. */
CLI_CASE(test_names_of_the_files)
{
	make_folder(test->arena);
	write_file(test->arena, folder, "config/jobs.yml",
		   "jobs:\n  App::Mail:\n    command: [/bin/true]\n    queue: mail\n");
	write_file(test->arena, folder, "config/queue.yml",
		   "workers:\n  - queues: [urgent, 'low*']\n    no_such_key: 1\n");
	struct test_result result = test_dray(test->arena, PATIENT, "classes", "--", "--root",
					      folder, "--database", "sqlite3:new/jobs.sqlite3");
	assert_complete(test, result, "App::Mail");
	result = test_dray(test->arena, PATIENT, "queues", "--", "--root", folder, "--database",
			   "sqlite3:new.sqlite3");
	assert_complete(test, result, "mail", "urgent");
	result = test_dray(test->arena, PATIENT, "classes", "--", "--root", folder, "--database",
			   "nonsense:");
	assert_complete(test, result, "App::Mail");
	remove_folder(test->arena);
}

/* The database's own times are minutes: only the command's own time ends it before. */
static void make_patient_folder(struct arena *arena)
{
	make_folder(arena);
	write_file(arena, folder, "config/queue.yml",
		   "database: {connect_timeout: 10m, call_timeout: 1h}\n");
}

static bool has_printed(void *data)
{
	const struct test_running *running = data;
	struct stat status;

	return fstat(running->output, &status) == 0 && status.st_size > 0;
}

/* Somebody waits at a prompt, and gets at once what is known without the database. */
CLI_CASE_ONLY(test_nothing_holds_the_shell, "postgresql mysql mariadb")
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int deaf = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(deaf, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(deaf, 8), 0);
	assert_int_equal(getsockname(deaf, (struct sockaddr *)&address, &length), 0);
	make_patient_folder(test->arena);
	write_file(test->arena, folder, "config/jobs.yml",
		   "jobs:\n  App::Mail:\n    command: [/bin/true]\n");
	bool mysql = test->backend[0] == 'm';
	const char *url = arena_printf(test->arena, "%s://x@127.0.0.1:%d/x",
				       mysql ? "mysql" : "postgres", ntohs(address.sin_port));
	assert_code(test_dray(test->arena, "complete", "classes", "--", "--root", folder,
			      "--database", url),
		    0);
	const char *const arguments[] = { PATIENT, "classes",    "--", "--root",
					  folder,  "--database", url,  NULL };
	struct test_running running =
		test_command_start(&(struct test_command){ .arguments = arguments });
	assert_true(test_wait_until(has_printed, &running, CLOCK_MINUTE));
	assert_int_equal(kill(running.pid, SIGALRM), 0); /* as if its time were over */
	assert_complete(test, test_command_finish(test->arena, &running, CLOCK_MINUTE),
			"App::Mail");
	close(deaf);
	remove_folder(test->arena);
}

CLI_CASE_ONLY(test_a_locked_file_does_not_hold_the_shell, "sqlite")
{
	test_execute(test->db, JOB("mail", "A"));
	test_execute(test->db, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
	make_patient_folder(test->arena);
	assert_complete(test,
			test_dray(test->arena, "complete", "queues", "--", "--root", folder,
				  "--database", test->url),
			NULL);
	test_execute(test->db, "COMMIT");
	remove_folder(test->arena);
}
