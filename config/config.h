/*
 * The effective configuration: the files, the environment and the command line together with the
 * defaults, checked. Built as a whole by config_load, never changed afterwards, owned by its arena;
 * a reload builds a second one. Times are in microseconds.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"
#include "common/log/log.h"
#include "common/text/text.h"
#include "schedule/task_keys.h"

/* One class of jobs, as jobs.yml describes it */

/* A job whose process was lost: it is ready again, up to max_losses times, or failed. */
enum config_on_lost { ON_LOST_INHERITED = -1, ON_LOST_REQUEUE, ON_LOST_FAIL };

enum config_handler { HANDLER_COMMAND, HANDLER_MODULE, HANDLER_NONE /* run by other software */ };
enum config_run_by { RUN_BY_DRAY, RUN_BY_OTHER };
enum config_output { OUTPUT_DISCARD, OUTPUT_LOG };
enum config_input { INPUT_PAYLOAD, INPUT_NONE };
enum config_isolation { ISOLATION_THREAD, ISOLATION_PROCESS };

/* Limits of the process of a command or a job host, setrlimit(2); -1 = inherited. */
struct config_limits {
	int64_t cpu;    /* seconds of processor time */
	int64_t memory; /* bytes of address space */
	int64_t files;  /* open descriptors */
	int64_t processes;
	int64_t file_size; /* bytes */
	int64_t core;      /* bytes of core dump */
};

/* How long a job that failed waits, n being how often it has been executed. */
enum config_wait {
	WAIT_FIXED,       /* waits[0] */
	WAIT_LINEAR,      /* n times 3 s */
	WAIT_EXPONENTIAL, /* 3 s, doubled each time */
	WAIT_POLYNOMIAL,  /* n^4 + 2 s: Active Job's polynomially_longer */
	WAIT_LIST         /* waits[n - 1], the last one for ever */
};

/* What becomes of a job that failed. */
struct config_retry {
	bool given;       /* false: it waits for a person */
	int64_t attempts; /* executions in all */
	enum config_wait wait;
	const int64_t *waits; /* FIXED, LIST */
	size_t wait_count;
	int64_t max_wait;
	double jitter;           /* share of the wait that chance adds at most */
	const char **retry_on;   /* patterns, NULL-terminated; NULL = every error */
	const char **discard_on; /* the same; NULL = none */
};

#define TIMEOUT_ERROR "Dray::TimeoutError" /* how a run ends that is stopped for its timeout */

/* What a pattern of retry_on and discard_on stands for. */
struct config_pattern {
	enum {
		PATTERN_CLASS,  /* the error class `text` */
		PATTERN_PREFIX, /* all error classes that begin with `length` bytes of it */
		PATTERN_STATUS, /* exit statuses `from` to `to` */
		PATTERN_SIGNAL,
		PATTERN_LOST /* its process was lost too often */
	} kind;
	const char *text;
	size_t length;
	int from, to;
};

#define CONFIG_WAIT_MOST (365 * CLOCK_DAY) /* the longest pause before a retry, or snooze */

/* How a run is stopped. */
struct config_stop {
	int signal;    /* to its process group */
	int64_t grace; /* then KILL; -1: stop_grace of struct config_process */
};

/* What a run may say of how it ends. */
struct config_end {
	enum config_says { SAYS_OK, SAYS_DISCARD, SAYS_SNOOZE, SAYS_RETRY, SAYS_FAIL } what;
	int64_t wait; /* SNOOZE, RETRY: until it runs again; -1 = as its class says */
};

/* What the exit statuses `from` to `to` of a command say. */
struct config_exit {
	int from, to;
	struct config_end said;
};

#define CONCURRENCY_MOST 8 /* limits of one class */

/* What a new job does when all slots of its key are taken. */
enum config_on_conflict { CONFLICT_BLOCK, CONFLICT_DISCARD, CONFLICT_REPLACE, CONFLICT_CANCEL };

/* How many jobs of one key may run at once. The key is "group/key", as Solid Queue writes it. */
struct config_concurrency {
	int to;
	const char *key;   /* template over the job's arguments; NULL = the group is the key */
	int64_t duration;  /* while no job is known to hold the slot; -1 = the process's */
	const char *group; /* NULL = the class's name */
	enum config_on_conflict on_conflict;
};

