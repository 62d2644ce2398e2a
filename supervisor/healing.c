#include "supervisor/healing.h"

#include "common/clock.h"
#include "common/fault.h"
#include "common/log.h"
#include "common/uuid.h"
#include "supervisor/losses.h"

#define LONGEST         (1 * CLOCK_MINUTE)
#define SHORTEST        (1 * CLOCK_SECOND)
#define LATE            (5 * CLOCK_SECOND)  /* or a part of the threshold, if that is less */
#define GRACE           (15 * CLOCK_SECOND) /* longer than any backoff between beats */
#define THRESHOLD_PARTS 3                   /* how often a threshold is looked at */

void healing_init(struct healing *healing, const struct config *config)
{
	*healing = (struct healing){ .at = CLOCK_NEVER };
	healing_adopt(healing, config);
}

void healing_adopt(struct healing *healing, const struct config *config)
{
	healing->policy = losses_policy(config, &healing->classes);
}

void healing_clear(struct healing *healing)
{
	text_free(&healing->classes);
}

void healing_begin(struct healing *healing, bool late)
{
	healing->at = clock_monotonic();
	if (late)
		healing->judge_from = healing->at + GRACE;
}

/* Often enough that a dead host's jobs wait for little more than the threshold, never in step. */
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

static enum status prune_dead(const struct healing *healing, struct membership *member,
			      struct error *error)
{
	const struct prune prune = losses_prune(member->config, member->row.id);
	struct loss_result result = { 0 };
	enum status status = process_prune(member->db, &prune, &healing->policy, &result, error);

	if (result.processes > 0)
		log_event(LOG_WARN, "processes.pruned", LOG_INT("processes", result.processes),
			  LOG_INT("released", result.released), LOG_INT("failed", result.failed));
	return status == STATUS_NONE ? STATUS_OK : status;
}

static int64_t late_limit(const struct config *config)
{
	int64_t part = config->process.process_alive_threshold / THRESHOLD_PARTS;

	return part < LATE ? part : LATE;
}

/* Then every heartbeat looks too old, or comes from the future. */
static bool clock_was_set(struct healing *healing, struct membership *member)
{
	int64_t clock = db_now(member->db) - clock_monotonic();
	int64_t change = clock - healing->clock;
	int64_t limit = late_limit(member->config);
	bool set = healing->clock_known && (change > limit || change < -limit);

	if (set)
		log_event(LOG_WARN, "clock.set",
			  LOG_REAL("seconds_ahead", (double)change / CLOCK_SECOND));
	healing->clock = clock;
	healing->clock_known = true;
	return set;
}

/*
 * Orphans first: they cannot be wrong. When we come much too late, the database was away or locked
 * or this host asleep, and then nobody could beat: the living get time to do so before we judge. So
 * they do when the database's clock was set.
 */
enum status healing_run(struct healing *healing, struct membership *member, struct error *error)
{
	int64_t now = clock_monotonic();

	if (clock_was_set(healing, member) || now - healing->at > late_limit(member->config))
		healing->judge_from = now + GRACE;
	FAULT_POINT("healing.orphans");
	enum status status = release_orphans(healing, member, error);

	FAULT_POINT("healing.silent");
	if (status == STATUS_OK && now >= healing->judge_from)
		status = prune_dead(healing, member, error);
	if (status == STATUS_OK)
		healing->at = now < healing->judge_from
				      ? healing->judge_from
				      : clock_monotonic() + interval(member->config);
	return status;
}
