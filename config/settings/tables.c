/*
 * The settings: every default and limit of the files is defined here and nowhere else, and the
 * reference in docs/configuration.md is written from here.
 */
#include "config/config.h"
#include "config/files/reader.h"
#include "config/settings/setting.h"

#define SETTINGS(table)                                                                            \
	{                                                                                          \
		.rows = (table), .count = sizeof(table) / sizeof(*(table)), .size = sizeof(OWNER)  \
	}

/*
 * The key and the field have the same name; then the default, the description, and the minimum and
 * maximum where needed.
 */
#define ROW(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, name), __VA_ARGS__ \
	}
#define PROCESS(kind, name, ...)                                                                   \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, process.name),     \
		__VA_ARGS__                                                                        \
	}
/* The section of a role; of a list ROLE_LIST, with the field of its length. */
#define ROLE(kind, name, settings, ...)                                                            \
	ROW(kind, name, NULL, __VA_ARGS__, .group = &(settings), .primary = true, .role = true)
#define ROLE_LIST(name, length, settings, ...)                                                     \
	ROLE(ENTRIES, name, settings, __VA_ARGS__, .count_offset = offsetof(OWNER, length))
/* A key without a field. */
#define KEY(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = 0, __VA_ARGS__                     \
	}

static const char *const levels[] = {
	[LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARN] = "warn", [LOG_ERROR] = "error", NULL
};
static const char *const formats[] = {
	[LOG_AUTO] = "auto", [LOG_FORMAT_TEXT] = "text", [LOG_FORMAT_JSON] = "json", NULL
};
static const char *const unknown_classes[] = {
	[UNKNOWN_AUTO] = "auto", [UNKNOWN_FAIL] = "fail", [UNKNOWN_LEAVE] = "leave", NULL
};
static const char *const fates[] = { [ON_LOST_REQUEUE] = "requeue", [ON_LOST_FAIL] = "fail", NULL };
static const char *const run_histories[] = {
	[HISTORY_FAILURES] = "failures", [HISTORY_ALL] = "all", NULL
};
static const char *const run_inputs[] = {
	[INPUT_PAYLOAD] = "payload", [INPUT_NONE] = "none", NULL
};
static const char *const outputs[] = { [OUTPUT_DISCARD] = "discard", [OUTPUT_LOG] = "log", NULL };

static const char *const runners[] = { [RUN_BY_DRAY] = "dray", [RUN_BY_OTHER] = "other", NULL };

static const char *const isolations[] = {
	[ISOLATION_THREAD] = "thread", [ISOLATION_PROCESS] = "process", NULL
};

#define OWNER struct config_database
static const struct setting database_rows[] = {
	ROW(URL, url, "sqlite3:storage/dray.sqlite3",
	    "`sqlite3:PATH`, `postgres://...` or `mysql://...`. `--database`, then "
	    "`DRAY_DATABASE_URL` override it; if it is not set, `DATABASE_URL` applies, then in a "
	    "Rails application the queue's entry of `config/database.yml`"),
	ROW(TEXT, schema, NULL,
	    "PostgreSQL schema that holds the tables; without it the first one of the search path",
	    .maximum = "63"),
	ROW(TEXT, password_file, NULL,
	    "file whose first line is the password, which then need not be in the URL"),
	ROW(DURATION, connect_timeout, "5s", "longest wait for a connection", "10ms", "10m"),
	ROW(DURATION, call_timeout, "30s", "longest wait for an answer", "10ms", "1h"),
	ROW(DURATION, retry_for, "10s",
	    "how long dray retries after a deadlock, a lock timeout or a busy file; each attempt "
	    "waits up to 5s for a lock, even with `0s`",
	    "0s", "1h"),
	ROW(BOOL, use_skip_locked, "true",
	    "set `false` for servers without `SKIP LOCKED` (MySQL before 8, MariaDB before 10.6)"),
};
const struct settings database_settings = SETTINGS(database_rows);
#undef OWNER

#define OWNER struct config_log
static const struct setting log_rows[] = {
	ROW(CHOICE, level, "info", "lines below this level are dropped", .choices = levels),
	ROW(CHOICE, format, "auto", "`auto` writes text to a terminal and JSON elsewhere",
	    .choices = formats),
	ROW(BOOL, silence_polling, "true", "do not log empty polls, not even at level `debug`"),
};
const struct settings log_settings = SETTINGS(log_rows);
#undef OWNER

