#include "process/healing.h"

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/text/uuid.h"
#include "policy/policy.h"
#include "queue/manage/audit.h"
#include "queue/manage/manage.h"
#include "queue/pauses/pause.h"
#include "queue/processes/loss.h"

#define LONGEST         (1 * CLOCK_MINUTE)
#define SHORTEST        (1 * CLOCK_SECOND)
#define LATE            (5 * CLOCK_SECOND)  /* or a part of the threshold, if that is shorter */
#define GRACE           (15 * CLOCK_SECOND) /* longer than any backoff between beats */
#define WHO_KNOWS       (24 * CLOCK_HOUR)   /* how long the database had been away */
#define AUDIT_EVERY     (1 * CLOCK_HOUR)
#define GONE_EVERY      (10 * CLOCK_MINUTE)
#define PAUSES_EVERY    (5 * CLOCK_SECOND) /* a shorter pause may end that late */
#define CLEAR_EVERY     (1 * CLOCK_MINUTE)
#define CLEAR_PAUSE     (1 * CLOCK_SECOND)        /* while there are more */
#define CLEAR_FOR       (200 * CLOCK_MILLISECOND) /* at a time, so that heartbeats are not late */
#define CLEAR_BATCH     500
#define THRESHOLD_PARTS 3 /* how often processes are checked within the threshold */

void healing_init(struct healing *healing, const struct config *config)
{
	*healing = (struct healing){ .at = CLOCK_NEVER,
				     .pauses_at = CLOCK_NEVER,
				     .clear_at = CLOCK_NEVER };
	healing_adopt(healing, config);
}

void healing_adopt(struct healing *healing, const struct config *config)
{
	healing->policy = policy_losses(config);
}

void healing_begin(struct healing *healing, bool late)
{
	int64_t now = clock_monotonic();

	if (healing->at == CLOCK_NEVER) {
		healing->looked_at = now;
		healing->clear_at = now;
	}
	healing->at = clock_earlier(healing->at, now); /* it may be late already */
	if (!late)
		return;
	healing->late_at = now;
	healing->slack = WHO_KNOWS;
}

/*
 * Often enough that the jobs of a dead host wait for little longer than the threshold; random, so
 * that processes do not check in step.
 */
static int64_t interval(const struct config *config)
{
	int64_t interval = config->process.process_alive_threshold / THRESHOLD_PARTS;

	if (interval > LONGEST)
		interval = LONGEST;
	if (interval < SHORTEST)
		interval = SHORTEST;
	return interval / 2 + (int64_t)random_below((uint64_t)interval / 2 + 1);
}

static enum status release_orphans(const struct healing *healing, struct membership *member,
				   struct error *error)
{
	struct loss_result result = { 0 };
	enum status status = process_lose_orphans(member->db, &healing->policy, &result, error);

	if (result.released + result.failed > 0)
		log_event(LOG_WARN, "claims.orphaned", LOG_INT("released", result.released),
			  LOG_INT("failed", result.failed));
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* If another session's locks protect one of the rows, that is no outage; it is soon tried again. */
static enum status prune_dead(struct healing *healing, struct membership *member,
			      struct error *error)
{
	struct prune prune = policy_silence(member->config, member->row.id);
	int64_t watched = clock_monotonic() - healing->late_at;

	prune.slack = healing->slack;
	prune.watched = watched < GRACE ? 0 : watched;
	struct loss_result result = { 0 };
	enum status status = process_prune(member->db, &prune, &healing->policy, &result, error);

	if (result.processes > 0)
		log_event(LOG_WARN, "processes.pruned", LOG_INT("processes", result.processes),
			  LOG_TEXT("who", result.who), LOG_INT("released", result.released),
			  LOG_INT("failed", result.failed));
	if (result.locked > 0 && !healing->locked)
		log_event(LOG_WARN, "processes.locked", LOG_INT("processes", result.locked),
			  LOG_TEXT("error", error->text));
	healing->locked = status == STATUS_RETRY && result.locked > 0;
	return status == STATUS_NONE || healing->locked ? STATUS_OK : status;
}

static int64_t late_limit(const struct config *config)
{
	int64_t part = config->process.process_alive_threshold / THRESHOLD_PARTS;

	return part < LATE ? part : LATE;
}

/*
 * By how much the database's clock was set, in either direction; heartbeats seem older or newer by
 * that much.
 */
static int64_t clock_set_by(struct healing *healing, struct membership *member)
{
	int64_t clock = db_now(member->db) - clock_monotonic();
	int64_t change = healing->clock_known ? clock - healing->clock : 0;
	int64_t limit = late_limit(member->config);

	healing->clock = clock;
	healing->clock_known = true;
	if (change <= limit && change >= -limit)
		return 0;
	log_event(LOG_WARN, "clock.set", LOG_REAL("seconds_ahead", (double)change / CLOCK_SECOND));
	return change > 0 ? change : -change;
}

/*
 * If we are much too late, the database was unavailable or locked, or this host was asleep or
 * overloaded, and nobody could send heartbeats. The others need a proportional time to send the
 * next one, because their pauses grow.
 */
static int64_t meaningless(struct healing *healing, struct membership *member, int64_t now)
{
	int64_t late = now - healing->at;
	int64_t set = clock_set_by(healing, member);
	int64_t slack = set > 0 ? set + GRACE : 0;

	if (late > late_limit(member->config))
		slack += now - healing->looked_at + clock_earlier(3 * late, GRACE);
	return slack;
}

/*
 * Extends the silence that is tolerated. A short delay is only deducted from the time that we have
 * watched; otherwise nobody would ever be found dead on a busy host.
 */
static void forgive(struct healing *healing, struct membership *member, int64_t now)
{
	int64_t threshold = member->config->process.process_alive_threshold;
	int64_t late = clock_later(now - healing->at, 0);
	int64_t slack = meaningless(healing, member, now);
	bool watching = now - late - healing->late_at < clock_later(threshold, GRACE);

	if (slack == 0)
		return;
	if (watching && slack < threshold + GRACE) {
		healing->late_at += late;
		healing->slack = clock_later(healing->slack, slack);
		return;
	}
	healing->late_at = now;
	healing->slack = watching ? healing->slack + slack : slack;
}

static void log_ended(const struct pause_row *pause)
{
	log_event(LOG_INFO, "pause.ended", LOG_TEXT("kind", pause->kind),
		  LOG_TEXT("name", pause->name), LOG_TEXT("reason", pause->note.reason),
		  LOG_TEXT("who", pause->note.who));
}

/* A pause is announced to nobody, so pauses that end soon must be looked for. */
static enum status end_pauses(struct healing *healing, struct membership *member,
			      struct error *error)
{
	struct arena *arena = arena_new();
	struct pause_row *ended;
	size_t count = 0;
	int64_t next = INT64_MAX;
	enum status status = pause_sweep(member->db, arena, &ended, &count, &next, error);

