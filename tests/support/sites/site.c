#include "tests/support/sites/site.h"

#include "tests/support/invariant.h"

#define PATIENCE (60 * CLOCK_SECOND)

static struct site current;
static pid_t owner;                /* of its process */
static char current_directory[64]; /* outlives the arena of a case that failed */

/* What the tests' own environment must not decide. PATH stays. */
static const char *const environment[] = {
	"DRAY_DATABASE_URL", "DATABASE_URL", "DRAY_ENV",       "RAILS_ENV",          "RACK_ENV",
	"DRAY_CONFIG",       "DRAY_JOBS",    "DRAY_RECURRING", "SOLID_QUEUE_CONFIG", NULL
};

const char site_jobs[] =
	"  Touch: {command: [touch, \"{0}\"]}\n"
	"  Append: {command: [sh, -c, 'echo \"$2\" >>\"$1\"', -, \"{0}\", \"{1}\"]}\n"
	"  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"
	"  Copy: {command: [cp, \"{from}\", \"{to}\"]}\n"
	"  Sleep: {command: [sleep, \"{0}\"]}\n"
	"  Slow: {command: [sh, -c, 'echo >>begun; sleep $1; echo >>completed', -, \"{0}\"]}\n"
	"  Wait: {command: [sh, -c, 'echo >>begun; until test -e go; do sleep 0.02; done; "
	"echo >>completed']}\n"
	"  Fail: {command: [sh, -c, 'echo before >&2; echo why >&2; exit 3']}\n";

/* files */

const char *site_path(const struct site *site, const char *name)
{
	return name[0] == '/' ? name : arena_printf(site->arena, "%s/%s", site->directory, name);
}

void site_write(const struct site *site, const char *name, const char *text)
{
	test_write_file(site_path(site, name), text);
}

const char *site_read(const struct site *site, const char *name)
{
	char *data;
	size_t length;

	if (file_read(site_path(site, name), 1 << 24, &data, &length, NULL) != STATUS_OK)
		return "";
	const char *text = arena_strdup(site->arena, data);
	free(data);
	return text;
}

size_t site_lines(const struct site *site, const char *name)
{
	return test_count_text(site_read(site, name), "\n");
}

void site_queue_yml(const struct site *site, const char *text)
{
	struct text yml = { 0 };

	text_printf(&yml, "database:\n  url: \"%s\"\n", site->url);
	if (site->schema)
		text_printf(&yml, "  schema: %s\n", site->schema);
	text_add(&yml, text ? text
			    : "process_heartbeat_interval: 0.5\n"
			      "workers:\n  - {threads: 3, polling_interval: 0.02}\n"
			      "dispatchers:\n  - {polling_interval: 0.05}\n");
	site_write(site, "config/queue.yml", text_string(&yml));
	text_free(&yml);
}

void site_jobs_yml(const struct site *site, const char *text)
{
	site_write(site, "config/jobs.yml",
		   arena_printf(site->arena, "defaults: {environment: [PATH]}\njobs:\n%s",
				text ? text : site_jobs));
}

/* beginning and end */

/* Also what a case that failed has left. */
static void forget(struct site *site)
{
	if (site->start.pid > 0)
		(void)test_wait_exit(site->start.pid, 0); /* killed */
	if (site->start.output > 0) {
		close(site->start.output);
		close(site->start.errors);
	}
	db_close(site->db);
	if (site->directory[0] != '\0') {
		site_kill(site);
		(void)test_remove(site->directory);
	}
	*site = (struct site){ 0 };
}

void site_end(void)
{
	if (current.directory)
		forget(&current);
}

/* What a case that failed has left, unless it is a child that ends. */
static void end_at_exit(void)
{
	if (getpid() == owner)
		site_end();
}

struct site *site_open_at(struct test_db *test, const char *url, const char *schema)
{
	struct site *site = &current;

