#include "queue/look/why.h"

#include <inttypes.h>
#include <string.h>

#include "db/operations.h"
#include "queue/doctor/times.h"
#include "queue/pauses/pause.h"
#include "queue/processes/loss.h"

static bool is_one_of(const char *const names[], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool takes_class(const struct server *server, const char *class_name)
{
	return (!server->classes || is_one_of(server->classes, server->class_count, class_name)) &&
	       !is_one_of(server->others, server->other_count, class_name);
}

static bool on_last_chance(const struct loss_policy *policy, int64_t losses, int64_t declared)
{
	return policy && losses > 0 && losses >= loss_bound(policy, declared);
}

/* If this job is on its last chance: reads which processes run another such job. */
static enum status read_apart(struct db *db, struct arena *arena, struct why_facts *facts,
			      struct db_rows *rows, struct error *error)
{
	const struct job *job = facts->job;

	*rows = (struct db_rows){ 0 };
	if (job->state != JOB_READY || !on_last_chance(facts->policy, job->losses, job->max_losses))
		return STATUS_OK;
	return db_query(db, arena, DB_PLAIN(lost_claims), rows, error);
}

static void add_apart(const struct server *server, const struct db_rows *rows,
		      struct why_facts *facts)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (db_int(rows, i, LOST_CLAIMS_PROCESS_ID) != server->row.id ||
		    !db_text(rows, i, LOST_CLAIMS_CLASS_NAME) ||
		    !on_last_chance(facts->policy, db_int(rows, i, LOST_CLAIMS_LOSSES),
				    job_bound(rows, i, LOST_CLAIMS_MAX_LOSSES)))
			continue;
		facts->apart_job = db_int(rows, i, LOST_CLAIMS_JOB_ID);
		facts->workers.apart++;
		return;
	}
}

static void add_taker(const struct server *server, struct why_workers *workers)
{
	bool told = server->threads > 0 && (workers->takers == 0 || workers->threads > 0);

	workers->takers++;
	workers->threads = told ? workers->threads + server->threads : 0;
	workers->busy += server->row.claims;
}

static void add_worker(const struct server *server, const struct db_rows *apart,
		       struct why_facts *facts)
{
	struct why_workers *workers = &facts->workers;

	if (server->silent) {
		workers->silent++;
		return;
	}
	workers->alive++;
	if (server->leaving_since != 0) {
		workers->ending++;
		workers->ending_jobs += server->row.claims;
	} else if (server->quiet)
		workers->quiet++;
	else if (server->paused)
		workers->paused++;
	else if (server->held)
		workers->held++;
	else if (server->trouble) {
		workers->troubled++;
		workers->trouble = server;
	} else if (!takes_class(server, facts->job->class_name)) {
		workers->strangers++;
	} else {
		add_taker(server, workers);
		add_apart(server, apart, facts);
	}
}

/* May this one claim the job, and have to wait for the other, which serves other queues? */
static bool may_wait(const struct db *db, struct arena *arena, const struct server *server,
		     const struct server *other, const char *queue)
{
	return other->leaving_since != 0 && !other->silent && !server_serves(db, other, queue) &&
	       server_is_here(server) && server_serves(db, server, queue) &&
	       server->row.supervisor_id == other->row.supervisor_id &&
	       server_shares(db, arena, server, other);
}

static void add_held(const struct db *db, struct arena *arena, const struct servers *servers,
		     struct why_facts *facts)
{
	for (size_t i = 0; i < servers->count; i++) {
		const struct server *other = &servers->list[i];
		size_t j = 0;
		while (j < servers->count &&
		       !may_wait(db, arena, &servers->list[j], other, facts->job->queue))
			j++;
		if (j < servers->count)
			facts->workers.ending_jobs += other->row.claims;
	}
}

static void add_dispatcher(const struct server *server, struct why_facts *facts)
{
	if (server->silent || strcmp(server->row.kind, "Dispatcher") != 0)
		return;
	if (server->trouble)
		facts->stuck_dispatcher = server;
	else
		facts->dispatcher = true;
}

static void add_servers(const struct db *db, const struct servers *servers,
			const struct db_rows *apart, struct why_facts *facts)
{
	const struct job *job = facts->job;

	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		add_dispatcher(server, facts);
		if (server_serves(db, server, job->queue))
			add_worker(server, apart, facts);
		if (job->process_id > 0 && server->row.id == job->process_id)
			facts->process_silent = server->silent;
	}
}

static bool is_name(const struct db *db, const char *a, const char *b)
{
	return strlen(a) == strlen(b) && db_same_name(db, a, b, strlen(a));
}

