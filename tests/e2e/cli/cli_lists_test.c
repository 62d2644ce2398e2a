/* The lists on terminals of 80, 100 and 160 columns. What happened is two and a half hours old. */
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/terminal.h"

#define AGO "strftime('%Y-%m-%d %H:%M:%f', 'now', '-9001 seconds')"
#define DUE "strftime('%Y-%m-%d %H:%M:%f', 'now', '+97000 seconds')"

static const char *const rows[] = {
	"INSERT INTO solid_queue_jobs (id, queue_name, class_name, arguments, priority, "
	"scheduled_at, finished_at, created_at, updated_at) VALUES "
	"(1, 'default', 'Invoices::SendReminderJob', '{\"arguments\":[4711]}', 0, NULL, NULL, " AGO
	", " AGO "),"
	"(2, 'low_priority', 'ThumbnailJob', '{\"arguments\":[\"/srv/images/1234.png\"]}', 1000, "
	"NULL, NULL, " AGO ", " AGO "),"
	"(3, 'default', 'Invoices::SendReminderJob', '{\"arguments\":[4712]}', 0, " DUE
	", NULL, " AGO ", " AGO "),"
	"(1234567, 'default', 'ThumbnailJob', '{\"arguments\":[]}', 0, NULL, " AGO ", " AGO ", " AGO
	")",
	"INSERT INTO solid_queue_failed_executions (job_id, error, created_at) VALUES (1, "
	"'{\"exception_class\":\"Net::OpenTimeout\",\"message\":\"execution expired\"}', " AGO ")",
	"INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at) "
	"VALUES (2, 'low_priority', 1000, " AGO ")",
	"INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, "
	"scheduled_at, created_at) VALUES (3, 'default', 0, " DUE ", " AGO ")",
	"INSERT INTO solid_queue_processes (id, kind, last_heartbeat_at, supervisor_id, pid, "
	"hostname, metadata, created_at, name) VALUES (1, 'Supervisor(fork)', " AGO
	", NULL, 4711, 'app-server-1', '{}', " AGO ", 'supervisor(fork)-f66c559c913885f2267e'), "
	"(2, 'Worker', " AGO ", 1, 4712, 'app-server-1', '{}', " AGO
	", 'worker-67b002cd64ae1bed7593')",
	"INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at) "
	"VALUES ('pause', 'queue low_priority', 'the mail server moves', 'ann', 'app-server-1', "
	"0, 'done', " AGO ")",
	"INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error, "
	"error_group) VALUES (1, 1, 1, " AGO ", " AGO ", 'failed', "
	"'{\"exception_class\":\"Net::OpenTimeout\",\"message\":\"execution expired\"}', "
	"'a66ce6bc')",
	"INSERT INTO dray_recurring_runs (task_key, run_at, job_id, outcome, created_at) VALUES "
	"('clear_solid_queue_finished_jobs', " AGO ", 1, 'enqueued', " AGO ")",
};

/* Its next run is in two and a half hours. */
static void put_task(struct test_db *test)
{
	const time_t next = time(NULL) + 9000 + 60;
	struct tm there;

	assert_non_null(gmtime_r(&next, &there));
	assert_code(test_cli(test, "recurring", "add", "clear_solid_queue_finished_jobs",
			     "--schedule",
			     arena_printf(test->arena, "%d %d * * * Etc/UTC", there.tm_min,
					  there.tm_hour),
			     "--class", "Invoices::SendReminderJob"),
		    0);
}

static const char *on_terminal(struct test_db *test, unsigned short width, const char *command)
{
	const char *second = strchr(command, ' ');
	struct terminal terminal;
	struct text lines = { 0 };

	terminal_dray(&terminal, test->url, width, "--no-color",
		      arena_strndup(test->arena, command, strcspn(command, " ")),
		      second ? second + 1 : NULL);
	for (const char *at = terminal_close(test->arena, &terminal, 0); *at; at++)
		if (*at != '\r')
			text_append(&lines, at, 1);
	return text_take(&lines, test->arena);
}

DB_CASE_ONLY(test_lists, "sqlite")
{
	static const struct {
		const char *command, *names[3];
	} lists[] = {
		{ "jobs", { "list.jobs_80", "list.jobs_100", "list.jobs_160" } },
		{ "queues", { "list.queues_80", "list.queues_100", "list.queues_160" } },
		{ "processes",
		  { "list.processes_80", "list.processes_100", "list.processes_160" } },
		{ "errors", { "list.errors_80", "list.errors_100", "list.errors_160" } },
		{ "recurring list",
		  { "list.recurring_80", "list.recurring_100", "list.recurring_160" } },
		{ "audit", { "list.audit_80", "list.audit_100", "list.audit_160" } },
	};
	static const unsigned short widths[] = { 80, 100, 160 };

	put_task(test);
	test_execute(test->db, "DELETE FROM dray_audit");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		test_execute(test->db, rows[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (size_t k = 0; k < sizeof(widths) / sizeof(widths[0]); k++)
			assert_wording(lists[i].names[k],
				       on_terminal(test, widths[k], lists[i].command));
}

/* In characters of UTF-8. */
static size_t longest_line(const char *text)
{
	size_t longest = 0;

	for (size_t length = 0; *text; text++) {
		length = *text == '\n' ? 0 : length + ((*text & 0xC0) != 0x80);
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* Half of a schedule is another schedule: it goes on below. */
DB_CASE_ONLY(test_a_long_schedule_is_not_cut, "sqlite")
{
	static const char schedule[] = "5 9,12,15,18 * 3-9 1-5 Europe/Madrid";
	json_t *tasks;

	assert_code(test_cli(test, "recurring", "add", "clear_solid_queue_finished_jobs",
			     "--schedule", schedule, "--class", "Invoices::SendReminderJob"),
		    0);
	struct test_result json = test_cli(test, "recurring", "list", "--json");
	assert_non_null(tasks = json_loads(json.output, 0, NULL));
	const char *words = json_string_value(json_object_get(json_array_get(tasks, 0), "words"));
	assert_true(strlen(words) > 60); /* so no line has room for all of it */
	const char *at = on_terminal(test, 80, "recurring list");
	assert_in_range(longest_line(at), 0, 80);
	char *rest = arena_strdup(test->arena, words);
	for (char *word; (word = strsep(&rest, " "));) {
		at = strstr(at, word);
		assert_non_null(at);
	}
	json_decref(tasks);
}
