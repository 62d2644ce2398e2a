/* A mistake in the files stops the commands that need what is mistaken, and no others. */
#include <string.h>

#include "common/process.h"
#include "tests/support/sites/site.h"

#define run(site, ...) site_run_dray((site), NULL, (const char *const[]){ __VA_ARGS__, NULL })

/* One line warns of the mistake, and nothing else is said. */
static void assert_one_line(struct test_result result, const char *mistake)
{
	const char *end = strchr(result.errors, '\n');

	assert_contains(result.errors, "dray: warning: config/");
	assert_contains(result.errors, mistake);
	assert_non_null(end);
	assert_string_equal(end + 1, "");
}

static void assert_warned(struct test_result result, const char *mistake)
{
	assert_code(result, EXIT_STOPPED);
	assert_one_line(result, mistake);
}

static void assert_refused(struct test_result result, const char *mistake)
{
	assert_code(result, EXIT_USAGE);
	assert_null(strstr(result.errors, "warning"));
	assert_contains(result.errors, mistake);
}

static void assert_operators_go_on(struct site *site, const char *mistake)
{
	assert_warned(run(site, "pause", "mail"), mistake);
	assert_warned(run(site, "pause"), mistake);
	assert_warned(run(site, "resume", "mail"), mistake);
	assert_warned(run(site, "pause", "--class", "Log"), mistake);
	assert_warned(run(site, "queues"), mistake);
	assert_warned(run(site, "jobs"), mistake);
	assert_warned(run(site, "job", "1"), mistake);
	assert_warned(run(site, "why", "1"), mistake);
	assert_warned(run(site, "retry", "--all", "--yes"), mistake);
	assert_warned(run(site, "move", "--queue", "slow", "1"), mistake);
	assert_warned(run(site, "reprioritize", "--priority", "1", "1"), mistake);
	assert_warned(run(site, "stats"), mistake);
	assert_warned(run(site, "processes"), mistake);
	struct test_result doctor = run(site, "doctor");
	assert_code(doctor, EXIT_ERROR); /* nothing runs */
	assert_one_line(doctor, mistake);
	assert_warned(run(site, "audit"), mistake);
	assert_warned(run(site, "top", "--once"), mistake);
	assert_warned(run(site, "db", "status"), mistake);
}

/* A job for later, so that nothing is wrong with the database. */
static struct site *site_with_a_job(void **state)
{
	struct site *site = site_open(*state);

	(void)site_enqueue(site, "Log", "--queue", "mail", "--in", "1h");
	return site;
}

TEST(test_a_schedule)
{
	static const char mistake[] = "recurring.wrong.schedule: ";
	struct site *site = site_with_a_job(state);

	site_write(site, "config/recurring.yml",
		   "wrong: {schedule: \"evry day\", class: Log}\n"
		   "right: {schedule: \"every day\", class: Log}\n");
	assert_operators_go_on(site, mistake);
	assert_warned(run(site, "enqueue", "Log", "--in", "1h"), mistake);
	assert_warned(run(site, "clear"), mistake);
	assert_warned(run(site, "doctor", "--repair"), mistake);
	assert_warned(run(site, "recurring", "list"), mistake);
	assert_warned(run(site, "recurring", "next", "right"), mistake);
	assert_code(run(site, "recurring", "next", "wrong"), EXIT_USAGE);
	assert_refused(run(site, "start"), mistake);
	assert_refused(run(site, "check"), mistake);
	site_close(site);
}

TEST(test_a_class)
{
	struct site *site = site_with_a_job(state);

	site_write(site, "config/jobs.yml", "jobs:\n  Log: {command: [\"${DRAY_NOT_SET}\"]}\n");
	assert_operators_go_on(site, "DRAY_NOT_SET");
	assert_warned(run(site, "clear"), "DRAY_NOT_SET");
	/* Whether a class or queue is known is not known then. */
	assert_warned(run(site, "pause", "--class", "NoClass"), "DRAY_NOT_SET");
	assert_warned(run(site, "pause", "no_queue"), "DRAY_NOT_SET");
	assert_refused(run(site, "enqueue", "Log", "--in", "1h"), "DRAY_NOT_SET");
	assert_refused(run(site, "doctor", "--repair"), "DRAY_NOT_SET");
	assert_refused(run(site, "start"), "DRAY_NOT_SET");
	site_close(site);
}

