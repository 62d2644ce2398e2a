#include "tests/fault/cell.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include "common/fault.h"
#include "queue/doctor/doctor.h"
#include "queue/limits/heal.h"
#include "tests/fault/history.h"
#include "tests/fault/reuse.h"
#include "tests/support/home.h"
#include "tests/support/limited.h"

#define ATTEMPTS 4
#define PATIENCE (30 * CLOCK_SECOND)

struct test_db cell_stage;

bool cell_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool is_committed(const struct cell *cell)
{
	return cell_ends_with(cell->point, ".committed");
}

static struct db *open_own(int64_t patience)
{
	const struct db_options options = { .retry_for = patience };
	struct db *db = NULL;

	must(db_open, &db, cell_stage.url, &options);
	return db;
}

/* As its caller would: again when the database was away or the outcome is unknown. */
static int run_verb(unsigned index, void *data)
{
	struct scene *scene = data;
	struct error error = { 0 };
	enum status status = STATUS_DOWN;

	(void)index;
	scene->db = open_own(scene->patience);
	for (int i = 0; i < ATTEMPTS && (status == STATUS_DOWN || status == STATUS_UNCERTAIN);
	     i++) {
		scene->done = scene->verb->units;
		status = scene->verb->run(scene, &error);
		scene->uncertain = scene->uncertain || status == STATUS_UNCERTAIN;
		scene->told->status = status;
		scene->told->done = status == STATUS_OK ? scene->done : 0;
		(void)snprintf(scene->told->text, sizeof(scene->told->text), "%s",
			       status == STATUS_OK ? "" : error.text);
	}
	scene->told->ended = true;
	db_close(scene->db);
	return 0;
}

/* Before it has done anything and after its commit the frozen process holds no lock. */
static bool holds_locks(const struct cell *cell)
{
	if (is_committed(cell))
		return false;
	return strchr(cell->verb->scripts, ' ') || !cell_ends_with(cell->point, ".0") ||
	       db_dialect_of(cell_stage.db) == DB_SQLITE; /* whose BEGIN takes the only one */
}

/* Frozen, it is declared dead by others, who try again for what it has locked. */
static void declare_dead(const struct cell *cell)
{
	const struct db_options options = {
		.call_timeout = holds_locks(cell) ? 50 * CLOCK_MILLISECOND : PATIENCE,
		.retry_for = holds_locks(cell) ? 1 : PATIENCE,
	};
	const struct prune prune = { .threshold = 1, .other_threshold = 1 };
	struct loss_result result;
	struct error error = { 0 };
	struct db *db = NULL;
	enum status status = db_open(&db, cell_stage.url, &options, &error);

	if (status == STATUS_OK)
		status = process_prune(db, &prune, &scene_policy, &result, &error);
	db_close(db);
	if (!holds_locks(cell))
		assert_ok(status, &error);
	else if (status != STATUS_OK)
		assert_in_range(status, STATUS_RETRY, STATUS_UNCERTAIN);
}

/* Burial of what died, pruning of what went silent, and claims that nobody holds. */
static void clean_up(void)
{
	static const struct burial dead[] = { { .name = "victim", .how = "Killed." },
					      { .name = "newcomer", .how = "Killed." } };
	const struct prune prune = { .threshold = CLOCK_MINUTE, .other_threshold = CLOCK_MINUTE };
	struct loss_result result;
	struct error error = { 0 };

	for (size_t i = 0; i < 2; i++) {
		enum status status =
			process_bury(cell_stage.db, &dead[i], &scene_policy, &result, &error);
		if (status != STATUS_NONE)
			assert_ok(status, &error);
	}
	assert_ok(process_prune(cell_stage.db, &prune, &scene_policy, &result, &error), &error);
	assert_ok(process_lose_orphans(cell_stage.db, &scene_policy, &result, &error), &error);
}

static void finish_all(struct scene *scene, int64_t process, const struct claim claims[],
		       size_t count)
{
	struct arena *arena = scene->test->arena;
	struct settle_request request = { .process_id = process,
					  .outcomes = arena_array(arena, count + 1,
								  sizeof(*request.outcomes)),
					  .outcome_count = count,
					  .preserve_finished_jobs = true };
	struct claim *none;
	size_t no_count;

	for (size_t i = 0; i < count; i++) {
		assert_true(claims[i].id < REUSE_BELOW);
		request.outcomes[i] =
			(struct outcome){ .claim = claim_name(&claims[i]),
					  .limited = claims[i].job.concurrency_key != NULL };
	}
	must(settle, cell_stage.db, arena, &request, &none, &no_count);
	for (size_t i = 0; i < count; i++)
		assert_false(request.outcomes[i].refused);
}

