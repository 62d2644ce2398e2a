/*
 * dray watch, from a folder of its own: it tells people that everything else is dead, and does
 * nothing but look.
 */
#include "queue/processes/servers.h"
#include "tests/support/queue.h"
#include "tests/support/sites/site.h"

enum { DEAD = 2 };

#define TELLS "on_alarm: [sh, -c, \"cat >>told\"]\n"

/* What only looks has no files but a queue.yml. */
static void write_yml(const struct site *site, const char *text)
{
	(void)mkdir(site_path(site, "away"), 0700);
	site_write(site, "away/queue.yml",
		   arena_printf(site->arena,
				"database: {url: \"%s\"}\nprocess_heartbeat_interval: 0.2\n%s",
				site->url, text));
}

#define away(site, ...)                                                                            \
	site_spawn((site), "/usr/bin/env",                                                         \
		   (const char *[]){ "-C", site_path((site), "away"), getenv("DRAY_BINARY"),       \
				     __VA_ARGS__, "--config-file", "queue.yml", NULL })

/* Another process, that has died where nobody buries it. */
static void leave_one_dead(struct site *site)
{
	struct process_row far = {
		.kind = "Worker", .name = "far", .pid = 4711, .hostname = "far", .metadata = "{}"
	};

	must(process_register, site->db, &far);
	site_silence(site, 4711);
}

/* What cares for others does so before it looks who leads. */
SITE_CASE(test_it_only_looks)
{
	leave_one_dead(site);
	write_yml(site, TELLS);
	site->start = away(site, "watch");
	const struct process_row row = site_await_row(site, WATCHER_KIND, "\"on_alarm\":true", 0);
	site_await_log(site, "\"lead.taken\"", 1);
	assert_int_equal(row.pid, site->start.pid);
	site_await_title(site, row.pid, "dray: watcher");
	assert_int_equal(site_row_count(site, "Worker"), 1);
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_classes"), 0);
	assert_code(site_try(site, "health"), DEAD);
	assert_contains(site_dray(site, "processes"), "Only watchers are alive: nothing runs.\n");
	sql_execute(site->db, "DELETE FROM solid_queue_processes WHERE name = 'far'");
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"processes.pruned\""), 0);
}

SITE_CASE(test_other_files)
{
	write_yml(site, TELLS);
	site->start = away(site, "watch");
	const struct process_row row = site_await_row(site, WATCHER_KIND, "\"on_alarm\":true", 0);
	site_signal_start(site, SIGHUP, "\"reload.done\"", 1);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
	write_yml(site, "expect_hosts: [a]\n");
	site_signal_start(site, SIGHUP, "\"reload.done\"", 2);
	const struct process_row next =
		site_await_row(site, WATCHER_KIND, "\"expect_hosts\":[\"a\"]", row.id);
	assert_int_equal(next.pid, row.pid);
	assert_null(strstr(next.metadata, "on_alarm"));
}

static void rename_leaders(struct site *site, const char *from, const char *to)
{
	sql_execute(site->db, "ALTER TABLE %s RENAME TO %s", from, to);
}

/* Else others, which have none, would leave the lead to it. */
SITE_CASE(test_who_cannot_lead_has_no_on_alarm)
{
	write_yml(site, TELLS);
	site->start = away(site, "watch");
	(void)site_await_row(site, WATCHER_KIND, "\"on_alarm\":true", 0);
	site_await_log(site, "\"lead.taken\"", 1);
	rename_leaders(site, "dray_leaders", "elsewhere");
	site_until(site, !strstr(site_await_row(site, WATCHER_KIND, "", 0).metadata, "on_alarm"),
		   "a watcher that says that it has no on_alarm");
	rename_leaders(site, "elsewhere", "dray_leaders");
}

/* A job waits, and then nobody is left. */
static int64_t kill_everybody(struct site *site)
{
	site_start(site, 3);
	site_await_least(site, "SELECT count(*) FROM dray_leaders", 1);
	const int64_t job = site_begin(site, 1, "Wait");
	site_kill(site);
	(void)site_finish(site);
	site_silence(site, 0);
	sql_execute(site->db, "UPDATE dray_leaders SET ends_at = '2026-01-01 00:00:00'");
	write_yml(site, TELLS);
	struct test_running health = away(site, "health");
	assert_code(test_command_finish(site->arena, &health, CLOCK_MINUTE), DEAD);
	return job;
}

/* It says so, and what was left is done when somebody starts the deployment again. */
static void expect_alarm(struct site *site, int64_t job)
{
	site->start = away(site, "watch");
	site_await_lines(site, "away/told", 1);
	assert_json((struct test_result){ .output = site_read(site, "away/told") }, 0,
		    "{'event': 'began', 'name': 'nothing_running', 'dead': true}");
	assert_int_equal(site_logged(site, "\"processes.pruned\""), 0);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	assert_code(site_finish(site), 0);
	assert_int_equal(site_row_count(site, WATCHER_KIND), 0);
	site->start = site_launch(site, "start");
	site_let_go(site, job);
}

/* The leader had said it, and died before it told anybody. */
SITE_CASE(test_everything_is_dead)
{
	const int64_t job = kill_everybody(site);

	sql_execute(site->db,
		    "INSERT INTO dray_findings (name, subject, queue_name, said, advice, dead, "
		    "began_at, told) VALUES ('nothing_running', '', '', 'No process is running.', "
		    "'', true, '2026-01-01 00:00:00', false)");
	expect_alarm(site, job);
}

/* The same without help, which takes half a minute. */
SITE_CASE_REAL(test_everything_dies, NULL)
{
	expect_alarm(site, kill_everybody(site));
}
