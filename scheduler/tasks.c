/*
 * The tasks that a scheduler has: those of recurring.yml, which it writes into the database when it
 * begins and looks after, and those that people add there while it runs, which it follows.
 *
 * No scheduler removes what another one that lives has, or may have. A task that cannot run is told
 * once and waits until its row changes; a change waits until what was due before it is enqueued.
 */
#include "scheduler/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/log/log.h"
#include "common/order.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/config.h"
#include "policy/policy.h"
#include "queue/processes/takers.h"
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "schedule/schedule.h"

/* The tasks of recurring.yml, into the database. */

/* NULL for the default, which the database does not name. */
static const char *named(const char *const words[], size_t chosen)
{
	return chosen > 0 ? words[chosen] : NULL;
}

static struct recurring_task row_of(struct arena *arena, struct zones *zones,
				    const struct config_task *task)
{
	struct recurring_task published = {
		.key = task->key,
		.schedule = task->schedule,
		.command = task->command ? words_join(arena, task->command, task->command_count)
					 : NULL,
		.class_name = task->command ? NULL : task->class,
		.arguments = task->args,
		.queue = task->queue,
		.description = task->description,
		.has_priority = task->has_priority,
		.priority = task->priority,
		.options = { .file = task->file,
			     .disabled = !task->enabled,
			     .time_zone = zone_name(task->timer->zone),
			     .dst_gap = named(task_gaps, (size_t)task->dst.gap),
			     .dst_overlap = named(task_twices, (size_t)task->dst.overlap),
			     .misfire = task_misfires[task->misfire],
			     .misfire_limit = task->misfire_limit,
			     .misfire_window = task->misfire_window,
			     .overlap = task_overlaps[task->overlap],
			     .jitter = task->jitter,
			     .timeout = task->timeout,
			     .start_at = task->start_at,
			     .end_at = task->end_at,
			     .late_after = task->late_after,
			     .failures_after = task->failures_after },
	};

	recurring_rails(arena, task->timer, zones, &published);
	return published;
}

/* How many tasks of other schedulers' files are not in ours? */
static size_t count_foreign(struct arena *arena, const struct config_scheduler *config,
			    const struct recurring_others *others)
{
	const char **keys = arena_array(arena, config->task_count, sizeof(*keys));
	size_t foreign = 0;

	for (size_t i = 0; i < config->task_count; i++)
		keys[i] = config->tasks[i].key;
	order_by_text(keys, config->task_count, sizeof(*keys));
	for (size_t i = 0; i < others->ours; i++)
		foreign += !order_find(others->keys[i], keys, config->task_count, sizeof(*keys));
	return foreign;
}

static void note_others(struct arena *arena, const struct config_scheduler *config,
			const struct recurring_others *others, struct publish_others *known)
{
	size_t foreign = count_foreign(arena, config, others);

	if (foreign > 0 && known->foreign == 0)
		log_event(LOG_WARN, "recurring.differs", LOG_TEXT("scheduler", others->name),
			  LOG_INT("tasks", foreign),
			  LOG_TEXT("reason", "they are not in this scheduler's file, and stay "
					     "while one that lives has them"));
	known->foreign = foreign;
	known->differ = foreign > 0 || others->partial;
}

enum status publish_tasks(struct db *db, const struct config *config, int64_t process_id,
			  bool write, struct publish_others *known, struct error *error)
{
	const struct config_scheduler *scheduler = config->scheduler;
	const struct prune silence = policy_silence(config, process_id);
	struct arena *arena = arena_new();
	struct recurring_task *rows = arena_array(arena, scheduler->task_count, sizeof(*rows));
	struct zones *zones = zones_new(arena, NULL);
	struct recurring_others others = { 0 };
	enum status status = recurring_others_read(db, arena, &silence, &others, error);

	for (size_t i = 0; i < scheduler->task_count && status == STATUS_OK; i++)
		if (write)
			rows[i] = row_of(arena, zones, &scheduler->tasks[i]);
		else
			recurring_others_add(arena, &others, scheduler->tasks[i].key);
	if (status == STATUS_OK)
		status = recurring_publish(db, rows, write ? scheduler->task_count : 0, &others,
					   error);
	if (status == STATUS_OK)
		note_others(arena, scheduler, &others, known);
	arena_free(arena);
	return status;
}