	site_end();
	if (owner == 0)
		assert_int_equal(atexit(end_at_exit), 0);
	owner = getpid();
	(void)snprintf(current_directory, sizeof(current_directory), "/tmp/dray-site-XXXXXX");
	assert_non_null(mkdtemp(current_directory));
	*site = (struct site){ .test = test,
			       .arena = test->arena,
			       .url = url,
			       .schema = schema,
			       .directory = current_directory };
	assert_int_equal(mkdir(site_path(site, "config"), 0700), 0);
	site_queue_yml(site, NULL);
	site_jobs_yml(site, NULL);
	const struct db_options options = { .schema = site->schema };
	must(db_open, &site->db, site->url, &options);
	return site;
}

struct site *site_open(struct test_db *test)
{
	return site_open_at(test, test->url, NULL);
}

void site_close(struct site *site)
{
	if (site->start.pid > 0)
		(void)site_stop(site, SIGTERM);
	site_await_no_processes(site);
	test_invariant(site->db);
	forget(site);
}

/* the program */

struct test_result site_run_dray(struct site *site, const char *input, const char *const *arguments)
{
	const struct test_command command = { .arguments = arguments,
					      .environment = environment,
					      .input = input,
					      .directory = site->directory };

	return test_command_run(site->arena, &command);
}

const char *site_must(struct site *site, const char *input, const char *const *arguments)
{
	struct test_result result = site_run_dray(site, input, arguments);

	assert_code(result, 0);
	return result.output;
}

int64_t site_enqueue_arguments(struct site *site, const char *const *arguments)
{
	struct test_result result = { .output = site_must(site, NULL, arguments) };
	json_t *json = test_json(result);
	int64_t id = test_json_integer(json, "id");

	json_decref(json);
	return id;
}

const char *site_number(const struct site *site, int64_t job)
{
	return arena_printf(site->arena, "%lld", (long long)job);
}

void site_enqueue_many(struct site *site, const char *class_name, const char *queue, int count)
{
	struct text lines = { 0 };

	for (int i = 0; i < count; i++)
		text_printf(&lines, "{\"class\": \"%s\", \"queue\": \"%s\"}\n", class_name, queue);
	(void)site_must(site, text_string(&lines),
			(const char *[]){ "enqueue", "--bulk", "-", NULL });
	text_free(&lines);
}

struct test_running site_spawn(struct site *site, const char *program, const char *const *arguments)
{
	const struct test_command command = { .arguments = arguments,
					      .environment = environment,
					      .directory = site->directory,
					      .program = program };

	return test_command_start(&command);
}

void site_start(struct site *site, size_t processes)
{
	assert_int_equal(site->start.pid, 0);
	site->start = site_launch(site, "start");
	site_await_rows(site, NULL, processes);
}

struct test_result site_finish(struct site *site)
{
	struct test_result result = test_command_finish(site->arena, &site->start, PATIENCE);

	site->start = (struct test_running){ 0 };
	site->log = result.errors;
	if (strstr(result.errors, "Sanitizer") || strstr(result.errors, "runtime error:")) {
		(void)fputs(result.errors, stderr);
		fail_msg("a sanitizer has reported something");
	}
	return result;
}

struct test_result site_stop(struct site *site, int signal)
{
	assert_int_equal(kill(site->start.pid, signal), 0);
	struct test_result result = site_finish(site);
	size_t rows = site_row_count(site, NULL);

	if (result.code != 0 || rows > 0) {
		(void)fputs(result.errors, stderr);
		fail_msg("dray start ended with %d; %zu process rows", result.code, rows);
	}
	assert_int_equal(site_jobs_in(site, JOB_CLAIMED), 0);
	return result;
}

void site_stop_other(struct site *site, struct test_running *running)
{
	assert_int_equal(kill(running->pid, SIGTERM), 0);
	struct test_result result = test_command_finish(site->arena, running, PATIENCE);

	if (result.code != 0)
		(void)fputs(result.errors, stderr);
	assert_int_equal(result.code, 0);
}

void site_fail(const struct site *site, const char *what)
{
	if (site->start.pid > 0)
		(void)fputs(site_log(site), stderr); /* longer than print_error would take */
	fail_msg("%s", what);
}

void site_in_vain(const struct site *site, const char *what)
{
	site_fail(site, arena_printf(site->arena, "waited in vain for %s", what));
}
