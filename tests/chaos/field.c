#include "tests/chaos/field.h"

#include "bench/history.h"
#include "tests/chaos/world.h"

#define PATIENCE   (60 * CLOCK_SECOND)
#define WINDOW     CLOCK_SECOND /* of a measurement */
#define MOST_CELLS 40

/* Lines of runs that were claimed before; after them new claims have been made. */
#define PROGRESS (2 * 2 * FIELD_WORKERS * 4 + 8)

static struct world world;

static const char settings[] = "  connect_timeout: 1\n  call_timeout: 2\n  retry_for: 1\n"
			       "log: {level: warn}\n"
			       "process_heartbeat_interval: 0.3\n"
			       "process_alive_threshold: 2\n"
			       "workers:\n  - {threads: 4, processes: 2, polling_interval: 0.05}\n"
			       "dispatchers:\n  - {polling_interval: 0.05}\n";

static const char tasks[] =
	"one: {class: Effect, args: [1], schedule: every second, misfire: all}\n"
	"two: {class: Effect, args: [1], schedule: every second, misfire: all}\n";

static const char jobs[] = "defaults: {environment: [PATH, EFFECTS]}\n"
			   "jobs:\n"
			   "  Effect: {module: \"" EFFECT_MODULE "\"}\n"
			   "  Command: {command: [\"" EFFECT_COMMAND "\", \"{0}\"]}\n";

void field_write_config(const struct field *field, const char *name, const char *url)
{
	site_write(field->site, name,
		   arena_printf(field->arena, "database:\n  url: \"%s\"\n%s", url, settings));
}

/* On MySQL the files are made small again too, so that a full disk is felt. */
static void empty_tables(struct db *db)
{
	static const char *const tables[] = {
		"solid_queue_ready_executions",
		"solid_queue_claimed_executions",
		"solid_queue_scheduled_executions",
		"solid_queue_failed_executions",
		"solid_queue_processes",
		"dray_losses",
		"dray_cancellations",
		"solid_queue_recurring_executions",
		"solid_queue_recurring_tasks",
		"dray_recurring_runs",
		"dray_recurring_tasks",
		"dray_recurring_own",
		"twice",
		"solid_queue_jobs",
	};
	bool truncate = db_dialect_of(db) == DB_MYSQL;
	struct arena *arena = arena_new();

	if (truncate)
		test_execute(db, "SET FOREIGN_KEY_CHECKS = 0");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		sql_execute(db, "%s %s", truncate ? "TRUNCATE TABLE" : "DELETE FROM", tables[i]);
	if (truncate)
		test_execute(db, "SET FOREIGN_KEY_CHECKS = 1");
	arena_free(arena);
}

static void start_both(struct field *field)
{
	size_t instances = field->cell->two ? 2 : 1;

	if (field->cell->two)
		field->second = site_spawn(
			field->site, NULL,
			(const char *[]){ "start", "--config-file", "config/second.yml", NULL });
	site_start(field->site, instances * FIELD_PROCESSES);
}

static void field_open(struct field *field)
{
	field->arena = arena_new();
	field->server = &world.server;
	field->forwarder = &world.forwarder;
	field->url = world.url;
	field->through = world.through;
	field->test = (struct test_db){ .backend = world.backend,
					.url = world.url,
					.arena = field->arena };
	world_clear(&world);
	field->site = site_open_at(&field->test, world.url, NULL);
	field->admin = test_db_open(world.admin_url);
	empty_tables(field->admin);
	field->effects = site_path(field->site, "effects");
	assert_int_equal(setenv("EFFECTS", field->effects, 1), 0);
	field_write_config(field, "config/queue.yml", field->through);
	field_write_config(field, "config/second.yml", field->url);
	site_write(field->site, "config/jobs.yml", jobs);
	site_write(field->site, "config/recurring.yml", tasks);
}

#define UNFINISHED "SELECT COUNT(*) FROM solid_queue_jobs WHERE finished_at IS NULL"

size_t field_lines(const struct field *field)
{
	return history_lines(field->effects);
}

void field_await_progress(struct field *field)
{
	size_t wanted = field_lines(field) + PROGRESS;

	site_until(field->site, field_lines(field) >= wanted, "new work to be done");
}

size_t field_logged(const struct field *field, const char *text)
{
	size_t count = test_count_text(site_log(field->site), text ? text : "\n");

	if (field->second.pid > 0)
		count += test_count_text(test_command_errors(field->arena, &field->second),
					 text ? text : "\n");
	return count;
}

void field_await_log(struct field *field, const char *text)
{
	site_until(field->site, field_logged(field, text) > 0, text);
}

