/*
 * show/: what there is to show, as data: jobs, queues, processes, tasks, statistics, errors,
 * findings, made from what queue/ has read. Each is an object or an array of JSON with the
 * keys that docs/commands.md documents, the same for every face; how it looks (columns, colours,
 * words for nothing) is the face's. Nothing here prints, and only findings.h reads the database.
 * The caller owns the result.
 */
#ifndef SHOW_H
#define SHOW_H

#include "config/config.h"
#include "queue/doctor/doctor.h"
#include "queue/look/errors.h"
#include "queue/look/job.h"
#include "queue/look/job_details.h"
#include "queue/look/survey.h"
#include "queue/look/why.h"
#include "queue/processes/loss.h"
#include "queue/processes/servers.h"
#include "queue/recurring/task.h"
#include "show/findings.h"
#include "show/value.h"

/* A job: `id`, `class` ... as `dray jobs` prints it. What does not apply is null. */
json_t *show_job(const struct job *job);

/* The same, with what `dray job` adds: `payload`, `timeline` ... */
json_t *show_job_whole(struct arena *arena, const struct job *job,
		       const struct job_details *details);

json_t *show_why(const struct job *job, const struct why *why);

/* The same of a job that does not exist but has left rows. */
json_t *show_left(int64_t id, const struct why *why);

/* A queue as `dray queues` prints it, without `unserved`. */
json_t *show_queue(const struct survey *survey, const struct survey_queue *entry);

/* "paused", "unserved" or "active". */
const char *show_queue_status(const struct survey_queue *queue);

/*
 * Ready jobs of classes that no worker knows, an array of `queue`, `class`, `jobs`, `text`; the
 * text says what is to be done about them, by what the configuration has.
 */
json_t *show_unserved(const struct config *config, const struct unserveds *unserved);

/* The two sentences of that, in the arena: what is wrong, and what to do. */
const char *unserved_text(struct arena *arena, const struct unserved *one);
const char *unserved_advice(struct arena *arena, const struct config *config,
			    const char *class_name);

json_t *show_stats(const struct stats *stats);

/* An array of the registered ones, and then of those that are gone, with the same keys. */
json_t *show_processes(const struct servers *servers, const struct gone gone[], size_t gone_count);

/* A group as it is in the list. */
json_t *show_error_group(struct arena *arena, const struct error_group *group);

/* An array of its last runs. */
json_t *show_error_runs(const struct error_group *group);

/* What doctor found in the tables, what is left after a repair, and what stands besides. */
struct doctor_examination {
	struct doctor before, after;
	struct findings findings;
};

/* A repair is of the tables only: then what stands besides is not counted. */
bool doctor_is_healthy(const struct doctor_examination *examination);

json_t *show_examination(const struct doctor_examination *examination);

/* A recurring task of our recurring.yml, of the database, or of both. */
struct task_shown {
	const struct config_task *task;  /* NULL = none */
	const struct recurring_row *row; /* NULL: nobody has published it */
	struct recurring_timing timing;  /* timer NULL: it cannot be read */
	const char *class_name, *queue, *from;
	int64_t late_after;
	int64_t failures_after; /* 0 = by how often it runs */
	bool enabled;
};

struct task_shown task_of_file(const struct config_task *task, const struct recurring_row *row);

/* As far as it can be read: it may be other software's. The zones outlive it. */
struct task_shown task_of_row(struct arena *arena, struct zones *zones, const struct config *config,
			      const struct recurring_row *row);

/* Does it run a command, if it runs? */
bool task_is_commanded(const struct config_task *task);

/* All tasks: first the file's, then the rest of the rows, which it sorts by key. */
json_t *show_tasks(struct arena *arena, const struct config *config, struct recurring_row rows[],
		   size_t count, int64_t now);

/* An array of the first `number` runs after a time. */
json_t *show_runs(const struct recurring_timing *timing, int64_t after, int64_t number);

/* An array of what has become of occurrences. */
json_t *show_history(const struct recurring_run runs[], size_t count);

#endif
