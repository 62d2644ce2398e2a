/* Other classes while jobs run: each run ends with those that it began with, which are then freed.
 */
#include "common/text/text.h"
#include "rig.h"
#include "tests/support/query.h"
#include "worker/handler.h"
#include "worker/host/host.h"
#include "worker/state.h"

static struct rig rig;

/* A copy of the rig's configuration with these classes. */
static struct config *make(struct arena *arena, const struct config_class classes[], size_t count)
{
	struct config *config = arena_alloc(arena, sizeof(*config));

	*config = rig.config;
	config->arena = arena;
	config->classes = arena_array(arena, count, sizeof(*classes));
	memcpy(config->classes, classes, count * sizeof(*classes));
	config->class_count = count;
	for (size_t i = 0; i < count; i++) /* so that a use after it was freed is one */
		config->classes[i].name = arena_strdup(arena, classes[i].name);
	return config;
}

/* With a copy, too: what a case changes afterwards is for those that are adopted. */
static void start(void)
{
	rig.context.config = make(rig.arena, rig.classes, rig.config.class_count);
	rig_start(&rig);
}

/* The rig's classes as they are now. */
static void adopt(void)
{
	must(worker_role.adopt, &rig.context,
	     make(arena_new(), rig.classes, rig.config.class_count));
}

/* It ends with 7, and what that means is its class's. */
static struct config_class *add_waiting(void)
{
	return rig_command(
		&rig, "WaitJob",
		RIG_SHELL("until test -e \"$1\"; do sleep 0.01; done; exit 7", "-", "{0}"));
}

static int64_t begin(const char *file)
{
	int64_t id = rig_enqueue(&rig, "WaitJob", rig_text(&rig, rig_path(&rig, file)));

	rig_await_claim(&rig, id);
	return id;
}

static void let_go(const char *file)
{
	test_write_file(rig_path(&rig, file), "");
}

RIG_CASE(a_run_ends_as_its_class_said_when_it_began)
{
	static const struct config_exit well = { 7, 7, { SAYS_OK, -1 } };
	struct config_class *class = add_waiting();

	class->exit = &well;
	class->exit_count = 1;
	start();
	int64_t first = begin("first");
	adopt();
	int64_t second = begin("second");
	class->exit_count = 0;
	adopt();
	int64_t third = begin("third");
	adopt();
	let_go("second");
	assert_int_equal(rig_run(&rig, second).state, JOB_FINISHED);
	let_go("first");
	assert_int_equal(rig_run(&rig, first).state, JOB_FINISHED);
	let_go("third");
	assert_int_equal(rig_run(&rig, third).state, JOB_FAILED);
}

/* Also by a run of an older edition, and in editions that have ended. */
RIG_CASE(what_is_learnt_of_a_class_stays)
{
	(void)rig_module(&rig, "NoopJob", "probe");
	start();
	(void)add_waiting();
	adopt();
	int64_t job = begin("first");
	adopt();
	adopt();
	let_go("first");
	assert_int_equal(rig_run(&rig, job).state, JOB_FAILED);
	adopt();
	const struct handlers *handlers = rig_worker(&rig)->edition->handlers;
	assert_int_equal(handlers_find(handlers, "WaitJob")->pace->count, 1);
}

RIG_CASE(a_worker_ends_before_the_runs_of_three_editions)
{
	(void)add_waiting();
	start();
	for (int i = 0; i < 3; i++) {
		(void)begin("never");
		adopt();
	}
	(void)begin("never");
	rig_leave(&rig);
}

RIG_CASE(a_worker_ends_that_cannot_write_what_became_of_its_runs)
{
	(void)add_waiting();
	start();
	adopt();
	(void)begin("never");
	adopt();
	sql_execute(rig.db, "ALTER TABLE solid_queue_claimed_executions RENAME TO gone");
	rig_leave(&rig);
}

/* Its functions, hosts and what it has learnt of its pace stay. */
RIG_CASE(modules_stay)
{
	rig_module(&rig, "NoopJob", "probe");
	rig_isolated(&rig, "TellJob", "probe");
	start();
	adopt();
	rig_succeed(&rig, "NoopJob", NULL);
	(void)rig_fail(&rig, "TellJob", "[]");
	size_t hosts = rig_worker(&rig)->hosts.count;
	for (int i = 0; i < 2; i++) {
		adopt();
		rig_succeed(&rig, "NoopJob", NULL);
		(void)rig_fail(&rig, "TellJob", "[]");
	}
	assert_int_equal(rig_worker(&rig)->hosts.count, hosts);
}