enum status publish_mend(struct db *db, struct error *error)
{
	size_t mended = 0;
	enum status status = recurring_mend(db, &mended, error);

	if (status == STATUS_OK && mended > 0)
		log_event(LOG_WARN, "recurring.mended", LOG_INT("tasks", mended),
			  LOG_TEXT("reason", "Rails could not read their schedules"));
	return status;
}

static enum status restore_rows(struct db *db, const struct config_scheduler *config,
				const char *const keys[], size_t count, struct error *error)
{
	struct arena *arena = arena_new();
	struct recurring_task *rows = arena_array(arena, config->task_count, sizeof(*rows));
	struct zones *zones = zones_new(arena, NULL);
	const char **sorted = arena_array(arena, count, sizeof(*sorted));
	size_t ours = 0;

	memcpy(sorted, keys, count * sizeof(*sorted)); /* the database has another order */
	order_by_text(sorted, count, sizeof(*sorted));
	for (size_t i = 0; i < config->task_count; i++)
		if (order_find(config->tasks[i].key, sorted, count, sizeof(*sorted)))
			rows[ours++] = row_of(arena, zones, &config->tasks[i]);
	enum status status = recurring_restore(db, rows, ours, error);
	if (status == STATUS_OK && ours > 0)
		log_event(LOG_WARN, "recurring.restored", LOG_INT("tasks", ours),
			  LOG_TEXT("reason", "their rows had been deleted"));
	arena_free(arena);
	return status;
}

enum status publish_missing(struct db *db, const struct config_scheduler *config,
			    struct error *error)
{
	struct arena *arena = arena_new();
	const char *const *keys = NULL;
	size_t count = 0;
	enum status status = recurring_missing(db, arena, &keys, &count, error);

	if (status == STATUS_OK && count > 0)
		status = restore_rows(db, config, keys, count, error);
	arena_free(arena);
	return status;
}

enum status publish_takers(struct db *db, const struct config *config, struct error *error)
{
	const struct prune silence = policy_silence(config, 0);
	const struct config_class *class = config_class_find(config, RECURRING_COMMAND_CLASS);
	struct takers takers = { .of_class = class ? class->queue : NULL };
	struct arena *arena = arena_new();
	enum status status = takers_read(db, arena, &silence, &takers, error);

	for (size_t i = 0; status == STATUS_OK && i < takers.count; i++)
		log_event(LOG_WARN, "recurring.queue_taken",
			  LOG_TEXT("queue", takers.list[i].queue),
			  LOG_TEXT("worker", takers.list[i].name),
			  LOG_INT("workers", takers.list[i].count),
			  LOG_TEXT("reason", takers.list[i].text));
	arena_free(arena);
	return status;
}

/* A task that was added at run time: from its row to what a scheduler runs. */

/* In an arena of its own. */
struct entry {
	struct arena *arena;
	const char *key;
	const char *print; /* everything that the database says of it */
	int64_t since;     /* 0 = not known */
	struct config_task config;
	const char *arguments;
	bool faulty; /* it cannot run */
};

/* The zones outlive the entries. */
struct entry_zones {
	struct zones *zones;
	const char *fallback; /* of Rails' tasks without a zone of their own; NULL = UTC */
};

/* All values of the row as one text, in the arena. */
static const char *entry_print(struct arena *arena, const struct recurring_row *row)
{
	const struct recurring_task *task = &row->task;
	const char *const texts[] = { task->schedule, task->class_name, task->arguments,
				      task->queue, task->settings };
	struct text text = { 0 };

	text_printf(&text, "%lld %d %d", (long long)row->since, task->has_priority, task->priority);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_add(&text, texts[i] ? " " : "-");
		if (texts[i])
			text_json(&text, texts[i]);
	}
	return text_take(&text, arena);
}

