/*
 * recurring.yml: the tasks, their schedules and their commands.
 *
 * A file that works in Solid Queue must work here. So what has no schedule is left out, which makes
 * sections for other environments harmless; unknown keys are left out with a warning, unless they
 * look like ours; and Ruby source in `command`, which is a program here, is never run.
 *
 * A task is read from a copy of its mapping in the form of the tables: the command as a list, the
 * lines of a text joined, foreign keys dropped. A command runs under a class made from the task's
 * key; how its jobs begin and end `defaults` of jobs.yml say, and the task itself.
 */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "config/files/reader.h"
#include "schedule/schedule.h"

/* `command` as one text, split into words */

static void warn_of_ruby(struct reader *reader, const struct node *node, const char *name)
{
	bool clearing = strstr(node->text, "clear_finished_in_batches") != NULL;
	report_warning(reader->report, node->place,
		       "%s is Ruby source, which dray does not run: the task is left out. %s", name,
		       clearing
			       ? "dray deletes finished jobs itself (clear_finished_jobs_after)"
			       : "Expected a class, or a command such as [bin/rails, runner, ...]");
}

static struct node *word_node(struct reader *reader, const struct node *node, const char *text)
{
	struct node *word = arena_alloc(reader->arena, sizeof(*word));
	*word = (struct node){ .kind = NODE_SCALAR, .place = node->place, .text = text };
	return word;
}

static const struct node *make_list(struct reader *reader, const struct node *node,
				    const char *const words[], size_t count)
{
	struct node *list = arena_alloc(reader->arena, sizeof(*list));
	*list = (struct node){ .kind = NODE_LIST, .place = node->place };
	for (size_t i = 0; i < count; i++) {
		list->pairs =
			arena_extend(reader->arena, list->pairs, list->count, sizeof(*list->pairs));
		list->pairs[list->count++] =
			(struct node_pair){ NULL, word_node(reader, node, words[i]) };
	}
	return list;
}

/*
 * Splits a command line in one text into a list of words; NULL, reported, when it needs a shell.
 * *ruby: it is Ruby source, which was reported.
 */
static const struct node *split_command(struct reader *reader, const struct node *node,
					const char *name, bool *ruby)
{
	const char **words = NULL;
	size_t count = 0;
	*ruby = words_are_ruby(node->text);
	if (*ruby) {
		warn_of_ruby(reader, node, name);
		return NULL;
	}
	if (words_split(reader->arena, node->text, &words, &count))
		return make_list(reader, node, words, count);
	report_error(reader->report, node->place,
		     "%s is %s, which needs a shell, expected a list: [program, argument, ...]",
		     name, quoted(reader->arena, node->text));
	return NULL;
}

/* Keys: known, misspelt and unknown ones */

/* The setting that this key names, or a similar one; NULL = none. */
static const char *nearest_setting(const struct node *key)
{
	const char *words[SETTINGS_MAXIMUM];

	for (size_t i = 0; i < task_settings.count; i++)
		words[i] = task_settings.rows[i].key;
	return nearest_word(key->text, words, task_settings.count);
}

/* A setting of classes has no effect in a task: where does it have one? */
static void refuse_of_class(struct reader *reader, const struct node *task, const struct node *key,
			    const char *prefix)
{
	const struct node *class = node_get(task, "class");
	const char *where = "under defaults";

	if (class && class->kind == NODE_SCALAR)
		where = arena_printf(reader->arena, "in the class %s",
				     quoted(reader->arena, class->text));
	report_error(reader->report, key->place,
		     "%s.%s is a setting of classes, expected it %s of jobs.yml", prefix, key->text,
		     where);
}

static void leave_out(struct reader *reader, const struct node *key, const char *prefix)
{
	const char *known = setting_habit(&task_settings, key->text);

	report_warning(reader->report, key->place,
		       "%s has a key %s, which means nothing to dray: it is left out%s%s", prefix,
		       quoted(reader->arena, key->text), known ? "; expected " : "",
		       known ? known : "");
}

/*
 * Solid Queue ignores unknown keys, so only what looks like a misspelt setting, or like one of a
 * class, is an error.
 */
static void drop_foreign_keys(struct reader *reader, struct node *task, const char *prefix)
{
	for (size_t i = task->count; i-- > 0;) {
		const struct node *key = task->pairs[i].key;
		bool of_class = setting_find(&class_settings, key->text) &&
				!setting_find(&task_settings, key->text);
		if (key->fault || (!of_class && nearest_setting(key)))
			continue;
		if (of_class)
			refuse_of_class(reader, task, key, prefix);
		else
			leave_out(reader, key, prefix);
		node_drop(task, i);
	}
}

