#include "config/settings/setting.h"

#include <string.h>

#include "common/text/parse.h"

const struct setting *setting_find(const struct settings *settings, const char *key)
{
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->rows[i].key, key) == 0)
			return &settings->rows[i];
	return NULL;
}

static bool usable(const struct setting *setting)
{
	return setting->type != SETTING_REFUSED && setting->type != SETTING_IGNORED;
}

static const char *list_all(struct arena *arena, const char *const words[], size_t count)
{
	struct text text = { 0 };
	for (size_t i = 0; i < count; i++)
		text_printf(&text, "%s%s", i ? ", " : "one of ", words[i]);
	return text_take(&text, arena);
}

/* Keys of other software that people try in a table that has `key`, and what to use instead. */
static const struct {
	const char *tried;
	const char *key;
	const char *expected;
} habits[] = {
	{ "env", "environment", "\"environment\"" },
	{ "limit", "concurrency", "\"concurrency\" (jobs at once) or \"limits\" (of its process)" },
	{ "cron", "schedule", "\"schedule\", which takes cron expressions" },
	{ "cron", "command", "none: recurring tasks belong in recurring.yml" },
	{ "schedule", "command", "none: recurring tasks belong in recurring.yml" },
	{ "retries", "command", "\"retry\"" },
	{ "max_attempts", "command", "\"retry\", which may have \"attempts\"" },
	{ "max_retries", "command", "\"retry\", which may have \"attempts\"" },
	{ "attempts", "command", "\"retry\", which may have \"attempts\"" },
	{ "cwd", "directory", "\"directory\"" },
	{ "dir", "directory", "\"directory\"" },
	{ "chdir", "directory", "\"directory\"" },
	{ "workdir", "directory", "\"directory\"" },
	{ "working_directory", "directory", "\"directory\"" },
	{ "cmd", "command", "\"command\"" },
	{ "run", "command", "\"command\"" },
	{ "exec", "command", "\"command\"" },
	{ "script", "command", "\"command\"" },
	{ "program", "command", "\"command\"" },
	{ "shell", "command",
	  "\"command\", such as [sh, -c, \"...\"]: there is no shell of its own" },
	{ "user", "command",
	  "none: a job runs as the user of its worker; start a worker as that user, for a queue of "
	  "its own" },
};

static const char *habit(const struct settings *settings, const char *tried)
{
	for (size_t i = 0; i < sizeof(habits) / sizeof(*habits); i++)
		if (strcmp(habits[i].tried, tried) == 0 && setting_find(settings, habits[i].key))
			return habits[i].expected;
	return NULL;
}

void setting_unknown(struct report *report, struct arena *arena, const struct settings *settings,
		     const struct node *key, const char *where)
{
	const char *words[SETTINGS_MAXIMUM] = { NULL };
	size_t count = 0;
	for (size_t i = 0; i < settings->count; i++)
		if (usable(&settings->rows[i]))
			words[count++] = settings->rows[i].key;
	const char *known = habit(settings, key->text);
	const char *nearest = known ? NULL : nearest_word(key->text, words, count);
	report_error(report, key->place, "unknown key %s%s%s, expected %s",
		     quoted(arena, key->text), *where ? " in " : "", where,
		     known     ? known
		     : nearest ? quoted(arena, nearest)
			       : list_all(arena, words, count));
}
