/*
 * Every verb of the queue on every database meets every fault at every point of its scripts: it is
 * killed, frozen, refused, cut off, and left in doubt about its commit. What it said was done is
 * done, what it did not say is done wholly or not at all, and when the living have cleaned up
 * after it, every job is where it belongs and has finished once.
 */
#include "db/fault.h"
#include "tests/fault/cases.h"
#include "tests/fault/cell.h"

static const struct failing failings[] = {
	{ .arm = "kill", .fails = true, .between = true, .at_commit = true, .committed = true },
	{ .arm = "stop", .committed = true },
	{ .arm = "cut", .between = true, .at_commit = true, .committed = true },
	{ .arm = "cut@1+", .fails = true, .lasts = true, .between = true },
	{ .arm = "retry", .between = true, .at_commit = true },
	{ .arm = "retry@1+", .fails = true, .lasts = true, .between = true, .at_commit = true },
	{ .arm = "fatal", .fails = true, .between = true, .at_commit = true },
};

struct cells {
	struct cases cases;
	const struct verb *verb;
	size_t number; /* the verb's, over all tables */
};

static bool applies(const struct failing *failing, const char *point)
{
	if (cell_ends_with(point, ".commit"))
		return failing->at_commit;
	if (cell_ends_with(point, ".committed"))
		return failing->committed;
	return failing->between || cell_ends_with(point, ".0");
}

static bool belongs(const struct verb *verb, const char *point)
{
	size_t length = (size_t)(strrchr(point, '.') - point);

	for (const char *script = verb->scripts; *script; script += strspn(script, " ")) {
		size_t own = strcspn(script, " ");
		if (own == length && memcmp(script, point, length) == 0)
			return true;
		script += own;
	}
	return false;
}

static void add_cells(const char *point, void *context)
{
	struct cells *cells = context;
	struct arena *arena = cells->cases.arena;

	if (!belongs(cells->verb, point))
		return;
	for (size_t i = 0; i < sizeof(failings) / sizeof(failings[0]); i++) {
		if (!applies(&failings[i], point))
			continue;
		struct cell *cell = arena_alloc(arena, sizeof(*cell));
		*cell = (struct cell){ cells->verb, arena_strdup(arena, point), &failings[i] };
		char *name =
			arena_printf(arena, "%s: %s=%s", cells->verb->name, point, failings[i].arm);
		cases_add(&cells->cases, (struct CMUnitTest){ name, cell_run, NULL, NULL, cell });
	}
}

/*
 * The sample (DRAY_TEST_SAMPLE): of each verb one cell of each kind on SQLite, and one cell on one
 * of the servers, which take turns. Which cell follows from the verb's number alone, so that every
 * run tries the same ones.
 */
static const char *const kinds[] = { "kill", "stop", "cut" };
static const char *const servers[] = { "postgresql", "mysql", "mariadb" };

#define KINDS   (sizeof(kinds) / sizeof(kinds[0]))
#define SERVERS (sizeof(servers) / sizeof(servers[0]))

static bool is_in_sample(size_t verb, size_t kind)
{
	if (strcmp(cell_stage.backend, "sqlite") == 0)
		return true;
	return strcmp(cell_stage.backend, servers[verb % SERVERS]) == 0 &&
	       kind == verb / SERVERS % KINDS;
}

/* DRAY_TEST_PART, 0 to 3: of every four verbs that one; the parts run side by side. */
#define PARTS 4

static bool is_in_part(size_t verb)
{
	const char *part = getenv("DRAY_TEST_PART");

	return !part || verb % PARTS == strtoul(part, NULL, 10);
}

static bool is_kind(const struct CMUnitTest *test, const char *kind)
{
	const struct cell *cell = test->initial_state;

	return strcmp(cell->failing->arm, kind) == 0;
}

/* The N-th, counted in a circle, of the cells of a kind; NULL = there is none. */
static const struct CMUnitTest *pick(const struct CMUnitTest *tests, size_t count, const char *kind,
				     size_t n)
{
	size_t of_kind = 0;

	for (size_t i = 0; i < count; i++)
		of_kind += is_kind(&tests[i], kind);
	for (size_t i = 0; of_kind > 0 && i < count; i++)
		if (is_kind(&tests[i], kind) && n-- % of_kind == 0)
			return &tests[i];
	return NULL;
}

/* Of the verb's cells, which begin at `from`, those of the sample stay. */
static void thin(struct cells *cells, size_t from)
{
	struct CMUnitTest *tests = cells->cases.tests + from;
	struct CMUnitTest kept[KINDS];
	size_t count = 0;

	for (size_t i = 0; i < KINDS; i++) {
		const struct CMUnitTest *test = is_in_sample(cells->number, i)
							? pick(tests, cells->cases.count - from,
							       kinds[i], cells->number + i)
							: NULL;
		if (test)
			kept[count++] = *test;
	}
	if (count > 0)
		memcpy(tests, kept, count * sizeof(*kept));
	cells->cases.count = from + count;
}

static void add_verb(struct cells *cells, const struct verb *verb, enum db_dialect dialect)
{
	size_t from = cells->cases.count;

	cells->verb = verb;
	must(db_fault_each, dialect, add_cells, cells);
	if (getenv("DRAY_TEST_SAMPLE") && cells->cases.count > from)
		thin(cells, from);
}

static void add_verbs(struct cells *cells, const struct verbs *verbs, enum db_dialect dialect)
{
	for (size_t i = 0; i < verbs->count; i++, cells->number++)
		if (is_in_part(cells->number))
			add_verb(cells, &verbs->all[i], dialect);
}

static const struct verbs *const tables[] = { &job_verbs,    &claim_verbs,     &process_verbs,
					      &doctor_verbs, &limit_verbs,     &operator_verbs,
					      &action_verbs, &recurring_verbs, &refused_verbs,
					      &finding_verbs };

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static bool belongs_to_any(const char *point)
{
	for (size_t i = 0; i < TABLES; i++)
		for (size_t verb = 0; verb < tables[i]->count; verb++)
			if (belongs(&tables[i]->all[verb], point))
				return true;
	return false;
}

/* Only what writes is committed. */
static void require_row(const char *point, void *context)
{
	size_t *untried = context;

	if (!cell_ends_with(point, ".commit") || belongs_to_any(point))
		return;
	++*untried;
	print_error("db/sql/%.*s has no row in tests/fault/verbs/*.c\n", (int)strcspn(point, "."),
		    point);
}

static void every_script_that_writes_is_tried(void **state)
{
	size_t untried = 0;

	(void)state;
	must(db_fault_each, db_dialect_of(cell_stage.db), require_row, &untried);
	assert_int_equal(untried, 0);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct cells cells = { .cases.arena = arena };

	cell_stage.backend = fault_backend(argc, argv);
	cases_add(&cells.cases,
		  (struct CMUnitTest)cmocka_unit_test(every_script_that_writes_is_tried));
	enum db_dialect dialect = fault_dialect(cell_stage.backend);
	for (size_t i = 0; i < TABLES; i++)
		add_verbs(&cells, tables[i], dialect);
	int failures = test_run_group(cell_stage.backend, cells.cases.tests, cells.cases.count,
				      cell_stage_open, cell_stage_close);
	arena_free(arena);
	return failures;
}
