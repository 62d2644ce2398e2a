/*
 * What stands against a deployment: something that should happen and does not, though nothing in
 * the tables is wrong. One list for every face, in the same words. It is put together here because
 * the words need the configuration; it is the one thing of show/ that asks the database.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <jansson.h>

#include "common/role.h"
#include "config/config.h"
#include "queue/processes/takers.h"

struct finding {
	/*
	 * For programs: "nothing_running"; "queue_unserved", "queue_only_leaving", "queue_late",
	 * "queue_busy", "queue_taken"; "class_unknown"; "task_late", "task_failing";
	 * "no_dispatcher" and the like; "child_given_up", "process_held", "process_troubled",
	 * "process_outdated", "process_gone"; "host_missing".
	 */
	const char *name;
	const char *subject; /* the queue, class or process; NULL = the whole deployment */
	const char *queue;   /* whose jobs wait; NULL = not of one queue */
	int64_t since;       /* the database's clock; 0 = not known */
	const char *text;    /* a sentence */
	const char *advice;  /* what to do, a sentence */
	bool dead;           /* what is asked for does not work at all */
};

struct findings {
	struct finding *list;
	size_t count;
};

struct findings_request {
	const struct config *config;
	struct prune patience;           /* how long a process may be silent */
	const struct role *const *roles; /* all, ended by NULL */
	/* What the caller cannot do without: */
	const struct role *const
		*needed;   /* a process of each of these, ended by NULL; NULL = none */
	const char *queue; /* a worker of this one; other queues are left out; NULL = none */
};

/*
 * Everything is in the arena. When no process is there at all, only that is found, and not role by
 * role. The cost grows with the processes, queues and tasks, and not with the jobs.
 */
enum status findings_read(struct db *db, struct arena *arena,
			  const struct findings_request *request, struct findings *findings,
			  struct error *error) MUST_CHECK;

/* Is there one with `dead`? */
bool findings_are_dead(const struct findings *findings);

/* An array, with the members of struct finding. */
json_t *show_findings(const struct findings *findings);

/*
 * The workers of other software that take the jobs of recurring commands, of those in the files and
 * those in the database.
 */
struct takers findings_takers(const struct db *db, struct arena *arena, const struct config *config,
			      const struct servers *servers, const struct recurring_row rows[],
			      size_t count);

#endif