void field_await_loss(struct field *field)
{
	site_until(field->site,
		   field_logged(field, "\"process.lost\"") +
				   field_logged(field, "\"supervisor.lost\"") >
			   0,
		   "a process that says that it was lost");
}

void field_execute(struct field *field, const char *sql)
{
	test_execute(field->admin, sql);
}

size_t field_signal(struct field *field, const char *kind, int signal, size_t count)
{
	size_t found;
	size_t reached = 0;
	const struct process_row *rows = site_rows(field->site, kind, &found);

	for (size_t i = 0; i < found && (count == 0 || i < count); i++)
		reached += kill(rows[i].pid, signal) == 0;
	return reached;
}

static double rate(size_t lines, int64_t time)
{
	return (double)lines / 2 * CLOCK_SECOND / (double)(time > 0 ? time : 1);
}

static double measure(const struct field *field)
{
	size_t lines = field_lines(field);
	int64_t begin = clock_monotonic();

	clock_sleep(WINDOW);
	return rate(field_lines(field) - lines, clock_monotonic() - begin);
}

static void disturb(struct field *field)
{
	size_t lines = field_lines(field);
	int64_t begin = clock_monotonic();

	field->cell->disturb(field);
	int64_t end = clock_monotonic();
	field->figures.during = rate(field_lines(field) - lines, end - begin);
	field_await_progress(field);
	field->figures.recovery = (double)(clock_monotonic() - end) / CLOCK_SECOND;
}

static void end_deployments(struct field *field)
{
	const char *second = "";

	if (field->second.pid > 0) {
		assert_int_equal(kill(field->second.pid, SIGTERM), 0);
		struct test_result result =
			test_command_finish(field->arena, &field->second, PATIENCE);
		if (result.code != 0)
			(void)fputs(result.errors, stderr);
		assert_int_equal(result.code, 0);
		second = result.errors;
	}
	field->log =
		arena_printf(field->arena, "%s%s", second, site_stop(field->site, SIGTERM).errors);
}

/* What is lost shows as jobs that never end: the verdict counts them. */
static void run_cell(struct field *field)
{
	size_t instances = field->cell->two ? 2 : 1;

	feeder_start(&field->feeder, field->url, field->effects);
	(field->cell->start ? field->cell->start : start_both)(field);
	field_await_progress(field);
	field->figures.before = measure(field);
	disturb(field);
	field->figures.after = measure(field);
	feeder_stop(&field->feeder);
	const int64_t end = clock_monotonic() + PATIENCE;
	while (test_query_int(field->url, UNFINISHED) > 0 && test_look_again(end))
		continue;
	site_await_rows(field->site, NULL, instances * FIELD_PROCESSES);
	field->figures.away = field_logged(field, "\"database.away\"") +
			      field_logged(field, "\"process.trouble\"");
	end_deployments(field);
	verdict_reach(field);
	verdict_show(field);
	verdict_assert(field);
	site_close(field->site);
}

static int set_up(void **state)
{
	struct field *field = *state;

	field_open(field);
	return 0;
}

static int tear_down(void **state)
{
	struct field *field = *state;

	/* Also after a failure, with anything in any state. */
	feeder_close(&field->feeder);
	if (field->second.pid > 0)
		(void)test_command_finish(field->arena, &field->second, 0);
	db_close(field->admin);
	server_revive(&world.server);
	site_end();
	arena_free(field->arena);
	return 0;
}

static void test_cell(void **state)
{
	struct field *field = *state;

	const char *reason = field->cell->missing ? field->cell->missing(field) : NULL;

	if (reason) {
		print_message("SKIPPED: %s on %s: %s\n", field->cell->name, field->backend, reason);
		skip();
	}
	run_cell(field);
}

static bool selected(const struct cell *cell, const char *backend)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	if (cell->backends && !strstr(cell->backends, backend))
		return false;
	return !only || strstr(cell->name, only);
}

int field_run(const char *backend, const struct cell *cells, size_t count)
{
	static struct field fields[MOST_CELLS];
	struct CMUnitTest tests[MOST_CELLS];
	size_t used = 0;

	assert_true(count <= MOST_CELLS);
	for (size_t i = 0; i < count; i++) {
		if (!selected(&cells[i], backend))
			continue;
		fields[used] = (struct field){ .cell = &cells[i], .backend = backend };
		tests[used] = (struct CMUnitTest){ cells[i].name, test_cell, set_up, tear_down,
						   &fields[used] };
		used++;
	}
	world_open(&world, backend);
	verdict_show_header();
	int failed = _cmocka_run_group_tests(backend, tests, used, NULL, NULL);
	world_close(&world);
	return failed;
}
