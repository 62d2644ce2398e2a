#include <stdio.h>
#include <string.h>

#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "db/scripts/operation.h"
#include "queue/recurring/task.h"

struct db_request {
	const char *verb;
	const char *dialect;
	const char *operation;
	bool folders;
};

enum key { KEY_DIALECT = 1, KEY_FOLDERS, KEY_OPERATION };

static const struct argp_option options[] = {
	{ "dialect", KEY_DIALECT, "NAME", 0, "for sql: sqlite, postgresql or mysql", 0 },
	{ "create-folders", KEY_FOLDERS, NULL, 0,
	  "for migrate: also create the folders of an SQLite file", 0 },
	{ "operation", KEY_OPERATION, "NAME", 0,
	  "for sql: print the statements of this operation (claim, enqueue, ...), not those that "
	  "create the tables",
	  0 },
	{ 0 },
};

static error_t db_command_parse(int key, const char *value, struct argp_state *state)
{
	struct db_request *command = state->input;

	if (key == KEY_DIALECT)
		command->dialect = value;
	else if (key == KEY_OPERATION)
		command->operation = value;
	else if (key == KEY_FOLDERS)
		command->folders = true;
	else if (key == ARGP_KEY_ARG && !command->verb)
		command->verb = value;
	else if (key == ARGP_KEY_NO_ARGS)
		argument_error(state, "missing action: migrate, status, verify or sql");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static int migrate(struct cli *cli, const struct db_request *command)
{
	struct error error = { 0 };
	size_t applied;
	size_t mended;
	size_t tasks;
	int code = cli_open(cli, command->folders ? CLI_CREATE_FOLDERS : CLI_CREATE);

	if (code != EXIT_STOPPED)
		return code;
	if (schema_migrate(cli->db, cli->arena, &applied, &error) != STATUS_OK ||
	    schema_mend(cli->db, cli->arena, &mended, &error) != STATUS_OK ||
	    recurring_mend(cli->db, &tasks, &error) != STATUS_OK)
		return cli_refused(&error);
	if (applied > 0)
		say(cli, "Applied %zu migration%s.", applied, plural(applied));
	if (mended > 0)
		say(cli, "Restored %zu missing table%s, index%s or foreign key%s.", mended,
		    plural(mended), mended == 1 ? "" : "es", plural(mended));
	if (tasks > 0)
		say(cli, "Rewrote %zu recurring task%s that Rails could not read.", tasks,
		    plural(tasks));
	if (applied == 0 && mended == 0 && tasks == 0)
		say(cli, "The tables are up to date.");
	json_print(cli, json_pack("{s:I, s:I, s:I}", "applied", (json_int_t)applied, "mended",
				  (json_int_t)mended, "tasks", (json_int_t)tasks));
	return EXIT_STOPPED;
}

static json_t *migration_row(const struct schema_migration *migration)
{
	const char *state = !migration->applied  ? "pending"
			    : migration->adopted ? "adopted"
						 : "applied";
	json_t *row = json_object();

	json_object_set_new(row, "number", json_integer(migration->number));
	json_object_set_new(row, "name", value_text(migration->name));
	json_object_set_new(row, "state", json_string(state));
	json_object_set_new(row, "applied_at", value_time(migration->applied_at));
	return row;
}

static int status(struct cli *cli, const struct db_request *command)
{
	static const struct column columns[] = {
		{ "number", "NUMBER", CELL_NUMBER },
		{ "name", "NAME", CELL_TEXT },
		{ "state", "STATE", CELL_STATE },
		{ "applied_at", "APPLIED", CELL_TIME },
		{ 0 },
	};
	struct schema_migration *list;
	struct error error = { 0 };
	size_t count;
	int code = cli_open(cli, CLI_EXISTING);

	(void)command;
	if (code != EXIT_STOPPED)
		return code;
	if (schema_status(cli->db, cli->arena, &list, &count, &error) != STATUS_OK)
		return cli_refused(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, migration_row(&list[i]));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

static int verify(struct cli *cli, const struct db_request *command)
{
	const char **differences;
	struct error error = { 0 };
	size_t count;
	int code = cli_open(cli, CLI_EXISTING);

	(void)command;
	if (code != EXIT_STOPPED)
		return code;
	if (schema_verify(cli->db, cli->arena, &differences, &count, &error) != STATUS_OK)
		return cli_refused(&error);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) {
		json_array_append_new(list, value_text(differences[i]));
		if (!cli->json)
			(void)printf("%s\n", differences[i]);
	}
	json_print(cli, json_pack("{s:o}", "differences", list));
	if (count == 0)
		say(cli, "The tables match the schema.");
	return count == 0 ? EXIT_STOPPED : EXIT_ERROR;
}

static bool find_dialect(const char *name, enum db_dialect *dialect)
{
	static const struct {
		const char *name;
		enum db_dialect dialect;
	} names[] = {
		{ "sqlite", DB_SQLITE },         { "sqlite3", DB_SQLITE },
		{ "postgresql", DB_POSTGRESQL }, { "postgres", DB_POSTGRESQL },
		{ "mysql", DB_MYSQL },           { "mariadb", DB_MYSQL },
	};
	size_t length = strcspn(name, ":");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0) {
			*dialect = names[i].dialect;
			return true;
		}
	return false;
}

