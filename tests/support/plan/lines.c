#include "tests/support/plan/lines.h"

#include "common/process.h"

static void add_line(struct plan_lines *lines, char *text)
{
	char *colon = strchr(text, ':');
	char *reason = strstr(text, " -- ");

	if (*text == '\0')
		return;
	if (*text == '#') {
		lines->head = arena_printf(lines->arena, "%s%s\n", lines->head, text);
		return;
	}
	if (!colon || lines->count == PLAN_LINES_MAXIMUM) {
		fail_msg("%s: %s", lines->path, text);
		return;
	}
	struct plan_line *line = &lines->lines[lines->count++];
	line->reason = reason ? arena_strdup(lines->arena, reason) : "";
	*colon = '\0';
	if (reason)
		*reason = '\0';
	line->key = text;
	line->words = arena_printf(lines->arena, "%s ", colon + 1);
}

void plan_lines_read(struct arena *arena, enum db_dialect dialect, struct plan_lines *lines)
{
	static const char *const names[] = {
		[DB_SQLITE] = "sqlite", [DB_POSTGRESQL] = "postgresql", [DB_MYSQL] = "mysql"
	};
	char *data = NULL;
	size_t length;

	*lines = (struct plan_lines){ .arena = arena, .head = "" };
	lines->path = arena_printf(arena, SOURCE_DIR "/tests/db/plans/%s.txt", names[dialect]);
	must(file_read, lines->path, 1 << 20, &data, &length);
	char *rest = arena_strdup(arena, data);
	free(data);
	for (char *text; (text = strsep(&rest, "\n"));)
		add_line(lines, text);
}

struct plan_line *plan_lines_find(struct plan_lines *lines, const char *key)
{
	for (size_t i = 0; i < lines->count; i++)
		if (strcmp(lines->lines[i].key, key) == 0)
			return &lines->lines[i];
	return NULL;
}

bool plan_has_word(const char *words, const char *word, const char *suffix)
{
	char text[128];

	(void)snprintf(text, sizeof(text), " %s%s ", word, suffix);
	return strstr(words, text) != NULL;
}

bool plan_line_agrees(struct arena *arena, const struct plan_line *line, const char *plan)
{
	const char *padded = arena_printf(arena, " %s ", plan);
	char *rest = arena_strdup(arena, plan);

	for (char *word; (word = strsep(&rest, " "));)
		if (*word && !plan_has_word(line->words, word, "") &&
		    !plan_has_word(line->words, word, "?"))
			return false;
	rest = arena_strdup(arena, line->words);
	for (char *word; (word = strsep(&rest, " "));)
		if (*word && word[strlen(word) - 1] != '?' && !plan_has_word(padded, word, ""))
			return false;
	return true;
}
