#include "config/settings/setting.h"

#include <string.h>

const struct setting *setting_find(const struct settings *settings, const char *key)
{
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->rows[i].key, key) == 0)
			return &settings->rows[i];
	return NULL;
}
