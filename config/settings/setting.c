/*
 * What is known of a setting without its value: the row of a key, what it takes in words, and what
 * is said of a value or a key that it is not. An unknown key is a mistake that is worth its own
 * answer: people bring the words of cron, systemd and other job systems, and are told what dray has
 * instead, or the nearest key.
 */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "config/settings/setting.h"

const struct setting *setting_find(const struct settings *settings, const char *key)
{
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->rows[i].key, key) == 0)
			return &settings->rows[i];
	return NULL;
}

/* What a setting takes */

struct nouns {
	const char *noun;
	const char *example; /* after the range */
};

static const struct nouns nouns[] = {
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
	[SETTING_PROGRAM] = { "a list of a program and its arguments", NULL },
	[SETTING_ARGUMENTS] = { "a value or a list of them", NULL },
	[SETTING_ENVIRONMENT] = { "a list of NAME or NAME=value", NULL },
	[SETTING_PATTERNS] = { "a pattern or a list of them: an error class (a * at its end stands "
			       "for any ending), an exit status or a range of them (64-78), "
			       "signal, lost or timeout",
			       NULL },
	[SETTING_HOSTS] = { "a list of at most 100 names of hosts", NULL },
	[SETTING_SHARE] = { "a number", NULL },
	[SETTING_WAIT] = { "a duration, a list of durations, linear, exponential or "
			   "polynomially_longer",
			   NULL },
	[SETTING_EXITS] = { "a mapping of exit statuses (75) or ranges of them (64-78) to ok, "
			    "fail, retry, discard or such as snooze 10m",
			    NULL },
	[SETTING_GROUP] = { "a mapping", NULL },
	[SETTING_ENTRIES] = { "a list of mappings", NULL },
	[SETTING_NAMES] = { "a mapping of names to mappings", NULL },
	[SETTING_IGNORED] = { "nothing", NULL },
	[SETTING_REFUSED] = { "nothing", NULL },
};