/* One entry of jobs.yml, defaults already applied. */
struct config_class {
	const char *name;
	enum config_handler handler;
	enum config_run_by run_by;
	const char **command; /* argv template, command_count entries, then NULL */
	size_t command_count;
	const char *module; /* path of the shared object, absolute or relative to the root */
	enum config_isolation
		isolation;     /* for modules; a command always runs in a process of its own */
	int64_t recycle_after; /* jobs after which a job host is replaced; -1 = never */
	int64_t recycle_above; /* resident bytes above which a job host is replaced; -1 = never */
	const char *queue;     /* queue of new jobs; NULL = "default" */
	int priority;
	const char *directory; /* working directory; NULL = the worker's */
	const char *
		*environment; /* allow list: "NAME" passes, "NAME=value" sets; NULL-terminated */
	struct config_limits limits;
	struct config_stop stop;
	int64_t timeout;    /* of one run, from its start; not above 0: none */
	int64_t expires_in; /* from when it was due at first until it begins; not above 0: never */
	enum config_output output;
	enum config_input input; /* `stdin` of a command */
	int nice;
	enum config_on_lost on_lost; /* ON_LOST_INHERITED: that of struct config_process */
	int64_t max_losses;          /* -1: the same */
	struct config_concurrency *concurrency; /* its limits, in the file's order */
	size_t concurrency_count;
	struct config_retry retry;
	enum config_history { HISTORY_FAILURES, HISTORY_ALL } history; /* which runs it has */
	const struct config_exit *exit; /* of commands, in the file's order */
	size_t exit_count;
	const char *file; /* where it was declared, for messages */
	int line;
	int column;
	int handler_line; /* of the program or the module; 0 = the class's */
	int handler_column;
	bool faulty; /* has mistakes, which were reported: only with request.keep_faulty */
};

/* The whole */

struct config_database {
	const char *url;           /* as given; print it only through url_mask */
	const char *schema;        /* PostgreSQL schema, NULL = the search path's first */
	const char *password_file; /* NULL = the password, if any, is in the url */
	int64_t connect_timeout;
	int64_t call_timeout; /* longest wait for one round trip */
	int64_t retry_for;    /* how long deadlocks and busy files are retried */
	bool use_skip_locked;
	bool of_rails; /* a Rails application's: named by its database.yml or DATABASE_URL */
};

struct config_log {
	enum log_level level;
	enum log_format format;
	bool silence_polling; /* empty polls are not logged, not even at level debug */
};

/* Processes and shutdown: the names of Solid Queue's config.solid_queue.*. */
struct config_process {
	int64_t process_heartbeat_interval;
	int64_t process_alive_threshold;
	int64_t other_process_alive_threshold; /* for rows that publish no heartbeat_interval */
	int64_t fork_startup_timeout;
	int64_t shutdown_timeout;
	int64_t stop_grace;
	int64_t max_leaving; /* earlier configurations whose workers still end their jobs */
	const char *supervisor_pidfile; /* NULL = none */
	bool preserve_finished_jobs;
	int64_t clear_finished_jobs_after;
	int64_t keep_attempts;
	int64_t default_concurrency_control_period;
	enum config_on_lost on_lost;
	enum config_on_lost other_on_lost; /* for jobs of processes of other software */
	int64_t max_losses;
	const char *time_zone; /* IANA name for schedules; NULL = system */
	const char **on_alarm; /* on_alarm_count entries, then NULL; NULL = nobody is told */
	size_t on_alarm_count;
};

/* AUTO: leave them where other software shares the tables (queue/processes/shared.h). */
enum config_unknown_classes { UNKNOWN_AUTO, UNKNOWN_FAIL, UNKNOWN_LEAVE };

struct config_worker {
	const char **queues; /* as written, trimmed; at least one */
	size_t queue_count;
	int threads;
	int processes;
	int64_t polling_interval;
	enum config_unknown_classes unknown_classes;
};