/* A mapping with a class or command is meant to be a task; a section holds tasks. */
static bool is_meant_for_task(const struct node *node)
{
	const struct node *class = node_get(node, "class");
	const struct node *command = node_get(node, "command");

	return (class && class->kind == NODE_SCALAR) || (command && command->kind != NODE_MAPPING);
}

static bool is_for_schedule(const struct node *key)
{
	const char *nearest = nearest_setting(key);
	const char *known = setting_habit(&task_settings, key->text);

	return (nearest && strcmp(nearest, "schedule") == 0 && strcmp(key->text, nearest) != 0) ||
	       (known && strncmp(known, "\"schedule\"", 10) == 0);
}

static const struct node *find_misspelt_schedule(const struct node *node)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct node *key = node->pairs[i].key;
		if (key->fault || node->pairs[i].value->kind != NODE_SCALAR)
			continue;
		if (is_for_schedule(key))
			return key;
	}
	return NULL;
}

/*
 * As in Solid Queue what has no schedule is left out: this is what makes a file for other
 * environments harmless. A misspelt key of a schedule is reported; a key that looks like a task
 * gets a warning.
 */
static bool has_schedule(struct reader *reader, const struct node_pair *task, const char *prefix)
{
	if (node_get(task->value, "schedule"))
		return true;
	const struct node *misspelt = find_misspelt_schedule(task->value);
	if (misspelt)
		setting_unknown(reader->report, reader->arena, &task_settings, misspelt, prefix);
	else if (is_meant_for_task(task->value))
		report_warning(reader->report, task->key->place,
			       "%s has no schedule: the task is left out", prefix);
	return false;
}

/* How the jobs of a command begin and end */

/* Does the task say nothing of this key? Then its value is the one of `defaults`. */
static bool inherits_key(const struct reader *reader, const struct instance *settings,
			 const char *key)
{
	struct place *place = instance_place(settings, key);

	if (place->file)
		return false;
	*place = *instance_place(reader->defaults, key);
	return true;
}

static void read_retry(struct reader *reader, const struct instance *settings,
		       const struct node *node, bool publish)
{
	struct config_task *task = (struct config_task *)settings->base;
	const char *prefix = arena_printf(reader->arena, "%s.retry", settings->prefix);
	struct instance *retry = NULL;

	task->retry = arena_alloc(reader->arena, sizeof(*task->retry));
	*task->retry = ((const struct config_class *)reader->defaults->base)->retry;
	retry = instance_copy(reader, reader->default_retry, prefix, task->retry);
	retry_read(reader, retry, node);
	if (task->retry->given && publish)
		instance_publish(reader, retry);
}

/*
 * Reads `retry` of a task with a command, and gives it what `defaults` of jobs.yml say where it
 * says nothing of `retry`, `exit`, `history` and `stdin`. A task with a class must not have them.
 */
static void read_ends(struct reader *reader, const struct instance *settings,
		      const struct node *node, bool publish)
{
	const struct config_class *defaults = (const struct config_class *)reader->defaults->base;
	struct config_task *task = (struct config_task *)settings->base;

	if (inherits_key(reader, settings, "exit")) {
		task->exit = defaults->exit;
		task->exit_count = defaults->exit_count;
	}
	if (inherits_key(reader, settings, "history"))
		task->history = defaults->history;
	if (inherits_key(reader, settings, "stdin"))
		task->input = defaults->input;
	read_retry(reader, settings, node_get(node, "retry"), publish);
}

static void refuse_ends(struct reader *reader, const struct instance *settings,
			const struct node *node)
{
	static const char *const keys[] = { "retry", "exit", "history", "stdin" };
	const struct config_task *task = (const struct config_task *)settings->base;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct node *given = node_get(node, keys[i]);
		if (!node_is_null(given))
			report_error(
				reader->report, given->place,
				"%s.%s is for a command, expected %s of the class %s in jobs.yml",
				settings->prefix, keys[i], keys[i],
				quoted(reader->arena, task->class));
	}
}

/* Tasks */

#define KEY_MAXIMUM   255
#define COMMAND_CLASS "recurring:"
#define TEXT_MAXIMUM  2048 /* solid_queue_recurring_tasks.command */

/* The file that is being read. */
struct tasks {
	struct reader *reader;
	struct zones *zones;
	const struct zone *zone; /* of schedules that name none */
	struct config_task *list;
	size_t count;
};