static const char *list_choices(const struct setting *setting, struct arena *arena)
{
	const char *text = "one of ";
	for (size_t i = 0; setting->choices[i]; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", setting->choices[i]);
	return text;
}

const char *setting_expected(const struct setting *setting, struct arena *arena)
{
	const struct nouns *own = &nouns[setting->type];
	if (setting->choices)
		return list_choices(setting, arena);
	if (!setting->minimum)
		return setting->maximum ? arena_printf(arena, "%s of at most %s bytes", own->noun,
						       setting->maximum)
					: own->noun;
	return arena_printf(arena, "%s from %s to %s%s", own->noun, setting->minimum,
			    setting->maximum, own->example ? own->example : "");
}

bool value_leads_with_zero(const struct node *node)
{
	return node->kind == NODE_SCALAR && node->text && leads_with_zero(node->text);
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

struct unit {
	const char *name;
	int64_t size;
};

const char *value_duration(struct arena *arena, int64_t span)
{
	static const struct unit units[] = {
		{ "d", CLOCK_DAY },    { "h", CLOCK_HOUR },         { "m", CLOCK_MINUTE },
		{ "s", CLOCK_SECOND }, { "ms", CLOCK_MILLISECOND }, { "us", 1 },
	};
	const char *text = "";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		int64_t many = span / units[i].size;
		span %= units[i].size;
		if (many)
			text = arena_printf(arena, "%s%lld%s", text, (long long)many,
					    units[i].name);
	}
	return *text ? text : "0s";
}

/* Unknown keys */

#define IN_RECURRING "none: recurring tasks belong in recurring.yml"

static const struct {
	const char *key;   /* of the table in which they are tried */
	const char *tried; /* in small letters */
	const char *expected;
} habits[] = {
	{ "schedule",
	  "cron crontab spec every interval at in when timer rule rrule oncalendar on_calendar "
	  "onunitactivesec onbootsec",
	  "\"schedule\", which takes cron expressions, and words such as every 5 minutes" },
	{ "schedule", "job task job_class class_name klass worker", "\"class\"" },
	{ "schedule", "arguments params parameters kwargs payload data", "\"args\"" },
	{ "schedule", "tz cron_tz", "\"time_zone\"" },
	{ "schedule", "status disabled active suspend suspended enabled_by_default",
	  "\"enabled\", such as enabled: false" },
	{ "schedule", "catchup catch_up coalesce persistent startingdeadlineseconds",
	  "\"misfire\"" },
	{ "schedule",
	  "no_overlap no-overlap overlapping concurrencypolicy without_overlapping max_instances "
	  "unique lock",
	  "\"overlap\", such as overlap: skip" },
	{ "schedule", "options job_options sidekiq_options set",
	  "none: \"queue\", \"priority\" and \"args\" are keys of the task itself" },
	{ "schedule", "tags meta labels", "\"description\", a note for people" },
	{ "schedule", "expires ttl",
	  "none: \"expires_in\" is a setting of its class, in jobs.yml" },
	{ "schedule", "random_delay randomizeddelaysec splay", "\"jitter\"" },
	{ "module", "cron crontab schedule every", IN_RECURRING },
	{ "module", "args arguments params",
	  "none: each job has its own, which \"command\" has as {0} or {name}" },
	{ "module", "sidekiq_options options job_options",
	  "none: each is a key of the class itself, such as \"queue\" and \"retry\"" },
	{ "module", "retry_on discard_on autoretry_for",
	  "\"retry\", which may have \"retry_on\" and \"discard_on\"" },
	{ "module", "expires ttl", "\"expires_in\"" },
	{ "queue", "queue_as queue_name", "\"queue\"" },
	{ "module", "unique unique_for until_executed lock",
	  "\"concurrency\", which may have on_conflict: discard" },
	{ "module",
	  "max_concurrency concurrency_limit total_limit perform_limit instances numprocs",
	  "\"concurrency\", such as {to: 3}" },
	{ "module", "rate_limit rate throttle",
	  "none: dray limits how many jobs run at once (\"concurrency\"), not how many in a time" },
	{ "concurrency", "limit", "\"concurrency\" (jobs at once) or \"limits\" (of its process)" },
	{ "command", "cmd run exec script program execstart exec_start", "\"command\"" },
	{ "command", "shell",
	  "\"command\", such as [sh, -c, \"...\"]: there is no shell of its own" },
	{ "command", "container image docker",
	  "\"command\", such as [docker, exec, CONTAINER, PROGRAM]" },
	{ "command", "user uid run_as runas group gid",
	  "none: a job runs as the user of its worker; start a worker as that user, for a queue of "
	  "its own" },
	{ "command", "env environment_variables", "\"environment\"" },
	{ "command", "cwd dir chdir workdir working_dir working_directory workingdirectory",
	  "\"directory\"" },
	{ "command", "retries tries restart restartpolicy", "\"retry\"" },
	{ "command",
	  "max_attempts max_retries max_tries attempts retry_count retry_limit backofflimit",
	  "\"retry\", which may have \"attempts\"" },
	{ "command",
	  "wait backoff retry_in retry_delay retry_backoff default_retry_delay sidekiq_retry_in "
	  "restartsec",
	  "\"retry\", which may have \"wait\"" },
	{ "command",
	  "time_limit soft_time_limit max_run_time max_runtime run_timeout job_timeout "
	  "execution_timeout runtimemaxsec activedeadlineseconds",
	  "\"timeout\"" },
	{ "command",
	  "memory mem memory_limit max_memory memorymax memorylimit resources ulimit rlimit cpu",
	  "\"limits\", such as {memory: 512M}" },
	{ "command", "stdout log logfile log_file output_file standardoutput",
	  "\"output\", such as output: log" },
	{ "command", "stderr standarderror",
	  "none: the last lines of standard error stand in the error of a job that fails" },
	{ "command", "mailto", "none: `dray errors` and `dray doctor` tell what has failed" },
	{ "command",
	  "stop_signal stopsignal kill_signal killsignal stop_timeout timeoutstopsec "
	  "terminationgraceperiodseconds",
	  "\"stop\", which may have \"signal\" and \"grace\"" },
	{ "command", "ttlsecondsafterfinished successfuljobshistorylimit failedjobshistorylimit",
	  "none: \"clear_finished_jobs_after\" of queue.yml deletes finished jobs" },
	{ "on_conflict", "limit max total_limit perform_limit total count", "\"to\"" },
	{ "on_conflict", "expires_in ttl", "\"duration\"" },
	{ "max_wait", "times limit max count retries tries max_attempts max_retries",
	  "\"attempts\"" },
	{ "max_wait", "delay interval backoff", "\"wait\"" },
	{ "file_size", "mem ram rss as memory_limit", "\"memory\"" },
	{ "file_size", "nofile open_files", "\"files\"" },
	{ "file_size", "nproc", "\"processes\"" },
	{ "threads", "concurrency pool pool_size max_threads", "\"threads\"" },
	{ "threads", "user uid", "none: a worker runs as the user who starts dray" },
	{ "workers", "concurrency threads", "\"workers\", such as [{threads: 3}]" },
	{ "workers", "recurring cron crontab schedule tasks", IN_RECURRING },
	{ "workers", "jobs classes commands", "none: classes belong in jobs.yml" },
	{ "workers", "url database_url db redis", "\"database\", which has \"url\"" },
	{ "url", "host port user username password adapter",
	  "\"url\", such as postgres://user@host/name" },
	{ "threads", "count number", "\"processes\", or \"threads\" of one" },
	{ "workers", "log_level loglevel verbose", "\"log\", which has \"level\"" },
	{ "workers", "pidfile pid_file", "\"supervisor_pidfile\"" },
	{ "workers", "retention max_age cleanup", "\"clear_finished_jobs_after\"" },
	{ "workers", "timeout", "\"shutdown_timeout\"" },
};

const char *setting_habit(const struct settings *settings, const char *tried)
{
	char small[32] = "";

	for (size_t i = 0; i + 1 < sizeof(small) && tried[i] != '\0'; i++)
		small[i] = (char)(tried[i] >= 'A' && tried[i] <= 'Z' ? tried[i] | 0x20 : tried[i]);
	for (size_t i = 0; i < sizeof(habits) / sizeof(*habits); i++)
		if (setting_find(settings, habits[i].key) && name_listed(habits[i].tried, small))
			return habits[i].expected;
	return NULL;
}

static bool is_usable(const struct setting *setting)
{
	return setting->type != SETTING_REFUSED && setting->type != SETTING_IGNORED;
}

static const char *list_all(struct arena *arena, const char *const words[], size_t count)
{
	struct text text = { 0 };
	for (size_t i = 0; i < count; i++)
		text_printf(&text, "%s%s", i ? ", " : count > 1 ? "one of " : "", words[i]);
	return text_take(&text, arena);
}

void setting_unknown(struct report *report, struct arena *arena, const struct settings *settings,
		     const struct node *key, const char *where)
{
	const char *words[SETTINGS_MAXIMUM] = { NULL };
	size_t count = 0;
	for (size_t i = 0; i < settings->count; i++)
		if (is_usable(&settings->rows[i]))
			words[count++] = settings->rows[i].key;
	const char *known = setting_habit(settings, key->text);
	const char *nearest = known ? NULL : nearest_word(key->text, words, count);
	report_error(report, key->place, "unknown key %s%s%s, expected %s",
		     quoted(arena, key->text), *where ? " in " : "", where,
		     known     ? known
		     : nearest ? quoted(arena, nearest)
			       : list_all(arena, words, count));
}
