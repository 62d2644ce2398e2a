/* What shells get that complete names: dray complete. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "db/driver.h"
#include "tests/support/sites/site.h"

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

DB_CASE(test_names_of_each_kind)
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
	sql_do(test, "INSERT INTO solid_queue_processes (kind, last_heartbeat_at, pid, name, "
		     "created_at) VALUES ('Worker', '2026-01-01 00:00:00', 1, 'worker-1', "
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
DB_CASE(test_options_of_the_line)
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

#define assert_line(test, expected, ...)                                                           \
	assert_complete((test),                                                                    \
			test_dray((test)->arena, PATIENT, "--quoted", "line", "--", __VA_ARGS__),  \
			expected)

/* What only the shell knows hides names, and nothing else. */
DB_CASE(test_the_last_word_of_a_line)
{
	const char *url = test->url;

	test_execute(test->db, JOB("mail", "A"));
	assert_line(test, "--queue=mail", "jobs", "--database", url, "--queue=");
	assert_line(test, "mail", "jobs", "-q", "--limit", "3", "--database", url, "--queue", "x");
	assert_line(test, "A", "enqueue", "--priority", "1", "--database", url, "");
	assert_line(test, NULL, "jobs", "--database", "\"$X\"", "--queue", "");
	assert_complete(test,
			test_dray(test->arena, PATIENT, "--quoted", "line", "--", "--database",
				  "$X", "recurring", "add", "--misfire", ""),
			"once", "skip", "all");
	assert_line(test, NULL, "jobs", "--limit", "");
	assert_line(test, "\tfiles", "enqueue", "A", "");
	assert_line(test, "\tfiles", "recurring", "", "");
	assert_line(test, "\tfiles", "jobs", "--", "--");
	assert_line(test, "\tfiles", "nonsense", "");
	assert_line(test, "\tfolders", "jobs", "--root=");
}

/* What would be two lines, or something else on a terminal, is no name to complete with. */
DB_CASE(test_names_that_are_left_out)
{
	const char *queues[] = { "two\nlines", "a\ttab",     "\033[2J",
				 "--yes",      "\302\2332J", "$(reboot)" };

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		sql_execute(test->db,
			    "INSERT INTO solid_queue_jobs (queue_name, class_name, "
			    "arguments, priority, created_at, updated_at) VALUES "
			    "('%s', 'A', '{}', 0, '2026-01-01 00:00:00', "
			    "'2026-01-01 00:00:00')",
			    queues[i]);
	assert_complete(test, test_cli(test, PATIENT, "queues"), "$(reboot)");
}

/* There need be no tables. */
DB_CASE_ON_EMPTY(test_an_empty_database_has_no_names)
{
	static const char *const kinds[] = { "classes", "queues", "paused", "tasks", "processes" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		assert_complete(test, test_cli(test, PATIENT, kinds[i]), NULL);
}

/* A database that is not there is not made, and mistakes in one file do not hide another's. */
SITE_CASE(test_names_of_the_files)
{
	const char *folder = site->directory;

	site_jobs_yml(site, "  App::Mail:\n    command: [/bin/true]\n    queue: mail\n");
	site_write(site, "config/queue.yml",
		   "workers:\n  - queues: [urgent, 'low*']\n    no_such_key: 1\n");
	struct test_result result = test_dray(site->arena, PATIENT, "classes", "--", "--root",
					      folder, "--database", "sqlite3:new/jobs.sqlite3");
	assert_complete(site->test, result, "App::Mail");
	result = test_dray(site->arena, PATIENT, "queues", "--", "--root", folder, "--database",
			   "sqlite3:new.sqlite3");
	assert_complete(site->test, result, "mail", "urgent");
	result = test_dray(site->arena, PATIENT, "classes", "--", "--root", folder, "--database",
			   "nonsense:");
	assert_complete(site->test, result, "App::Mail");
	assert_int_not_equal(access(site_path(site, "new"), F_OK), 0);
	assert_int_not_equal(access(site_path(site, "new.sqlite3"), F_OK), 0);
}

/* The database's own times are minutes: only the command's own time ends it before. */
static const char patient[] = "database: {connect_timeout: 10m, call_timeout: 1h}\n";

static bool has_printed(const struct test_running *running)
{
	struct stat status;

	return fstat(running->output, &status) == 0 && status.st_size > 0;
}

/* Somebody waits at a prompt, and gets at once what is known without the database. */
SITE_CASE_ONLY(test_nothing_holds_the_shell, "postgresql mysql mariadb")
{
	struct test_db *test = site->test;
	const char *folder = site->directory;
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int deaf = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(deaf, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(deaf, 8), 0);
	assert_int_equal(getsockname(deaf, (struct sockaddr *)&address, &length), 0);
	site_write(site, "config/queue.yml", patient);
	site_jobs_yml(site, "  App::Mail:\n    command: [/bin/true]\n");
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
	test_until(has_printed(&running), "the names");
	assert_int_equal(kill(running.pid, SIGALRM), 0); /* as if its time were over */
	assert_complete(test, test_command_finish(test->arena, &running, CLOCK_MINUTE),
			"App::Mail");
	close(deaf);
}

SITE_CASE_ONLY(test_a_locked_file_does_not_hold_the_shell, "sqlite")
{
	struct test_db *test = site->test;

	test_execute(test->db, JOB("mail", "A"));
	db_disconnect(site->db);
	test_execute(test->db, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
	site_write(site, "config/queue.yml", patient);
	assert_complete(test,
			test_dray(test->arena, "complete", "queues", "--", "--root",
				  site->directory, "--database", test->url),
			NULL);
	test_execute(test->db, "COMMIT; DELETE FROM solid_queue_jobs");
}