struct config_dispatcher {
	int64_t polling_interval;
	int batch_size;
	bool concurrency_maintenance;
	int64_t concurrency_maintenance_interval;
};

struct config_dst {
	enum schedule_gap gap;
	enum schedule_overlap overlap;
};

struct schedule;

/* One task of recurring.yml. */
struct config_task {
	const char *key;
	const char *schedule;
	const char *class;    /* of its jobs; that of a command's is made from the key */
	const char **command; /* argv template, command_count entries, then NULL; NULL = a class */
	size_t command_count;
	struct config_retry *retry;     /* of a command's class; NULL = its class's in jobs.yml */
	const struct config_exit *exit; /* this and the next three only of a command */
	size_t exit_count;
	enum config_history history;
	enum config_input input;
	const char *args;  /* JSON array as Solid Queue stores it, NULL = none */
	const char *queue; /* NULL = its class's */
	bool has_priority;
	int priority;
	const char *description; /* NULL = none */
	const char *time_zone;   /* NULL = the zone of the whole configuration */
	struct config_dst dst;
	enum task_misfire misfire;
	int misfire_limit;
	int64_t misfire_window;
	enum task_overlap overlap;
	int64_t jitter;
	int64_t timeout; /* of its jobs' runs; not above 0: as their class says */
	bool enabled;
	int64_t late_after;   /* beyond the jitter: then it is told that no job was enqueued */
	int failures_after;   /* in a row: then it is told; not above 0: by how often it runs */
	const char *start_at; /* as written; NULL = always */
	const char *end_at;
	int64_t starts, ends;         /* the same as instants; CLOCK_NEVER = no end */
	const struct schedule *timer; /* the schedule, parsed */
	const char *file;             /* where it was declared */
	int line, column;
};

struct config_scheduler {
	bool dynamic_tasks_enabled;
	int64_t polling_interval;
	bool strict;
	struct config_task *tasks; /* in the file's order */
	size_t task_count;
};

/* What is run now and then while all is well. */
struct config_well {
	int64_t every;
	const char **command; /* command_count entries, then NULL; NULL = nothing */
	size_t command_count;
};

#define CONFIG_HOSTS_MOST        100
#define CONFIG_PROMISES_MOST     100 /* so that they fit into the row of a process */
#define CONFIG_PROMISE_NAME_MOST 128 /* the same; bytes */

/* What queue.yml promises of a queue. */
struct config_promise {
	const char *queue;  /* a name, a prefix with * at its end, or * */
	int64_t late_after; /* how long a ready job may wait; not above 0: nothing is promised */
};

#define CONFIG_FILE_MAXIMUM 1048576

/* What a file says, as it is there; NULL: nothing was read. */
struct config_text {
	const char *text;
	size_t length;
};

/* One of the files: where it was looked for, what named it, and what was found. */
struct config_file {
	const char *name; /* "queue.yml" */
	const char *path;
	const char *origin; /* what named it: "the command line", a variable, "default" */
	bool system;        /* it is in the system's folder, whatever named it */
	enum { FILE_READ, FILE_MISSING, FILE_UNREADABLE, FILE_SKIPPED } state;
	struct config_text content;
};

struct config {
	struct arena *arena;
	const char *environment; /* "development", ... */
	const char *home;        /* the system's folder if nothing names files elsewhere, or NULL */
	const char *root;        /* directory that relative paths are relative to */
	const char *state; /* the one of those in the system's files; NULL = there are none such */
	const char *elsewhere; /* what says that other files, which are not read, may have been
				  meant; NULL = nothing does */
	bool rails;            /* root is a Rails application */
	struct config_file files[4]; /* queue.yml (in Rails dray.yml), jobs.yml, recurring.yml */
	size_t file_count;           /* the fourth is Rails' database.yml, if it was read */
	const char *database_entry;  /* its entry that names the database, or NULL */
	struct config_database database;
	struct config_log log;
	struct config_process process;
	struct config_well well;
	struct config_worker *workers;
	size_t worker_count;
	struct config_dispatcher *dispatchers;
	size_t dispatcher_count;
	struct config_scheduler *scheduler; /* NULL when the files have no scheduler section */
	struct config_promise *promises;    /* in the file's order */
	size_t promise_count;
	const char **expect_hosts; /* NULL = those that were there */
	size_t expect_host_count;
	struct config_class *classes; /* sorted by name */
	size_t class_count;
	const char *skips_recurring; /* what says that there is no scheduler, or NULL */
	const char *only_recurring; /* what says that there is nothing but the scheduler, or NULL */
	unsigned faulty;            /* set of enum config_need: the parts with mistakes */
	struct config_origins *origins; /* where each value came from: for `dray check` */
};

