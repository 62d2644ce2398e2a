/* Recurring tasks from the file to what their jobs have done: RT1, RK15; FS4/CL6: a wrong file. */
#include "tests/support/sites/site.h"

static const char tasks[] =
	"log:\n"
	"  class: Log\n"
	"  schedule: every second\n"
	"said:\n"
	"  command: [sh, -c, 'echo \"$1\" >> said', sh, 'x{0}']\n"
	"  args: [a b]\n"
	"  schedule: every second\n"
	"words:\n"
	"  command: touch \"two words\"\n"
	"  schedule: every second\n"
	"bad:\n"
	"  command: sh -c 'exit 3'\n"
	"  schedule: every second\n"
	"  queue: other\n"
	"ruby:\n"
	"  command: \"SolidQueue::Job.clear_finished_in_batches(sleep_between_batches: "
	"0.3)\"\n"
	"  schedule: every second\n";

#define OF_CLASS(class) "SELECT count(*) FROM solid_queue_jobs WHERE class_name = '" class "'"

static bool have_run(struct site *site)
{
	return site_lines(site, "done") >= 2 && site_lines(site, "said") >= 2 &&
	       access(site_path(site, "two words"), F_OK) == 0 &&
	       site_jobs_in(site, JOB_FAILED) > 0;
}

static const char roles[] = "log: {level: debug, format: json}\n"
			    "workers: [{threads: 3, polling_interval: 0.02}]\n"
			    "dispatchers: [{polling_interval: 0.05}]\n";

/* RT1, RK1, RK15, IN18, LS3 */
SITE_CASE(test_rt1_rk15_jobs_and_commands_run)
{
	site_queue_yml(site, roles);
	site_write(site, "config/recurring.yml", tasks);
	site_start(site, 4);
	site_until(site, have_run(site), "the tasks' jobs");
	assert_contains(site_log(site), "recurring.ruby.command is Ruby source");
	assert_contains(site_log(site), "\"event\":\"recurring.enqueued\"");
	assert_contains(site_log(site), "\"task\":\"words\",\"at\":\"");
	(void)site_stop(site, SIGTERM);
	assert_memory_equal(site_read(site, "said"), "xa b\n", 5);
	assert_count(site, site_int(site, "SELECT count(*) FROM solid_queue_jobs"),
		     "solid_queue_recurring_executions r JOIN solid_queue_jobs j ON j.id = "
		     "r.job_id");
	assert_true(site_int(site, OF_CLASS("Log")) >= 2);
	assert_number(site,
		      site_int(site, OF_CLASS("Log") " AND arguments LIKE '%\"arguments\":[]%'"),
		      OF_CLASS("Log"));
	assert_number(site,
		      site_int(site, OF_CLASS("recurring:words") " AND queue_name = "
								 "'dray_commands'"),
		      OF_CLASS("recurring:words"));
	assert_number(site, site_int(site, OF_CLASS("recurring:bad") " AND queue_name = 'other'"),
		      OF_CLASS("recurring:bad"));
	assert_int_equal(site_int(site, OF_CLASS("recurring:ruby")), 0);
	assert_count(site, 1,
		     "solid_queue_recurring_tasks WHERE command = 'touch ''two words''' AND "
		     "class_name IS NULL");
	assert_contains(site_dray(site, "jobs", "--state", "failed"), "exited with status 3");
}

/* A scheduler has its row before it has published its tasks. */
#define PUBLISHED "SELECT count(*) FROM dray_recurring_tasks"

SITE_CASE(test_a_command_is_retried)
{
	site_queue_yml(site, roles);
	site_write(site, "config/recurring.yml",
		   "flaky: {command: [sh, -c, 'echo $DRAY_ATTEMPT >> tries; test $DRAY_ATTEMPT = "
		   "3'], schedule: every year, retry: {wait: 0s}}\n");
	site_start(site, 4);
	site_await_int(site, PUBLISHED, 1);
	(void)site_dray(site, "recurring", "run", "flaky");
	site_await_jobs(site, JOB_FINISHED, 1);
	assert_string_equal(site_read(site, "tries"), "1\n2\n3\n");
}

#define TOO_LONG                                                                                   \
	"SELECT count(*) FROM solid_queue_failed_executions f JOIN solid_queue_jobs j ON j.id = "  \
	"f.job_id WHERE f.error LIKE '%Dray::TimeoutError%' AND j.class_name = "

