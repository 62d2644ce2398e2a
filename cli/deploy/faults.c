/* Compiled with -DDRAY_FAULTS=ON only (common/fault.h). */
#include "cli/deploy/deploy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/table.h"
#include "common/process.h"
#include "db/fault.h"
#include "supervisor/roles.h"

struct point {
	const char *name;
	unsigned dialects; /* one bit each; 0 = the point is in a role */
};

struct points {
	struct arena *arena;
	struct point *list;
	size_t count;
	unsigned dialect; /* the bit of the dialect being listed */
};

static struct point *find(const struct points *points, const char *name)
{
	for (size_t i = 0; i < points->count; i++)
		if (strcmp(points->list[i].name, name) == 0)
			return &points->list[i];
	return NULL;
}

static void add(const char *name, void *context)
{
	struct points *points = context;
	struct point *point = find(points, name);

	if (!point) {
		points->list = arena_extend(points->arena, points->list, points->count,
					    sizeof(*points->list));
		point = &points->list[points->count++];
		point->name = arena_strdup(points->arena, name);
	}
	point->dialects |= points->dialect;
}

/* Adds a point that all roles share, once for each role. */
static void add_of_role(const char *name, void *context)
{
	struct points *points = context;

	if (strncmp(name, "ROLE.", 5) != 0) {
		add(name, context);
		return;
	}
	add(arena_printf(points->arena, "%s.%s", janitor_role.word, name + 5), context);
	for (size_t i = 0; all_roles[i]; i++)
		add(arena_printf(points->arena, "%s.%s", all_roles[i]->word, name + 5), context);
}

static enum status collect(struct points *points, struct error *error)
{
	enum status status = STATUS_OK;

	points->dialect = 0;
	fault_each(add_of_role, points);
	for (unsigned i = 0; i < DB_DIALECTS && status == STATUS_OK; i++) {
		points->dialect = 1U << i;
		status = db_fault_each((enum db_dialect)i, add, points, error);
	}
	return status;
}

static int by_name(const void *left, const void *right)
{
	const struct point *a = left;
	const struct point *b = right;

	if ((a->dialects == 0) != (b->dialects == 0))
		return a->dialects == 0 ? -1 : 1;
	return strcmp(a->name, b->name);
}

static const char *where(struct arena *arena, unsigned dialects)
{
	static const char *const names[DB_DIALECTS] = {
		[DB_SQLITE] = "sqlite", [DB_POSTGRESQL] = "postgresql", [DB_MYSQL] = "mysql"
	};
	const char *text = "";

	for (unsigned i = 0; i < DB_DIALECTS; i++)
		if (dialects & 1U << i)
			text = arena_printf(arena, "%s%s%s", text, *text ? " " : "", names[i]);
	return dialects ? text : "role";
}

static const char *actions(const struct point *point)
{
	const char *last = strrchr(point->name, '.');

	if (!point->dialects)
		return "kill stop";
	return strcmp(last, ".committed") == 0 ? "kill stop cut" : "kill stop cut retry fatal";
}

static int faults_run(struct cli *cli, void *input)
{
	static const struct column columns[] = {
		{ "point", "POINT", CELL_TEXT },
		{ "where", "WHERE", CELL_TEXT },
		{ "actions", "ACTIONS", CELL_TEXT },
		{ 0 },
	};
	struct points points = { .arena = cli->arena };
	struct error error = { 0 };
	json_t *rows = json_array();

	(void)input;
	if (collect(&points, &error) != STATUS_OK)
		return cli_fail(&error);
	qsort(points.list, points.count, sizeof(*points.list), by_name);
	for (size_t i = 0; i < points.count; i++) {
		const struct point *point = &points.list[i];
		json_t *row = json_object();
		json_object_set_new(row, "point", value_text(point->name));
		json_object_set_new(row, "where", value_text(where(cli->arena, point->dialects)));
		json_object_set_new(row, "actions", value_text(actions(point)));
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

struct unknown {
	struct points points;
	const char *name;
};

static void note_armed(const char *name, void *context)
{
	(void)name;
	*(bool *)context = true;
}

static void look_up(const char *name, void *context)
{
	struct unknown *unknown = context;

	if (!find(&unknown->points, name))
		unknown->name = name;
}

bool faults_are_known(struct arena *arena)
{
	struct unknown unknown = { .points = { .arena = arena } };
	struct error error = { 0 };
	enum status status = fault_arm_from_environment(&error);
	bool armed = false;

	if (status == STATUS_OK)
		fault_each_armed(note_armed, &armed);
	if (armed) /* else for nothing: collecting takes longer than most commands */
		status = collect(&unknown.points, &error);
	if (status == STATUS_OK)
		fault_each_armed(look_up, &unknown);
	if (status == STATUS_OK && !unknown.name)
		return true;
	if (status == STATUS_OK)
		cli_complain("DRAY_FAULT: there is no point %s; `dray faults` lists them",
			     unknown.name);
	else
		cli_complain("DRAY_FAULT: %s", error.text);
	return false;
}

static const struct argp argp = {
	.doc = "List the points at which DRAY_FAULT=\"POINT=ACTION[@N[+]],...\" can kill, freeze "
	       "or disturb this program. Releases do not contain them."
	       "\vExamples:\n"
	       "  dray faults\n"
	       "  DRAY_FAULT=enqueue.committed=kill dray enqueue Hello",
};

const struct command faults_command = {
	.name = "faults",
	.summary = "list the points at which a test can make this program fail",
	.argp = &argp,
	.output = "an array of `point`, `where` and `actions`.",
	.run = faults_run,
};