/*
 * The parts of the configuration; sets of them are or-ed. A program that does not need a part runs
 * in spite of mistakes in it, as if the mistaken settings were absent.
 */
enum config_need {
	NEED_DATABASE = 1, /* which database, and how it is reached */
	NEED_PROCESS = 2,  /* queue.yml's settings outside of sections, and the log */
	NEED_ROLES = 4,    /* workers, dispatchers, scheduler; what is promised of queues */
	NEED_CLASSES = 8,  /* jobs.yml */
	NEED_TASKS = 16    /* recurring.yml */
};

enum config_said { SAID_NOTHING, SAID_NO, SAID_YES };

/* What the command line says; NULL = nothing. */
struct config_request {
	const char *root;           /* "."; when given, also instead of `state` */
	const char *environment;    /* else DRAY_ENV, RAILS_ENV, RACK_ENV, "development" */
	const char *config_file;    /* else DRAY_CONFIG, SOLID_QUEUE_CONFIG, config/queue.yml; in
				       Rails config/dray.yml, if there is one */
	const char *jobs_file;      /* else DRAY_JOBS, config/jobs.yml */
	const char *recurring_file; /* else DRAY_RECURRING, SOLID_QUEUE_RECURRING_SCHEDULE,
				       config/recurring.yml */
	/* else DRAY_DATABASE_URL, database.url, DATABASE_URL, in Rails database.yml, default */
	const char *database_url;
	/* INVALID: the URL that was given is not valid, and why; NULL = do not check */
	enum status (*check_url)(const char *url, struct error *error);
	/* the url, with a relative path of a file below the folder; NULL = leave urls as they are
	 */
	const char *(*url_below)(struct arena *arena, const char *url, const char *folder);
	enum config_said skip_recurring; /* else SOLID_QUEUE_SKIP_RECURRING */
	enum config_said only_recurring; /* else SOLID_QUEUE_ONLY_RECURRING */
	unsigned needs;                  /* set of enum config_need; 0 = all of them */
	const char *system; /* where files are when there is no folder config; NULL = /etc/dray */
	const char *state;  /* where relative paths in those start; NULL = /var/lib/dray */
	bool keep_faulty;   /* set *config in spite of errors: to check it further, not to run it */
};

/* One mistake: "file:line:column: what, and what was expected". */
struct config_problem {
	const char *text;
	bool warning;
	bool elsewhere; /* in no part that request.needs names: no reason to stop */
};

struct config_problems {
	struct config_problem *list;
	size_t count;
};

/*
 * Loads and checks everything. Always fills *problems (owned by the returned configuration or, on
 * failure, by `arena`); *config is set only when no problem is an error in a part that the request
 * needs (but see keep_faulty). Returns INVALID when there are such errors. A missing file that
 * nothing names is not an error: the defaults apply (one worker on "*", one dispatcher), with a
 * warning.
 */
enum status config_load(struct config **config, struct arena *arena,
			const struct config_request *request,
			struct config_problems *problems) MUST_CHECK;

void config_free(struct config *config);

/* The files that say which classes there are. */
enum { CONFIG_JOBS_TEXT, CONFIG_RECURRING_TEXT, CONFIG_TEXTS };
void config_texts(const struct config *config, struct config_text texts[CONFIG_TEXTS]);

/*
 * The same configuration with the classes of these texts and without a scheduler. No file is read.
 * It borrows from `base`, which must outlive it. INVALID: there is a mistake in them.
 */
enum status config_again(struct config **config, const struct config *base,
			 const struct config_text texts[CONFIG_TEXTS],
			 struct error *error) MUST_CHECK;

