/* A class of jobs as jobs.yml describes it. A part of config.h, which includes it. */
#ifndef CONFIG_CLASS_H
#define CONFIG_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