/* Prints the statements as they are sent. */
static int show_operation(struct cli *cli, const char *name, enum db_dialect dialect)
{
	struct error error = { 0 };
	const char *text;
	size_t count;
	enum status found = operation_text(cli->arena, name, dialect, cli->config->database.schema,
					   &text, &error);

	if (found == STATUS_OK) {
		(void)fputs(text, stdout);
		return EXIT_STOPPED;
	}
	const char **names = operation_names(cli->arena, &count);
	const char *nearest = found == STATUS_NONE ? nearest_word(name, names, count) : NULL;
	cli_complain("--operation: %s%s%s%s", error.text, nearest ? ": did you mean \"" : "",
		     nearest ? nearest : "", nearest ? "\"?" : "");
	return found == STATUS_NONE ? EXIT_USAGE : EXIT_BUG;
}

static int sql(struct cli *cli, const struct db_request *command)
{
	enum db_dialect dialect;
	int code = cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (!find_dialect(command->dialect ? command->dialect : cli->config->database.url,
			  &dialect)) {
		cli_complain("--dialect: expected sqlite, postgresql or mysql");
		return EXIT_USAGE;
	}
	if (command->operation)
		return show_operation(cli, command->operation, dialect);
	(void)fputs(schema_sql(cli->arena, dialect, cli->config->database.schema), stdout);
	return EXIT_STOPPED;
}

static const struct {
	const char *name;
	int (*run)(struct cli *cli, const struct db_request *command);
} verbs[] = {
	{ "migrate", migrate },
	{ "status", status },
	{ "verify", verify },
	{ "sql", sql },
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static int db_command_run(struct cli *cli, void *input)
{
	const struct db_request *command = input;
	const char *names[VERBS];

	for (size_t i = 0; i < VERBS; i++) {
		names[i] = verbs[i].name;
		if (strcmp(names[i], command->verb) == 0)
			return verbs[i].run(cli, command);
	}
	const char *nearest = nearest_word(command->verb, names, VERBS);
	cli_complain("db: \"%s\" is not migrate, status, verify or sql%s%s%s", command->verb,
		     nearest ? ": did you mean \"" : "", nearest ? nearest : "",
		     nearest ? "\"?" : "");
	return EXIT_USAGE;
}

static const struct argp argp = {
	.options = options,
	.args_doc = "migrate\nstatus\nverify\nsql",
	.doc = "Create, check and print the tables. migrate applies the missing migrations; two at "
	       "once do no harm, and tables made by Rails are adopted. It also restores missing "
	       "indexes and foreign keys of dray's own tables, and schema_migrations, without "
	       "which Rails drops all tables; and it rewrites recurring tasks of dray's that "
	       "stand where Rails reads them in a form that it cannot read. status lists the "
	       "migrations. "
	       "verify reports every table, column, index or key that differs from the schema, and "
	       "then exits with 1. sql prints statements for a DBA: those that create the tables "
	       "or, with --operation, those of one operation."
	       "\vExamples:\n"
	       "  dray db migrate --database postgres://app@db.example.com/app\n"
	       "  dray db verify\n"
	       "  dray db sql --dialect mysql > schema.sql\n"
	       "  dray db sql --dialect postgresql --operation claim",
};

const struct command db_command = {
	.name = "db",
	.summary = "create, check and print the database's tables",
	.argp = &argp,
	.parse = db_command_parse,
	.words = "migrate status verify sql",
	.input_size = sizeof(struct db_request),
	.output =
		"`migrate`: an object with `applied`, `mended` and `tasks` (numbers). `status`: an "
		"array of `number`, `name`, `state` (applied, adopted, pending), `applied_at`. "
		"`verify`: an object with `differences` (array of texts).",
	.needs = NEED_DATABASE,
	.run = db_command_run,
};
