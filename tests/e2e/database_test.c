/* Databases that go away, lock or throw out: every job is done, an outage is one line a process. */
#include "db/driver.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/server.h"
#include "tests/support/sites/site.h"

#define LOAD 300

#define TWO_WORKERS                                                                                \
	"process_heartbeat_interval: 0.3\n"                                                        \
	"workers:\n  - {threads: 4, processes: 2, polling_interval: 0.02}\n"                       \
	"dispatchers:\n  - {polling_interval: 0.05}\n"

/* the server restarts */

/* Each process says once that the database is away, and once that it is back. */
static void assert_one_outage_each(struct site *site, size_t processes)
{
	size_t count;
	const struct process_row *rows = site_rows(site, NULL, &count);

	assert_int_equal(count, processes);
	assert_int_equal(site_logged(site, "\"database.away\""), processes);
	assert_int_equal(site_logged(site, "\"database.back\""), processes);
	for (size_t i = 0; i < count; i++) {
		const bool supervisor = rows[i].pid == site->start.pid;
		pid_t pid = supervisor ? site_janitor(site) : rows[i].pid;
		assert_int_equal(
			site_logged(site, arena_printf(site->arena, "\"pid\":%d,\"during\":", pid)),
			2);
	}
}

static void restart_under_load(struct site *site, struct server *server)
{
	(void)site_dray(site, "db", "migrate");
	site_enqueue_many(site, "Log", "default", LOAD);
	site_start(site, 4);
	site_await_lines(site, "done", LOAD / 10);
	server_crash(server);
	site_await_log(site, "\"database.away\"", 4); /* janitor, dispatcher, two workers */
	server_start(server);
	site_await_done(site, LOAD);
	site_await_log(site, "\"database.back\"", 4);
	site_await_rows(site, NULL, 4);
	assert_one_outage_each(site, 4);
	assert_int_equal(site_logged(site, "\"child.exited\""), 0);
	site_run(site, "Log", "--in", "1ms");
	(void)site_stop(site, SIGTERM);
}

/* BS5, WO2: nobody ends for it; each says once that the database is away, and that it is back. */
DB_CASE_ONLY(test_a_server_that_crashes_and_comes_back, "postgresql")
{
	struct server server;

	server_open(&server, test->arena, test->backend, 0);
	struct site *site = site_open_at(test, server_make_jobs(&server), NULL);
	site_queue_yml(site, TWO_WORKERS);
	restart_under_load(site, &server);
	/* What was enqueued before it went away is done when it comes. */
	int64_t job = site_enqueue(site, "Log");
	server_crash(&server);
	site->start = site_launch(site, "start");
	site_await_log(site, "\"database.away\"", 1);
	server_start(&server);
	site_await(site, job, JOB_FINISHED);
	(void)site_stop(site, SIGTERM);
	site_close(site);
	server_close(&server);
}

/* locks, lost connections */

/* Somebody's long transaction: longer than retries are tried, so that this too is an outage. */
SITE_CASE_ONLY(test_a_file_that_is_locked_for_long, "sqlite")
{
	struct db *other = test_db_open(site->url);

	site_write(site, "config/queue.yml",
		   arena_printf(site->arena, "database:\n  url: \"%s\"\n  retry_for: 500ms\n%s",
				site->url, TWO_WORKERS));
	site_enqueue_many(site, "Log", "default", LOAD);
	site_start(site, 4);
	site_await_lines(site, "done", LOAD / 10);
	test_execute(other, "BEGIN EXCLUSIVE");
	site_await_log(site, "\"database.away\"", 3);
	db_close(other);
	site_await_done(site, LOAD);
	assert_int_equal(site_logged(site, "\"child.exited\""), 0);
}

static const struct {
	const char *backends;
	const char *list; /* one statement a row that ends somebody's connection */
} endings[] = {
	{ "postgresql", "SELECT 'SELECT pg_terminate_backend(' || pid || ')' FROM pg_stat_activity "
			"WHERE datname = current_database() AND pid <> pg_backend_pid()" },
	{ "mysql mariadb", "SELECT CONCAT('KILL ', id) FROM " TEST_SESSIONS " "
			   "WHERE db = DATABASE() AND id <> CONNECTION_ID()" },
};

/* Ends every second one of the deployment's connections; how many there were. */
static size_t end_half(struct site *site, struct db *db, size_t round)
{
	size_t at = strstr(endings[0].backends, site->test->backend) ? 0 : 1;
	struct db_rows rows = test_query(site->arena, site->url, endings[at].list);
	struct error error;
	size_t ended = 0;

	for (size_t i = round % 2; i < rows.count; i += 2) /* some have gone by themselves */
		ended += db_execute(db, db_text(&rows, i, 0), &error) == STATUS_OK;
	return ended;
}

