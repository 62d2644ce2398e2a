#include "process/membership.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/uuid.h"
#include "db/schema/schema.h"
#include "policy/policy.h"
#include "process/control.h"
#include "process/outage.h"
#include "queue/findings/leader.h"

#define NAME_BYTES 10
#define SKEW_LIMIT (1 * CLOCK_SECOND)

void membership_name(const char *word, char name[MEMBERSHIP_NAME_SIZE])
{
	char random[2 * NAME_BYTES + 1];

	random_hex(NAME_BYTES, random);
	snprintf(name, MEMBERSHIP_NAME_SIZE, "%s-%s", word, random);
}

void membership_init(struct membership *member, const struct config *config, const char *kind,
		     const char *name)
{
	*member = (struct membership){ .config = config };
	snprintf(member->name, sizeof(member->name), "%s", name);
	process_hostname(member->hostname);
	member->row.kind = kind;
	member->row.name = member->name;
	member->row.pid = getpid();
	member->row.hostname = member->hostname;
	membership_describe(member, "");
}

void membership_clear(struct membership *member)
{
	db_close(member->db);
	member->db = NULL;
	text_free(&member->metadata);
}

void membership_describe(struct membership *member, const char *members)
{
	double interval = (double)member->config->process.process_heartbeat_interval / CLOCK_SECOND;

	text_clear(&member->metadata);
	text_printf(&member->metadata,
		    "{%s%s\"software\":\"dray " DRAY_VERSION "\",\"heartbeat_interval\":%g}",
		    members, *members ? "," : "", interval);
	member->row.metadata = text_string(&member->metadata);
}

static int64_t at_most(int64_t configured, int64_t patience)
{
	return patience > 0 && (configured == 0 || configured > patience) ? patience : configured;
}

static enum status open_database(struct membership *member, struct error *error)
{
	const struct config_database *config = &member->config->database;
	struct db_options options = {
		.schema = config->schema,
		.password_file = config->password_file,
		.connect_timeout = at_most(config->connect_timeout, member->patience),
		.call_timeout = at_most(config->call_timeout, member->patience),
		.retry_for = at_most(db_retry_setting(config->retry_for), member->patience),
		.no_skip_locked = !config->use_skip_locked,
		.one_plan = true,
		.must_exist = true,
		.of_rails = config->of_rails,
	};

	return db_open(&member->db, config->url, &options, error);
}

/*
 * A turn of the loop may take many transactions, each of which may wait for locks of other
 * sessions; we must not be presumed dead meanwhile. If this heartbeat fails, the loop's own next
 * one reports it.
 */
static void beat_between(void *data)
{
	struct membership *member = data;
	int64_t interval = member->config->process.process_heartbeat_interval;
	struct error error = { 0 };

	if (member->row.id == 0 || !membership_may_beat(member) ||
	    clock_monotonic() < member->tried_at + interval + interval / 2)
		return;
	int64_t retry_for =
		db_set_retry_for(member->db, 1); /* one attempt: other work waits for it */
	(void)!membership_heartbeat(member, &error);
	(void)db_set_retry_for(member->db, retry_for);
	member->tried_at = clock_monotonic();
}

enum status membership_connect(struct membership *member, struct error *error)
{
	if (member->db)
		return STATUS_OK;
	enum status status = open_database(member, error);
	member->let_in = status == STATUS_OK;
	if (status == STATUS_OK)
		status = schema_require(member->db, error);
	if (status == STATUS_OK) {
		db_between(member->db, beat_between, member);
		db_be_wary(member->db);
	} else {
		db_close(member->db);
		member->db = NULL;
	}
	return status;
}

bool membership_is_final(const struct membership *member, enum status status, bool wait)
{
	const struct config_database *config = &member->config->database;

	if (db_is_file(config->url) && status != STATUS_RETRY &&
	    (status == STATUS_DOWN || !member->let_in))
		return true;
	if (config->password_file && access(config->password_file, R_OK) != 0)
		return true;
	return !wait && !outage_passes(status);
}

/*
 * By name, because the outcome of the registration's commit may be unknown, and the id may belong
 * to another process by now.
 */
static enum status deregister_by_name(struct membership *member, int64_t *released,
				      struct error *error)
{
	int64_t id = 0;
	enum status status = process_find(member->db, member->name, &id, error);

	if (status == STATUS_OK)
		status = process_deregister(member->db, id, released, error);
	return status;
}

enum status membership_publish(struct membership *member, struct error *error)
{
	if (member->published)
		return STATUS_OK;
	enum status status = policy_publish_classes(member->db, member->config, error);
	member->published = status == STATUS_OK;
	return status;
}

enum status membership_register(struct membership *member, struct error *error)
{
	enum status status = STATUS_NONE;

	if (member->row.id > 0)
		return STATUS_OK;
	if (member->unsure)
		status = process_find(member->db, member->name, &member->row.id, error);
	if (status != STATUS_NONE)
		return status;
	status = membership_publish(member, error);
	if (status != STATUS_OK)
		return status;
	member->tried_at = clock_monotonic();
	status = process_register(member->db, &member->row, error);
	member->unsure = status == STATUS_UNCERTAIN;
	if (status != STATUS_OK)
		member->row.id = 0;
	return status;
}

/* All rules use the database's clock, so skew does no harm here, but people compare log lines. */
static void watch_clock(struct membership *member)
{
	int64_t skew = db_clock_skew(member->db);
	bool skewed = skew > SKEW_LIMIT || skew < -SKEW_LIMIT;

	if (skewed && !member->skewed)
		log_event(LOG_WARN, "clock.skewed",
			  LOG_REAL("seconds_ahead_of_database", (double)skew / CLOCK_SECOND));
	member->skewed = skewed;
}

bool membership_may_beat(const struct membership *member)
{
	return !member->parent || control_turns(member->parent) != member->turn;
}

enum status membership_heartbeat(struct membership *member, struct error *error)
{
	member->tried_at = clock_monotonic();
	enum status status = db_sync_clock(member->db, error);

	if (status != STATUS_OK)
		return status;
	watch_clock(member);
	const unsigned turn = member->parent ? control_turns(member->parent) : 0;
	status = process_heartbeat(member->db, &member->row, error);
	if (status == STATUS_OK)
		member->turn = turn;
	return status;
}

static enum status delete_row(struct membership *member, int64_t *released, struct error *error)
{
	enum status status = open_database(member, error);

	if (status == STATUS_OK && member->epoch != 0)
		status = leader_give_up(member->db, member->epoch, error);
	if (status == STATUS_OK || status == STATUS_NONE)
		status = deregister_by_name(member, released, error);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status membership_leave(struct membership *member, int64_t patience, int64_t *released,
			     struct error *error)
{
	enum status status = STATUS_OK;

	*released = 0;
	db_close(member->db);
	member->db = NULL;
	if (member->row.id > 0 || member->unsure) {
		member->patience = patience;
		status = delete_row(member, released, error);
	}
	if (status == STATUS_OK)
		member->row.id = 0;
	return status;
}