/* The host starts for a run of an edition that ends before it does. */
RIG_CASE(a_host_outlives_the_edition_it_was_started_for)
{
	rig_isolated(&rig, "NoopJob", "probe");
	start();
	adopt();
	struct host_group *group = rig_worker(&rig)->hosts.groups;
	group->start_at = CLOCK_NEVER;
	int64_t job = rig_enqueue(&rig, "NoopJob", NULL);
	rig_await_claim(&rig, job);
	adopt();
	group->start_at = 0;
	assert_int_equal(rig_run(&rig, job).state, JOB_FINISHED);
	rig_succeed(&rig, "NoopJob", NULL);
	adopt();
	rig_succeed(&rig, "NoopJob", NULL);
	assert_int_equal(rig_worker(&rig)->hosts.count, 1);
}

/* A worker without commands has nothing to run them with, until there is one. */
RIG_CASE(the_first_command)
{
	rig_module(&rig, "NoopJob", "probe");
	start();
	int64_t early = rig_enqueue(&rig, "ShellJob", NULL);
	rig_succeed(&rig, "NoopJob", NULL);
	assert_int_equal(rig_job(&rig, early).state, JOB_READY);
	rig_command(&rig, "ShellJob", RIG_SHELL("true"));
	adopt();
	assert_int_equal(rig_run(&rig, early).state, JOB_FINISHED);
	assert_contains(rig_describe(&rig, NULL), "\"classes\":[\"NoopJob\",\"ShellJob\"]");
}

/* This worker goes on as it was. */
static void refuse(const struct config_class classes[], size_t count, enum status status,
		   const char *text)
{
	struct error error = { 0 };
	struct config *config = make(arena_new(), classes, count);

	assert_int_equal(worker_role.adopt(&rig.context, config, &error), status);
	assert_string_equal(error.text, text);
	config_free(config);
	rig_succeed(&rig, "NoopJob", NULL);
}

/* Another worker has to load it. */
RIG_CASE(another_module_is_refused)
{
	rig_module(&rig, "NoopJob", "probe");
	start();
	rig_module(&rig, "TellJob", "probe");
	refuse(rig.classes, rig.config.class_count, STATUS_INVALID,
	       "config/jobs.yml:2:3: class TellJob: this worker has not loaded its module");
}

/* Its hosts would have no class. */
RIG_CASE(a_module_that_is_gone_is_refused)
{
	rig_isolated(&rig, "NoopJob", "probe");
	rig_command(&rig, "ShellJob", RIG_SHELL("true"));
	start();
	rig_succeed(&rig, "NoopJob", NULL);
	refuse(rig.classes + 1, 1, STATUS_INVALID,
	       "class NoopJob: this worker has loaded its module");
}

/* What the first command needs cannot be had, and then it can. */
RIG_CASE(a_lack_of_descriptors)
{
	struct rlimit before;
	const int free = dup(STDERR_FILENO);

	rig_module(&rig, "NoopJob", "probe");
	start();
	rig_command(&rig, "ShellJob", RIG_SHELL("true"));
	rig_succeed(&rig, "NoopJob", NULL);
	assert_int_equal(close(free), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	struct rlimit few = { (rlim_t)free, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	refuse(rig.classes, 2, STATUS_FATAL, "/dev/null: Too many open files");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	adopt();
	rig_succeed(&rig, "ShellJob", NULL);
}

static void adopt_others(void)
{
	struct config_class classes[2] = { rig.classes[0], rig.classes[0] };

	classes[1].name = "RubyJob";
	classes[1].handler = HANDLER_NONE;
	classes[1].run_by = RUN_BY_OTHER;
	must(worker_role.adopt, &rig.context, make(arena_new(), classes, 2));
	rig_expect_left(&rig, "RubyJob");
}

/* Where unknown ones fail, and where the worker has decided by itself. */
RIG_CASE(a_class_is_left_to_others)
{
	rig.options.unknown_classes = UNKNOWN_FAIL;
	rig_module(&rig, "NoopJob", "probe");
	start();
	adopt_others();
	(void)rig_fail(&rig, "NobodysJob", NULL);
}

RIG_CASE(a_class_of_others_shows_that_the_tables_are_shared)
{
	rig_module(&rig, "NoopJob", "probe");
	start();
	adopt_others();
	rig_expect_left(&rig, "NobodysJob");
	assert_non_null(rig_worker(&rig)->claim.only_classes);
}

GROUP(rig_quiet, NULL);
