#include "supervisor/maintenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "policy/policy.h"
#include "queue/processes/process.h"
#include "supervisor/child.h"

#define PATIENCE (2 * CLOCK_SECOND) /* for one call: children wait meanwhile */

struct grave {
	struct grave *next;
	int pid;
	char name[MEMBERSHIP_NAME_SIZE];
	char how[64];    /* for the log */
	char ending[64]; /* for the jobs it ran */
};

static void new_name(struct maintenance *maintenance, const struct config *config)
{
	char name[MEMBERSHIP_NAME_SIZE];

	membership_name("supervisor(fork)", name);
	membership_init(&maintenance->member, config, "Supervisor(fork)", name);
	maintenance->member.patience = PATIENCE;
}

void maintenance_init(struct maintenance *maintenance, const struct config *config)
{
	*maintenance = (struct maintenance){ .beat_at = CLOCK_NEVER };
	new_name(maintenance, config);
	healing_init(&maintenance->healing, config);
}

static void drop_grave(struct maintenance *maintenance)
{
	struct grave *grave = maintenance->graves;

	maintenance->graves = grave->next;
	free(grave);
}

void maintenance_clear(struct maintenance *maintenance)
{
	while (maintenance->graves)
		drop_grave(maintenance);
	membership_clear(&maintenance->member);
}

static const struct config_process *settings(const struct maintenance *maintenance)
{
	return &maintenance->member.config->process;
}

/*
 * Another process presumed us dead (frozen, cut off), but we live, and our children need a parent
 * that lives.
 */
static enum status return_to_life(struct maintenance *maintenance, struct error *error)
{
	struct membership *member = &maintenance->member;

	log_event(LOG_WARN, "supervisor.lost", LOG_TEXT("name", member->name),
		  LOG_TEXT("reason", "the process row is gone: registering again"));
	membership_name("supervisor(fork)", member->name);
	member->row.id = 0;
	return membership_register(member, error);
}

static enum status beat(struct maintenance *maintenance, struct error *error)
{
	enum status status = STATUS_NONE;

	FAULT_POINT("supervisor.beating");
	if (maintenance->member.row.id > 0)
		status = membership_heartbeat(&maintenance->member, error);
	if (status == STATUS_NONE)
		status = return_to_life(maintenance, error);
	if (status == STATUS_OK && maintenance->unpublished)
		status = policy_publish_classes(maintenance->member.db, maintenance->member.config,
						error);
	if (status == STATUS_OK) {
		maintenance->unpublished = false;
		maintenance->beat_at =
			clock_monotonic() + settings(maintenance)->process_heartbeat_interval;
	}
	return status;
}

enum status maintenance_boot(struct maintenance *maintenance, struct error *error)
{
	enum status status = membership_connect(&maintenance->member, error);

	if (status == STATUS_OK)
		status = membership_register(&maintenance->member, error);
	if (status == STATUS_OK)
		FAULT_POINT("supervisor.registered");
	if (status == STATUS_OK && maintenance->healing.at == CLOCK_NEVER)
		healing_begin(&maintenance->healing, maintenance->outage.what != NULL);
	if (status == STATUS_OK && maintenance->healing.at <= clock_monotonic())
		status = healing_run(&maintenance->healing, &maintenance->member, error);
	if (status == STATUS_OK)
		maintenance->beat_at =
			clock_monotonic() + settings(maintenance)->process_heartbeat_interval;
	return status;
}

void maintenance_bury(struct maintenance *maintenance, const char *name, int pid, int status)
{
	struct grave *grave = calloc(1, sizeof(*grave));

	if (!grave)
		out_of_memory();
	grave->pid = pid;
	snprintf(grave->name, sizeof(grave->name), "%s", name);
	process_how(status, grave->how, sizeof(grave->how));
	restart_ending(status, grave->ending, sizeof(grave->ending));
	grave->next = maintenance->graves;
	maintenance->graves = grave;
}

void maintenance_describe(struct maintenance *maintenance, const char *members)
{
	membership_describe(&maintenance->member, members);
	if (maintenance->beat_at != CLOCK_NEVER)
		maintenance->beat_at = clock_monotonic();
}

