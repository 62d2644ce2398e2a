/* The settings: every default and limit of the files stands here and nowhere else. */
#include "config/settings/setting.h"

#include "config/config.h"

#define SETTINGS(table)                                                                            \
	{                                                                                          \
		.rows = (table), .count = sizeof(table) / sizeof *(table)                          \
	}

/* Key and field have one name; then default, description, and minimum and maximum where needed. */
#define ROW(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, name), __VA_ARGS__ \
	}
#define PROCESS(kind, name, ...)                                                                   \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = offsetof(OWNER, process.name),     \
		__VA_ARGS__                                                                        \
	}
/* A key without a field. */
#define KEY(kind, name, ...)                                                                       \
	{                                                                                          \
		.type = SETTING_##kind, .key = #name, .offset = 0, __VA_ARGS__                     \
	}

static const char *const levels[] = {
	[LOG_DEBUG] = "debug", [LOG_INFO] = "info",    [LOG_WARN] = "warn",
	[LOG_ERROR] = "error", [LOG_ERROR + 1] = NULL,
};
static const char *const formats[] = {
	[LOG_AUTO] = "auto",
	[LOG_FORMAT_TEXT] = "text",
	[LOG_FORMAT_JSON] = "json",
	[LOG_FORMAT_JSON + 1] = NULL,
};
static const char *const unknown_classes[] = {
	[UNKNOWN_AUTO] = "auto",
	[UNKNOWN_FAIL] = "fail",
	[UNKNOWN_LEAVE] = "leave",
	[UNKNOWN_LEAVE + 1] = NULL,
};
static const char *const fates[] = {
	[ON_LOST_REQUEUE] = "requeue",
	[ON_LOST_FAIL] = "fail",
	[ON_LOST_FAIL + 1] = NULL,
};
static const char *const outputs[] = {
	[OUTPUT_DISCARD] = "discard",
	[OUTPUT_LOG] = "log",
	[OUTPUT_LOG + 1] = NULL,
};

static const char *const runners[] = {
	[RUN_BY_DRAY] = "dray",
	[RUN_BY_OTHER] = "other",
	[RUN_BY_OTHER + 1] = NULL,
};

static const char *const isolations[] = {
	[ISOLATION_THREAD] = "thread",
	[ISOLATION_PROCESS] = "process",
	[ISOLATION_PROCESS + 1] = NULL,
};

#define OWNER struct config_database
static const struct setting database_rows[] = {
	ROW(URL, url, "sqlite3:storage/dray.sqlite3",
	    "`sqlite3:PATH`, `postgres://...` or `mysql://...`. `--database`, then "
	    "`DRAY_DATABASE_URL` come before it, `DATABASE_URL` after it"),
	ROW(TEXT, schema, NULL,
	    "PostgreSQL schema of the tables; without it the first of the search path",
	    .maximum = "63"),
	ROW(TEXT, password_file, NULL,
	    "file whose first line is the password, so that the URL needs none"),
	ROW(DURATION, connect_timeout, "5s", "longest wait for a connection", "10ms", "10m"),
	ROW(DURATION, call_timeout, "30s", "longest wait for an answer", "10ms", "1h"),
	ROW(DURATION, retry_for, "10s",
	    "how long deadlocks, lock timeouts and busy files are tried again; each time up to 5s "
	    "are waited for a lock, also with 0",
	    "0s", "1h"),
	ROW(BOOL, use_skip_locked, "true",
	    "`false` for servers without `SKIP LOCKED` (MySQL before 8, MariaDB before "
	    "10.6)"),
};
const struct settings database_settings = SETTINGS(database_rows);
#undef OWNER

#define OWNER struct config_log
static const struct setting log_rows[] = {
	ROW(CHOICE, level, "info", "less important lines are dropped", .choices = levels),
	ROW(CHOICE, format, "auto", "`auto` is text on a terminal and JSON elsewhere",
	    .choices = formats),
	ROW(BOOL, silence_polling, "true", "an empty poll is not even a debug line"),
};
const struct settings log_settings = SETTINGS(log_rows);
#undef OWNER

#define OWNER struct config_worker
static const struct setting worker_rows[] = {
	ROW(QUEUES, queues, "*",
	    "queues in order of preference; `prefix*` is every queue that begins so, "
	    "`*` is all",
	    .count_offset = offsetof(struct config_worker, queue_count)),
	ROW(NUMBER, threads, "3", "jobs that run at once in each process", "1", "1024"),
	ROW(NUMBER, processes, "1", "worker processes with these settings", "1", "256"),
	ROW(DURATION, polling_interval, "100ms", "pause between polls while there is nothing to do",
	    "1ms", "1h"),
	ROW(CHOICE, unknown_classes, "auto",
	    "jobs whose class is not in jobs.yml: `fail` them, or `leave` them for "
	    "others that share the tables; `auto` leaves them where Rails made the tables, "
	    "processes of other software are or were at work, or jobs.yml has a class with "
	    "`run_by: other`, as `dray check` and the log say",
	    .choices = unknown_classes),
	KEY(REFUSED, fibers, NULL, "workers of dray have threads, expected threads: N"),
};
const struct settings worker_settings = SETTINGS(worker_rows);
#undef OWNER

