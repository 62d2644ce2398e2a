#include "tests/support/plan/plan.h"

#include "common/text/text.h"

#define MAXIMUM_WORDS 32

/* The words of one plan. */
struct words {
	struct arena *arena;
	const char *sql; /* for what its aliases stand for */
	const char *list[MAXIMUM_WORDS];
	size_t count;
};

void plan_open(struct plan_session *session, struct test_db *test)
{
	struct connection *connection = test_driver_open(test->arena, test->url);

	*session = (struct plan_session){
		.test = test,
		.arena = test->arena,
		.connection = connection,
		.dialect = { .kind = connection->driver->dialect,
			     .collation = connection->collation },
	};
	/* Nobody opens it again if the server ends it while tables are filled through another. */
	if (session->dialect.kind == DB_MYSQL)
		plan_execute(session, "SET wait_timeout = 600");
}

void plan_close(struct plan_session *session)
{
	session->connection->driver->close(session->connection);
}

void plan_execute(struct plan_session *session, const char *sql)
{
	must(session->connection->driver->execute, session->connection, sql);
}

static struct db_rows run(struct plan_session *session, const char *sql,
			  const struct statement *like, const struct db_value *values)
{
	struct statement statement = { .sql = sql,
				       .order = like->order,
				       .order_count = like->order_count,
				       .rows = true,
				       .id = 5000 + session->statements++ };
	const char *const parameters[] = { NULL };
	const struct script script = { .name = "plan",
				       .parameters = parameters,
				       .statements = &statement,
				       .statement_count = 1,
				       .read = true };
	struct db_rows rows = { 0 };
	struct driver_call call = { .script = &script, .values = values, .rows = &rows };
	struct error error = { 0 };
	enum status status = session->connection->driver->run(session->connection, session->arena,
							      &call, 1, &error);

	if (status != STATUS_OK)
		print_error("%s\n", sql);
	assert_ok(status, &error);
	return rows;
}

struct db_rows plan_query(struct plan_session *session, const char *sql)
{
	unsigned char order = 0;
	const struct statement statement = { .order = &order };

	return run(session, sql, &statement, NULL);
}

/* As the driver gets them. */
static const struct db_value *bound(struct plan_session *session,
				    const struct plan_statement *statement)
{
	return list_bind(session->arena, session->dialect.kind, statement->values,
			 statement->script->parameter_count);
}

struct db_rows plan_run(struct plan_session *session, const struct plan_statement *statement)
{
	const struct statement *like = &statement->script->statements[statement->number];

	return run(session, like->sql, like, bound(session, statement));
}

const struct script *plan_script(struct plan_session *session, const char *operation)
{
	const struct script *script = NULL;

	must(dialect_render, session->arena, operation, &session->dialect, &script);
	return script;
}

/* Notation */

/* The word at `text`, lower-case letters, digits and "_". */
static char *word_at(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_"));
}

/* The first of our tables' names in it, or NULL. */
static const char *next_table(const char *sql)
{
	const char *solid = strstr(sql, "solid_queue_");
	const char *own = strstr(sql, "dray_");

	return !solid || (own && own < solid) ? own : solid;
}

/*
 * The table that an alias stands for, NULL when it is none of ours. An alias with two meanings
 * in one statement would make a plan ambiguous, and its reader's life hard.
 */
static const char *table_of(const struct words *words, const char *alias)
{
	const char *found = NULL;

	if (strncmp(alias, "solid_queue_", 12) == 0 || strncmp(alias, "dray_", 5) == 0)
		return alias;
	for (const char *at = words->sql; (at = next_table(at));) {
		const char *table = word_at(words->arena, at);
		at += strlen(table);
		at += strncmp(at, " AS", 3) == 0 ? 3 : 0;
		if (*at != ' ' || strcmp(word_at(words->arena, at + 1), alias) != 0)
			continue;
		if (found && strcmp(found, table) != 0)
			fail_msg("%s is both %s and %s in: %s", alias, found, table, words->sql);
		found = table;
	}
	return found;
}

static const char *without(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 ? name + length : name;
}

static const char *short_index(struct arena *arena, const char *table, const char *index)
{
	const char *prefix = arena_printf(arena, "%s_", table);

	if (strcmp(index, "PRIMARY") == 0 || strstr(index, "_pkey"))
		return "id";
	return without(without(index, "index_solid_queue_"), prefix);
}

static void add(struct words *words, const char *alias, const char *index, const char *how)
{
	const char *table = table_of(words, alias);
	size_t at = 0;

	if (!table)
		return;
	table = without(table, "solid_queue_");
	const char *word = arena_printf(words->arena, "%s(%s%s)", table,
					short_index(words->arena, table, index), how);
	while (at < words->count && strcmp(words->list[at], word) < 0)
		at++;
	if (at < words->count && strcmp(words->list[at], word) == 0)
		return;
	assert_true(words->count < MAXIMUM_WORDS);
	memmove(&words->list[at + 1], &words->list[at],
		(words->count - at) * sizeof(words->list[0]));
	words->list[at] = word;
	words->count++;
}

