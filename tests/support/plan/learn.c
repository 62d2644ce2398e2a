#include "tests/support/plan/learn.h"

#include "common/text/text.h"
#include "db/scripts/operation.h"

#define MAXIMUM_PLANS    16 /* different ones of a statement */
#define MAXIMUM_WORDS    32
#define MAXIMUM_BACKENDS 8

/* All that was seen of a statement. */
struct learnt {
	const char *key;
	const char *plans[MAXIMUM_PLANS];
	size_t count;
};

/* All that was seen on the databases of one file. */
struct page {
	struct learnt learnt[PLAN_LINES_MAXIMUM];
	size_t count;
	size_t at_hand; /* its databases that were looked at, */
	size_t away;    /* and those that were not */
};

/* One process learns once. */
static struct arena *arena;
static struct page pages[DB_DIALECTS];
static const char *away[MAXIMUM_BACKENDS]; /* why it is not looked at; NULL = it is */

/* Why nothing is learnt from it, NULL when it is at hand. */
static const char *why_away(const struct test_backend *backend)
{
	const char *url = backend->variable ? getenv(backend->variable) : "a file";

	if (!test_is_wanted(backend->name))
		return "DRAY_TEST_BACKENDS leaves it out, or this build";
	if (!url || *url == '\0')
		return arena_printf(arena, "%s is not set", backend->variable);
	return NULL;
}

bool plan_learn_begin(void)
{
	struct text names = { 0 };

	arena = arena_new();
	for (size_t i = 0; i < test_backend_count; i++) {
		struct page *page = &pages[test_all_backends[i].dialect];
		away[i] = why_away(&test_all_backends[i]);
		*(away[i] ? &page->away : &page->at_hand) += 1;
		if (!away[i])
			text_printf(&names, "%s ", test_all_backends[i].name);
	}
	bool any = names.length > 0;
	(void)setenv("DRAY_TEST_BACKENDS", text_string(&names), 1);
	text_free(&names);
	return any;
}

static struct learnt *find(struct page *page, const char *key)
{
	for (size_t i = 0; i < page->count; i++)
		if (strcmp(page->learnt[i].key, key) == 0)
			return &page->learnt[i];
	assert_true(page->count < PLAN_LINES_MAXIMUM);
	page->learnt[page->count].key = arena_strdup(arena, key);
	return &page->learnt[page->count++];
}

void plan_learn(enum db_dialect dialect, const char *key, const char *plan)
{
	struct learnt *learnt = find(&pages[dialect], key);

	for (size_t i = 0; i < learnt->count; i++)
		if (strcmp(learnt->plans[i], plan) == 0)
			return;
	assert_true(learnt->count < MAXIMUM_PLANS);
	learnt->plans[learnt->count++] = arena_strdup(arena, plan);
}

/* Lines */

struct words {
	const char *list[MAXIMUM_WORDS];
	size_t count;
};

/* In order, once each, without "?". */
static void add_words(struct words *words, const char *text)
{
	char *rest = arena_strdup(arena, text);

	for (char *word; (word = strsep(&rest, " "));) {
		size_t at = 0;
		word[strcspn(word, "?")] = '\0';
		while (at < words->count && strcmp(words->list[at], word) < 0)
			at++;
		if (*word == '\0' || (at < words->count && strcmp(words->list[at], word) == 0))
			continue;
		assert_true(words->count < MAXIMUM_WORDS);
		memmove(&words->list[at + 1], &words->list[at],
			(words->count - at) * sizeof(words->list[0]));
		words->list[at] = word;
		words->count++;
	}
}

static bool in_all_plans(const struct learnt *learnt, const char *word)
{
	for (size_t i = 0; i < learnt->count; i++)
		if (!plan_has_word(arena_printf(arena, " %s ", learnt->plans[i]), word, ""))
			return false;
	return true;
}

static bool all_agree(const struct learnt *learnt, const struct plan_line *line)
{
	for (size_t i = 0; i < learnt->count; i++)
		if (!plan_line_agrees(arena, line, learnt->plans[i]))
			return false;
	return true;
}

/*
 * The words for these plans. Of a line that an absent database shares (`kept`, NULL = none) every
 * word stays, and none becomes certain: that database would disagree.
 */
