/* A mistake in the files stops the commands that need what is mistaken, and no others. */
#include "tests/support/sites/site.h"

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

static void assert_stopped(struct test_result result, const char *mistake)
{
	assert_code(result, EXIT_USAGE);
	assert_null(strstr(result.errors, "warning"));
	assert_contains(result.errors, mistake);
}

static void assert_operators_go_on(struct site *site, const char *mistake)
{
	assert_warned(site_try(site, "pause", "mail"), mistake);
	assert_warned(site_try(site, "pause"), mistake);
	assert_warned(site_try(site, "resume", "mail"), mistake);
	assert_warned(site_try(site, "pause", "--class", "Log"), mistake);
	assert_warned(site_try(site, "queues"), mistake);
	assert_warned(site_try(site, "jobs"), mistake);
	assert_warned(site_try(site, "job", "1"), mistake);
	assert_warned(site_try(site, "why", "1"), mistake);
	assert_warned(site_try(site, "retry", "--all", "--yes"), mistake);
	assert_warned(site_try(site, "move", "--queue", "slow", "1"), mistake);
	assert_warned(site_try(site, "reprioritize", "--priority", "1", "1"), mistake);
	assert_warned(site_try(site, "stats"), mistake);
	assert_warned(site_try(site, "processes"), mistake);
	struct test_result doctor = site_try(site, "doctor");
	assert_code(doctor, EXIT_ERROR); /* nothing runs */
	assert_one_line(doctor, mistake);
	assert_warned(site_try(site, "audit"), mistake);
	assert_warned(site_try(site, "top", "--once"), mistake);
	assert_warned(site_try(site, "db", "status"), mistake);
}

/* A job for later, so that nothing is wrong with the database. */
static void put_a_job(struct site *site)
{
	(void)site_enqueue(site, "Log", "--queue", "mail", "--in", "1h");
}

SITE_CASE(test_a_schedule)
{
	static const char mistake[] = "recurring.wrong.schedule: ";

	put_a_job(site);
	site_write(site, "config/recurring.yml",
		   "wrong: {schedule: \"evry day\", class: Log}\n"
		   "right: {schedule: \"every day\", class: Log}\n");
	assert_operators_go_on(site, mistake);
	assert_warned(site_try(site, "enqueue", "Log", "--in", "1h"), mistake);
	assert_warned(site_try(site, "clear"), mistake);
	assert_warned(site_try(site, "doctor", "--repair"), mistake);
	assert_warned(site_try(site, "recurring", "list"), mistake);
	assert_warned(site_try(site, "recurring", "next", "right"), mistake);
	assert_code(site_try(site, "recurring", "next", "wrong"), EXIT_USAGE);
	assert_stopped(site_try(site, "start"), mistake);
	assert_stopped(site_try(site, "check"), mistake);
}

SITE_CASE(test_a_class)
{
	put_a_job(site);
	site_write(site, "config/jobs.yml", "jobs:\n  Log: {command: [\"${DRAY_NOT_SET}\"]}\n");
	assert_operators_go_on(site, "DRAY_NOT_SET");
	assert_warned(site_try(site, "clear"), "DRAY_NOT_SET");
	/* Whether a class or queue is known is not known then. */
	assert_warned(site_try(site, "pause", "--class", "NoClass"), "DRAY_NOT_SET");
	assert_warned(site_try(site, "pause", "no_queue"), "DRAY_NOT_SET");
	assert_stopped(site_try(site, "enqueue", "Log", "--in", "1h"), "DRAY_NOT_SET");
	assert_stopped(site_try(site, "doctor", "--repair"), "DRAY_NOT_SET");
	assert_stopped(site_try(site, "start"), "DRAY_NOT_SET");
}

SITE_CASE(test_a_process_setting)
{
	static const char mistake[] = "clear_finished_jobs_after";

	put_a_job(site);
	site_queue_yml(site, "clear_finished_jobs_after: soon\n");
	assert_operators_go_on(site, mistake);
	assert_stopped(site_try(site, "clear"), mistake);
	assert_stopped(site_try(site, "enqueue", "Log", "--in", "1h"), mistake);
	assert_stopped(site_try(site, "start"), mistake);
}

SITE_CASE(test_a_worker)
{
	put_a_job(site);
	site_queue_yml(site, "workers:\n  - {threads: \"${DRAY_NOT_SET}\"}\n");
	assert_operators_go_on(site, "DRAY_NOT_SET");
	assert_warned(site_try(site, "clear"), "DRAY_NOT_SET");
	assert_warned(site_try(site, "enqueue", "Log", "--in", "1h"), "DRAY_NOT_SET");
	assert_stopped(site_try(site, "start"), "DRAY_NOT_SET");
}

/* What would tell where the database is cannot be read, and nobody else says it. */
SITE_CASE(test_the_database)
{
	put_a_job(site);
	site_write(site, "config/queue.yml", "database: {url: \"${DRAY_NOT_SET}\"}\n");
	assert_stopped(site_try(site, "pause", "mail"), "DRAY_NOT_SET");
	site_write(site, "config/queue.yml",
		   "databse: {url: \"sqlite3:elsewhere.sqlite3\"}\nworkers: [{threads: 1}]\n");
	assert_stopped(site_try(site, "pause", "mail"), "\"databse\"");
	site_write(site, "config/queue.yml", "workers: [\n");
	assert_stopped(site_try(site, "pause", "mail"), "config/queue.yml:");
	if (!site->schema)
		assert_warned(site_try(site, "pause", "mail", "--database", site->url),
			      "config/queue.yml:");
	site_queue_yml(site, NULL);
}

/* Nobody needs what the file says of a place that the command line says. */
SITE_CASE(test_an_overruled_url)
{
	put_a_job(site);
	char settings[512];

	(void)snprintf(settings, sizeof(settings), "database: {url: \"${DRAY_NOT_SET}\"%s%s}\n",
		       site->schema ? ", schema: " : "", site->schema ? site->schema : "");
	site_write(site, "config/queue.yml", settings);
	assert_warned(site_try(site, "pause", "mail", "--database", site->url), "DRAY_NOT_SET");
	assert_warned(site_try(site, "doctor", "--repair", "--database", site->url),
		      "DRAY_NOT_SET");
	assert_warned(site_try(site, "enqueue", "Log", "--in", "1h", "--database", site->url),
		      "DRAY_NOT_SET");
	assert_stopped(site_try(site, "start", "--database", site->url), "DRAY_NOT_SET");
	site_write(site, "config/queue.yml", "database: {url: [a], call_timeout: soon}\n");
	assert_told("mistakes.needed_and_not", EXIT_USAGE,
		    site_try(site, "queues", "--database", site->url));
	site_queue_yml(site, NULL);
}

/* One line about all of them. */
SITE_CASE(test_many_mistakes)
{
	put_a_job(site);
	site_write(site, "config/jobs.yml", "jobs:\n  Log: {comand: [a]}\n  B: {nice: 99}\n");
	assert_wording("mistakes.many", site_try(site, "queues").errors);
	site_write(site, "config/jobs.yml", "jobs:\n  A: {comand: [a]}\n");
	assert_wording("mistakes.two", site_try(site, "queues").errors);
	assert_string_equal(site_try(site, "queues", "--quiet").errors, "");
}
