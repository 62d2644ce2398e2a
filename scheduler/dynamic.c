#include "scheduler/dynamic.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "queue/recurring/task.h"
#include "scheduler/entry.h"

struct dynamic {
	struct arena *arena; /* of zones */
	const struct config *config;
	struct entry_zones zones;
	struct entry **list; /* sorted by key */
	size_t count;
};

/* One look at the database. */
struct look {
	struct dynamic *dynamic;
	struct arena *arena;
	int64_t now;
	struct recurring_changes changes;
	struct recurring_known *known;
	size_t known_count;
	const char **prints;
	struct entry **entries; /* the new entry; NULL: not made yet */
	size_t entry_count;
	bool again; /* a change had to be put off */
};

struct dynamic *dynamic_new(const struct config *config)
{
	struct dynamic *dynamic = calloc(1, sizeof(*dynamic));
	const struct zone *zone = NULL;

	if (!dynamic)
		out_of_memory();
	dynamic->arena = arena_new();
	dynamic->config = config;
	dynamic->zones.zones = zones_new(dynamic->arena, NULL);
	dynamic->zones.fallback = config->process.time_zone;
	if (!dynamic->zones.fallback &&
	    zones_system(dynamic->zones.zones, &zone, NULL) == STATUS_OK &&
	    zones_has(dynamic->zones.zones, zone_name(zone)))
		dynamic->zones.fallback = zone_name(zone);
	return dynamic;
}

void dynamic_free(struct dynamic *dynamic)
{
	if (!dynamic)
		return;
	for (size_t i = 0; i < dynamic->count; i++)
		entry_free(dynamic->list[i]);
	free(dynamic->list);
	arena_free(dynamic->arena);
	free(dynamic);
}

static int by_row_key(const void *a, const void *b)
{
	return strcmp(((const struct recurring_dynamic *)a)->task.key,
		      ((const struct recurring_dynamic *)b)->task.key);
}

static struct task *find_task(const struct tasks *tasks, const char *key)
{
	const struct config_task wanted = { .key = key };
	const struct task task = { .config = &wanted };

	return tasks->count > 0 ? bsearch(&task, tasks->list, tasks->count, sizeof(*tasks->list),
					  task_by_key)
				: NULL;
}

/* Has it an occurrence that was due before it changed? */
static bool is_behind(const struct task *task, int64_t changed_at)
{
	return task && task_wakes(task) <= changed_at;
}

/* The entry of a row, if the row is unchanged or its change is put off. */
static struct entry *find_kept(struct look *look, const struct tasks *tasks, size_t i, size_t *at)
{
	const struct dynamic *dynamic = look->dynamic;
	const struct recurring_dynamic *row = &look->changes.dynamic[i];

	while (*at < dynamic->count && strcmp(dynamic->list[*at]->key, row->task.key) < 0)
		++*at;
	if (*at == dynamic->count || strcmp(dynamic->list[*at]->key, row->task.key) != 0)
		return NULL;
	struct entry *entry = dynamic->list[*at];
	if (strcmp(entry->print, look->prints[i]) == 0)
		return entry;
	const struct task *task = find_task(tasks, entry->key);
	if (entry->faulty || row->since == entry->since || !is_behind(task, row->since))
		return NULL;
	look->again = true;
	return entry;
}

/* Both are sorted by key: unchanged entries are kept. True if nothing has changed. */
static bool compare(struct look *look, const struct tasks *tasks)
{
	size_t count = look->changes.dynamic_count;
	bool same = count == look->dynamic->count;

	look->entry_count = count;
	look->entries = arena_array(look->arena, count + 1, sizeof(void *));
	look->prints = arena_array(look->arena, count + 1, sizeof(*look->prints));
	for (size_t i = 0, at = 0; i < count; i++) {
		look->prints[i] = entry_print(look->arena, &look->changes.dynamic[i]);
		look->entries[i] = find_kept(look, tasks, i, &at);
		same = same && look->entries[i];
	}
	return same;
}

static void make_entries(struct look *look)
{
	for (size_t i = 0; i < look->entry_count; i++)
		if (!look->entries[i])
			look->entries[i] = entry_new(&look->dynamic->zones,
						     &look->changes.dynamic[i], look->prints[i]);
}

static int64_t last_of(const struct look *look, const char *key)
{
	const struct recurring_known wanted = { .key = key };
	const struct recurring_known *found =
		look->known_count > 0 ? bsearch(&wanted, look->known, look->known_count,
						sizeof(*look->known), known_by_key)
				      : NULL;

	return found ? found->last : 0;
}

/* A task that has not changed continues; one with the same schedule continues where it stood. */
static struct task make_task(const struct look *look, const struct entry *entry,
			     const struct task *before)
{
	struct task task = { .config = &entry->config,
			     .arguments = entry->arguments,
			     .dynamic = true,
			     .since = entry->since };

	if (before && before->config == &entry->config)
		return *before;
	if (before && before->dynamic && before->since == entry->since && entry->since > 0) {
		task.paused = before->paused;
		task.resumed_at = before->resumed_at;
		task_continue(&task, before->from);
		return task;
	}
	log_event(LOG_INFO, "recurring.changed", LOG_TEXT("task", entry->key));
	task_resume(&task, entry->since > 0 ? entry->since : look->now, last_of(look, entry->key),
		    look->now);
	return task;
}