	for (size_t i = 0; i < count; i++)
		log_ended(&ended[i]);
	if (status == STATUS_OK)
		healing->pauses_at = clock_monotonic() + clock_earlier(next, PAUSES_EVERY);
	arena_free(arena);
	return status;
}

static enum status clear_audit(struct healing *healing, struct membership *member,
			       struct error *error)
{
	int64_t now = clock_monotonic();

	if (now < healing->audit_at)
		return STATUS_OK;
	enum status status = audit_clear(member->db, error);
	if (status == STATUS_OK)
		healing->audit_at = now + AUDIT_EVERY;
	return status;
}

/*
 * Locks of other sessions are no outage: it is tried again. What remains is left for the next time.
 */
static enum status clear_gone(struct healing *healing, struct membership *member,
			      struct error *error)
{
	int64_t now = clock_monotonic();
	bool more = true;

	if (now < healing->gone_at)
		return STATUS_OK;
	enum status status = gone_clear(member->db, &more, error);
	if (status == STATUS_OK && !more)
		healing->gone_at = now + GONE_EVERY;
	return status == STATUS_RETRY ? STATUS_OK : status;
}

/*
 * Deletes some of the finished jobs that have been kept long enough, oldest first. Other processes
 * may do so, too; they take different jobs. Locks of other sessions are no outage: it is tried
 * again.
 */
static enum status clear_finished(struct healing *healing, struct membership *member,
				  struct error *error)
{
	int64_t keep = member->config->process.clear_finished_jobs_after;
	int64_t now = clock_monotonic();
	struct job_clear clear = { .db = member->db,
				   .before = db_now(member->db) - keep,
				   .batch = CLEAR_BATCH };
	enum status status = STATUS_OK;
	bool more = true;

	if (now < healing->clear_at)
		return STATUS_OK;
	while (status == STATUS_OK && more && clock_monotonic() - now < CLEAR_FOR)
		status = job_clear_next(&clear, &more, error);
	if (clear.deleted > 0)
		log_event(LOG_DEBUG, "jobs.cleared", LOG_INT("count", clear.deleted));
	if (status == STATUS_OK || status == STATUS_RETRY)
		healing->clear_at = clock_monotonic() +
				    (status == STATUS_OK && more ? CLEAR_PAUSE : CLEAR_EVERY);
	return status == STATUS_RETRY ? STATUS_OK : status;
}

/* Orphans first: about them there is no doubt. */
enum status healing_run(struct healing *healing, struct membership *member, struct error *error)
{
	int64_t now = clock_monotonic();

	forgive(healing, member, now);
	FAULT_POINT("healing.orphans");
	enum status status = release_orphans(healing, member, error);

	FAULT_POINT("healing.silent");
	if (status == STATUS_OK)
		status = prune_dead(healing, member, error);
	if (status == STATUS_OK)
		status = end_pauses(healing, member, error);
	if (status == STATUS_OK)
		status = clear_audit(healing, member, error);
	if (status == STATUS_OK)
		status = clear_gone(healing, member, error);
	if (status == STATUS_OK)
		status = clear_finished(healing, member, error);
	if (status != STATUS_OK)
		return status;
	healing->looked_at = now;
	healing->at = clock_monotonic() + (healing->locked ? SHORTEST : interval(member->config));
	return status;
}

int64_t healing_due(const struct healing *healing)
{
	return clock_earlier(clock_earlier(healing->at, healing->pauses_at), healing->clear_at);
}

enum status healing_tend(struct healing *healing, struct membership *member, struct error *error)
{
	int64_t now = clock_monotonic();

	if (now >= healing->at)
		return healing_run(healing, member, error);
	enum status status = STATUS_OK;
	if (now >= healing->pauses_at)
		status = end_pauses(healing, member, error);
	return status == STATUS_OK ? clear_finished(healing, member, error) : status;
}
