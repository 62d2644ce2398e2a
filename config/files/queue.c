#include <string.h>

#include "common/invariant.h"
#include "common/text/text.h"
#include "config/files/reader.h"

static void read_group(struct reader *reader, const char *key, const struct layers *layers,
		       void *base)
{
	const struct settings *settings = setting_find(&queue_settings, key)->group;
	struct instance *instance = instance_new(reader, settings, key, base);
	instance_read(reader, instance, node_get(layers->base, key));
	instance_read(reader, instance, node_get(layers->section, key));
	instance_publish(reader, instance);
}

/* A missing list is one entry with the defaults where `fallback` says so. */
static void read_entries(struct reader *reader, const struct setting *row, const struct node *node,
			 bool fallback)
{
	const size_t size = row->group->size;
	if (node && node->kind != NODE_LIST) {
		report_error(reader->report, node->place, "%s is %s, expected a list of mappings",
			     row->key, node_kind_name(node));
		return;
	}
	size_t count = node ? node->count : fallback;
	char *entries = arena_array(reader->arena, count, size);
	for (size_t i = 0; i < count; i++) {
		const char *prefix = arena_printf(reader->arena, "%s[%zu]", row->key, i);
		struct instance *instance =
			instance_new(reader, row->group, prefix, entries + i * size);
		if (node)
			instance_read(reader, instance, node->pairs[i].value);
		instance_publish(reader, instance);
	}
	char *base = (char *)reader->config;
	memcpy(base + row->offset, &entries, sizeof(entries));
	memcpy(base + row->count_offset, &count, sizeof(count));
}

/* The section of a role of which there is one at most. */
static void read_only(struct reader *reader, const struct setting *row, const struct node *section)
{
	struct layers layers = { .section = section };
	void *base = arena_alloc(reader->arena, row->group->size);
	memcpy((char *)reader->config + row->offset, &base, sizeof(base));
	read_group(reader, row->key, &layers, base);
}

static void read_roles(struct reader *reader, const struct node *section)
{
	const struct setting *row;
	bool none = true;
	for (row = setting_next_role(NULL); row; row = setting_next_role(row))
		none = none && !node_get(section, row->key);
	for (row = setting_next_role(NULL); row; row = setting_next_role(row)) {
		const struct node *node = node_get(section, row->key);
		if (row->type == SETTING_ENTRIES)
			read_entries(reader, row, node, none && row->fallback);
		else if (node)
			read_only(reader, row, section);
	}
}

/* What is promised of queues */

static bool promise_name_valid(const char *name)
{
	const size_t length = strlen(name);
	const size_t star = strcspn(name, "*");

	return length <= CONFIG_PROMISE_NAME_MOST && text_is_name(name, length) &&
	       star + 1 >= length && !strchr(name, ',') && name[0] != ' ' &&
	       name[length - 1] != ' ';
}

static bool check_promise(struct reader *reader, const struct node *key, size_t number)
{
	if (key->fault)
		report_error(reader->report, key->fault->place, "%s", key->fault->fault);
	else if (!promise_name_valid(key->text))
		report_error(reader->report, key->place,
			     "the queue name %s is not valid, expected 1 to %d bytes without a "
			     "comma and without spaces around it, * only at the end",
			     quoted(reader->arena, key->text), CONFIG_PROMISE_NAME_MOST);
	else if (number >= CONFIG_PROMISES_MOST)
		report_error(reader->report, key->place,
			     "queues has too many names, expected at most %d: a prefix such as "
			     "\"mail*\" stands for many",
			     CONFIG_PROMISES_MOST);
	else
		return true;
	return false;
}

/* A second one for a name, of an environment, is read over the first. */
static bool read_promise(struct reader *reader, const struct node_pair *pair)
{
	struct config *config = reader->config;
	struct config_origins *origins = config->origins;
	size_t i = 0;

	while (i < config->promise_count && strcmp(config->promises[i].queue, pair->key->text) != 0)
		i++;
	if (!check_promise(reader, pair->key, i))
		return i < CONFIG_PROMISES_MOST;
	if (i == config->promise_count) {
		const char *prefix = arena_printf(reader->arena, "queues.%s", pair->key->text);
		config->promises[config->promise_count++].queue = pair->key->text;
		instance_publish(reader, instance_new(reader, &promise_settings, prefix,
						      &config->promises[i]));
	}
	instance_read(reader, &origins->list[origins->count - config->promise_count + i],
		      pair->value);
	return true;
}

static void read_promises(struct reader *reader, const struct node *node)
{
	struct config *config = reader->config;

	if (!node)
		return;
	if (node->kind != NODE_MAPPING) {
		report_error(reader->report, node->place,
			     "queues is %s, expected a mapping of queue names, such as {mail: "
			     "{late_after: 60s}}; the queues that a worker serves belong in its "
			     "entry: workers: [{queues: [a, b]}]",
			     node_kind_name(node));
		return;
	}
	if (!config->promises)
		config->promises =
			arena_array(reader->arena, CONFIG_PROMISES_MOST, sizeof(*config->promises));
	for (size_t i = 0; i < node->count; i++)
		if (!read_promise(reader, &node->pairs[i]))
			return;
}