/*
 * The same, but schedules are in UTC where neither they nor their task name a zone. For tables that
 * other software shares, when time_zone is not set (queue/processes/shared.h). The result lives in
 * the arena and as long as the other configuration, is not to be freed, and has time_zone "UTC".
 */
struct config *config_in_utc(struct arena *arena, const struct config *config);

/*
 * The file in which to say dray's settings, for messages. A Rails application's queue.yml is
 * Solid Queue's.
 */
const char *config_settings_file(const struct config *config);

/* Where relative paths in this file start. */
const char *config_start(const struct config *config, const char *file);

/* The class's entry by name, or NULL. */
const struct config_class *config_class_find(const struct config *config, const char *name);

/* The same, if it is one that dray runs. */
const struct config_class *config_class_declared(const struct config *config, const char *name);

/* Reads a pattern; false: it is none. The result borrows the text. */
bool config_pattern_parse(const char *text, struct config_pattern *pattern);

/* The first class that other software runs, or NULL. */
const char *config_other_class(const struct config *config);

/* A class that was a module's and is not any more, or NULL. */
const struct config_class *config_module_gone(const struct config *before,
					      const struct config *after);

/*
 * How many losses a job of this class survives; the next one fails it. class NULL: for classes that
 * are not in jobs.yml.
 */
int64_t config_losses(const struct config *config, const struct config_class *class);

/* How long a run of this class has to end once it is asked to; class NULL: one without a class. */
int64_t config_grace(const struct config *config, const struct config_class *class);

/* The longest of all. */
int64_t config_grace_most(const struct config *config);

/* Every value with its origin ("config/queue.yml:12", "default", "DRAY_DATABASE_URL"). */
struct config_value {
	const char *path;  /* "workers[0].threads" */
	const char *value; /* printable, secrets masked */
	const char *origin;
	bool usual; /* it is the default, written or not */
};

/* Lists the effective configuration in the files' order; the result lives in config's arena. */
size_t config_show(struct config *config, const struct config_value **values);

/* The origin of one value of config_show, such as "database.url"; NULL for an unknown path. */
const char *config_origin(struct config *config, const char *path);

/*
 * Which processes a change concerns; sets of them are or-ed. A setting that config/diff.c does not
 * know concerns all roles.
 */
enum config_part {
	PART_COMMON = 1,      /* every role */
	PART_DATABASE = 2,    /* the same, and how the database is reached */
	PART_JOBS = 4,        /* workers, which take it over, but for PART_MODULES */
	PART_ENTRIES = 8,     /* one entry of a role: config_same_entry says which */
	PART_LOG = 16,        /* applied without a restart */
	PART_SUPERVISOR = 32, /* only the supervisor */
	PART_FIXED = 64,      /* cannot change while the program runs */
	PART_MODULES = 128    /* workers: they load modules when they start */
};

struct config_change {
	const char *path;   /* "workers[0].threads"; "workers[1]" for a whole entry */
	const char *before; /* printable, secrets masked; NULL = did not exist */
	const char *after;  /* NULL = does not exist any more */
	enum config_part part;
};

struct config_diff {
	const struct config_change *list; /* in the files' order; in after's arena */
	size_t count;
	unsigned parts; /* of all changes */
};

/*
 * What differs between two configurations, setting by setting: for the log of a reload, and to
 * decide which processes must be replaced.
 */
void config_diff(const struct config *before, struct config *after, struct config_diff *diff);

/*
 * The section of a role in queue.yml, by its key: "workers", a list, or "scheduler", of which there
 * is one at most. How many entries it has; one of them (struct config_worker and so on), or NULL
 * beyond the last; and how many processes that asks for.
 */
size_t config_entries(const struct config *config, const char *section);
const void *config_entry(const struct config *config, const char *section, size_t entry);
size_t config_processes(const struct config *config, const char *section, size_t entry);

/* Are two entries the same, except for the number of processes? A scheduler's with its tasks. */
bool config_same_entry(const struct config *before, const struct config *after, const char *section,
		       size_t entry, size_t other);

/* Has the scheduler something to do? */
bool config_has_tasks(const struct config *config);

#endif
