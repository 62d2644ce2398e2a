#include "supervisor/state.h"

static void describe_leaving(struct supervisor *supervisor, struct text *members)
{
	struct arena *arena = arena_new();
	const char **names = arena_array(arena, supervisor->children.count + 1, sizeof(*names));

	supervisor->leaving = children_leaving(&supervisor->children, names);
	if (supervisor->leaving > 0) {
		text_printf(members, "%s\"leaving\":", members->length > 0 ? "," : "");
		text_json_texts(members, names, supervisor->leaving);
	}
	arena_free(arena);
}

void supervisor_describe(struct supervisor *supervisor)
{
	const struct reload *reload = &supervisor->reload;
	struct text members = { 0 };
	struct text names = { 0 };

	if (children_quiet(&supervisor->children))
		text_add(&members, "\"quiet\":true");
	supervisor->given_up = children_given_up(&supervisor->children, &names);
	if (supervisor->given_up > 0) {
		text_printf(&members, "%s\"given_up\":", members.length > 0 ? "," : "");
		text_json(&members, text_string(&names));
	}
	describe_leaving(supervisor, &members);
	if (reload->count > 0) {
		text_printf(&members, "%s\"reloads\":%u,\"reload_worked\":%s,\"reload\":",
			    members.length > 0 ? "," : "", reload->count,
			    reload->worked ? "true" : "false");
		text_json(&members, reload->outcome);
		if (reload->unanswered > 0)
			text_printf(&members, ",\"reload_unanswered\":%zu", reload->unanswered);
	}
	maintenance_describe(&supervisor->maintenance, text_string(&members));
	text_free(&names);
	text_free(&members);
}
