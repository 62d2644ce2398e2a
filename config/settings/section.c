#include "config/files/reader.h"

#include "common/text/parse.h"

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
static const char **environments(struct reader *reader, const struct settings *settings,
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
	const char **names = environments(reader, settings, root, &count);
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
static const struct node *top(struct reader *reader, const struct settings *settings,
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
		if (beside_section && setting && setting->local)
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
	const struct node *rest = top(reader, settings, root, section);
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