#define OWNER struct config_worker
static const struct setting worker_rows[] = {
	ROW(QUEUES, queues, "*",
	    "queues in order of preference; `prefix*` matches every queue whose name begins with "
	    "the prefix, `*` matches all queues. While more than 64 of them have jobs, what comes "
	    "for an earlier one may wait for a second",
	    .count_offset = offsetof(struct config_worker, queue_count)),
	ROW(NUMBER, threads, "3", "jobs that each process runs at once", "1", "1024"),
	ROW(NUMBER, processes, "1", "worker processes with these settings", "1", "256"),
	ROW(DURATION, polling_interval, "100ms", "pause between polls while there is no work",
	    "1ms", "1h"),
	ROW(CHOICE, unknown_classes, "auto",
	    "jobs whose class is not in jobs.yml: `fail` them, or `leave` them ready, for a worker "
	    "that knows it or for other software; with `leave` claims always pass over such jobs; "
	    "`auto` leaves them, too, and passes over them always where other software shares the "
	    "tables (Rails created them, its processes run or have run, or jobs.yml has a class "
	    "with `run_by: other`), elsewhere only while there are any",
	    .choices = unknown_classes),
	KEY(REFUSED, fibers, NULL, "dray's workers use threads, expected threads: N"),
};
static const struct settings worker_settings = SETTINGS(worker_rows);
#undef OWNER

#define OWNER struct config_dispatcher
static const struct setting dispatcher_rows[] = {
	ROW(DURATION, polling_interval, "1s",
	    "pause between polls for scheduled jobs that have become due", "1ms", "1h"),
	ROW(NUMBER, batch_size, "500", "jobs dispatched at once", "1", "10000"),
	ROW(BOOL, concurrency_maintenance, "true",
	    "detect slots leaked by other software and release them, and admit blocked jobs that "
	    "could have a slot"),
	ROW(DURATION, concurrency_maintenance_interval, "30s", "pause between checks of the limits",
	    "100ms", "1d"),
	KEY(IGNORED, batch_maintenance, NULL, "dray has no Solid Queue batches"),
};
static const struct settings dispatcher_settings = SETTINGS(dispatcher_rows);
#undef OWNER

#define OWNER struct config_scheduler
static const struct setting scheduler_rows[] = {
	ROW(BOOL, dynamic_tasks_enabled, "false",
	    "also run recurring tasks that are added while the scheduler runs"),
	ROW(DURATION, polling_interval, "5s", "pause between checks for such tasks", "1ms", "1h"),
	ROW(BOOL, strict, "false",
	    "refuse schedules that clearly do not mean what they say, instead of only warning "
	    "about them"),
};
const struct settings scheduler_settings = SETTINGS(scheduler_rows);
#undef OWNER

#define OWNER struct config_promise
static const struct setting promise_rows[] = {
	ROW(DURATION, late_after, NULL,
	    "how long the first of its ready jobs may wait before the queue is late", "1ms",
	    "365d"),
};
const struct settings promise_settings = SETTINGS(promise_rows);
#undef OWNER

#define OWNER struct config_well
static const struct setting well_rows[] = {
	ROW(DURATION, every, "1m", "it is not run more often", "5s", "1d"),
	ROW(PROGRAM, command, NULL,
	    "program and arguments, run without a shell; what it prints goes to the log's "
	    "destination, and after 30 s it is stopped",
	    .count_offset = offsetof(struct config_well, command_count)),
};
const struct settings well_settings = SETTINGS(well_rows);
#undef OWNER

