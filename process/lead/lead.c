#include "process/lead/lead.h"

#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "policy/policy.h"
#include "queue/findings/leader.h"
#include "queue/processes/servers.h"

#define LOOK_EVERY  (10 * CLOCK_SECOND) /* a third of LEAD_SPAN: two may be late */
#define ROUND_EVERY (5 * CLOCK_SECOND)

void lead_init(struct lead *lead, const struct role *const *roles)
{
	*lead = (struct lead){ .look_at = roles ? 0 : CLOCK_NEVER,
			       .rounds = { .roles = roles, .patience = ROUNDS_PATIENCE } };
}

/* commands */

static void tend_well(struct lead *lead)
{
	if (command_ended(&lead->well) && lead->well.failed)
		log_event(LOG_WARN, "well.failed", LOG_TEXT("how", lead->well.how));
}

void lead_tend(struct lead *lead, const struct config *config)
{
	alarm_tend(&lead->alarm, config);
	tend_well(lead);
}

int64_t lead_tend_due(const struct lead *lead)
{
	return clock_earlier(alarm_due(&lead->alarm), command_due(&lead->well));
}

void lead_end(struct lead *lead)
{
	alarm_stop(&lead->alarm);
	command_stop(&lead->well);
	rounds_clear(&lead->rounds);
}

static void run_well(struct lead *lead, const struct config *config, int64_t now)
{
	if (!config->well.command || !lead->rounds.well || lead->well.pid != 0 ||
	    now < lead->well_at)
		return;
	lead->well_at = now + config->well.every;
	if (!command_begin(&lead->well, config->well.command, ""))
		log_event(LOG_WARN, "well.failed", LOG_TEXT("how", lead->well.how));
}

/* the lead */

static bool tells(const struct membership *member)
{
	return member->config->process.on_alarm != NULL;
}

/* Does one live that has on_alarm, while we have none? */
static enum status look_for_better(struct membership *member, bool *better, struct error *error)
{
	const struct prune patience = policy_silence(member->config, 0);
	struct arena *arena = arena_new();
	struct servers servers = { 0 };
	enum status status = STATUS_OK;

	*better = false;
	if (!tells(member))
		status = servers_read(member->db, arena, &patience, &servers, error);
	for (size_t i = 0; i < servers.count; i++)
		*better = *better || (servers.list[i].alarms && !servers.list[i].silent);
	arena_free(arena);
	return status;
}

static void begin(struct lead *lead, struct membership *member, int64_t epoch)
{
	member->epoch = epoch;
	lead->round_at = clock_monotonic();
	lead->rounds.untold = true;
	log_event(LOG_INFO, "lead.taken", LOG_TEXT("name", member->name), LOG_INT("epoch", epoch),
		  LOG_TEXT("host", member->hostname));
}

/* What it has not told, others tell. */
static void stop(struct lead *lead, struct membership *member, const char *why)
{
	log_event(LOG_INFO, "lead.ended", LOG_TEXT("name", member->name),
		  LOG_INT("epoch", member->epoch), LOG_TEXT("reason", why));
	member->epoch = 0;
	lead_end(lead);
}

static enum status take(struct lead *lead, struct membership *member, struct error *error)
{
	struct arena *arena = arena_new();
	struct leader leader = { 0 };
	bool better = false;
	int64_t epoch = 0;
	enum status status = leader_read(member->db, arena, &leader, error);

	const bool ours = status == STATUS_OK && strcmp(leader.name, member->name) == 0;
	if (status == STATUS_OK && (leader.over || ours))
		status = look_for_better(member, &better, error);
	if (status == STATUS_OK && (leader.over || ours) && !better) {
		FAULT_POINT("lead.taking");
		status = leader_take(member->db, member->name, &leader, &epoch, error);
		FAULT_POINT("lead.taken");
	}
	if (epoch != 0)
		begin(lead, member, epoch);
	else if (status == STATUS_OK || status == STATUS_NONE)
		status = rounds_look(&lead->rounds, member->db, arena, &(struct kept_list){ 0 },
				     error);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status keep(struct lead *lead, struct membership *member, struct error *error)
{
	bool better = false;
	enum status status = look_for_better(member, &better, error);

	if (status != STATUS_OK)
		return status;
	if (!better)
		return leader_renew(member->db, member->epoch, error);
	status = leader_give_up(member->db, member->epoch, error);
	if (status == STATUS_OK)
		stop(lead, member, "another has on_alarm");
	return status;
}

static enum status look(struct lead *lead, struct membership *member, struct error *error)
{
	const int64_t now = clock_monotonic();

	if (now < lead->look_at)
		return STATUS_OK;
	enum status status =
		member->epoch != 0 ? keep(lead, member, error) : take(lead, member, error);
	if (status == STATUS_OK)
		lead->look_at = now + LOOK_EVERY;
	return status;
}

/* what the leader does */

static enum status make_round(struct lead *lead, struct membership *member, struct error *error)
{
	const int64_t now = clock_monotonic();

	if (now < lead->round_at)
		return STATUS_OK;
	enum status status = rounds_run(&lead->rounds, member, error);
	if (status == STATUS_OK) {
		lead->round_at = now + ROUND_EVERY;
		run_well(lead, member->config, now);
	}
	return status;
}

static bool may_tell(const struct lead *lead, const struct membership *member)
{
	return tells(member) && lead->rounds.untold && alarm_is_free(&lead->alarm);
}

static enum status tell(struct lead *lead, struct membership *member, struct error *error)
{
	if (!may_tell(lead, member))
		return STATUS_OK;
	if (lead->alarm.over)
		lead->rounds.alarm = lead->alarm.command.failed ? ALARM_FAILS : ALARM_WORKS;
	return alarm_tell(&lead->alarm, member, &lead->rounds.untold, error);
}

int64_t lead_due(const struct lead *lead, const struct membership *member)
{
	int64_t due = lead->look_at;

	if (member->epoch != 0)
		due = clock_earlier(due, may_tell(lead, member) ? 0 : lead->round_at);
	return due > lead->retry_at ? due : lead->retry_at;
}

enum status lead_run(struct lead *lead, struct membership *member, struct error *error)
{
	enum status status = look(lead, member, error);

	if (status == STATUS_OK && member->epoch != 0)
		status = make_round(lead, member, error);
	if (status == STATUS_OK && member->epoch != 0)
		status = tell(lead, member, error);
	if (status == STATUS_NONE) {
		stop(lead, member, "others have taken it");
		status = STATUS_OK;
	}
	if (status == STATUS_OK)
		lead->retry_at = 0;
	return status;
}