/* The task that is being read: its mapping, with `command` as a list. */
struct entry {
	struct tasks *tasks;
	struct config_task *task;
	const struct node *key;
	struct node *node;
	const char *prefix;
	bool left_out;
	bool commanded; /* it has a command, rightly or wrongly */
};

/* `dst: compatible` is the only text that may stand there. */
static void prepare_dst(struct entry *entry)
{
	struct reader *reader = entry->tasks->reader;
	size_t i = node_find(entry->node, "dst");
	if (i == entry->node->count || entry->node->pairs[i].value->kind != NODE_SCALAR ||
	    node_is_null(entry->node->pairs[i].value))
		return;
	const struct node *value = entry->node->pairs[i].value;
	if (value->text && strcmp(value->text, "compatible") == 0)
		entry->task->dst = (struct config_dst){ SCHEDULE_GAP_SKIP, SCHEDULE_OVERLAP_BOTH };
	else
		report_error(reader->report, value->place,
			     "%s.dst is %s, expected compatible, or a mapping of gap and overlap",
			     entry->prefix, quoted(reader->arena, value->text));
	node_drop(entry->node, i);
}

/* Joins the lines of a text. */
static void prepare_text(struct entry *entry, const char *key)
{
	struct reader *reader = entry->tasks->reader;
	size_t i = node_find(entry->node, key);
	if (i == entry->node->count || !entry->node->pairs[i].value->text)
		return;
	struct node *copy = node_copy(reader->arena, entry->node->pairs[i].value);
	char *text = arena_strdup(reader->arena, copy->text);
	for (char *at = text + strlen(text); at > text && strchr(" \n", at[-1]); at--)
		at[-1] = '\0';
	for (char *at = text; *at != '\0'; at++)
		if (strchr("\r\n\t", *at))
			*at = ' ';
	copy->text = text;
	entry->node->pairs[i].value = copy;
}

static void prepare_command(struct entry *entry)
{
	struct reader *reader = entry->tasks->reader;
	size_t i = node_find(entry->node, "command");
	entry->commanded = i < entry->node->count && !node_is_null(entry->node->pairs[i].value);
	if (!entry->commanded)
		return;
	const struct node *value = entry->node->pairs[i].value;
	if (value->kind != NODE_SCALAR || value->fault)
		return;
	const char *name = arena_printf(reader->arena, "%s.command", entry->prefix);
	const struct node *list = split_command(reader, value, name, &entry->left_out);
	if (list)
		entry->node->pairs[i].value = node_copy(reader->arena, list);
	else
		node_drop(entry->node, i);
}

static void read_settings(struct entry *entry)
{
	struct reader *reader = entry->tasks->reader;
	struct instance *settings =
		instance_new(reader, &task_settings, entry->prefix, entry->task);
	struct instance *dst = instance_new(reader, &dst_settings,
					    arena_printf(reader->arena, "%s.dst", entry->prefix),
					    &entry->task->dst);
	drop_foreign_keys(reader, entry->node, entry->prefix);
	prepare_dst(entry);
	prepare_text(entry, "description");
	prepare_text(entry, "schedule");
	prepare_command(entry);
	instance_read(reader, settings, entry->node);
	instance_read(reader, dst, node_get(entry->node, "dst"));
	if (entry->commanded)
		read_ends(reader, settings, entry->node, !entry->left_out);
	else if (entry->task->class)
		refuse_ends(reader, settings, entry->node);
	entry->task->has_priority = instance_place(settings, "priority")->file != NULL;
	if (!entry->left_out) {
		instance_publish(reader, settings);
		instance_publish(reader, dst);
	}
}

static void check_work(struct entry *entry)
{
	struct reader *reader = entry->tasks->reader;
	struct config_task *task = entry->task;
	bool classed = node_get(entry->node, "class") != NULL; /* rightly or wrongly */
	if (classed && entry->commanded) {
		task->command = NULL;
		report_error(reader->report, entry->key->place,
			     "%s has both class and command, expected one of them", entry->prefix);
	} else if (!classed && !entry->commanded) {
		report_error(reader->report, entry->key->place,
			     "%s has no class and no command, expected one of them", entry->prefix);
	} else if (task->class && reader->config->class_count &&
		   !config_class_find(reader->config, task->class)) {
		report_warning(
			reader->report, node_get(entry->node, "class")->place,
			"%s.class is %s, which is not in jobs.yml: other software must run it",
			entry->prefix, quoted(reader->arena, task->class));
	}
}