/* A worker that finishes whatever is ready. */
static void work_off(struct scene *scene)
{
	static const char *const all[] = { "*", NULL };
	int64_t deadline = clock_monotonic() + PATIENCE;
	int64_t heir = 0;

	while (scene_count(scene, JOB_READY) > 0) {
		size_t count;
		set_claims_back(&cell_stage, 0);
		if (heir == 0)
			heir = register_worker(cell_stage.db, "heir");
		const struct claim *claims = take(&cell_stage, heir, all, 100, &count);
		finish_all(scene, heir, claims, count);
		assert_true(clock_monotonic() < deadline);
	}
	assert_int_equal(scene_count(scene, JOB_CLAIMED), 0);
}

/* What was torn apart before the fault; no other verb may need this. */
static void mend(void)
{
	struct doctor doctor = {
		.db = cell_stage.db,
		.prune = { .threshold = CLOCK_MINUTE, .other_threshold = CLOCK_MINUTE },
		.policy = scene_policy,
		.mend = true,
	};

	struct heal heals = { 0 };

	must(doctor_examine, &doctor);
	must(heal, cell_stage.db, &heals);
	must(heal, cell_stage.db, &heals);
	heal_clear(&heals);
}

static void judge_the_rest(struct scene *scene)
{
	clean_up();
	if (scene->verb->flags & TORN)
		mend();
	test_invariant(cell_stage.db);
	assert_slots_add_up(&cell_stage);
	/* No claim without a living owner, and nobody lives. */
	assert_int_equal(scene_count(scene, JOB_CLAIMED), 0);
	work_off(scene);
	test_invariant(cell_stage.db);
	assert_slots_add_up(&cell_stage);
	assert_int_equal(held_slots(&cell_stage), 0);
	assert_int_equal(scene_count(scene, JOB_BLOCKED), 0);
	assert_int_equal(history_doubled(&cell_stage), 0);
}

/* One that beats so often that it is presumed dead as soon as it is frozen. */
static int64_t register_victim(void)
{
	struct process_row row = { .kind = "Worker",
				   .name = "victim",
				   .pid = 1,
				   .hostname = "test",
				   .metadata = "{\"software\":\"dray test\",\"cancels\":true,"
					       "\"heartbeat_interval\":0.000001}" };

	must(process_register, cell_stage.db, &row);
	return row.id;
}