static const char *words_of(const struct learnt *learnt, const struct plan_line *kept)
{
	struct words words = { 0 };
	const char *text = " ";

	for (size_t i = 0; i < learnt->count; i++)
		add_words(&words, learnt->plans[i]);
	if (kept)
		add_words(&words, kept->words);
	for (size_t i = 0; i < words.count; i++) {
		bool certain = in_all_plans(learnt, words.list[i]) &&
			       (!kept || plan_has_word(kept->words, words.list[i], ""));
		text = arena_printf(arena, "%s%s%s ", text, words.list[i], certain ? "" : "?");
	}
	return text;
}

/* Without the space at the end. */
static void write_line(FILE *file, const struct plan_line *line)
{
	(void)fprintf(file, "%s:%.*s%s\n", line->key, (int)strlen(line->words) - 1, line->words,
		      line->reason);
}

static bool reads_nothing(const struct plan_line *line)
{
	return line->words[strspn(line->words, " ")] == '\0';
}

/* The line that a statement gets; what is new of it is printed. */
static struct plan_line line_of(struct page *page, struct learnt *learnt, struct plan_line *line)
{
	if (line && all_agree(learnt, line))
		return *line;
	struct plan_line now = { .key = learnt->key,
				 .words = words_of(learnt, page->away > 0 ? line : NULL),
				 .reason = line ? line->reason : "" };
	if (!line && reads_nothing(&now))
		return now;
	if (line) {
		(void)fputs("  - ", stdout);
		write_line(stdout, line);
	}
	(void)fputs("  + ", stdout);
	write_line(stdout, &now);
	return now;
}

/* Files */

/* Calls `take` with the key of every statement in this dialect, in the order of the files. */
static void each_statement(enum db_dialect dialect, void (*take)(void *context, const char *key),
			   void *context)
{
	const struct dialect look = { .kind = dialect, .collation = "utf8mb4_bin" };
	size_t count;

	for (const char **name = operation_names(arena, &count); *name; name++) {
		const struct script *script = NULL;
		must(dialect_render, arena, *name, &look, &script);
		for (size_t i = 0; i < script->statement_count; i++)
			take(context, arena_printf(arena, "%s %zu", *name, i + 1));
	}
}

struct writing {
	struct page *page;
	struct plan_lines lines; /* as they were */
	FILE *file;
};

static void write_statement(void *context, const char *key)
{
	struct writing *writing = context;
	struct plan_line *line = plan_lines_find(&writing->lines, key);
	struct plan_line now = line_of(writing->page, find(writing->page, key), line);

	if (line)
		line->seen = true;
	if (!reads_nothing(&now))
		write_line(writing->file, &now);
}

static void write_page(enum db_dialect dialect)
{
	static struct writing writing;
	char *text = NULL;
	size_t length;

	writing.page = &pages[dialect];
	plan_lines_read(arena, dialect, &writing.lines);
	(void)printf("%s:\n", writing.lines.path);
	writing.file = open_memstream(&text, &length);
	assert_non_null(writing.file);
	(void)fputs(writing.lines.head, writing.file);
	each_statement(dialect, write_statement, &writing);
	assert_int_equal(fclose(writing.file), 0);
	test_write_file(writing.lines.path, text);
	free(text);
	for (size_t i = 0; i < writing.lines.count; i++)
		if (!writing.lines.lines[i].seen)
			(void)printf("  - %s: there is no such statement\n",
				     writing.lines.lines[i].key);
}

/* What remains to be done on a database that is not at hand. */
static void report_away(const struct test_backend *backend, const char *why)
{
	static struct plan_lines lines;

	plan_lines_read(arena, backend->dialect, &lines);
	(void)printf("not looked at: %s (%s); whatever changes in %s, run this with it, too\n",
		     backend->name, why, lines.path);
}

void plan_learn_end(void)
{
	for (size_t i = 0; i < DB_DIALECTS; i++)
		if (pages[i].at_hand > 0)
			write_page((enum db_dialect)i);
	for (size_t i = 0; i < test_backend_count; i++)
		if (away[i])
			report_away(&test_all_backends[i], away[i]);
	arena_free(arena);
}
