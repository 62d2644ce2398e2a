#include "config/config.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/text.h"
#include "config/files/reader.h"

static const struct {
	const struct settings *settings;
	const char *key; /* NULL = all others of the table */
	enum config_part part;
} parts[] = {
	{ &queue_settings, "supervisor_pidfile", PART_FIXED },
	{ &queue_settings, "fork_startup_timeout", PART_SUPERVISOR },
	{ &queue_settings, "max_leaving", PART_SUPERVISOR },
	{ &queue_settings, "process_alive_threshold", PART_SUPERVISOR },
	{ &queue_settings, "other_process_alive_threshold", PART_SUPERVISOR },
	{ &queue_settings, "on_alarm", PART_SUPERVISOR },
	{ &promise_settings, NULL, PART_SUPERVISOR },
	{ &well_settings, NULL, PART_SUPERVISOR },
	{ &queue_settings, "expect_hosts", PART_SUPERVISOR },
	{ &database_settings, "url", PART_FIXED },
	{ &database_settings, "schema", PART_FIXED },
	{ &database_settings, NULL, PART_DATABASE },
	{ &log_settings, "level", PART_LOG },
	{ &log_settings, "format", PART_LOG },
	{ &task_settings, NULL, PART_ENTRIES },
	{ &dst_settings, NULL, PART_ENTRIES },
	{ &class_settings, NULL, PART_JOBS },
	{ &limits_settings, NULL, PART_JOBS },
	{ &stop_settings, NULL, PART_JOBS },
	{ &concurrency_settings, NULL, PART_JOBS },
	{ &retry_settings, NULL, PART_JOBS },
};

static bool is_of_role(const struct settings *settings)
{
	const struct setting *row = setting_next_role(NULL);

	while (row && row->group != settings)
		row = setting_next_role(row);
	return row != NULL;
}

static enum config_part part_of(const struct settings *settings, const char *key)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].settings == settings &&
		    (!parts[i].key || strcmp(parts[i].key, key) == 0))
			return parts[i].part;
	return is_of_role(settings) ? PART_ENTRIES : PART_COMMON;
}

static bool same_list(const char *const *a, const char *const *b)
{
	while (a && b && *a && *b && strcmp(*a, *b) == 0) {
		a++;
		b++;
	}
	return (!a || !*a) && (!b || !*b);
}

/* Compares exactly, also the secret parts, which are not shown. */
static bool same_secret(const struct setting *setting, const char *a, const char *b)
{
	const void *values[2];

	if (setting->type != SETTING_URL && setting->type != SETTING_ENVIRONMENT)
		return true;
	memcpy(&values[0], a + setting->offset, sizeof(values[0]));
	memcpy(&values[1], b + setting->offset, sizeof(values[1]));
	return setting->type == SETTING_URL ? text_same(values[0], values[1])
					    : same_list(values[0], values[1]);
}

static bool same_setting(struct arena *arena, const struct setting *setting, const char *a,
			 const char *b)
{
	return text_same(setting_show(arena, setting, a), setting_show(arena, setting, b)) &&
	       same_secret(setting, a, b);
}

/* Of a role the number of processes does not count. */
static bool same_entry(const struct settings *settings, const void *a, const void *b)
{
	struct arena *arena = arena_new();
	const bool role = is_of_role(settings);
	bool same = true;

	for (size_t i = 0; i < settings->count && same; i++)
		same = (role && strcmp(settings->rows[i].key, "processes") == 0) ||
		       same_setting(arena, &settings->rows[i], a, b);
	arena_free(arena);
	return same;
}

static bool same_task(const struct config_task *a, const struct config_task *b)
{
	return text_same(a->key, b->key) && same_entry(&task_settings, a, b) &&
	       same_entry(&dst_settings, &a->dst, &b->dst);
}

static bool same_tasks(const struct config_scheduler *a, const struct config_scheduler *b)
{
	bool same = a->task_count == b->task_count;

	for (size_t i = 0; i < a->task_count && same; i++)
		same = same_task(&a->tasks[i], &b->tasks[i]);
	return same;
}

bool config_same_entry(const struct config *before, const struct config *after, const char *section,
		       size_t entry, size_t other)
{
	const struct settings *settings = setting_find(&queue_settings, section)->group;

	return same_entry(settings, config_entry(before, section, entry),
			  config_entry(after, section, other)) &&
	       (settings != &scheduler_settings || same_tasks(before->scheduler, after->scheduler));
}

struct differ {
	struct arena *arena;
	struct config_change *list;
	size_t count;
	unsigned parts;
};

static void add(struct differ *differ, struct config_change change)
{
	differ->list =
		arena_extend(differ->arena, differ->list, differ->count, sizeof(*differ->list));
	differ->list[differ->count++] = change;
	differ->parts |= change.part;
}