#define OWNER struct config
static const struct setting queue_rows[] = {
	ROLE_LIST(workers, worker_count, worker_settings, "processes that run jobs",
		  .fallback = true),
	ROLE_LIST(dispatchers, dispatcher_count, dispatcher_settings,
		  "processes that make due jobs ready", .fallback = true),
	ROLE(GROUP, scheduler, scheduler_settings,
	     "process that enqueues the jobs of recurring tasks"),
	KEY(NAMES, queues, NULL,
	    "what is promised of queues, by name; `prefix*` stands for every queue whose name "
	    "begins with the prefix, `*` for all: the name itself counts, then the longest prefix",
	    .group = &promise_settings),
	PROCESS(PROGRAM, on_alarm, NULL,
		"program and arguments, run without a shell when a finding begins and when it "
		"ends, once for the whole deployment, with one JSON object on its standard input; "
		"stopped after 30 s, tried three times",
		.count_offset = offsetof(struct config, process.on_alarm_count)),
	KEY(GROUP, on_well, NULL, "what is run now and then while no finding stands",
	    .group = &well_settings),
	ROW(HOSTS, expect_hosts, NULL,
	    "hosts on which a process has to run, or `dray health` tells; `[]`: none. Where no "
	    "host "
	    "has this: those that were there within a day and were not stopped",
	    .count_offset = offsetof(struct config, expect_host_count)),
	ROW(GROUP, database, NULL, "database that holds the jobs", .group = &database_settings),
	ROW(GROUP, log, NULL, "the log on standard error", .group = &log_settings),
	PROCESS(DURATION, process_heartbeat_interval, "5s",
		"how often a process writes its heartbeat", "100ms", "1h"),
	PROCESS(DURATION, process_alive_threshold, "30s",
		"age of its last heartbeat at which a process is taken for dead; must exceed the "
		"interval",
		"1s", "1d"),
	PROCESS(DURATION, other_process_alive_threshold, "5m",
		"the same for processes of other software, whose heartbeats are slower; the longer "
		"of the two thresholds applies",
		"1s", "1d"),
	PROCESS(DURATION, fork_startup_timeout, "5m",
		"a child that is not ready by then is replaced", "100ms", "1h"),
	PROCESS(DURATION, shutdown_timeout, "5s",
		"time that running jobs have to finish at a shutdown; then they are stopped and "
		"released",
		"0s", "1d"),
	PROCESS(DURATION, stop_grace, "5s",
		"time between TERM and KILL for the processes of a job that is stopped", "0s",
		"1h"),
	PROCESS(COUNT, max_leaving, "5",
		"earlier configurations whose workers may still end their jobs after reloads; a "
		"reload that would make one more is refused",
		"1", "100"),
	PROCESS(TEXT, supervisor_pidfile, NULL, "file for the supervisor's process ID"),
	PROCESS(BOOL, preserve_finished_jobs, "true",
		"keep the rows of finished jobs; those of discarded and cancelled ones are kept in "
		"any case"),
	PROCESS(DURATION, clear_finished_jobs_after, "1d",
		"age at which the rows of finished jobs are deleted, in small batches", "1s",
		"36500d"),
	PROCESS(COUNT, keep_attempts, "20",
		"how many of a job's runs that did not succeed its history has", "1", "1000"),
	PROCESS(DURATION, default_concurrency_control_period, "3m",
		"how long a slot stays taken when no job is known to hold it", "1s", "365d"),
	PROCESS(CHOICE, on_lost, "requeue",
		"what happens to a job whose process was lost (killed, crashed, its host gone): "
		"`requeue` runs it again, `fail` fails it",
		.choices = fates),
	PROCESS(CHOICE, other_on_lost, "fail",
		"the same for a job that a process of other software (a Rails worker) was running; "
		"`fail` is what Solid Queue does",
		.choices = fates),
	PROCESS(COUNT, max_losses, "3",
		"losses after which a job runs again; the next loss fails it", "0", "1000000"),
	PROCESS(ZONE, time_zone, NULL,
		"IANA time zone of schedules; without it the system's, or, where other software "
		"shares the tables, UTC as in Rails; `dray check` reports which"),
	KEY(REFUSED, use_skip_locked, NULL, "expected it under database"),
	KEY(REFUSED, silence_polling, NULL, "expected it under log"),
	KEY(REFUSED, connects_to, NULL, "expected database.url"),
};
const struct settings queue_settings = SETTINGS(queue_rows);
#undef OWNER

const struct setting *setting_next_role(const struct setting *row)
{
	const struct setting *end = queue_settings.rows + queue_settings.count;
	row = row ? row + 1 : queue_settings.rows;
	while (row < end && !row->role)
		row++;
	return row < end ? row : NULL;
}

