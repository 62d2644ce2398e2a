/* Unknown keys, among them those of cron, systemd and other job systems: what dray has instead. */
#include <string.h>

#include "common/text/parse.h"
#include "common/text/rails.h"
#include "config/settings/setting.h"

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
	{ "workers", "queues", "\"workers\", such as [{queues: [a, b]}]" },
	{ "workers", "recurring cron crontab schedule tasks", IN_RECURRING },
	{ "workers", "jobs classes commands", "none: classes belong in jobs.yml" },
	{ "workers", "url database_url redis", "\"database\", which has \"url\"" },
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
		if (setting_find(settings, habits[i].key) && rails_listed(habits[i].tried, small))
			return habits[i].expected;
	return NULL;
}

static bool usable(const struct setting *setting)
{
	return setting->type != SETTING_REFUSED && setting->type != SETTING_IGNORED;
}

static const char *list_all(struct arena *arena, const char *const words[], size_t count)
{
	struct text text = { 0 };
	for (size_t i = 0; i < count; i++)
		text_printf(&text, "%s%s", i ? ", " : "one of ", words[i]);
	return text_take(&text, arena);
}

void setting_unknown(struct report *report, struct arena *arena, const struct settings *settings,
		     const struct node *key, const char *where)
{
	const char *words[SETTINGS_MAXIMUM] = { NULL };
	size_t count = 0;
	for (size_t i = 0; i < settings->count; i++)
		if (usable(&settings->rows[i]))
			words[count++] = settings->rows[i].key;
	const char *known = setting_habit(settings, key->text);
	const char *nearest = known ? NULL : nearest_word(key->text, words, count);
	report_error(report, key->place, "unknown key %s%s%s, expected %s",
		     quoted(arena, key->text), *where ? " in " : "", where,
		     known     ? known
		     : nearest ? quoted(arena, nearest)
			       : list_all(arena, words, count));
}