static void set_up(struct scene *scene, const struct cell *cell)
{
	/* One transaction, because there are hundreds of cells. */
	test_execute(cell_stage.db,
		     "BEGIN; DELETE FROM solid_queue_jobs; DELETE FROM solid_queue_processes;"
		     "DELETE FROM solid_queue_pauses; DELETE FROM solid_queue_semaphores;"
		     "DELETE FROM dray_slots; DELETE FROM dray_classes; DELETE FROM dray_pauses;"
		     "DELETE FROM dray_recurring_tasks; DELETE FROM dray_recurring_runs;"
		     "DELETE FROM solid_queue_recurring_tasks; DELETE FROM dray_recurring_own;"
		     "DELETE FROM dray_audit; DELETE FROM dray_gone; DELETE FROM dray_others;"
		     "DELETE FROM dray_leaders; DELETE FROM dray_findings;"
		     "DELETE FROM fault_history; COMMIT");
	set_claims_back(&cell_stage, 0);
	*scene = (struct scene){ .verb = cell->verb, .test = &cell_stage, .db = cell_stage.db };
	/* A fault that lasts is given up soon; one that passes may take its time. */
	scene->patience = cell->failing->lasts ? 50 * CLOCK_MILLISECOND : PATIENCE;
	scene->told = mmap(NULL, sizeof(*scene->told), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(scene->told, MAP_FAILED);
	scene->victim = register_victim();
	if (cell->verb->set_up)
		cell->verb->set_up(scene);
	assert_true(cell->verb->effect(scene) < cell->verb->units);
	if (db_dialect_of(cell_stage.db) == DB_SQLITE)
		db_disconnect(cell_stage.db); /* must not be open across a fork */
}

/* Its wait status: the end, or that it is frozen. */
static int await(pid_t pid)
{
	int64_t deadline = clock_monotonic() + CLOCK_MINUTE;
	bool late = false;
	int status;

	while (waitpid(pid, &status, WNOHANG | WUNTRACED) != pid) {
		late = clock_monotonic() > deadline;
		if (late)
			kill(pid, SIGKILL);
		clock_sleep(500);
	}
	assert_false(late);
	return status;
}

/* Runs the child to its end; its wait status. */
static int play(struct scene *scene, const struct cell *cell)
{
	const struct test_function child = { run_verb, scene };
	const char *arm =
		arena_printf(cell_stage.arena, "%s=%s%s%s", cell->point, cell->failing->arm,
			     cell->verb->also ? "," : "", cell->verb->also ? cell->verb->also : "");

	must(fault_arm, arm);
	pid_t pid = test_fork(&child, 0);
	int status = await(pid);
	unsigned wanted = cell->verb->also ? 2 : 1;
	unsigned acted = fault_acted();
	fault_disarm();
	if (acted < wanted)
		fail_msg("the point was not reached: %s: %s", status_name(scene->told->status),
			 scene->told->text);
	if (!WIFSTOPPED(status))
		return status;
	struct reuse reuse = reuse_of(&cell_stage, scene->victim);
	declare_dead(cell);
	if (!holds_locks(cell))
		reuse_begin(&reuse, &cell_stage);
	kill(pid, SIGCONT);
	status = await(pid);
	reuse_end(&reuse, &cell_stage);
	return status;
}

static bool was_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool is_frozen(const struct cell *cell)
{
	return strcmp(cell->failing->arm, "stop") == 0;
}

static bool is_refused(const struct cell *cell)
{
	return strcmp(cell->failing->arm, "fatal") == 0;
}

/* It died where it should, and only then; a fault that passes keeps nobody alive from success. */
static void judge_end(const struct scene *scene, const struct cell *cell, int status)
{
	const struct told *told = scene->told;

	if (strcmp(cell->failing->arm, "kill") == 0) {
		assert_true(was_killed(status));
		return;
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && told->ended);
	if (!cell->failing->fails && told->status != STATUS_OK &&
	    !(told->status == STATUS_NONE && is_frozen(cell)))
		fail_msg("%s: %s", status_name(told->status), told->text);
}

/* What was said is true: done is done, and what was not said is all or nothing. */
static void judge_effect(struct scene *scene, const struct cell *cell, bool killed)
{
	const struct told *told = scene->told;
	int64_t effect = cell->verb->effect(scene);
	int64_t units = cell->verb->units;
	int64_t refused = cell->verb->refused;

	assert_true(effect == 0 || effect == units || (is_refused(cell) && effect == refused));
	if (!cell->failing->fails)
		assert_int_equal(told->done, units);
	if (!killed && told->status == STATUS_OK)
		assert_int_equal(effect, told->done);
	else if (!cell->verb->also && !(cell->verb->flags & SEVERAL))
		assert_int_equal(effect, killed && is_committed(cell) ? units : 0);
}

/* Others may have done the same meanwhile, or undone it. */
static void judge_frozen(struct scene *scene, const struct cell *cell)
{
	assert_in_range(cell->verb->effect(scene),
			cell->verb->flags & UNDONE ? 0 : scene->told->done, cell->verb->units);
}

void cell_run(void **state)
{
	struct cell *cell = *state;
	struct scene scene;

	set_up(&scene, cell);
	int status = play(&scene, cell);
	judge_end(&scene, cell, status);
	if (is_frozen(cell))
		judge_frozen(&scene, cell);
	else
		judge_effect(&scene, cell, was_killed(status));
	judge_the_rest(&scene);
	munmap(scene.told, sizeof(*scene.told));
}

int cell_stage_open(void **state)
{
	(void)state;
	test_db_begin(&cell_stage, TEST_MIGRATED);
	history_install(&cell_stage);
	return 0;
}

int cell_stage_close(void **state)
{
	(void)state;
	test_db_end(&cell_stage);
	home_drop();
	return 0;
}