#define OWNER struct config_limits
static const struct setting limits_rows[] = {
	ROW(SECONDS, cpu, NULL, "processor time", "1s", "36500d"),
	ROW(SIZE, memory, NULL, "address space", "1M", "1024T"),
	ROW(COUNT, files, NULL, "open descriptors", "3", "1048576"),
	ROW(COUNT, processes, NULL, "processes of the same user", "1", "4194304"),
	ROW(SIZE, file_size, NULL, "size of each file that it writes", "0", "1024T"),
	ROW(SIZE, core, NULL, "size of a core dump", "0", "1024T"),
};
const struct settings limits_settings = SETTINGS(limits_rows);
#undef OWNER

#define OWNER struct config_stop
static const struct setting stop_rows[] = {
	ROW(SIGNAL, signal, "TERM",
	    "what the process group of the run gets, with a `CONT` behind it; with or without "
	    "`SIG` in front"),
	ROW(DURATION, grace, NULL,
	    "time that the run then has to end before it is killed; without it `stop_grace`", "0s",
	    "1h"),
};
const struct settings stop_settings = SETTINGS(stop_rows);
#undef OWNER

static const char *const conflicts[] = { [CONFLICT_BLOCK] = "block",
					 [CONFLICT_DISCARD] = "discard",
					 [CONFLICT_REPLACE] = "replace",
					 [CONFLICT_CANCEL] = "cancel_running",
					 NULL };

#define OWNER struct config_concurrency
static const struct setting concurrency_rows[] = {
	ROW(NUMBER, to, "1", "jobs of one key that may run at once", "1", "1000000"),
	ROW(TEXT, key, NULL,
	    "what jobs must have in common, from their arguments as in `command`; without it all "
	    "jobs of the group share one key. `group/key` is the same text as Solid Queue's: if "
	    "the key is one argument, and it is missing or null, `/key` is left out; a record is "
	    "`Class/id`"),
	ROW(DURATION, duration, NULL,
	    "how long a slot stays taken when no job is known to hold it; without it "
	    "`default_concurrency_control_period`. The slot of a job whose process is alive never "
	    "expires",
	    "1s", "365d"),
	ROW(TEXT, group, NULL,
	    "first part of the key; classes with the same group can share slots; without it the "
	    "class's name",
	    .maximum = "255"),
	ROW(CHOICE, on_conflict, "block",
	    "what happens to a new job when all slots are taken: `block` it until one is free, "
	    "`discard` it, or `replace` those of its key and class that still wait; "
	    "`cancel_running` cancels these, and those that run",
	    .choices = conflicts),
};
const struct settings concurrency_settings = SETTINGS(concurrency_rows);
#undef OWNER

#define OWNER struct config_retry
static const struct setting retry_rows[] = {
	ROW(COUNT, attempts, "5",
	    "how often a job is executed at most, the first time included; when the last attempt "
	    "fails it waits for a person. Losses and interruptions do not count",
	    "1", "1000000"),
	ROW(WAIT, wait, "polynomially_longer",
	    "pause before the next attempt: the same each time, one for each attempt (the last one "
	    "for all that follow), or longer each time: after the nth execution `linear` is n "
	    "times 3 s, `exponential` 3 s doubled each time, `polynomially_longer` n⁴ + 2 s as in "
	    "Active Job"),
	ROW(DURATION, max_wait, "365d", "no pause is longer", "1ms", "365d"),
	ROW(SHARE, jitter, "0.15",
	    "chance adds up to this share of the pause, so that jobs that failed together do not "
	    "come back together",
	    "0", "1"),
	ROW(PATTERNS, retry_on, NULL,
	    "which errors are retried; without it all but exit statuses 64 to 74 and 76 to 78. A "
	    "job with another error waits for a person. `lost` stands for a job that was lost too "
	    "often (`max_losses`, `on_lost`), `timeout` for one that took longer than its "
	    "`timeout`"),
	ROW(PATTERNS, discard_on, NULL,
	    "errors that end the job at once, as finished, without a failed job that waits for a "
	    "person; goes before `retry_on`"),
};
const struct settings retry_settings = SETTINGS(retry_rows);
#undef OWNER

