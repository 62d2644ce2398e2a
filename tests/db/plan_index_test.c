/*
 * Every statement of db/sql reaches its rows as tests/db/plans says: through an index, whatever
 * the tables hold, and with no scan of a table that grows but those listed there with a reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/process.h"
#include "db/scripts/operation.h"
#include "tests/support/plan/plan.h"

#define MAXIMUM_LINES 400

/* "operation statement: words -- reason" */
struct line {
	const char *key;   /* "claim 1" */
	const char *words; /* with a space before and after each */
	bool reason;
	bool seen;
};

struct expected {
	const char *path;
	struct line lines[MAXIMUM_LINES];
	size_t count;
};

/* One look at all statements. */
struct look {
	struct plan_session session;
	struct expected expected;
	const char *state; /* of the tables */
	size_t problems;
};

/*
 * What runs all day, in connections that keep their plans: its plans hold for tables without
 * rows, without statistics or with statistics of other times, too.
 */
static const char *const hot[] = { "claim",
				   "claim_beside",
				   "claim_known",
				   "claim_queue",
				   "claim_unpaused",
				   "claimable",
				   "clear_finished",
				   "dispatch",
				   "due",
				   "enqueue",
				   "fail",
				   "finish",
				   "finish_and_delete",
				   "first_known",
				   "held",
				   "lose",
				   "orphans",
				   "paused_end",
				   "process_deregister",
				   "process_heartbeat",
				   "process_lose",
				   "process_rewind",
				   "process_stale",
				   "release",
				   "waiting",
				   "waiting_in",
				   "walk_end" };

/* Tables whose rows are as many as the jobs. */
static const char *const growing[] = { "jobs",
				       "ready_executions",
				       "scheduled_executions",
				       "claimed_executions",
				       "blocked_executions",
				       "failed_executions",
				       "recurring_executions",
				       "dray_losses" };

static bool is_hot(const char *operation)
{
	for (size_t i = 0; i < sizeof(hot) / sizeof(hot[0]); i++)
		if (strcmp(hot[i], operation) == 0)
			return true;
	return false;
}

/* The file of expected plans */

static void add_line(struct arena *arena, struct expected *expected, char *text)
{
	char *colon = strchr(text, ':');
	char *reason = strstr(text, " -- ");

	if (*text == '#' || *text == '\0')
		return;
	if (!colon || expected->count == MAXIMUM_LINES) {
		fail_msg("%s: %s", expected->path, text);
		return;
	}
	*colon = '\0';
	if (reason)
		*reason = '\0';
	expected->lines[expected->count++] =
		(struct line){ .key = text,
			       .words = arena_printf(arena, "%s ", colon + 1),
			       .reason = reason != NULL };
}

static void read_expected(struct arena *arena, enum db_dialect dialect, struct expected *expected)
{
	static const char *const names[] = {
		[DB_SQLITE] = "sqlite", [DB_POSTGRESQL] = "postgresql", [DB_MYSQL] = "mysql"
	};
	struct error error = { 0 };
	char *data = NULL;
	size_t length;

	expected->path = arena_printf(arena, SOURCE_DIR "/tests/db/plans/%s.txt", names[dialect]);
	assert_ok(file_read(expected->path, 1 << 20, &data, &length, &error), &error);
	char *rest = arena_strdup(arena, data);
	free(data);
	for (char *text; (text = strsep(&rest, "\n"));)
		add_line(arena, expected, text);
}

static bool has_word(const char *words, const char *word, const char *suffix)
{
	char text[128];

	(void)snprintf(text, sizeof(text), " %s%s ", word, suffix);
	return strstr(words, text) != NULL;
}

/* Every word of the plan is expected, and every expected word without "?" is there. */
static bool agrees(struct arena *arena, const struct line *line, const char *plan)
{
	const char *padded = arena_printf(arena, " %s ", plan);
	char *rest = arena_strdup(arena, plan);

	for (char *word; (word = strsep(&rest, " "));)
		if (*word && !has_word(line->words, word, "") && !has_word(line->words, word, "?"))
			return false;
	rest = arena_strdup(arena, line->words);
	for (char *word; (word = strsep(&rest, " "));)
		if (*word && word[strlen(word) - 1] != '?' && !has_word(padded, word, ""))
			return false;
	return true;
}

