/*
 * What a role is. A role process (worker, dispatcher, scheduler, watcher) is one of these tables
 * driven by the runner of process/, which owns everything that roles have in common: the
 * connection, the process row, heartbeats, signals, the death of the supervisor and the shutdown
 * deadline. A role does only its own work, one unit a tick.
 */
#ifndef ROLE_H
#define ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text/text.h"

struct arena;
struct config;
struct db;
struct loop;

struct role_context {
	const struct config *config;
	size_t entry;       /* which entry of config's list for this role */
	struct loop *loop;  /* the process's loop: a role may add watches */
	struct db *db;      /* open before start, never replaced */
	int64_t process_id; /* our row in solid_queue_processes, registered before start */
	const char *name;   /* our row's name */
	bool stopping;      /* set before role->stop is called */
	bool presumed_dead; /* taken for dead: its work is given to others */
	bool quiet;    /* take nothing new; may change between ticks, and a tick follows at once */
	bool leaving;  /* take nothing new: the process leaves when what it runs has ended */
	size_t others; /* runs of the processes that this one replaces: so many fewer for it */
	void *state;   /* the role's own: start makes it, close frees it */
};

/*
 * Which processes leave first when a supervisor stops: those that feed the workers, then the
 * workers. The janitor is not one of those that are configured; it comes first and leaves last.
 */
enum role_tier { TIER_FEEDERS, TIER_WORKERS, TIERS, TIER_JANITOR };

/* Queues: names, and prefixes with an asterisk. */
struct served {
	const char *const *queues;
	size_t count;
};

struct role {
	const char *kind;    /* "Worker": solid_queue_processes.kind */
	const char *word;    /* "worker": commands, logs, process names */
	const char *section; /* "workers": its key in queue.yml, see config_entries; NULL = none */
	const char *also;    /* "recurring.": other settings are its entry's, too; NULL = none */
	enum role_tier tier;

	/* Does a supervisor start those that are configured? NULL = always. */
	bool (*needed)(const struct config *config);

	/*
	 * What waits while none runs, as a clause in the arena: "scheduled jobs are due"; NULL =
	 * nothing does. As a member, NULL = nothing ever does, or `dray doctor` sees it otherwise.
	 */
	enum status (*waits)(struct db *db, struct arena *arena, const char **what,
			     struct error *error);

	/* What does not happen where workers are configured but none of these; NULL = nothing. */
	const char *without;

	/* The queues of an entry. NULL = it serves none. */
	struct served (*serves)(const struct config *config, size_t entry);

	/*
	 * Of the configuration (enum config_part) what the role depends on besides its own entry:
	 * when that changes, another process takes its place.
	 */
	unsigned parts;

	/* The same of what it takes over while it runs; alone it starts anew for that, too. */
	unsigned adopts;

	/* Prepares; INVALID means bad configuration (the process exits with EXIT_USAGE). */
	enum status (*start)(struct role_context *context, struct error *error);

	/*
	 * Does one unit of work and sets *wait to the microseconds that may pass before the next
	 * call (0 = at once, CLOCK_NEVER = until woken with loop_wake). Never waits itself, except
	 * for the database. Not OK: the runner logs the error and ticks again after a pause.
	 */
	enum status (*tick)(struct role_context *context, int64_t *wait, struct error *error);

	/*
	 * Does what is due and needs no database: stops runs whose time is over. Called in each
	 * turn, also while the database is away and ticks have to wait. Returns when it is due
	 * again: clock_monotonic. NULL = there is nothing of the kind.
	 */
	int64_t (*tend)(struct role_context *context);

	/*
	 * Does its work advance, or has it a reason not to? While it does not, the process sends no
	 * sign of life, so that its supervisor or service manager replaces it. NULL = it does as
	 * long as the loop turns.
	 */
	bool (*advances)(const struct role_context *context);

	/*
	 * How many of its threads have work. Such a role is replaced by letting it end its runs
	 * (`leaving`), while another process already works. NULL: it is replaced by stopping it.
	 */
	size_t (*runs)(const struct role_context *context);

	/*
	 * Takes over a configuration of which nothing but `adopts` differs, between two ticks. OK:
	 * it is the role's, which frees it; else nothing has changed, and another process is to
	 * take its place. Only with `adopts`.
	 */
	enum status (*adopt)(struct role_context *context, struct config *config,
			     struct error *error);

	/* Take nothing new from now on; ticks go on until it is idle. May be NULL. */
	void (*stop)(struct role_context *context);

	/*
	 * Stop what runs: shutdown_timeout is over, or the process was taken for dead. Returns
	 * until when ticks may go on before close: clock_monotonic. May be NULL.
	 */
	int64_t (*hurry)(struct role_context *context);

	/* Jobs that it runs were cancelled: stops them. NULL = it runs none. */
	enum status (*told)(struct role_context *context, struct error *error);

	/*
	 * Is nothing running? The runner stops when leaving and idle, and ends when stopping and
	 * idle. NULL = always.
	 */
	bool (*idle)(const struct role_context *context);

	/* Kills what still runs, waits for it, frees state. The runner releases the claims. */
	void (*close)(struct role_context *context);

	/*
	 * Adds the metadata members ("\"queues\":\"*\",...") without braces, and the text of the
	 * title.
	 */
	void (*describe)(const struct role_context *context, struct text *metadata,
			 struct text *title);

	/*
	 * Logs what it is doing, for a person (USR2): one event a line. Only after start. NULL =
	 * nothing to report.
	 */
	void (*dump)(const struct role_context *context);
};

#endif