#define OWNER struct config_class
static const struct setting class_rows[] = {
	ROW(COMMAND, command, NULL,
	    "program and arguments, run without a shell; `{0}` and `{name}` stand for the job's "
	    "arguments, `{*}` for all positional ones, `{{` and `}}` for braces",
	    .count_offset = offsetof(struct config_class, command_count)),
	ROW(TEXT, module, NULL, "shared object with the class's function"),
	ROW(CHOICE, run_by, "dray",
	    "what runs its jobs: with `other` it has neither `command` nor `module`, and workers "
	    "leave its jobs alone even with `unknown_classes: fail`; its limits, queue and "
	    "priority still apply",
	    .choices = runners),
	ROW(CHOICE, isolation, "thread",
	    "where a module's function runs: on a `thread` of the worker, or in a lasting "
	    "`process` of its own, so that a crash costs only one job. A command always runs in a "
	    "process of its own",
	    .choices = isolations),
	ROW(COUNT, recycle_after, NULL,
	    "with `isolation: process`: jobs after which the process is replaced", "1",
	    "1000000000"),
	ROW(SIZE, recycle_above, NULL,
	    "with `isolation: process`: resident memory above which the process is replaced when "
	    "its job has ended",
	    "1M", "1024T"),
	ROW(TEXT, queue, NULL, "queue of new jobs; without it `default`"),
	ROW(NUMBER, priority, "0", "smaller runs first", "-2147483648", "2147483647"),
	ROW(TEXT, directory, NULL, "working directory of the process; without it the worker's"),
	ROW(ENVIRONMENT, environment, NULL,
	    "environment variables of the process: `NAME=value` sets one, `NAME` passes the "
	    "worker's to a command (an isolated module has all of them)"),
	ROW(GROUP, limits, NULL, "resource limits of the process", .group = &limits_settings),
	ROW(GROUP, stop, NULL,
	    "how a run is stopped that has not ended by itself: at its `timeout`, at the end of "
	    "`shutdown_timeout`, or when its job was given to another worker",
	    .group = &stop_settings),
	ROW(DURATION, timeout, NULL,
	    "how long a run may take; then it is stopped, and has failed with "
	    "`" TIMEOUT_ERROR "`. A job's own (`dray enqueue --timeout`) goes before it",
	    "1ms", "365d"),
	ROW(DURATION, expires_in, NULL,
	    "how long after the time that it was due a job may begin; one that is later is "
	    "discarded. A job that has begun before does not expire",
	    "1ms", "3650d"),
	ROW(ENTRIES, concurrency, NULL,
	    "how many jobs of each key may run at once: one mapping, or a list of up to 8; a job "
	    "runs when it has a slot of each",
	    .group = &concurrency_settings,
	    .count_offset = offsetof(struct config_class, concurrency_count)),
	ROW(GROUP, retry, NULL,
	    "when a job that failed is executed again by itself: a mapping; a number is short for "
	    "`{attempts: NUMBER, wait: polynomially_longer}`, `false` for none. Without it a "
	    "failed job waits for `dray retry`",
	    .group = &retry_settings),
	ROW(EXITS, exit, NULL,
	    "what exit statuses of a command mean: `ok`, `fail` (at once), `retry` (as `retry` "
	    "says, with its defaults if there is none), `discard` (the job has ended, without "
	    "success) or such as `snooze 10m` (it runs again then, and nothing is counted as an "
	    "execution). Without it 0 is ok, and of a class with `retry` 75 is retried, 64 to 74 "
	    "and 76 to 78 fail at once, and `retry_on` decides about the others. Of two that apply "
	    "the narrower one does",
	    .count_offset = offsetof(struct config_class, exit_count)),
	ROW(CHOICE, history, "failures",
	    "which runs the history of a job has (`dray job`): `failures`, or `all`, those that "
	    "succeeded, too, which costs a row each",
	    .choices = run_histories),
	{ .type = SETTING_CHOICE,
	  .key = "stdin", /* a macro, so no name of a field */
	  .offset = offsetof(OWNER, input),
	  .initial = "payload",
	  .description = "what a command reads on its standard input: the job's `payload` as JSON, "
			 "or `none`, its end at once",
	  .choices = run_inputs },
	ROW(CHOICE, output, "discard",
	    "what becomes of the standard output of the process: `discard` it (the log says so "
	    "once), or `log` each line",
	    .choices = outputs),
	ROW(CHOICE, on_lost, NULL,
	    "what happens to a job whose process was lost; without it as in queue.yml",
	    .choices = fates),
	ROW(COUNT, max_losses, NULL,
	    "losses after which a job runs again; the next loss fails it; without it as in "
	    "queue.yml",
	    "0", "1000000"),
	ROW(NUMBER, nice, "0", "added to the nice value of the worker", "-20", "19"),
};
const struct settings class_settings = SETTINGS(class_rows);
#undef OWNER