static size_t command_length(const struct config_task *task)
{
	size_t length = 0;
	for (size_t i = 0; i < task->command_count; i++)
		length += strlen(task->command[i]) + 3; /* a blank, quotes */
	return length;
}

/* The class under which workers run the command. */
static void make_class(struct entry *entry)
{
	struct reader *reader = entry->tasks->reader;
	struct config_task *task = entry->task;
	if (!task->command || node_get(entry->node, "class"))
		return;
	task->class = arena_printf(reader->arena, "%s%s", COMMAND_CLASS, task->key);
	if (!task->queue)
		task->queue = COMMAND_QUEUE;
	if (command_length(task) > TEXT_MAXIMUM) {
		task->command = NULL;
		report_error(reader->report, node_get(entry->node, "command")->place,
			     "%s.command is too long, expected at most %d bytes", entry->prefix,
			     TEXT_MAXIMUM);
	}
	if (!class_name_valid(task->class))
		report_error(reader->report, entry->key->place,
			     "%s has a command, expected a key of at most %zu characters without "
			     "spaces",
			     entry->prefix, KEY_MAXIMUM - strlen(COMMAND_CLASS));
}

static void read_time(struct entry *entry, const char *key, const char *text, int64_t *instant)
{
	struct reader *reader = entry->tasks->reader;
	if (!text || clock_parse(text, instant) == STATUS_OK)
		return;
	report_error(reader->report, node_get(entry->node, key)->place,
		     "%s.%s is %s, expected a time such as 2026-11-21T09:00:00Z", entry->prefix,
		     key, quoted(reader->arena, text));
}

static void read_times(struct entry *entry)
{
	struct config_task *task = entry->task;
	task->starts = INT64_MIN;
	task->ends = CLOCK_NEVER;
	read_time(entry, "start_at", task->start_at, &task->starts);
	read_time(entry, "end_at", task->end_at, &task->ends);
	if (task->starts > task->ends)
		report_error(entry->tasks->reader->report, node_get(entry->node, "end_at")->place,
			     "%s.end_at is before its start_at", entry->prefix);
}

/* Where in the file a note points; exact if the text is written there literally. */
static struct place note_place(const struct node *node, const struct schedule_note *note)
{
	struct place place = node->place;
	if (!node->block && note->line == 1 && note->column > 0)
		place.column += note->column - 1 + !node->plain;
	return place;
}

static const char *suggestion(struct reader *reader, const struct schedule_note *note)
{
	return note->suggestion ? arena_printf(reader->arena, "; did you mean %s?",
					       quoted(reader->arena, note->suggestion))
				: "";
}

static void read_schedule(struct entry *entry)
{
	struct tasks *tasks = entry->tasks;
	struct reader *reader = tasks->reader;
	struct config_task *task = entry->task;
	const struct node *node = node_get(entry->node, "schedule");
	struct schedule_note fault = { 0 };
	struct error error = { 0 };
	struct schedule_request request = {
		.text = task->schedule,
		.key = task->key,
		.zones = tasks->zones,
		.zone = tasks->zone,
		.gap = task->dst.gap,
		.overlap = task->dst.overlap,
		.strict = reader->config->scheduler && reader->config->scheduler->strict,
	};
	if (!task->schedule || reader->only_classes)
		return;
	if (task->time_zone &&
	    zones_find_setting(tasks->zones, task->time_zone, &request.zone, &error) != STATUS_OK)
		return;
	if (schedule_parse(reader->arena, &request, &task->timer, &fault, &error) != STATUS_OK) {
		report_error(reader->report, note_place(node, &fault), "%s.schedule: %s%s",
			     entry->prefix, fault.text ? fault.text : error.text,
			     suggestion(reader, &fault));
		return;
	}
	for (size_t i = 0; i < task->timer->warning_count; i++) {
		const struct schedule_note *note = &task->timer->warnings[i];
		report_warning(reader->report, note_place(node, note), "%s.schedule: %s%s",
			       entry->prefix, note->text, suggestion(reader, note));
	}
}

static bool key_valid(struct reader *reader, const struct node *key)
{
	if (key->fault) {
		report_error(reader->report, key->fault->place, "%s", key->fault->fault);
		return false;
	}
	if (key->text && text_is_name(key->text, KEY_MAXIMUM))
		return true;
	report_error(reader->report, key->place,
		     "the key %s is not valid, expected 1 to %d printable characters",
		     quoted(reader->arena, key->text), KEY_MAXIMUM);
	return false;
}