static const char *copy_text(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

/* What recurring_check has found in order. */
static void take_settings(struct entry *entry, const struct recurring_options *options)
{
	struct config_task *config = &entry->config;

	config->misfire = (enum task_misfire)task_word(TASK_MISFIRE, options->misfire);
	config->misfire_limit = (int)(options->misfire_limit > 0 ? options->misfire_limit
								 : task_usual(TASK_MISFIRE_LIMIT));
	config->misfire_window = options->misfire_window > 0 ? options->misfire_window
							     : task_usual(TASK_MISFIRE_WINDOW);
	config->overlap = (enum task_overlap)task_word(TASK_OVERLAP, options->overlap);
	config->jitter = options->jitter;
	config->timeout = options->timeout;
	config->enabled = !options->disabled;
}

static enum status read_entry(const struct entry_zones *zones, struct entry *entry,
			      const struct recurring_row *row, struct error *error)
{
	const struct recurring_reading reading = { .zones = zones->zones };
	struct recurring_timing timing = { 0 };
	struct recurring_task task = row->task;
	struct config_task *config = &entry->config;
	enum status status = STATUS_OK;

	if (!task.class_name)
		return error_set(error, STATUS_INVALID,
				 "it has no class: dray does not run Ruby source");
	task.key = entry->key;
	task.options.time_zone = zones->fallback;
	if (task.settings)
		status = recurring_options_read(entry->arena, task.settings, &task.options, error);
	if (status == STATUS_OK)
		status = recurring_check(entry->arena, &reading, &task, &timing, error);
	if (status == STATUS_OK)
		status =
			recurring_arguments(entry->arena, task.arguments, &entry->arguments, error);
	if (status != STATUS_OK)
		return status;
	*config = (struct config_task){ .key = entry->key,
					.schedule = timing.timer->text,
					.class = copy_text(entry->arena, task.class_name),
					.queue = copy_text(entry->arena, task.queue),
					.has_priority = task.has_priority,
					.priority = task.priority,
					.starts = timing.starts,
					.ends = timing.ends,
					.timer = timing.timer };
	take_settings(entry, &task.options);
	return STATUS_OK;
}

/*
 * Makes the entry of a row. If it cannot run, that is logged, and the entry is faulty until the row
 * changes.
 */
static struct entry *entry_new(const struct entry_zones *zones, const struct recurring_row *row)
{
	struct arena *arena = arena_new();
	struct entry *entry = arena_alloc(arena, sizeof(*entry));
	struct error error = { 0 };

	*entry = (struct entry){ .arena = arena,
				 .key = arena_strdup(arena, row->task.key),
				 .print = entry_print(arena, row),
				 .since = row->since };
	entry->faulty = read_entry(zones, entry, row, &error) != STATUS_OK;
	if (entry->faulty)
		log_event(LOG_ERROR, "recurring.failed", LOG_TEXT("task", entry->key),
			  LOG_TEXT("error", error.text));
	return entry;
}

static void entry_free(struct entry *entry)
{
	arena_free(entry->arena);
}

/* What people change while a scheduler runs. */

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
	const struct recurring_row *row = &look->changes.dynamic[i];

	while (*at < dynamic->count && strcmp(dynamic->list[*at]->key, row->task.key) < 0)
		++*at;
	if (*at == dynamic->count || strcmp(dynamic->list[*at]->key, row->task.key) != 0)
		return NULL;
	struct entry *entry = dynamic->list[*at];
	if (strcmp(entry->print, entry_print(look->arena, row)) == 0)
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
	for (size_t i = 0, at = 0; i < count; i++) {
		look->entries[i] = find_kept(look, tasks, i, &at);
		same = same && look->entries[i];
	}
	return same;
}

static void make_entries(struct look *look)
{
	for (size_t i = 0; i < look->entry_count; i++)
		if (!look->entries[i])
			look->entries[i] =
				entry_new(&look->dynamic->zones, &look->changes.dynamic[i]);
}

static int64_t last_of(const struct look *look, const char *key)
{
	const struct recurring_known *found =
		order_find(key, look->known, look->known_count, sizeof(*look->known));

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

	order_by_text(paused, count, sizeof(*paused));
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

	if (status == STATUS_OK)
		order_by_text(changes->dynamic, changes->dynamic_count, sizeof(*changes->dynamic));
	return status;
}

/* Occurrences of new or changed tasks may have been enqueued by other schedulers already. */
static enum status look_closer(struct look *look, struct db *db, struct error *error)
{
	enum status status =
		recurring_known(db, look->arena, &look->known, &look->known_count, error);

	if (status == STATUS_OK)
		order_by_text(look->known, look->known_count, sizeof(*look->known));
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