#define OWNER struct config
static const struct setting jobs_rows[] = {
	KEY(GROUP, defaults, NULL, "settings for every class that does not have its own",
	    .group = &class_settings),
	KEY(NAMES, jobs, NULL, "the classes, by name", .group = &class_settings, .primary = true),
};
const struct settings jobs_settings = SETTINGS(jobs_rows);
#undef OWNER

/* recurring.yml: the settings of Solid Queue, and our own */

#define OWNER struct config_dst
static const struct setting dst_rows[] = {
	ROW(CHOICE, gap, "default",
	    "a time that does not exist: `skip` it, or run at the `next_valid` time",
	    .choices = task_gaps),
	ROW(CHOICE, overlap, "default",
	    "a time that exists twice: run at the `first`, or at `both`", .choices = task_twices),
};
const struct settings dst_settings = SETTINGS(dst_rows);
#undef OWNER

#define OWNER struct config_task
static const struct setting task_rows[] = {
	ROW(TEXT, schedule, NULL, "when it runs, [in words or as a cron expression](schedules.md)"),
	ROW(TEXT, class, NULL, "class of its jobs", .maximum = "255"),
	ROW(COMMAND, command, NULL,
	    "instead of a class: a program and its arguments, as a list or as one text in which "
	    "words may be quoted (see jobs.yml); it runs without a shell. Its class is "
	    "`recurring:` followed by the task's key",
	    .count_offset = offsetof(struct config_task, command_count)),
	ROW(GROUP, retry, NULL,
	    "of a command: when a job that failed is executed again by itself, as `retry` in "
	    "jobs.yml; without it as `defaults` there say. A class has its own in jobs.yml",
	    .group = &retry_settings),
	ROW(EXITS, exit, NULL,
	    "of a command: what its exit statuses mean, as `exit` in jobs.yml; without it as "
	    "`defaults` there say. A class has its own in jobs.yml",
	    .count_offset = offsetof(struct config_task, exit_count)),
	ROW(CHOICE, history, NULL,
	    "of a command: which runs the history of its jobs has, as `history` in jobs.yml; "
	    "without it as `defaults` there say. A class has its own in jobs.yml",
	    .choices = run_histories),
	{ .type = SETTING_CHOICE,
	  .key = "stdin",
	  .offset = offsetof(OWNER, input),
	  .description = "of a command: what it reads on its standard input, as `stdin` in "
			 "jobs.yml; without it as `defaults` there say. A class has its own in "
			 "jobs.yml",
	  .choices = run_inputs },
	ROW(ARGUMENTS, args, NULL,
	    "arguments of its jobs; a mapping at the end holds the named ones, as in Solid Queue"),
	ROW(TEXT, queue, NULL,
	    "queue of its jobs; without it that of its class, or `dray_commands` for a command",
	    .maximum = "255"),
	ROW(NUMBER, priority, "0", "smaller runs first; without it its class's", "-2147483648",
	    "2147483647"),
	ROW(TEXT, description, NULL, "a note for people"),
	ROW(ZONE, time_zone, NULL,
	    "for schedules that name no zone; without it `time_zone` of queue.yml"),
	ROW(GROUP, dst, NULL,
	    "what to do when the clocks change; `compatible` does what Solid Queue does",
	    .group = &dst_settings),
	ROW(CHOICE, misfire, "once",
	    "what to do about occurrences that no scheduler handled within 10 s: run the latest "
	    "one `once`, `skip` them, or run `all`",
	    .choices = task_misfires),
	ROW(NUMBER, misfire_limit, TASK_LIMIT_USUAL,
	    "with `all`: how many at most, the latest ones", TASK_LIMIT_LEAST, TASK_LIMIT_MOST),
	ROW(DURATION, misfire_window, TASK_WINDOW_USUAL, "older occurrences are ignored",
	    TASK_WINDOW_LEAST, TASK_WINDOW_MOST),
	ROW(CHOICE, overlap, "allow",
	    "what to do while its previous job is unfinished: `allow` the next one, `skip` it, or "
	    "`queue` it until that job is done (then `misfire` is `all`)",
	    .choices = task_overlaps),
	ROW(DURATION, jitter, TASK_JITTER_USUAL,
	    "each job is delayed by a span of its own of up to this much", TASK_JITTER_LEAST,
	    TASK_JITTER_MOST),
	ROW(DURATION, timeout, NULL,
	    "how long a run of its jobs may take; without it as its class says", TASK_TIMEOUT_LEAST,
	    TASK_TIMEOUT_MOST),
	ROW(BOOL, enabled, "true", "`false`: the task stays in the file, but does not run"),
	ROW(TEXT, start_at, NULL,
	    "no occurrence before this time (ISO 8601, UTC without an offset)"),
	ROW(TEXT, end_at, NULL, "no occurrence after this time"),
	ROW(DURATION, late_after, TASK_LATE_USUAL,
	    "`dray health` tells when nobody has enqueued the job of an occurrence so long after "
	    "it, and after its `jitter`",
	    TASK_LATE_LEAST, TASK_LATE_MOST),
	ROW(NUMBER, failures_after, NULL,
	    "`dray health` tells when so many runs in a row have failed, of those of the last "
	    "seven days; without it 3, or 1 of a task that runs once a day or less often",
	    TASK_FAILURES_LEAST, TASK_FAILURES_MOST),
};
const struct settings task_settings = SETTINGS(task_rows);
#undef OWNER

