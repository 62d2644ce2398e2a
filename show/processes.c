#include "show/show.h"

static json_t *process_json(const struct process_row *process)
{
	json_t *row = json_object();

	json_object_set_new(row, "id", json_integer(process->id));
	json_object_set_new(row, "kind", value_text(process->kind));
	json_object_set_new(row, "name", value_text(process->name));
	json_object_set_new(row, "pid", json_integer(process->pid));
	json_object_set_new(row, "hostname", value_text(process->hostname));
	json_object_set_new(row, "supervisor_id", value_id(process->supervisor_id));
	json_object_set_new(row, "claimed", json_integer(process->claims));
	json_object_set_new(row, "last_heartbeat_at", value_time(process->last_heartbeat_at));
	json_object_set_new(row, "created_at", value_time(process->created_at));
	json_object_set_new(row, "metadata", value_json(process->metadata));
	json_object_set_new(row, "paused", json_boolean(process->paused_at != 0));
	json_object_set_new(row, "paused_at", value_time(process->paused_at));
	json_object_set_new(row, "paused_until", value_time(process->paused_until));
	json_object_set_new(row, "paused_by", value_text(process->paused_by));
	json_object_set_new(row, "pause_reason", value_text(process->pause_reason));
	json_object_set_new(row, "leaving_since", value_time(0));
	json_object_set_new(row, "trouble", json_null());
	json_object_set_new(row, "trouble_since", json_null());
	json_object_set_new(row, "outdated_since", json_null());
	json_object_set_new(row, "gone_at", json_null());
	json_object_set_new(row, "how", json_null());
	json_object_set_new(row, "released", json_null());
	json_object_set_new(row, "failed", json_null());
	return row;
}

static json_t *living_json(const struct server *server)
{
	json_t *row = process_json(&server->row);

	json_object_set_new(row, "leaving_since", value_time(server->leaving_since));
	json_object_set_new(row, "trouble", value_text(server->trouble));
	json_object_set_new(row, "trouble_since", value_time(server->trouble_since));
	json_object_set_new(row, "outdated_since", value_time(server->outdated_since));
	return row;
}

/* The same keys as for a registered process, because both are in one array. */
static json_t *gone_json(const struct gone *gone)
{
	const struct process_row last = { .id = gone->process_id,
					  .kind = gone->kind,
					  .name = gone->name,
					  .pid = (int)gone->pid,
					  .hostname = gone->hostname,
					  .last_heartbeat_at = gone->last_heartbeat_at };
	json_t *row = process_json(&last);

	json_object_set_new(row, "gone_at", value_time(gone->at));
	json_object_set_new(row, "how", value_text(gone->how));
	json_object_set_new(row, "released", json_integer(gone->released));
	json_object_set_new(row, "failed", json_integer(gone->failed));
	return row;
}

json_t *show_processes(const struct servers *servers, const struct gone gone[], size_t gone_count)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < servers->count; i++)
		json_array_append_new(rows, living_json(&servers->list[i]));
	for (size_t i = 0; i < gone_count; i++)
		json_array_append_new(rows, gone_json(&gone[i]));
	return rows;
}