SITE_CASE_ONLY(test_connections_are_ended_again_and_again, "postgresql mysql mariadb")
{
	struct db *outside = test_db_open(site->url);
	size_t ended = 0;

	site_queue_yml(site, TWO_WORKERS);
	site_enqueue_many(site, "Log", "default", LOAD);
	site_start(site, 4);
	for (size_t round = 0; round < 12; round++) {
		size_t done = site_lines(site, "done");
		site_await_lines(site, "done", done + 5 < LOAD ? done + 5 : LOAD);
		ended += end_half(site, outside, round);
	}
	site_await_done(site, LOAD);
	db_close(outside);
	assert_true(ended >= 12);
	assert_int_equal(site_logged(site, "\"child.exited\""), 0);
}

/* The commit of an enqueue is taken, then nobody answers. PostgreSQL's script is one request. */
SITE_CASE_ONLY(test_an_uncertain_enqueue_is_called_so, "mysql mariadb")
{
	struct forwarder forwarder;
	const char *url = forwarder_url(&forwarder, site->arena, site->url);

	site_write(site, "config/queue.yml", "database: {retry_for: 0.2}\n");
	forwarder_cut(&forwarder, FORWARDER_CUT_ANSWER, "COMMIT", FORWARDER_REFUSE);
	struct test_result result = site_try(site, "enqueue", "Log", "--database", url);
	assert_code(result, EXIT_DATABASE);
	assert_string_equal(result.output, "");
	assert_contains(result.errors, "dray: the job may or may not have been enqueued");
	const char *found = strstr(result.errors, "`dray job ");
	assert_non_null(found);
	const char *id = arena_strndup(site->arena, found + strlen("`dray job "), 36);
	site_queue_yml(site, NULL);
	assert_contains(site_dray(site, "job", id, "--json"), "\"state\": \"ready\"");
	forwarder_stop(&forwarder);
}

/* where the tables are */

DB_CASE_ON_EMPTY_ONLY(test_a_schema_other_than_public, "postgresql")
{
	struct site *site = site_open_at(test, test->url, "background_jobs");

	(void)site_dray(site, "db", "migrate");
	(void)site_dray(site, "db", "verify");
	site_start(site, 3);
	site_enqueue_many(site, "Log", "default", 5);
	(void)site_enqueue(site, "Log", "--in", "100ms");
	site_await_done(site, 6);
	int64_t failed = site_enqueue(site, "Fail");
	site_await(site, failed, JOB_FAILED);
	(void)site_dray(site, "retry", "--all", "--yes");
	assert_count(site, 7, "background_jobs.solid_queue_jobs");
	assert_count(site, 0, "information_schema.tables WHERE table_schema = 'public'");
	site_close(site);
}

#define SPEECH                                                                                     \
	"gr\xc3\xbc\xc3\x9f"                                                                       \
	"e \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\xa6\x80"

/* A database whose owner never thought of alphabets: our tables have their own. */
SITE_CASE_ON_EMPTY(test_any_alphabet_in_a_latin_database)
{
	if (db_dialect_of(site->db) == DB_MYSQL)
		test_execute(site->test->db, "ALTER DATABASE CHARACTER SET latin1");
	(void)site_dray(site, "db", "migrate");
	(void)site_dray(site, "db", "verify");
	site_jobs_yml(site, "  Append: {command: [sh, -c, 'echo \"$1\" >>speech; exit $2', -, "
			    "\"{text}\", \"{code}\"]}\n"
			    "  Fail: {command: [sh, -c, 'echo \"$1\" >&2; exit 1', -, \"{0}\"]}\n");
	site_queue_yml(site, "workers:\n  - {queues: \"" SPEECH "\", polling_interval: 0.02}\n");
	site_start(site, 2);
	int64_t job = site_enqueue(site, "Append", "text=" SPEECH, "code=0", "--queue", SPEECH);
	int64_t failed = site_enqueue(site, "Fail", SPEECH, "--queue", SPEECH);
	site_await(site, job, JOB_FINISHED);
	site_await(site, failed, JOB_FAILED);
	assert_string_equal(site_read(site, "speech"), SPEECH "\n");
	const char *shown = site_dray(site, "job", site_number(site, failed));
	const char *error = strstr(shown, "\nerror\n");
	assert_non_null(error);
	assert_contains(error, SPEECH);
	assert_contains(site_dray(site, "queues"), SPEECH);
}
