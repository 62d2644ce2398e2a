#include "cli/deploy/check_show.h"

#include "cli/output/table.h"

json_t *check_settings(struct cli *cli)
{
	const struct config_value *values;
	json_t *rows = json_array();
	size_t count = config_show(cli->config, &values);

	for (size_t i = 0; i < count; i++) {
		json_t *row = json_object();
		json_object_set_new(row, "path", value_text(values[i].path));
		json_object_set_new(row, "value", value_text(values[i].value));
		json_object_set_new(row, "origin", value_text(values[i].origin));
		json_object_set_new(row, "default", json_boolean(values[i].usual));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* When a setting has no effect, the file is often not the one that was meant. */
json_t *check_files_read(const struct cli *cli)
{
	static const char *const states[] = {
		[FILE_READ] = "read",
		[FILE_MISSING] = "does not exist",
		[FILE_UNREADABLE] = "cannot be read",
		[FILE_SKIPPED] = "left out",
	};
	const struct config *config = cli->config;
	json_t *rows = json_array();

	for (size_t i = 0; i < config->file_count; i++) {
		const struct config_file *file = &config->files[i];
		json_t *row = json_object();
		json_object_set_new(row, "file", value_text(file->name));
		json_object_set_new(row, "path", value_text(file->path));
		json_object_set_new(row, "state", value_text(states[file->state]));
		json_object_set_new(row, "origin", value_text(file->origin));
		json_array_append_new(rows, row);
	}
	return rows;
}

static void show_files(const struct cli *cli)
{
	static const struct column columns[] = {
		{ "file", "FILE", CELL_TEXT },
		{ "path", "PATH", CELL_TEXT },
		{ "state", "STATE", CELL_STATE },
		{ "origin", "FROM", CELL_TEXT },
		{ 0 },
	};

	table_print(cli, columns, check_files_read(cli));
	say(cli, "%s", "");
}

void check_show(const struct cli *cli, const json_t *settings, bool all)
{
	static const struct column columns[] = {
		{ "path", "SETTING", CELL_TEXT },
		{ "value", "VALUE", CELL_TEXT },
		{ "origin", "FROM", CELL_TEXT },
		{ 0 },
	};
	json_t *rows = json_array();
	size_t left_out = 0;
	json_t *row;
	size_t i;

	show_files(cli);
	json_array_foreach(settings, i, row)
	{
		if (all || json_is_false(json_object_get(row, "default")))
			json_array_append(rows, row);
		else
			left_out++;
	}
	if (json_array_size(rows) > 0)
		table_print(cli, columns, rows);
	else
		json_decref(rows);
	if (left_out > 0)
		say(cli, "%zu %s the default: `dray check --all` lists %s.", left_out,
		    left_out == 1 ? "setting has" : "settings have", left_out == 1 ? "it" : "them");
}
