#include <string.h>

#include "db/driver.h"

static const struct db_value *find_value(const struct db_call *call, const char *name)
{
	for (size_t i = 0; i < call->count; i++)
		if (strcmp(call->values[i].name, name) == 0)
			return &call->values[i];
	return NULL;
}

enum status driver_bind(struct arena *arena, const struct db_call *call, struct driver_call *bound,
			struct error *error)
{
	const struct script *script = bound->script;
	struct db_value *values = arena_array(arena, script->parameter_count + 1, sizeof(*values));

	for (unsigned i = 0; i < script->parameter_count; i++) {
		const struct db_value *value = find_value(call, script->parameters[i]);
		if (!value)
			return error_set(error, STATUS_FATAL, "%s: no value for parameter %s",
					 script->name, script->parameters[i]);
		values[i] = *value;
	}
	if (call->count > script->parameter_count)
		return error_set(error, STATUS_FATAL, "%s: %zu values for %u parameters",
				 script->name, call->count, script->parameter_count);
	bound->values = values;
	return STATUS_OK;
}