/* The same database with another password: the change matters, but cannot be shown. */
static void add_hidden(struct differ *differ, const struct setting *setting,
		       struct config_change change)
{
	if (setting->type == SETTING_URL)
		change.part = PART_DATABASE;
	change.after =
		arena_printf(differ->arena, "%s (a secret part of it has changed)", change.after);
	add(differ, change);
}

static void compare(struct differ *differ, const struct instance *before,
		    const struct instance *after)
{
	const struct settings *settings = after->settings;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->rows[i];
		struct config_change change = {
			.path = arena_printf(differ->arena, "%s%s%s", after->prefix,
					     *after->prefix ? "." : "", row->key),
			.before = setting_show(differ->arena, row, before->base),
			.after = setting_show(differ->arena, row, after->base),
			.part = part_of(settings, row->key),
		};
		if (!change.after)
			continue;
		if (!text_same(change.before, change.after))
			add(differ, change);
		else if (!same_secret(row, before->base, after->base))
			add_hidden(differ, row, change);
	}
}

/* The instances of one configuration, sorted, so that files with thousands of tasks compare fast.
 */
struct index {
	const struct instance **list;
	size_t count;
};

static int by_prefix(const void *a, const void *b)
{
	const struct instance *left = *(const struct instance *const *)a;
	const struct instance *right = *(const struct instance *const *)b;
	int order = strcmp(left->prefix, right->prefix);

	return order ? order
		     : (left->settings > right->settings) - (left->settings < right->settings);
}

static struct index index_of(struct arena *arena, const struct config_origins *origins)
{
	struct index index = { arena_array(arena, origins->count, sizeof(struct instance *)),
			       origins->count };

	for (size_t i = 0; i < origins->count; i++)
		index.list[i] = &origins->list[i];
	if (index.count > 1)
		qsort(index.list, index.count, sizeof(struct instance *), by_prefix);
	return index;
}

static const struct instance *find(const struct index *index, const struct instance *wanted)
{
	const struct instance *const *found =
		index->count == 0 ? NULL
				  : bsearch(&wanted, index->list, index->count,
					    sizeof(struct instance *), by_prefix);

	return found ? *found : NULL;
}

/* These are reported with their class or task. */
static bool is_told(const struct instance *instance)
{
	return instance->settings != &limits_settings && instance->settings != &stop_settings &&
	       instance->settings != &dst_settings;
}

static void compare_all(struct differ *differ, const struct config_origins *before,
			const struct config_origins *after)
{
	const struct index old_ones = index_of(differ->arena, before);
	const struct index new_ones = index_of(differ->arena, after);

	for (size_t i = 0; i < after->count; i++) {
		const struct instance *instance = &after->list[i];
		const struct instance *old = find(&old_ones, instance);
		if (old)
			compare(differ, old, instance);
		else if (is_told(instance))
			add(differ, (struct config_change){ instance->prefix, NULL, "added",
							    part_of(instance->settings, "") });
	}
	for (size_t i = 0; i < before->count; i++) {
		const struct instance *instance = &before->list[i];
		if (!find(&new_ones, instance) && is_told(instance))
			add(differ, (struct config_change){
					    arena_strdup(differ->arena, instance->prefix),
					    "removed", NULL, part_of(instance->settings, "") });
	}
}

static bool same_limits(const struct config_class *a, const struct config_class *b)
{
	bool same = a->concurrency_count == b->concurrency_count;

	for (size_t i = 0; i < a->concurrency_count && same; i++)
		same = same_entry(&concurrency_settings, &a->concurrency[i], &b->concurrency[i]);
	return same;
}

static bool same_class(const struct config_class *a, const struct config_class *b)
{
	return a->retry.given == b->retry.given && same_entry(&class_settings, a, b) &&
	       same_entry(&limits_settings, &a->limits, &b->limits) &&
	       same_entry(&stop_settings, &a->stop, &b->stop) &&
	       same_entry(&retry_settings, &a->retry, &b->retry) && same_limits(a, b);
}

/* Has the other one each class with a module of this one, and does it say the same of it? */
static bool has_modules(const struct config *config, const struct config *other)
{
	for (size_t i = 0; i < config->class_count; i++) {
		const struct config_class *class = &config->classes[i];
		const struct config_class *same = class->handler == HANDLER_MODULE
							  ? config_class_find(other, class->name)
							  : class;
		if (!same || (same != class && !same_class(class, same)))
			return false;
	}
	return true;
}

/* What relative paths of classes are relative to depends on the files' places. */
static bool same_places(const struct config *before, const struct config *after)
{
	return text_same(before->files[1].path, after->files[1].path) &&
	       text_same(before->files[2].path, after->files[2].path) &&
	       text_same(before->state, after->state);
}

void config_diff(const struct config *before, struct config *after, struct config_diff *diff)
{
	struct differ differ = { .arena = after->arena };

	compare_all(&differ, before->origins, after->origins);
	if (!has_modules(before, after) || !has_modules(after, before) ||
	    !same_places(before, after))
		differ.parts |= PART_MODULES;
	*diff = (struct config_diff){ differ.list, differ.count, differ.parts };
}