#define OWNER struct config_dispatcher
static const struct setting dispatcher_rows[] = {
	ROW(DURATION, polling_interval, "1s", "pause between looks for jobs that have come due",
	    "1ms", "1h"),
	ROW(NUMBER, batch_size, "500", "jobs moved at once", "1", "10000"),
	ROW(BOOL, concurrency_maintenance, "true", "look after concurrency limits"),
	ROW(DURATION, concurrency_maintenance_interval, "30s", "pause between such looks", "100ms",
	    "1d"),
	KEY(IGNORED, batch_maintenance, NULL, "there are no Solid Queue batches here"),
};
const struct settings dispatcher_settings = SETTINGS(dispatcher_rows);
#undef OWNER

#define OWNER struct config_scheduler
static const struct setting scheduler_rows[] = {
	ROW(BOOL, dynamic_tasks_enabled, "false", "recurring tasks may be added while it runs"),
	ROW(DURATION, polling_interval, "5s", "pause between looks for such tasks", "1ms", "1h"),
	ROW(BOOL, strict, "false",
	    "schedules that surely mean something else than they say are refused, not only "
	    "warned of"),
};
const struct settings scheduler_settings = SETTINGS(scheduler_rows);
#undef OWNER

#define OWNER struct config
static const struct setting queue_rows[] = {
	ROW(ENTRIES, workers, NULL, "what runs jobs", .group = &worker_settings, .primary = true,
	    .local = true, .count_offset = offsetof(struct config, worker_count)),
	ROW(ENTRIES, dispatchers, NULL, "what makes due jobs ready", .group = &dispatcher_settings,
	    .primary = true, .local = true,
	    .count_offset = offsetof(struct config, dispatcher_count)),
	ROW(GROUP, scheduler, NULL, "what enqueues recurring tasks", .group = &scheduler_settings,
	    .primary = true, .local = true),
	ROW(GROUP, database, NULL, "where the jobs are", .group = &database_settings),
	ROW(GROUP, log, NULL, "what is written to standard error", .group = &log_settings),
	PROCESS(DURATION, process_heartbeat_interval, "5s",
		"how often a process says in the database that it lives", "100ms", "1h"),
	PROCESS(DURATION, process_alive_threshold, "30s",
		"silence after which a process is taken for dead; more than the interval", "1s",
		"1d"),
	PROCESS(DURATION, other_process_alive_threshold, "5m",
		"the same for processes of other software, whose heartbeat is slower; the longer "
		"of the two counts",
		"1s", "1d"),
	PROCESS(DURATION, fork_startup_timeout, "5m", "a child not ready by then is replaced",
		"100ms", "1h"),
	PROCESS(DURATION, shutdown_timeout, "5s",
		"time that running jobs have to finish; then they are stopped and given back", "0s",
		"1d"),
	PROCESS(DURATION, stop_grace, "5s",
		"time between TERM and KILL for the processes of a job that is stopped", "0s",
		"1h"),
	PROCESS(TEXT, supervisor_pidfile, NULL, "file with the supervisor's process id"),
	PROCESS(BOOL, preserve_finished_jobs, "true", "keep the rows of finished jobs"),
	PROCESS(DURATION, clear_finished_jobs_after, "1d",
		"age at which the rows of finished jobs are deleted, little by little", "1s",
		"36500d"),
	PROCESS(DURATION, default_concurrency_control_period, "3m",
		"how long a concurrency slot lasts that nobody can vouch for", "1s", "365d"),
	PROCESS(CHOICE, on_lost, "requeue",
		"a job whose process was lost (killed, crashed, its host gone): `requeue` runs it "
		"again, `fail` fails it",
		.choices = fates),
	PROCESS(CHOICE, other_on_lost, "fail",
		"the same for what a process of other software (a Rails worker) was running; "
		"`fail` is Solid Queue's own rule",
		.choices = fates),
	PROCESS(COUNT, max_losses, "3", "one loss more fails the job after all", "0", "1000000"),
	PROCESS(ZONE, time_zone, NULL,
		"IANA time zone of schedules; without it the system's, or UTC, Rails' default, "
		"where other "
		"software shares the tables, as `dray check` says"),
	KEY(REFUSED, use_skip_locked, NULL, "expected it under database"),
	KEY(REFUSED, silence_polling, NULL, "expected it under log"),
	KEY(REFUSED, connects_to, NULL, "expected database.url"),
};
const struct settings queue_settings = SETTINGS(queue_rows);
#undef OWNER

