/*
 * One table of settings laid over one struct, with the place that each value comes from: which part
 * of a file is for this environment, reading that part over what is there already, and showing what
 * came of it to `dray check`.
 */
#include <string.h>

#include "config/files/reader.h"

/* The section of an environment */

static bool has_known_key(const struct settings *settings, const struct node *node)
{
	for (size_t i = 0; i < settings->count; i++)
		if (node_has(node, settings->rows[i].key))
			return true;
	return false;
}

/* Could this key at the file's top level, which is no setting, be the section of an environment? */
static bool looks_like_section(const struct settings *settings, const struct node_pair *pair)
{
	const struct node *value = pair->value;
	if (setting_find(settings, pair->key->text))
		return false;
	if (value->anchored || node_is_null(value))
		return true;
	return value->kind == NODE_MAPPING && (value->count == 0 || has_known_key(settings, value));
}

static bool has_primary(const struct settings *settings, const struct node *root)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->rows[i].primary && node_has(root, settings->rows[i].key))
			return true;
	return false;
}

/* The environments of a file; `default: &default` is there only for the others to include. */
static const char **list_environments(struct reader *reader, const struct settings *settings,
				      const struct node *root, size_t *count)
{
	const char **names = arena_array(reader->arena, root->count, sizeof(*names));
	*count = 0;
	for (size_t i = 0; i < root->count; i++) {
		const struct node_pair *pair = &root->pairs[i];
		bool template = pair->value->anchored && strcmp(pair->key->text, "default") == 0;
		if (looks_like_section(settings, pair) && !template)
			names[(*count)++] = pair->key->text;
	}
	return names;
}

static bool refuse_environment(struct reader *reader, const struct settings *settings,
			       const struct node *root)
{
	size_t count = 0;
	const char **names = list_environments(reader, settings, root, &count);
	if (count == 0 || has_primary(settings, root))
		return false;
	const char *list = "";
	for (size_t i = 0; i < count && i < SETTINGS_MAXIMUM; i++)
		list = arena_printf(reader->arena, "%s%s%s", list, i ? ", " : "",
				    quoted(reader->arena, names[i]));
	report_error(reader->report, root->place, "unknown environment %s, expected %s%s",
		     quoted(reader->arena, reader->config->environment), count > 1 ? "one of " : "",
		     list);
	return true;
}

/*
 * The file's top level without the sections of environments and without the keys that have no
 * effect.
 */
static const struct node *read_top(struct reader *reader, const struct settings *settings,
				   const struct node *root, bool beside_section)
{
	struct node *copy = arena_alloc(reader->arena, sizeof(*copy));
	*copy = *root;
	copy->pairs = arena_array(reader->arena, root->count, sizeof(*copy->pairs));
	copy->count = 0;
	for (size_t i = 0; i < root->count; i++) {
		const struct node_pair *pair = &root->pairs[i];
		const struct setting *setting = setting_find(settings, pair->key->text);
		bool ours = strcmp(pair->key->text, reader->config->environment) == 0;
		if (beside_section && setting && setting->role)
			report_warning(reader->report, pair->key->place,
				       "%s is ignored beside the section %s; expected it inside",
				       pair->key->text,
				       quoted(reader->arena, reader->config->environment));
		else if (!(beside_section && ours) && !looks_like_section(settings, pair))
			copy->pairs[copy->count++] = *pair;
	}
	return copy;
}

struct layers section_select(struct reader *reader, const struct settings *settings,
			     const struct node *root)
{
	struct layers layers = { 0 };
	const char *environment = reader->config->environment;
	if (node_is_null(root) || root->kind != NODE_MAPPING) {
		layers.section = root;
		return layers;
	}
	bool section = node_has(root, environment) && !setting_find(settings, environment);
	if (!section && refuse_environment(reader, settings, root))
		return layers;
	const struct node *rest = read_top(reader, settings, root, section);
	if (!section)
		return (struct layers){ .section = rest };
	layers.base = rest;
	layers.section = node_get(root, environment);
	if (layers.section && layers.section->kind != NODE_MAPPING) {
		report_error(reader->report, layers.section->place,
			     "the section %s is %s, expected a mapping",
			     quoted(reader->arena, environment), node_kind_name(layers.section));
		layers.section = NULL;
	}
	return layers;
}

/* Instances */

static struct instance *new_instance(struct reader *reader, const struct settings *settings,
				     const char *prefix, void *base)
{
	struct instance *instance = arena_alloc(reader->arena, sizeof(*instance));
	*instance = (struct instance){
		.settings = settings,
		.prefix = prefix,
		.base = base,
		.places = arena_array(reader->arena, settings->count, sizeof(*instance->places)),
	};
	return instance;
}

void instance_reset(struct reader *reader, const struct instance *instance)
{
	const struct settings *settings = instance->settings;
	for (size_t i = 0; i < settings->count; i++) {
		setting_default(reader->arena, &settings->rows[i], instance->base);
		instance->places[i] = (struct place){ 0 };
	}
}