/* If another task has the key of a task in the file, the one in the file counts. */
static void make_list(const struct look *look, struct tasks *tasks)
{
	struct tasks made = { .arena = arena_new() };

	made.list =
		arena_array(made.arena, tasks->count + look->entry_count + 1, sizeof(*made.list));
	for (size_t i = 0; i < tasks->count; i++)
		if (!tasks->list[i].dynamic)
			made.list[made.count++] = tasks->list[i];
	for (size_t i = 0; i < look->entry_count; i++) {
		const struct entry *entry = look->entries[i];
		const struct task *before = find_task(tasks, entry->key);
		if (!entry->faulty && (!before || before->dynamic))
			made.list[made.count++] = make_task(look, entry, before);
	}
	if (made.count > 1)
		qsort(made.list, made.count, sizeof(*made.list), task_by_key);
	arena_free(tasks->arena);
	*tasks = made;
}

static void keep_entries(struct look *look)
{
	struct dynamic *dynamic = look->dynamic;
	struct entry **list = calloc(look->entry_count + 1, sizeof(void *));
	size_t at = 0;

	if (!list)
		out_of_memory();
	for (size_t i = 0; i < look->entry_count; i++)
		list[i] = look->entries[i];
	/* Both are sorted by key; entries that are not in the new list are freed. */
	for (size_t i = 0; i < dynamic->count; i++) {
		while (at < look->entry_count && strcmp(list[at]->key, dynamic->list[i]->key) < 0)
			at++;
		bool gone = at == look->entry_count ||
			    strcmp(list[at]->key, dynamic->list[i]->key) != 0;
		if (gone)
			log_event(LOG_INFO, "recurring.removed",
				  LOG_TEXT("task", dynamic->list[i]->key));
		if (gone || list[at] != dynamic->list[i])
			entry_free(dynamic->list[i]);
	}
	free(dynamic->list);
	dynamic->list = list;
	dynamic->count = look->entry_count;
}

static void set_pause(struct task *task, bool paused, int64_t resumed_at)
{
	if (task->paused == paused && task->resumed_at == resumed_at)
		return;
	bool changed = task->paused != paused;
	task->paused = paused;
	task->resumed_at = resumed_at;
	if (changed)
		log_event(LOG_INFO, paused ? "recurring.paused" : "recurring.resumed",
			  LOG_TEXT("task", task->config->key));
	task_continue(task, task->from);
}

static int by_paused_key(const void *a, const void *b)
{
	return strcmp(((const struct recurring_paused *)a)->key,
		      ((const struct recurring_paused *)b)->key);
}

/* A pause written by a clock that was ahead is no reason to stand still until then. */
static int64_t resumed(const struct look *look, const struct recurring_paused *paused)
{
	return paused->resumed_at <= look->now ? paused->resumed_at : 0;
}

static void follow_pauses(struct look *look, struct tasks *tasks)
{
	struct recurring_paused *paused = look->changes.paused;
	size_t count = look->changes.paused_count;
	size_t at = 0;

	if (count > 1)
		qsort(paused, count, sizeof(*paused), by_paused_key);
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->list[i];
		while (at < count && strcmp(paused[at].key, task->config->key) < 0)
			at++;
		bool found = at < count && strcmp(paused[at].key, task->config->key) == 0;
		bool rests = found && paused[at].paused_at > 0;
		if (rests && !task->paused && is_behind(task, paused[at].paused_at))
			look->again = true;
		else
			set_pause(task, rests, found ? resumed(look, &paused[at]) : 0);
	}
}

static enum status look_at(struct look *look, struct db *db, struct error *error)
{
	struct recurring_changes *changes = &look->changes;
	enum status status = recurring_changes(
		db, look->arena, look->dynamic->config->scheduler->dynamic_tasks_enabled, changes,
		error);

	if (status == STATUS_OK && changes->dynamic_count > 1)
		qsort(changes->dynamic, changes->dynamic_count, sizeof(*changes->dynamic),
		      by_row_key);
	return status;
}

/* Occurrences of new or changed tasks may have been enqueued by other schedulers already. */
static enum status look_closer(struct look *look, struct db *db, struct error *error)
{
	enum status status =
		recurring_known(db, look->arena, &look->known, &look->known_count, error);

	if (status == STATUS_OK && look->known_count > 1)
		qsort(look->known, look->known_count, sizeof(*look->known), known_by_key);
	look->now = db_now(db);
	return status;
}

enum status dynamic_follow(struct dynamic *dynamic, struct db *db, struct tasks *tasks, bool *again,
			   struct error *error)
{
	struct look look = { .dynamic = dynamic, .arena = arena_new(), .now = db_now(db) };
	enum status status = look_at(&look, db, error);

	if (status == STATUS_OK && !compare(&look, tasks)) {
		status = look_closer(&look, db, error);
		if (status == STATUS_OK) {
			make_entries(&look);
			make_list(&look, tasks);
			keep_entries(&look);
		}
	}
	if (status == STATUS_OK)
		follow_pauses(&look, tasks);
	*again = look.again;
	arena_free(look.arena);
	return status;
}