static const char *join(const struct words *words)
{
	struct text text = { 0 };

	for (size_t i = 0; i < words->count; i++) {
		text_add(&text, i > 0 ? " " : "");
		text_add(&text, words->list[i]);
	}
	const char *joined = arena_strdup(words->arena, text_string(&text));
	text_free(&text);
	return joined;
}

bool plan_reads_all_of(const char *plan, const char *table)
{
	for (const char *at = plan; (at = strstr(at, table)); at++) {
		const char *index = at + strlen(table);
		bool whole = (at == plan || at[-1] == ' ') && *index == '(';
		size_t length = strcspn(index, ")");
		if (whole && (index[length - 1] == '*' || strncmp(index, "(scan", 5) == 0))
			return true;
	}
	return false;
}

/* Servers */

/* "SCAN (subquery-1)", "SCAN CONSTANT ROW", "SCAN k VIRTUAL TABLE INDEX 1:": none of ours. */
static bool reads_none(const char *detail, const char *alias)
{
	bool reads = strncmp(detail, "SCAN ", 5) == 0 || strncmp(detail, "SEARCH ", 7) == 0;

	return !reads || *alias == '\0' || strstr(detail, "VIRTUAL TABLE");
}

/* "SEARCH r USING COVERING INDEX name (a=?)", "SCAN r", "SEARCH j USING INTEGER PRIMARY KEY ..." */
static void read_sqlite(struct words *words, const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const char *detail = db_text(rows, i, 3);
		bool scan = strncmp(detail, "SCAN ", 5) == 0;
		const char *space = strchr(detail, ' ');
		const char *alias = space ? word_at(words->arena, space + 1) : "";
		const char *index = strstr(detail, "INDEX ");
		if (reads_none(detail, alias))
			continue;
		if (index)
			add(words, alias, word_at(words->arena, index + 6), scan ? "*" : "");
		else
			add(words, alias, scan ? "scan" : "PRIMARY", "");
	}
}

/* id, select_type, table, [partitions,] type, possible_keys, key, ... */
static void read_mysql(struct words *words, const struct db_rows *rows)
{
	size_t type = rows->columns == 12 ? 4 : 3;

	for (size_t i = 0; i < rows->count; i++) {
		const char *alias = db_text(rows, i, 2);
		const char *key = db_text(rows, i, type + 2);
		const char *kind = db_text(rows, i, type);
		if (!alias || !kind || strcmp(db_text(rows, i, 1), "INSERT") == 0)
			continue;
		bool all = strcmp(kind, "ALL") == 0;
		add(words, alias, all || !key ? "scan" : key,
		    !all && strcmp(kind, "index") == 0 ? "*" : "");
	}
}

/* The text after `part` in a line of a plan, or NULL. */
static const char *after(const char *line, const char *part)
{
	const char *at = strstr(line, part);

	return at ? at + strlen(part) : NULL;
}

/* "Index Only Scan using i on t a" and, below it, "Index Cond: ..." */
static void read_index_scan(struct words *words, const char *line, const char *next)
{
	const char *index = word_at(words->arena, after(line, " using "));
	const char *table = after(line, " on ");
	const char *dot = strchr(table, '.');

	add(words, word_at(words->arena, dot ? dot + 1 : table), index,
	    strstr(next, "Index Cond:") ? "" : "*");
}

static void read_postgresql(struct words *words, const struct db_rows *rows)
{
	const char *heap = "";

	for (size_t i = 0; i < rows->count; i++) {
		const char *line = db_text(rows, i, 0);
		const char *table;
		if ((table = after(line, "Seq Scan on ")))
			add(words, word_at(words->arena, table), "scan", "");
		else if ((table = after(line, "Bitmap Heap Scan on ")))
			heap = word_at(words->arena, table);
		else if ((table = after(line, "Bitmap Index Scan on ")))
			add(words, heap, word_at(words->arena, table), "~");
		else if (strstr(line, "Scan ") && strstr(line, " using "))
			read_index_scan(words, line,
					i + 1 < rows->count ? db_text(rows, i + 1, 0) : "");
	}
}

static const struct {
	const char *explain;
	void (*read)(struct words *words, const struct db_rows *rows);
} readers[DB_DIALECTS] = {
	[DB_SQLITE] = { "EXPLAIN QUERY PLAN ", read_sqlite },
	[DB_POSTGRESQL] = { "EXPLAIN (COSTS OFF) ", read_postgresql },
	[DB_MYSQL] = { "EXPLAIN ", read_mysql },
};

const char *plan_read(struct plan_session *session, const char *sql, const struct db_rows *rows)
{
	struct words words = { .arena = session->arena, .sql = sql };

	readers[session->dialect.kind].read(&words, rows);
	return join(&words);
}

const char *plan_of(struct plan_session *session, const struct plan_statement *statement)
{
	const struct statement *like = &statement->script->statements[statement->number];
	/* MySQL's own choice is a tree; MariaDB has no word for its table. */
	bool mysql = strncmp(session->connection->server, "MySQL", 5) == 0;
	const char *sql =
		arena_printf(session->arena, "%s%s%s", readers[session->dialect.kind].explain,
			     mysql ? "FORMAT=TRADITIONAL " : "", like->sql);
	struct db_rows rows = run(session, sql, like, bound(session, statement));

	return plan_read(session, like->sql, &rows);
}