static enum status read_pauses(struct db *db, struct arena *arena, struct why_facts *facts,
			       struct error *error)
{
	const struct job *job = facts->job;
	const char *id = arena_printf(arena, "%" PRId64, job->id);
	struct db_rows paused = { 0 };
	struct pause_row *pauses;
	size_t count = 0;
	enum status status = db_query(db, arena, DB_CALL(queue_paused, .queue = P_TEXT(job->queue)),
				      &paused, error);

	if (status == STATUS_OK)
		status = pause_list(db, arena, &pauses, &count, error);
	if (status != STATUS_OK)
		return status;
	if (paused.count > 0)
		facts->queue_pause.since = db_time(&paused, 0, QUEUE_PAUSED_CREATED_AT);
	for (size_t i = 0; i < count; i++) {
		const struct pause_row *pause = &pauses[i];
		if (strcmp(pause->kind, "queue") == 0 && is_name(db, pause->name, job->queue) &&
		    pause->since == facts->queue_pause.since)
			facts->queue_pause.note = pause->note;
		if (strcmp(pause->kind, "class") == 0 && strcmp(pause->name, job->class_name) == 0)
			facts->class_pause = *pause;
		if (strcmp(pause->kind, "refused") == 0 && strcmp(pause->name, id) == 0)
			facts->refused = *pause;
	}
	const struct pause_row *pattern = pattern_pausing(pauses, count, job->queue);
	if (pattern && paused.count == 0)
		facts->queue_pause = *pattern;
	return STATUS_OK;
}

static enum status read_pace(struct db *db, struct arena *arena, const struct prune *patience,
			     struct why_facts *facts, struct error *error)
{
	struct survey survey;
	struct db_rows apart;
	enum status status = survey_pace(db, arena, patience, &survey, error);

	if (status == STATUS_OK)
		status = read_apart(db, arena, facts, &apart, error);
	if (status != STATUS_OK)
		return status;
	facts->now = survey.now;
	add_servers(db, &survey.servers, &apart, facts);
	add_held(db, arena, &survey.servers, facts);
	const struct survey_queue *queue = survey_find(db, &survey, facts->job->queue);
	if (queue)
		facts->throughput = queue->throughput;
	return STATUS_OK;
}

static enum status read_orphan(struct db *db, struct why_facts *facts, struct error *error)
{
	struct loss_policy own;
	enum status status = loss_policy_orphans(db, facts->policy, &own, error);

	if (status == STATUS_OK)
		facts->orphan_fails = loss_bound(&own, facts->job->max_losses) == 0;
	return status;
}

enum status why_read(struct db *db, struct arena *arena, const struct prune *patience,
		     struct why_facts *facts, struct error *error)
{
	const struct job *job = facts->job;
	const char *key = facts->details->waits_for;
	enum status status = read_pauses(db, arena, facts, error);

	if (status == STATUS_OK)
		status = read_pace(db, arena, patience, facts, error);
	if (status == STATUS_OK)
		status = jobs_ahead(db, job, key, WHY_MOST_AHEAD + 1, &facts->ahead, error);
	if (status == STATUS_OK && job->state == JOB_BLOCKED && key)
		status = holders_read(db, arena, key, &facts->holders, error);
	if (status == STATUS_OK && job->state == JOB_SCHEDULED)
		status = times_odd(db, arena, job->id, &facts->odd_time, &facts->never, error);
	if (status == STATUS_OK && job->state == JOB_CLAIMED && facts->details->process.id == 0)
		status = read_orphan(db, facts, error);
	return status;
}

enum status why_read_left(struct db *db, struct arena *arena, int64_t id, struct why *why,
			  struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_CALL(job_left, .id = P_INT(id)), &rows, error);

	if (status != STATUS_OK || rows.count == 0)
		return status == STATUS_OK ? STATUS_NONE : status;
	struct why_left *list = arena_array(arena, rows.count, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++)
		list[i] = (struct why_left){
			.state = db_text(&rows, i, JOB_LEFT_STATE),
			.since = db_time(&rows, i, JOB_LEFT_SINCE),
			.due_at = db_time(&rows, i, JOB_LEFT_DUE_AT),
			.queue = db_text(&rows, i, JOB_LEFT_QUEUE_NAME),
			.process_id = db_int(&rows, i, JOB_LEFT_PROCESS_ID),
			.process = db_text(&rows, i, JOB_LEFT_PROCESS_NAME),
		};
	why_explain_left(arena, id, db_now(db), list, rows.count, why);
	return STATUS_OK;
}