/* Looking */

static struct line *find_line(struct look *look, const char *key)
{
	for (size_t i = 0; i < look->expected.count; i++)
		if (strcmp(look->expected.lines[i].key, key) == 0)
			return &look->expected.lines[i];
	return NULL;
}

static void compare(struct look *look, const char *key, const char *kind, const char *plan)
{
	struct line *line = find_line(look, key);

	if (line)
		line->seen = true;
	if (line && agrees(look->session.arena, line, plan))
		return;
	print_error("%s, %s, %s plan of %s:\n  expected:%s\n  found:    %s\n",
		    look->session.connection->server, look->state, kind, key,
		    line ? line->words : " (no line)", plan);
	look->problems++;
}

static void look_at_statement(struct look *look, const struct script *script, unsigned number)
{
	struct plan_session *session = &look->session;
	const char *key = arena_printf(session->arena, "%s %u", script->name, number + 1);
	struct plan_statement full = { script, number, plan_values(session->arena, script, false) };
	struct plan_statement sparse = { script, number,
					 plan_values(session->arena, script, true) };

	compare(look, key, "full", plan_of(session, &full));
	compare(look, key, "sparse", plan_of(session, &sparse));
	if (session->dialect.kind == DB_POSTGRESQL)
		compare(look, key, "generic", plan_generic(session, &full));
}

static void look_at_all(struct look *look, const char *state, bool hot_only)
{
	size_t count;

	look->state = state;
	for (const char **names = operation_names(look->session.arena, &count); *names; names++) {
		const struct script *script = plan_script(&look->session, *names);
		for (unsigned i = 0; i < script->statement_count; i++)
			if (!hot_only || is_hot(*names))
				look_at_statement(look, script, i);
	}
}

static void conclude(struct look *look)
{
	for (size_t i = 0; i < look->expected.count; i++)
		if (!look->expected.lines[i].seen) {
			print_error("%s: there is no '%s'\n", look->expected.path,
				    look->expected.lines[i].key);
			look->problems++;
		}
	plan_close(&look->session);
	assert_int_equal(look->problems, 0);
}

/* As Rails makes it, of which one statement knows. */
static const char batches[] = "CREATE TABLE solid_queue_batch_executions (job_id bigint NOT NULL);"
			      "CREATE UNIQUE INDEX index_solid_queue_batch_executions_on_job_id "
			      "ON solid_queue_batch_executions (job_id);";

static void every_statement_uses_its_index(void **state)
{
	struct test_db *test = *state;
	struct look look = { 0 };

	test_execute(test->db, batches);
	plan_open(&look.session, test);
	read_expected(test->arena, look.session.dialect.kind, &look.expected);
	plan_add_processes(test);
	look_at_all(&look, "empty tables", true);
	plan_analyze(test);
	look_at_all(&look, "empty tables and statistics", true);
	plan_fill(test, 60);
	look_at_all(&look, "few jobs and older statistics", true);
	plan_analyze(test);
	look_at_all(&look, "few jobs and statistics", true);
	plan_fill(test, 20000);
	look_at_all(&look, "many jobs and older statistics", true);
	plan_analyze(test);
	look_at_all(&look, "many jobs and statistics", false);
	conclude(&look);
}

/* What is expected is itself without scans but for a reason. */
static void scans_have_a_reason(void **state)
{
	struct test_db *test = *state;
	struct expected expected = { 0 };

	read_expected(test->arena, db_dialect_of(test->db), &expected);
	for (size_t i = 0; i < expected.count; i++)
		for (size_t k = 0; k < sizeof(growing) / sizeof(growing[0]); k++)
			if (plan_reads_all_of(expected.lines[i].words, growing[k]) &&
			    !expected.lines[i].reason)
				fail_msg("%s: %s reads all of %s; why?", expected.path,
					 expected.lines[i].key, growing[k]);
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST(every_statement_uses_its_index),
		TEST_ON_EMPTY(scans_have_a_reason),
	};

	return test_run_backends("plan_index", cases, sizeof(cases) / sizeof(cases[0]));
}