TEST(test_a_process_setting)
{
	static const char mistake[] = "clear_finished_jobs_after";
	struct site *site = site_with_a_job(state);

	site_queue_yml(site, "clear_finished_jobs_after: soon\n");
	assert_operators_go_on(site, mistake);
	assert_refused(run(site, "clear"), mistake);
	assert_refused(run(site, "enqueue", "Log", "--in", "1h"), mistake);
	assert_refused(run(site, "start"), mistake);
	site_close(site);
}

TEST(test_a_worker)
{
	struct site *site = site_with_a_job(state);

	site_queue_yml(site, "workers:\n  - {threads: \"${DRAY_NOT_SET}\"}\n");
	assert_operators_go_on(site, "DRAY_NOT_SET");
	assert_warned(run(site, "clear"), "DRAY_NOT_SET");
	assert_warned(run(site, "enqueue", "Log", "--in", "1h"), "DRAY_NOT_SET");
	assert_refused(run(site, "start"), "DRAY_NOT_SET");
	site_close(site);
}

/* What would tell where the database is cannot be read, and nobody else says it. */
TEST(test_the_database)
{
	struct site *site = site_with_a_job(state);

	site_write(site, "config/queue.yml", "database: {url: \"${DRAY_NOT_SET}\"}\n");
	assert_refused(run(site, "pause", "mail"), "DRAY_NOT_SET");
	site_write(site, "config/queue.yml",
		   "databse: {url: \"sqlite3:elsewhere.sqlite3\"}\nworkers: [{threads: 1}]\n");
	assert_refused(run(site, "pause", "mail"), "\"databse\"");
	site_write(site, "config/queue.yml", "workers: [\n");
	assert_refused(run(site, "pause", "mail"), "config/queue.yml:");
	if (!site->schema)
		assert_warned(run(site, "pause", "mail", "--database", site->url),
			      "config/queue.yml:");
	site_queue_yml(site, NULL);
	site_close(site);
}

/* Nobody needs what the file says of a place that the command line says. */
TEST(test_an_overruled_url)
{
	struct site *site = site_with_a_job(state);
	char settings[512];

	(void)snprintf(settings, sizeof(settings), "database: {url: \"${DRAY_NOT_SET}\"%s%s}\n",
		       site->schema ? ", schema: " : "", site->schema ? site->schema : "");
	site_write(site, "config/queue.yml", settings);
	assert_warned(run(site, "pause", "mail", "--database", site->url), "DRAY_NOT_SET");
	assert_warned(run(site, "doctor", "--repair", "--database", site->url), "DRAY_NOT_SET");
	assert_warned(run(site, "enqueue", "Log", "--in", "1h", "--database", site->url),
		      "DRAY_NOT_SET");
	assert_refused(run(site, "start", "--database", site->url), "DRAY_NOT_SET");
	site_write(site, "config/queue.yml", "database: {url: [a], call_timeout: soon}\n");
	struct test_result result = run(site, "queues", "--database", site->url);
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "call_timeout");
	assert_non_null(strstr(result.errors, "(this command does not need that part)"));
	site_queue_yml(site, NULL);
	site_close(site);
}

/* One line about all of them. */
TEST(test_many_mistakes)
{
	struct site *site = site_with_a_job(state);

	site_write(site, "config/jobs.yml", "jobs:\n  Log: {comand: [a]}\n  B: {nice: 99}\n");
	struct test_result result = run(site, "queues");
	assert_warned(result, "(and 3 more mistakes; this command does not need those parts)");
	site_write(site, "config/jobs.yml", "jobs:\n  A: {comand: [a]}\n");
	assert_warned(run(site, "queues"),
		      "(and 1 more mistake; this command does not need those parts)");
	assert_string_equal(run(site, "queues", "--quiet").errors, "");
	site_close(site);
}

GROUP(NULL, site_group_end);