static void read_task(struct tasks *tasks, const struct node_pair *pair)
{
	struct reader *reader = tasks->reader;
	struct entry entry = { .tasks = tasks,
			       .key = pair->key,
			       .prefix = arena_printf(reader->arena, "recurring.%s",
						      pair->key->text ? pair->key->text : "") };
	if (node_is_null(pair->value) || !key_valid(reader, pair->key))
		return;
	if (pair->value->kind != NODE_MAPPING) {
		report_error(reader->report, pair->value->place, "%s is %s, expected a mapping",
			     entry.prefix, node_kind_name(pair->value));
		return;
	}
	if (!has_schedule(reader, pair, entry.prefix))
		return;
	entry.node = node_copy(reader->arena, pair->value);
	entry.task = arena_alloc(reader->arena, sizeof(*entry.task));
	entry.task->key = pair->key->text;
	entry.task->file = pair->key->place.file;
	entry.task->line = (int)pair->key->place.line;
	entry.task->column = (int)pair->key->place.column;
	read_settings(&entry);
	if (entry.left_out)
		return;
	check_work(&entry);
	make_class(&entry);
	read_times(&entry);
	read_schedule(&entry);
	tasks->list = arena_extend(reader->arena, tasks->list, tasks->count, sizeof(*tasks->list));
	tasks->list[tasks->count++] = *entry.task;
}

/* For schedules that name no zone: the configuration's zone, or else this host's. */
static void find_zone(struct tasks *tasks, const struct node *root)
{
	struct reader *reader = tasks->reader;
	const char *name = reader->config->process.time_zone;
	struct error error = { 0 };
	tasks->zones = zones_new(reader->arena, NULL);
	if (name && zones_find_setting(tasks->zones, name, &tasks->zone, &error) == STATUS_OK)
		return;
	if (zones_system(tasks->zones, &tasks->zone, &error) == STATUS_OK)
		return;
	tasks->zone = zones_utc(tasks->zones);
	report_warning(reader->report, root->place,
		       "%s: schedules without a zone are in UTC; time_zone in %s sets another",
		       error.text, config_settings_file(reader->config));
}

/* Somebody has to see to them, asked for or not. */
static void keep_tasks(struct reader *reader, const struct tasks *tasks)
{
	struct config *config = reader->config;
	if (!config->scheduler) {
		config->scheduler = arena_alloc(reader->arena, sizeof(*config->scheduler));
		instance_publish(reader, instance_new(reader, &scheduler_settings, "scheduler",
						      config->scheduler));
	}
	config->scheduler->tasks = tasks->list;
	config->scheduler->task_count = tasks->count;
	classes_add(reader, tasks->list, tasks->count);
}

/* Could this be the section of an environment, with tasks in it? */
static bool holds_tasks(const struct node *node)
{
	for (size_t i = 0; node->kind == NODE_MAPPING && i < node->count; i++)
		if (node->pairs[i].value->kind == NODE_MAPPING &&
		    node_has(node->pairs[i].value, "schedule"))
			return true;
	return false;
}

/* Often only production has tasks. Another environment has none, and that is worth a warning. */
static void warn_of_other_environments(struct reader *reader, const struct node *root)
{
	for (size_t i = 0; i < root->count; i++) {
		const struct node_pair *pair = &root->pairs[i];
		if (!holds_tasks(pair->value))
			continue;
		report_warning(
			reader->report, pair->key->place,
			"there are tasks for %s, but none for the environment %s: none will run",
			quoted(reader->arena, pair->key->text),
			quoted(reader->arena, reader->config->environment));
		return;
	}
}

void recurring_read(struct reader *reader, const struct node *root)
{
	struct tasks tasks = { .reader = reader };
	const char *environment = reader->config->environment;
	if (node_is_null(root))
		return;
	bool sections = root->kind == NODE_MAPPING && node_has(root, environment);
	const struct node *section = sections ? node_get(root, environment) : root;
	if (node_is_null(section))
		return;
	if (section->kind != NODE_MAPPING) {
		report_error(reader->report, section->place,
			     "%s is %s, expected a mapping of tasks",
			     section == root ? "the file" : quoted(reader->arena, environment),
			     node_kind_name(section));
		return;
	}
	if (!reader->only_classes)
		find_zone(&tasks, section);
	for (size_t i = 0; i < section->count; i++)
		read_task(&tasks, &section->pairs[i]);
	if (tasks.count)
		keep_tasks(reader, &tasks);
	else if (!sections)
		warn_of_other_environments(reader, root);
}
