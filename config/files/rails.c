/*
 * config/database.yml of a Rails application: which of its databases has the queue. What belongs to
 * other environments and databases is not looked at: only Ruby may be able to read it.
 */
#include <string.h>

#include "config/files/reader.h"

static bool has_databases(const struct node *node)
{
	for (size_t i = 0; i < node->count; i++)
		if (node->pairs[i].value->kind != NODE_MAPPING)
			return false;
	return node->kind == NODE_MAPPING && node->count > 0;
}

static const char *names(struct reader *reader, const struct node *node)
{
	const char *list = "";
	for (size_t i = 0; i < node->count && i < SETTINGS_MAXIMUM; i++)
		list = arena_printf(reader->arena, "%s%s%s", list, i ? ", " : "",
				    quoted(reader->arena, node->pairs[i].key->text));
	return list;
}

/* The pair of the environment, or NULL, reported. */
static const struct node_pair *find_environment(struct reader *reader, const struct node *root)
{
	const char *environment = reader->config->environment;
	size_t at = root->kind == NODE_MAPPING ? node_find(root, environment) : root->count;
	if (at < root->count && !node_is_null(root->pairs[at].value))
		return &root->pairs[at];
	report_error(reader->report, root->place, "has no database for the environment %s, only %s",
		     quoted(reader->arena, environment),
		     root->kind == NODE_MAPPING ? names(reader, root) : node_kind_name(root));
	return NULL;
}

static struct rails_entry make_entry(struct reader *reader, const struct node_pair *environment,
				     const struct node_pair *pair)
{
	const char *name = environment->key->text;
	if (pair != environment)
		name = arena_printf(reader->arena, "%s.%s", name, pair->key->text);
	return (struct rails_entry){ name, pair == environment ? "primary" : pair->key->text,
				     pair->value, pair->key->place };
}

static bool choose(struct reader *reader, const struct node *root, struct rails_entry *entry)
{
	const struct node_pair *environment = find_environment(reader, root);
	if (!environment)
		return false;
	const struct node *databases = environment->value;
	const struct node_pair *pair = environment;
	if (has_databases(databases)) {
		size_t at = node_find(databases, "queue");
		if (at == databases->count)
			at = databases->count == 1 ? 0 : node_find(databases, "primary");
		pair = at < databases->count ? &databases->pairs[at] : NULL;
	}
	if (pair)
		*entry = make_entry(reader, environment, pair);
	else
		report_error(reader->report, environment->key->place,
			     "%s has the databases %s, expected one that is called queue or "
			     "primary, or database.url in config/dray.yml",
			     environment->key->text, names(reader, databases));
	return pair != NULL;
}

bool rails_has_queue(const struct reader *reader, const struct node *root)
{
	const struct node *databases = node_get(root, reader->config->environment);
	return databases && has_databases(databases) && node_has(databases, "queue");
}

void rails_read(struct reader *reader, const struct node *root)
{
	struct rails_entry entry = { 0 };
	size_t before = report_errors(reader->report);
	if (!choose(reader, root, &entry))
		return;
	const char *url = rails_url(reader, &entry);
	if (!url || report_errors(reader->report) != before)
		return;
	reader->config->database.url = url;
	reader->config->database_entry = entry.name;
	*instance_place(&reader->config->origins->list[0], "url") = entry.place;
}
