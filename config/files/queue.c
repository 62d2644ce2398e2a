#include <string.h>

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
static void read_entries(struct reader *reader, const char *key, const struct node *node,
			 size_t size, bool fallback)
{
	const struct setting *row = setting_find(&queue_settings, key);
	if (node && node->kind != NODE_LIST) {
		report_error(reader->report, node->place, "%s is %s, expected a list of mappings",
			     key, node_kind_name(node));
		return;
	}
	size_t count = node ? node->count : fallback;
	char *entries = arena_array(reader->arena, count, size);
	for (size_t i = 0; i < count; i++) {
		const char *prefix = arena_printf(reader->arena, "%s[%zu]", key, i);
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

static void read_roles(struct reader *reader, const struct node *section)
{
	const struct node *workers = node_get(section, "workers");
	const struct node *dispatchers = node_get(section, "dispatchers");
	const struct node *scheduler = node_get(section, "scheduler");
	bool fallback = !workers && !dispatchers && !scheduler;
	read_entries(reader, "workers", workers, sizeof(struct config_worker), fallback);
	read_entries(reader, "dispatchers", dispatchers, sizeof(struct config_dispatcher),
		     fallback);
	if (!scheduler)
		return;
	reader->config->scheduler = arena_alloc(reader->arena, sizeof(*reader->config->scheduler));
	struct layers layers = { .section = section };
	read_group(reader, "scheduler", &layers, reader->config->scheduler);
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

void queue_check(struct reader *reader)
{
	const struct config *config = reader->config;
	report_scope(reader->report, NEED_ROLES);
	if (reader->section && !report_failed(reader->report) &&
	    config->worker_count + config->dispatcher_count == 0 && !config->scheduler)
		report_error(reader->report, reader->section->place,
			     "No processes configured, expected workers, dispatchers or a "
			     "scheduler");
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
	struct instance *process = instance_new(reader, &queue_settings, "", config);
	instance_read(reader, process, layers.base);
	instance_read(reader, process, layers.section);
	instance_publish(reader, process);
	check_process(reader, process);
	report_scope(reader->report, NEED_ROLES);
	read_roles(reader, layers.section);
	reader->section = layers.section;
}
