#include <string.h>

#include "config/files/reader.h"

static const char *full_path(struct arena *arena, const struct instance *instance, const char *key)
{
	return *instance->prefix ? arena_printf(arena, "%s.%s", instance->prefix, key) : key;
}

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
