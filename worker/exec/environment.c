#include "worker/exec/environment.h"

#include <string.h>
#include <unistd.h>

/* What a program needs to find its files, its language and its user. */
static const char *const allowed[] = {
	"PATH", "HOME", "LANG", "LC_*", "TZ", "USER", "TMPDIR", NULL
};

struct list {
	const char **entries;
	size_t count;
};

static size_t count_of(const char *const entries[])
{
	size_t count = 0;

	while (entries && entries[count])
		count++;
	return count;
}

static size_t name_length(const char *entry)
{
	return strcspn(entry, "=");
}

static void list_put(struct list *list, const char *setting)
{
	size_t length = name_length(setting) + 1;

	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->entries[i], setting, length) == 0) {
			list->entries[i] = setting;
			return;
		}
	list->entries[list->count++] = setting;
}

static int matches(const char *pattern, const char *variable)
{
	size_t length = strlen(pattern);

	if (length > 0 && pattern[length - 1] == '*')
		return strncmp(pattern, variable, length - 1) == 0;
	return length == name_length(variable) && strncmp(pattern, variable, length) == 0;
}

static void list_pass(struct list *list, struct arena *arena, const char *pattern)
{
	for (char **variable = environ; variable && *variable; variable++)
		if (strchr(*variable, '=') && matches(pattern, *variable) &&
		    !matches(ENVIRONMENT_ARGUMENTS, *variable))
			list_put(list, arena_strdup(arena, *variable));
}

static void list_apply(struct list *list, struct arena *arena, const char *const entries[])
{
	for (size_t i = 0; entries && entries[i]; i++) {
		if (strchr(entries[i], '='))
			list_put(list, entries[i]);
		else
			list_pass(list, arena, entries[i]);
	}
}

static const char **build(struct arena *arena, const char *const base[],
			  const char *const entries[])
{
	size_t most = count_of((const char *const *)environ) + count_of(entries);
	struct list list = { .entries = arena_array(arena, most + 1, sizeof(char *)) };

	list_apply(&list, arena, base);
	list_apply(&list, arena, entries);
	return list.entries;
}

const char **environment_build(struct arena *arena, const char *const entries[])
{
	return build(arena, allowed, entries);
}

const char **environment_whole(struct arena *arena, const char *const entries[])
{
	static const char *const everything[] = { "*", NULL };

	return build(arena, everything, entries);
}

const char *environment_get(const char *const environment[], const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; environment[i]; i++)
		if (name_length(environment[i]) == length &&
		    strncmp(environment[i], name, length) == 0)
			return environment[i] + length + 1;
	return NULL;
}

const char **environment_extend(struct arena *arena, const char *const environment[],
				const char *const settings[], size_t count)
{
	size_t base = count_of(environment);
	struct list list = { .entries = arena_array(arena, base + count + 1, sizeof(char *)),
			     .count = base };

	memcpy(list.entries, environment, base * sizeof(char *));
	for (size_t i = 0; i < count; i++)
		list_put(&list, settings[i]);
	return list.entries;
}
