#include "config/files/reader.h"

static struct instance *allocate(struct reader *reader, const struct settings *settings,
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
	struct instance *instance = allocate(reader, settings, prefix, base);
	instance_reset(reader, instance);
	return instance;
}

struct instance *instance_copy(struct reader *reader, const struct instance *from,
			       const char *prefix, void *base)
{
	struct instance *instance = allocate(reader, from->settings, prefix, base);
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

static const char *path(struct reader *reader, const struct instance *instance, const char *key)
{
	return arena_printf(reader->arena, "%s%s%s", instance->prefix, *instance->prefix ? "." : "",
			    key);
}

static void read_value(struct reader *reader, struct instance *instance,
		       const struct setting *setting, const struct node_pair *pair)
{
	struct value_context context = { .arena = reader->arena,
					 .report = reader->report,
					 .name = path(reader, instance, setting->key),
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

const char *place_text(struct arena *arena, const struct place *place)
{
	if (!place->file)
		return "default";
	return place->line ? arena_printf(arena, "%s:%u", place->file, place->line) : place->file;
}
