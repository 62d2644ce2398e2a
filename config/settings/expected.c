/* What a setting takes, in words, and how it is reported that something else was found. */
#include "config/settings/value.h"

struct words {
	const char *noun;
	const char *example; /* after the range */
};

static const struct words words[] = {
	[SETTING_BOOL] = { "true or false", NULL },
	[SETTING_NUMBER] = { "a whole number", NULL },
	[SETTING_COUNT] = { "a whole number", NULL },
	[SETTING_DURATION] = { "a duration", " (seconds, or such as 30s or 1h30m)" },
	[SETTING_SECONDS] = { "whole seconds", " (or such as 30s or 1h30m)" },
	[SETTING_SIZE] = { "a size", " (bytes, or such as 512M)" },
	[SETTING_SIGNAL] = { "the name of a signal (TERM, INT, QUIT, USR1) other than KILL, "
			     "STOP and those of faults (SEGV)",
			     NULL },
	[SETTING_CHOICE] = { "one of", NULL },
	[SETTING_TEXT] = { "text", NULL },
	[SETTING_URL] = { "a database URL", NULL },
	[SETTING_ZONE] = { "a time zone such as Europe/Madrid", NULL },
	[SETTING_QUEUES] = { "a queue name or a list of them", NULL },
	[SETTING_COMMAND] = { "a list of a program and its arguments", NULL },
	[SETTING_ARGUMENTS] = { "a value or a list of them", NULL },
	[SETTING_ENVIRONMENT] = { "a list of NAME or NAME=value", NULL },
	[SETTING_PATTERNS] = { "a pattern or a list of them: an error class (a * at its end stands "
			       "for any ending), an exit status or a range of them (64-78), "
			       "signal, lost or timeout",
			       NULL },
	[SETTING_SHARE] = { "a number", NULL },
	[SETTING_WAIT] = { "a duration, a list of durations, linear, exponential or "
			   "polynomially_longer",
			   NULL },
	[SETTING_EXITS] = { "a mapping of exit statuses (75) or ranges of them (64-78) to ok, "
			    "fail, "
			    "retry, discard or such as snooze 10m",
			    NULL },
	[SETTING_GROUP] = { "a mapping", NULL },
	[SETTING_ENTRIES] = { "a list of mappings", NULL },
	[SETTING_NAMES] = { "a mapping of names to mappings", NULL },
	[SETTING_IGNORED] = { "nothing", NULL },
	[SETTING_REFUSED] = { "nothing", NULL },
};

static const char *choices(const struct setting *setting, struct arena *arena)
{
	const char *text = "one of ";
	for (size_t i = 0; setting->choices[i]; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", setting->choices[i]);
	return text;
}

const char *setting_expected(const struct setting *setting, struct arena *arena)
{
	const struct words *own = &words[setting->type];
	if (setting->choices)
		return choices(setting, arena);
	if (!setting->minimum)
		return setting->maximum ? arena_printf(arena, "%s of at most %s bytes", own->noun,
						       setting->maximum)
					: own->noun;
	return arena_printf(arena, "%s from %s to %s%s", own->noun, setting->minimum,
			    setting->maximum, own->example ? own->example : "");
}

bool value_leads_with_zero(const struct node *node)
{
	const char *text = node->kind == NODE_SCALAR && node->text ? node->text : "";
	const char *digits = text + (*text == '-' || *text == '+');
	return digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
}

const char *value_zero_hint(const struct node *node)
{
	return value_leads_with_zero(node) ? ", without a leading zero (YAML takes 010 for 8)" : "";
}

bool value_mistake(const struct value_context *context, const struct setting *setting,
		   const struct node *node)
{
	report_error(context->report, node->place, "%s is %s, expected %s%s", context->name,
		     node_describe(node, context->arena), setting_expected(setting, context->arena),
		     value_zero_hint(node));
	return false;
}

bool value_has_text(const struct value_context *context, const struct node *node)
{
	if (node->fault)
		report_error(context->report, node->fault->place, "%s", node->fault->fault);
	return !node->fault;
}
