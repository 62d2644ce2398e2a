/*
 * Every role of a whole deployment is killed at every step it takes (and some are frozen, see
 * roles_frozen.c): all jobs finish, each once, and what the dead has held is free again. The
 * steps are those that the linker has gathered; one that is never reached fails.
 */
#include "common/fault.h"
#include "process/janitor.h"
#include "supervisor/roles.h"
#include "tests/fault/cases.h"
#include "tests/fault/life.h"
#include "tests/fault/roles_frozen.h"

/* Steps that are only taken after something else has gone wrong. */
static const struct {
	const char *point, *also;
} misfortunes[] = {
	{ "worker.uncertain", "claim.committed=cut" },
	{ "worker.resolved", "claim.committed=cut" },
	{ "supervisor.reaped", "worker.claimed=kill" },
	{ "janitor.burying", "worker.claimed=kill" },
	{ "janitor.buried", "worker.claimed=kill" },
	{ "janitor.beaten", "supervisor.reaped=kill" },
};

static const char *also(const char *point)
{
	for (size_t i = 0; i < sizeof(misfortunes) / sizeof(misfortunes[0]); i++)
		if (strcmp(misfortunes[i].point, point) == 0)
			return misfortunes[i].also;
	return NULL;
}

/* Steps that are taken at the shutdown only; all others come by themselves. */
static bool is_last(const char *point)
{
	static const char *const last[] = { ".stopping",     ".sweeping", ".hurrying",
					    ".stopping_run", ".emptying", ".closing",
					    ".emptied",      ".leaving",  ".deregistered",
					    ".left" };

	for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++)
		if (strcmp(strchr(point, '.'), last[i]) == 0)
			return true;
	return false;
}

/* One deployment lives from its start to its shutdown, the next finishes what it has left. */
static void kill_at(void **state)
{
	const char *point = *state;
	const char *more = also(point);

	life_begin(
		arena_printf(life->arena, "%s=kill%s%s", point, more ? "," : "", more ? more : ""));
	life_until(life_all_finished, "the quick jobs");
	life_enqueue_slow();
	life_until(life_slow_has_begun, "the slow job");
	if (strcmp(point, "worker.cancelled") == 0)
		life_cancel_slow();
	if (!is_last(point))
		life_until(life_has_met_fault, point);
	life_reuse_numbers();
	life_stop();
	if (fault_acted() != (more ? 2 : 1))
		site_fail(life->site, point);
	life_until(life_all_finished, "the slow job's end");
	life_stop();
	life_judge();
}

static void add_cell(struct cases *cases, CMUnitTestFunction run, const char *point,
		     const char *action)
{
	char *name = arena_printf(cases->arena, "%s=%s", point, action);
	char *copy = arena_strdup(cases->arena, point);

	cases_add(cases, (struct CMUnitTest){ name, run, NULL, life_clean, copy });
}

static void add_role_point(struct cases *cases, const struct role *role, const char *point)
{
	add_cell(cases, kill_at, arena_printf(cases->arena, "%s.%s", role->word, point + 5),
		 "kill");
}

static void add_point(const char *point, void *context)
{
	struct cases *cases = context;

	/* Steps of a reload, for which a deployment needs files: e2e.adopting has their cells. */
	if (strcmp(point, "worker.adopting") == 0 || strcmp(point, "worker.adopted") == 0)
		return;
	if (strncmp(point, "ROLE.", 5) != 0) {
		add_cell(cases, kill_at, point, "kill");
		return;
	}
	add_role_point(cases, &janitor_role, point);
	for (size_t i = 0; all_roles[i]; i++)
		add_role_point(cases, all_roles[i], point);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct cases cases = { .arena = arena };

	const char *backend = life_choose(argc, argv);

	fault_each(add_point, &cases);
	for (size_t i = 0; i < frozen_count; i++)
		add_cell(&cases, frozen_run, frozen_points[i], "stop");
	int failures = test_run_group(backend, cases.tests, cases.count, life_open, life_close);
	arena_free(arena);
	return failures;
}
