#include "queue/recurring/share.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "queue/processes/servers.h"
#include "queue/processes/shared.h"

void recurring_others_add(struct arena *arena, struct recurring_others *others, const char *key)
{
	others->keys = arena_extend(arena, others->keys, others->count, sizeof(*others->keys));
	others->keys[others->count++] = arena_strdup(arena, key);
}

static void add_keys(struct arena *arena, struct recurring_others *others, const json_t *list,
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *key = json_string_value(json_array_get(list, i));
		if (key)
			recurring_others_add(arena, others, key);
	}
}

/*
 * A dray scheduler reports how many entries of its list come from its file, and cuts a long list. A
 * scheduler that has reported nothing yet is just starting.
 */
static void add_server(struct arena *arena, struct recurring_others *others,
		       const struct server *server, bool dray)
{
	json_t *root = server->row.metadata ? json_loads(server->row.metadata, 0, NULL) : NULL;
	const json_t *list = json_object_get(root, "recurring_schedule");
	const json_t *number = json_object_get(root, "static_tasks");
	size_t count = json_array_size(list);
	bool ours = shared_is_ours(server->row.metadata);

	if (dray && ours) {
		size_t wanted = number ? (size_t)json_integer_value(number) : SIZE_MAX;
		others->name = server->row.name;
		others->partial |= wanted > count;
		add_keys(arena, others, list, wanted < count ? wanted : count);
	} else if (!dray && !ours) {
		add_keys(arena, others, list, count);
	}
	json_decref(root);
}

static void add_servers(struct arena *arena, struct recurring_others *others,
			const struct servers *servers, int64_t self, bool dray)
{
	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (strcmp(server->row.kind, "Scheduler") == 0 && !server->silent &&
		    server->row.id != self)
			add_server(arena, others, server, dray);
	}
}

enum status recurring_others_read(struct db *db, struct arena *arena, const struct prune *patience,
				  struct recurring_others *others, struct error *error)
{
	struct servers servers = { 0 };
	enum status status = servers_read(db, arena, patience, &servers, error);

	*others = (struct recurring_others){ 0 };
	if (status != STATUS_OK)
		return status;
	add_servers(arena, others, &servers, patience->self, true);
	others->ours = others->count;
	add_servers(arena, others, &servers, patience->self, false);
	return STATUS_OK;
}

static bool lists(const struct server *server, const char *key)
{
	json_t *root = server->row.metadata ? json_loads(server->row.metadata, 0, NULL) : NULL;
	const json_t *list = json_object_get(root, "recurring_schedule");
	bool ours = shared_is_ours(server->row.metadata);
	bool found = false;

	for (size_t i = 0; !ours && i < json_array_size(list) && !found; i++) {
		const char *name = json_string_value(json_array_get(list, i));
		found = name && strcmp(name, key) == 0;
	}
	json_decref(root);
	return found;
}

enum status recurring_elsewhere(struct db *db, struct arena *arena, const struct prune *patience,
				struct recurring_elsewhere *elsewhere, struct error *error)
{
	struct servers servers = { 0 };
	enum status status = servers_read(db, arena, patience, &servers, error);

	elsewhere->scheduler = NULL;
	for (size_t i = 0; status == STATUS_OK && i < servers.count; i++) {
		const struct server *server = &servers.list[i];
		if (strcmp(server->row.kind, "Scheduler") == 0 && !server->silent &&
		    lists(server, elsewhere->key))
			elsewhere->scheduler = server->row.name;
	}
	return status;
}