void maintenance_adopt(struct maintenance *maintenance, const struct config *config, bool reconnect)
{
	maintenance->member.config = config;
	healing_adopt(&maintenance->healing, config);
	maintenance->unpublished = true;
	maintenance->beat_at =
		maintenance->beat_at == CLOCK_NEVER ? CLOCK_NEVER : clock_monotonic();
	if (!reconnect)
		return;
	db_close(maintenance->member.db);
	maintenance->member.db = NULL;
}

size_t maintenance_unburied(const struct maintenance *maintenance)
{
	size_t count = 0;

	for (const struct grave *grave = maintenance->graves; grave; grave = grave->next)
		count++;
	return count;
}

/* UNCERTAIN needs no special treatment: burying again then finds nothing. */
static enum status bury_dead(struct maintenance *maintenance, struct error *error)
{
	while (maintenance->graves) {
		const struct grave *grave = maintenance->graves;
		const struct burial burial = { grave->name, grave->pid, grave->ending };
		struct loss_result result = { 0 };
		FAULT_POINT("supervisor.burying");
		enum status status = process_bury(maintenance->member.db, &burial,
						  &maintenance->healing.policy, &result, error);
		if (status != STATUS_OK && status != STATUS_NONE)
			return status;
		FAULT_POINT("supervisor.buried");
		if (status ==
		    STATUS_NONE) /* its row had vanished: perhaps its claims are orphans */
			healing_begin(&maintenance->healing, false);
		else
			log_event(LOG_WARN, "process.buried", LOG_TEXT("name", grave->name),
				  LOG_TEXT("host", maintenance->member.row.hostname),
				  LOG_INT("child", grave->pid), LOG_TEXT("how", grave->how),
				  LOG_INT("released", result.released),
				  LOG_INT("failed", result.failed));
		drop_grave(maintenance);
	}
	return STATUS_OK;
}

int64_t maintenance_due(const struct maintenance *maintenance)
{
	int64_t due = maintenance->graves ? 0
					  : clock_earlier(maintenance->beat_at,
							  healing_due(&maintenance->healing));

	return due > maintenance->retry_at ? due : maintenance->retry_at;
}

void maintenance_run(struct maintenance *maintenance)
{
	struct error error = { 0 };
	int64_t now = clock_monotonic();

	if (now < maintenance_due(maintenance))
		return;
	enum status status = membership_connect(&maintenance->member, &error);
	if (status == STATUS_OK)
		status = bury_dead(maintenance, &error);
	if (status == STATUS_OK && now >= maintenance->beat_at)
		status = beat(maintenance, &error);
	if (status == STATUS_OK)
		status = healing_tend(&maintenance->healing, &maintenance->member, &error);
	if (status == STATUS_OK) {
		outage_worked(&maintenance->outage, "maintenance");
		maintenance->retry_at = 0;
		return;
	}
	int64_t delay = outage_failed(&maintenance->outage, "maintenance", &error);
	maintenance->retry_at = clock_monotonic() + delay;
}

const char *maintenance_jobs(struct maintenance *maintenance, struct arena *arena,
			     const char *const names[], size_t count)
{
	struct error error = { 0 };
	const char *text = NULL;
	enum status status = membership_connect(&maintenance->member, &error);

	if (status == STATUS_OK)
		status = holds_describe(maintenance->member.db, arena, names, count, &text, &error);
	if (status != STATUS_OK)
		return arena_strdup(arena, error.text);
	return text ? text : "no job";
}

void maintenance_disconnect(struct maintenance *maintenance)
{
	if (maintenance->member.db)
		db_disconnect(maintenance->member.db);
}

void maintenance_end(struct maintenance *maintenance, int64_t patience)
{
	struct membership *member = &maintenance->member;
	struct error error = { 0 };
	int64_t released = 0;
	enum status status = STATUS_OK;

	if (member->row.id == 0 && !member->unsure && !maintenance->graves)
		return;
	db_close(member->db);
	member->db = NULL;
	member->patience = patience;
	if (maintenance->graves) {
		status = membership_connect(member, &error);
		if (status == STATUS_OK)
			status = bury_dead(maintenance, &error);
	}
	if (status == STATUS_OK)
		status = membership_leave(member, patience, &released, &error);
	if (status != STATUS_OK)
		log_event(LOG_WARN, "supervisor.not_deregistered", LOG_TEXT("name", member->name),
			  LOG_TEXT("error", error.text));
}