/* By what the task says: a scheduler or somebody by hand enqueues its jobs. */
SITE_CASE(a_task_says_how_its_jobs_end)
{
	site_queue_yml(site, "scheduler: {polling_interval: 0.1, dynamic_tasks_enabled: true}\n"
			     "workers: [{threads: 6, polling_interval: 0.02}]\n"
			     "dispatchers: [{polling_interval: 0.05}]\n");
	site_jobs_yml(site, "  Sleep: {command: [sleep, '100']}\n");
	site_write(site, "config/recurring.yml",
		   "long: {command: [sleep, '100'], schedule: every year, timeout: 100ms}\n"
		   "odd: {command: [sh, -c, 'exit 7'], schedule: every year, exit: {7: ok}, "
		   "history: all}\n");
	site_start(site, 4);
	site_await_int(site, PUBLISHED, 2);
	(void)site_dray(site, "recurring", "run", "long");
	(void)site_dray(site, "recurring", "run", "odd");
	(void)site_dray(site, "recurring", "add", "added", "--schedule", "every second", "--class",
			"Sleep", "--timeout", "100ms");
	site_await_least(site, TOO_LONG "'recurring:long'", 1);
	site_await_least(site, TOO_LONG "'Sleep'", 1);
	site_await_jobs(site, JOB_FINISHED, 1);
	assert_count(site, 1,
		     "dray_attempts a JOIN solid_queue_jobs j ON j.id = a.job_id WHERE "
		     "j.class_name = 'recurring:odd'");
}

static const char wrong[] = "one: {class: Log, schedule: every fortnight}\n"
			    "two: {class: Log, schedule: 0 0 31 4 *}\n"
			    "three: {class: Log, schedule: every hour}\n";

/* Both mistakes at once, on the standard error alone, and nothing starts. */
SITE_CASE(test_fs4_cl6_invalid_tasks)
{
	site_write(site, "config/recurring.yml", wrong);
	struct text said = { 0 };
	struct test_result result = site_try(site, "check");

	assert_code(result, EXIT_USAGE);
	assert_null(strstr(result.output, "recurring.t"));
	assert_null(strstr(result.output, "recurring.one"));
	assert_refused(&said, site_try(site, "start"));
	assert_memory_equal(result.errors, text_string(&said), strlen(text_string(&said)));
	test_said("recurring.wrong_tasks", &said);
}

/* A command line that was added at run time is run by a worker that has the class of them. */
SITE_CASE(test_added_commands_run)
{
	site_queue_yml(site, "scheduler: {polling_interval: 0.1, dynamic_tasks_enabled: true}\n"
			     "workers: [{polling_interval: 0.02}]\n"
			     "dispatchers: [{polling_interval: 0.05}]\n");
	site_jobs_yml(site, "  dray:command: {command: [env, \"{*}\"]}\n");
	site_start(site, 4);
	(void)site_dray(site, "recurring", "add", "say", "--schedule", "every second", "--command",
			"sh -c 'echo \"$1\" >> said' sh '{0} $x'");
	site_await_lines(site, "said", 2);
	(void)site_dray(site, "recurring", "pause", "say");
	(void)site_stop(site, SIGTERM);
	assert_memory_equal(site_read(site, "said"), "{0} $x\n", 7);
	assert_number(site,
		      site_int(site, OF_CLASS("dray:command") " AND queue_name = "
							      "'dray_commands'"),
		      OF_CLASS("dray:command"));
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
}

/* As somebody types it who knows bin/jobs; CL4: its other mode has no effect. */
SITE_CASE(test_switches_of_bin_jobs)
{
	struct text said = { 0 };

	site_write(site, "config/tasks.yml", "log: {class: Log, schedule: every second}\n");
	site->start =
		site_launch(site, "start", "-c", "config/queue.yml", "--recurring_schedule_file",
			    "config/tasks.yml", "--only_recurring", "--mode=async");
	site_await_rows(site, NULL, 2);
	assert_int_equal(site_row_count(site, "Scheduler"), 1);
	site_await_jobs(site, JOB_READY, 1); /* nobody is there to run it */
	assert_contains(site_log(site), "--mode async has no effect");
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_jobs_in(site, JOB_FINISHED), 0);
	assert_refused(&said, site_try(site, "start", "--only_recurring", "--skip-recurring"));
	assert_refused(&said, site_try(site, "check", "--mode", "thread"));
	test_said("switches.refused", &said);
	site->start = site_launch(site, "start", "--config_file", "config/queue.yml",
				  "--recurring-schedule-file", "config/tasks.yml",
				  "--skip_recurring", "--mode", "fork");
	site_await_rows(site, NULL, 3);
	assert_int_equal(site_row_count(site, "Scheduler"), 0);
}