/* The reference */

struct chapter {
	const struct settings *settings;
	const char *title;
};

/* Those of queue.yml come before them. */
static const struct chapter chapters[] = {
	{ &jobs_settings, "jobs.yml" },
	{ &class_settings, "jobs.yml: defaults and each of jobs" },
	{ &limits_settings, "jobs.yml: limits" },
	{ &stop_settings, "jobs.yml: stop" },
	{ &concurrency_settings, "jobs.yml: concurrency" },
	{ &retry_settings, "jobs.yml: retry" },
	{ &task_settings, "recurring.yml: each task" },
	{ &dst_settings, "recurring.yml: dst" },
};

static void write_row(FILE *file, struct arena *arena, const struct setting *row)
{
	static const char *const words[] = {
		[SETTING_IGNORED] = "accepted and ignored", [SETTING_REFUSED] = "refused"
	};
	bool foreign = row->type == SETTING_IGNORED || row->type == SETTING_REFUSED;
	fprintf(file, "| `%s` | %s | %s%s%s | %s |\n", row->key,
		foreign ? words[row->type] : setting_expected(row, arena), row->initial ? "`" : "",
		row->initial ? row->initial : "", row->initial ? "`" : "", row->description);
}

static void write_chapter(FILE *file, struct arena *arena, const struct settings *settings,
			  const char *title)
{
	fprintf(file, "### %s\n\n| key | takes | default | meaning |\n|---|---|---|---|\n", title);
	for (size_t i = 0; i < settings->count; i++)
		write_row(file, arena, &settings->rows[i]);
}

static void write_queue(FILE *file, struct arena *arena)
{
	write_chapter(file, arena, &queue_settings, "queue.yml: a section");
	for (size_t i = 0; i < queue_settings.count; i++) {
		const struct setting *row = &queue_settings.rows[i];
		if (!row->group)
			continue;
		fputc('\n', file);
		write_chapter(file, arena, row->group,
			      arena_printf(arena, "queue.yml: %s%s",
					   row->type == SETTING_ENTRIES ? "an entry of "
					   : row->type == SETTING_NAMES ? "each of "
									: "",
					   row->key));
	}
}

void reference_write(FILE *file)
{
	struct arena *arena = arena_new();
	write_queue(file, arena);
	for (size_t i = 0; i < sizeof(chapters) / sizeof(chapters[0]); i++) {
		fputc('\n', file);
		write_chapter(file, arena, chapters[i].settings, chapters[i].title);
	}
	arena_free(arena);
}