#define OWNER struct config_limits
static const struct setting limits_rows[] = {
	ROW(SECONDS, cpu, NULL, "processor time", "1s", "36500d"),
	ROW(SIZE, memory, NULL, "address space", "1M", "1024T"),
	ROW(COUNT, files, NULL, "open descriptors", "3", "1048576"),
	ROW(COUNT, processes, NULL, "processes of the user", "1", "4194304"),
	ROW(SIZE, file_size, NULL, "size of a file written", "0", "1024T"),
	ROW(SIZE, core, NULL, "core dump", "0", "1024T"),
};
const struct settings limits_settings = SETTINGS(limits_rows);
#undef OWNER

static const char *const conflicts[] = {
	[CONFLICT_BLOCK] = "block",     [CONFLICT_DISCARD] = "discard",
	[CONFLICT_REPLACE] = "replace", [CONFLICT_CANCEL] = "cancel_running",
	[CONFLICT_CANCEL + 1] = NULL,
};

#define OWNER struct config_concurrency
static const struct setting concurrency_rows[] = {
	ROW(NUMBER, to, "1", "jobs of one key that run at once", "1", "1000000"),
	ROW(TEXT, key, NULL,
	    "what jobs must have in common, from their arguments as in `command`; without it all "
	    "jobs of the group share one key. `group/key` is the same text as Solid Queue's: an "
	    "argument that is missing or null alone is left out, a record is `Class/id`"),
	ROW(DURATION, duration, NULL,
	    "how long a slot lasts that nobody can vouch for; without it "
	    "`default_concurrency_control_period`. Never the slot of a job whose process lives",
	    "1s", "365d"),
	ROW(TEXT, group, NULL,
	    "what the key begins with, to be shared by classes; without it the class's name",
	    .maximum = "255"),
	ROW(CHOICE, on_conflict, "block",
	    "a new job when all slots are taken: `block` until one is free, `discard` it, or "
	    "`replace` those of its key and class that still wait. `cancel_running` is refused "
	    "until jobs can be cancelled",
	    .choices = conflicts),
};
const struct settings concurrency_settings = SETTINGS(concurrency_rows);
#undef OWNER

#define OWNER struct config_class
static const struct setting class_rows[] = {
	ROW(COMMAND, command, NULL,
	    "program and arguments, without a shell; `{0}` and `{name}` stand for the "
	    "job's arguments, `{*}` for all without names, `{{` and `}}` for braces",
	    .count_offset = offsetof(struct config_class, command_count)),
	ROW(TEXT, module, NULL, "shared object that registers the class"),
	ROW(CHOICE, run_by, "dray",
	    "who runs it: with `other` it has neither `command` nor `module`, and workers leave "
	    "its jobs alone, also with `unknown_classes: fail`; its limits, queue and priority "
	    "hold",
	    .choices = runners),
	ROW(CHOICE, isolation, "thread",
	    "where a module's function runs: on a `thread` of the worker, or in a lasting "
	    "`process` "
	    "of its own, so that a crash costs one job. A command always is a process",
	    .choices = isolations),
	ROW(COUNT, recycle_after, NULL,
	    "with `isolation: process`: jobs after which the process is replaced", "1",
	    "1000000000"),
	ROW(SIZE, recycle_above, NULL,
	    "with `isolation: process`: resident memory above which the process is replaced "
	    "after its job",
	    "1M", "1024T"),
	ROW(TEXT, queue, NULL, "where it is enqueued; without it `default`"),
	ROW(NUMBER, priority, "0", "smaller is sooner", "-2147483648", "2147483647"),
	ROW(TEXT, directory, NULL, "working directory of the process; without it the worker's"),
	ROW(ENVIRONMENT, environment, NULL,
	    "variables of the process: `NAME=value` sets one, `NAME` passes the worker's "
	    "to a command (an isolated module has them all)"),
	ROW(GROUP, limits, NULL, "limits of the process", .group = &limits_settings),
	ROW(ENTRIES, concurrency, NULL,
	    "how many jobs run at once for each key; one mapping, or a list of up to 8: a job "
	    "runs when it has a slot of each",
	    .group = &concurrency_settings,
	    .count_offset = offsetof(struct config_class, concurrency_count)),
	ROW(CHOICE, output, "discard",
	    "the process's standard output: `discard`, which the log says once, or `log` each line",
	    .choices = outputs),
	ROW(CHOICE, on_lost, NULL, "when its process was lost; without it what queue.yml says",
	    .choices = fates),
	ROW(COUNT, max_losses, NULL,
	    "one loss more fails the job after all; without it what queue.yml says", "0",
	    "1000000"),
	ROW(NUMBER, nice, "0", "added to the worker's scheduling priority", "-20", "19"),
};
const struct settings class_settings = SETTINGS(class_rows);
#undef OWNER

static const struct setting jobs_rows[] = {
	KEY(GROUP, defaults, NULL, "settings of every class that does not say otherwise",
	    .group = &class_settings),
	KEY(NAMES, jobs, NULL, "the classes by name", .group = &class_settings, .primary = true),
};
const struct settings jobs_settings = SETTINGS(jobs_rows);