static void check_process(struct reader *reader, const struct instance *process)
{
	const struct config_process *values = &reader->config->process;
	if (values->process_alive_threshold > values->process_heartbeat_interval)
		return;
	const struct place *place = instance_place(process, "process_alive_threshold");
	if (!place->file)
		place = instance_place(process, "process_heartbeat_interval");
	report_error(reader->report, *place,
		     "process_alive_threshold is %s, expected more than process_heartbeat_interval "
		     "(%s)",
		     setting_show(reader->arena,
				  setting_find(&queue_settings, "process_alive_threshold"),
				  process->base),
		     setting_show(reader->arena,
				  setting_find(&queue_settings, "process_heartbeat_interval"),
				  process->base));
}

/* "workers, dispatchers or a scheduler" */
static const char *list_roles(struct arena *arena)
{
	const struct setting *row = setting_next_role(NULL);
	const char *list = row->key;
	while ((row = setting_next_role(row)))
		list = arena_printf(arena, "%s%s%s%s", list, setting_next_role(row) ? ", " : " or ",
				    row->type == SETTING_ENTRIES ? "" : "a ", row->key);
	return list;
}

void queue_check(struct reader *reader)
{
	size_t entries = 0;
	const struct setting *row;
	for (row = setting_next_role(NULL); row; row = setting_next_role(row))
		entries += config_entries(reader->config, row->key);
	report_scope(reader->report, NEED_ROLES);
	if (reader->section && !report_failed(reader->report) && entries == 0)
		report_error(reader->report, reader->section->place,
			     "No processes configured, expected %s", list_roles(reader->arena));
}

/*
 * A file without `database` may have misspelt it: then mistakes at its top level concern the
 * database.
 */
static unsigned top_scope(const struct layers *layers, unsigned whole)
{
	bool said = node_get(layers->base, "database") || node_get(layers->section, "database");
	return said ? NEED_PROCESS : whole & ~(unsigned)NEED_ROLES;
}

void queue_read(struct reader *reader, const struct node *root)
{
	struct config *config = reader->config;
	struct layers layers = section_select(reader, &queue_settings, root);
	unsigned whole = report_scope(reader->report, NEED_DATABASE);
	if (!(whole & NEED_DATABASE))
		reader->overruled =
			setting_find(setting_find(&queue_settings, "database")->group, "url");
	read_group(reader, "database", &layers, &config->database);
	report_scope(reader->report, top_scope(&layers, whole));
	read_group(reader, "log", &layers, &config->log);
	read_group(reader, "on_well", &layers, &config->well);
	struct instance *process = instance_new(reader, &queue_settings, "", config);
	instance_read(reader, process, layers.base);
	instance_read(reader, process, layers.section);
	instance_publish(reader, process);
	check_process(reader, process);
	report_scope(reader->report, NEED_ROLES);
	read_roles(reader, layers.section);
	read_promises(reader, node_get(layers.base, "queues"));
	read_promises(reader, node_get(layers.section, "queues"));
	reader->section = layers.section;
}

/* The sections of roles, by their keys */

static const struct setting *role_row(const char *section)
{
	const struct setting *row = setting_find(&queue_settings, section);
	INVARIANT(row && row->role);
	return row;
}

struct entries {
	const char *list;
	size_t count;
};

static struct entries entries_of(const struct config *config, const struct setting *row)
{
	const char *base = (const char *)config;
	struct entries entries;
	memcpy(&entries.list, base + row->offset, sizeof(entries.list));
	entries.count = entries.list != NULL;
	if (row->type == SETTING_ENTRIES)
		memcpy(&entries.count, base + row->count_offset, sizeof(entries.count));
	return entries;
}

size_t config_entries(const struct config *config, const char *section)
{
	return entries_of(config, role_row(section)).count;
}

const void *config_entry(const struct config *config, const char *section, size_t entry)
{
	const struct setting *row = role_row(section);
	const struct entries entries = entries_of(config, row);
	return entry < entries.count ? entries.list + entry * row->group->size : NULL;
}

size_t config_processes(const struct config *config, const char *section, size_t entry)
{
	const struct setting *row = setting_find(role_row(section)->group, "processes");
	const char *base = config_entry(config, section, entry);
	int count = 1;
	INVARIANT(base);
	if (row)
		memcpy(&count, base + row->offset, sizeof(count));
	return (size_t)count;
}

void roles_leave(struct reader *reader, const char *section)
{
	static const struct entries none;
	char *base = (char *)reader->config;
	const struct setting *row;
	for (row = setting_next_role(NULL); row; row = setting_next_role(row)) {
		if (strcmp(row->key, section) == 0)
			continue;
		memcpy(base + row->offset, &none.list, sizeof(none.list));
		if (row->type == SETTING_ENTRIES)
			memcpy(base + row->count_offset, &none.count, sizeof(none.count));
	}
}

bool config_has_tasks(const struct config *config)
{
	const struct config_scheduler *scheduler = config->scheduler;
	return scheduler && (scheduler->task_count > 0 || scheduler->dynamic_tasks_enabled);
}
