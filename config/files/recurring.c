/* recurring.yml: reads the tasks and their schedules, and reports each mistake at its place. */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/words.h"
#include "config/files/reader.h"
#include "schedule/schedule.h"

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
	const struct node *list = command_split(reader, value, name, &entry->left_out);
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
	recurring_drop_foreign(reader, entry->node, entry->prefix);
	prepare_dst(entry);
	prepare_text(entry, "description");
	prepare_text(entry, "schedule");
	prepare_command(entry);
	instance_read(reader, settings, entry->node);
	instance_read(reader, dst, node_get(entry->node, "dst"));
	if (entry->commanded)
		recurring_ends_read(reader, settings, entry->node, !entry->left_out);
	else if (entry->task->class)
		recurring_ends_refuse(reader, settings, entry->node);
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
	size_t characters = 0;
	bool printable = true;
	if (key->fault) {
		report_error(reader->report, key->fault->place, "%s", key->fault->fault);
		return false;
	}
	for (const char *at = key->text; at && *at; at++) {
		printable &= (unsigned char)*at >= 0x20 && *at != 0x7F;
		characters += (*at & 0xC0) != 0x80;
	}
	if (characters > 0 && characters <= KEY_MAXIMUM && printable)
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
	if (!recurring_has_schedule(reader, pair, entry.prefix))
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
	report_warning(
		reader->report, root->place,
		"%s: schedules without a zone are in UTC; time_zone in queue.yml sets another",
		error.text);
}

/* Somebody has to see to them, asked for or not. */
static void keep(struct reader *reader, const struct tasks *tasks)
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
		keep(reader, &tasks);
	else if (!sections)
		warn_of_other_environments(reader, root);
}
