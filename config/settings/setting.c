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

void setting_unknown(struct report *report, struct arena *arena, const struct settings *settings,
		     const struct node *key, const char *where)
{
	const char *words[SETTINGS_MAXIMUM] = { NULL };
	size_t count = 0;
	for (size_t i = 0; i < settings->count; i++)
		if (usable(&settings->rows[i]))
			words[count++] = settings->rows[i].key;
	const char *known = setting_habit(settings, key->text);
	const char *nearest = known ? NULL : nearest_word(key->text, words, count);
	report_error(report, key->place, "unknown key %s%s%s, expected %s",
		     quoted(arena, key->text), *where ? " in " : "", where,
		     known     ? known
		     : nearest ? quoted(arena, nearest)
			       : list_all(arena, words, count));
}