struct instance *instance_new(struct reader *reader, const struct settings *settings,
			      const char *prefix, void *base)
{
	struct instance *instance = new_instance(reader, settings, prefix, base);
	instance_reset(reader, instance);
	return instance;
}

struct instance *instance_copy(struct reader *reader, const struct instance *from,
			       const char *prefix, void *base)
{
	struct instance *instance = new_instance(reader, from->settings, prefix, base);
	memcpy(instance->places, from->places, from->settings->count * sizeof(*from->places));
	return instance;
}

void instance_publish(struct reader *reader, const struct instance *instance)
{
	struct config_origins *origins = reader->config->origins;
	origins->list =
		arena_extend(reader->arena, origins->list, origins->count, sizeof(*origins->list));
	origins->list[origins->count++] = *instance;
}

static bool read_by_owner(const struct setting *setting)
{
	return setting->type == SETTING_GROUP || setting->type == SETTING_ENTRIES ||
	       setting->type == SETTING_NAMES;
}

static const char *full_path(struct arena *arena, const struct instance *instance, const char *key)
{
	return *instance->prefix ? arena_printf(arena, "%s.%s", instance->prefix, key) : key;
}

static void read_value(struct reader *reader, struct instance *instance,
		       const struct setting *setting, const struct node_pair *pair)
{
	struct value_context context = { .arena = reader->arena,
					 .report = reader->report,
					 .name = full_path(reader->arena, instance, setting->key),
					 .base = instance->base };
	if (setting->type == SETTING_REFUSED)
		report_error(reader->report, pair->key->place, "%s: %s", context.name,
			     setting->description);
	else if (setting->type == SETTING_IGNORED)
		report_warning(reader->report, pair->key->place, "%s is ignored: %s", context.name,
			       setting->description);
	else if (!read_by_owner(setting) && !node_is_null(pair->value) &&
		 setting_read(&context, setting, pair->value))
		instance->places[setting - instance->settings->rows] = pair->key->place;
}

/*
 * A value that is overruled need not be valid, except for callers that refuse files with any
 * mistake.
 */
static void read_pair(struct reader *reader, struct instance *instance,
		      const struct setting *setting, const struct node_pair *pair)
{
	bool overruled = setting == reader->overruled;
	unsigned scope = overruled ? report_scope(reader->report, NEED_ROLES) : 0;
	read_value(reader, instance, setting, pair);
	if (overruled)
		report_scope(reader->report, scope);
}

void instance_read(struct reader *reader, struct instance *instance, const struct node *node)
{
	if (node_is_null(node))
		return;
	if (node->kind != NODE_MAPPING) {
		report_error(reader->report, node->place, "%s is %s, expected a mapping",
			     *instance->prefix ? instance->prefix : "the file",
			     node_kind_name(node));
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		const struct node_pair *pair = &node->pairs[i];
		const struct setting *setting = setting_find(instance->settings, pair->key->text);
		if (pair->key->fault)
			report_error(reader->report, pair->key->fault->place, "%s",
				     pair->key->fault->fault);
		else if (setting)
			read_pair(reader, instance, setting, pair);
		else
			setting_unknown(reader->report, reader->arena, instance->settings,
					pair->key, instance->prefix);
	}
}

struct place *instance_place(const struct instance *instance, const char *key)
{
	return &instance->places[setting_find(instance->settings, key) - instance->settings->rows];
}

/* "config/queue.yml:12", "DRAY_DATABASE_URL" or "default". */
static const char *place_text(struct arena *arena, const struct place *place)
{
	if (!place->file)
		return "default";
	return place->line ? arena_printf(arena, "%s:%u", place->file, place->line) : place->file;
}

/* What came of it */

static bool is_usual(const struct setting *row, const char *value, const struct place *place)
{
	return !place->file || (row->initial && strcmp(value, row->initial) == 0);
}

size_t config_show(struct config *config, const struct config_value **values)
{
	const struct config_origins *origins = config->origins;
	size_t rows = 0;
	for (size_t i = 0; i < origins->count; i++)
		rows += origins->list[i].settings->count;
	struct config_value *list = arena_array(config->arena, rows, sizeof(*list));
	size_t count = 0;
	for (size_t i = 0; i < origins->count; i++) {
		const struct instance *instance = &origins->list[i];
		for (size_t j = 0; j < instance->settings->count; j++) {
			const struct setting *row = &instance->settings->rows[j];
			const char *value = setting_show(config->arena, row, instance->base);
			if (value)
				list[count++] = (struct config_value){
					full_path(config->arena, instance, row->key), value,
					place_text(config->arena, &instance->places[j]),
					is_usual(row, value, &instance->places[j])
				};
		}
	}
	*values = list;
	return count;
}

const char *config_origin(struct config *config, const char *path)
{
	const struct config_value *values = NULL;
	size_t count = config_show(config, &values);
	for (size_t i = 0; i < count; i++)
		if (strcmp(values[i].path, path) == 0)
			return values[i].origin;
	return NULL;
}
