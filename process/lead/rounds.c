#include "process/lead/rounds.h"

#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "policy/policy.h"
#include "show/findings.h"

#define CHANGES_MOST 20 /* a round: others are for the next one, because burials come first */

#define FAILING "alarm_failing"

/* A finding that has not begun, or has not ended, as far as the database says. */
struct seen {
	const char *key;
	int64_t first_at; /* clock_monotonic: since when every round has found it */
	bool said;
};

struct round {
	struct rounds *rounds;
	struct membership *member;
	struct arena *arena;
	struct kept_list kept;
	struct findings found;
	struct rounds next; /* what is seen */
	int changes;
};

void rounds_clear(struct rounds *rounds)
{
	if (rounds->arena)
		arena_free(rounds->arena);
	rounds->arena = NULL;
	rounds->list = NULL;
	rounds->count = 0;
	rounds->alarm = ALARM_UNKNOWN;
	rounds->well = rounds->untold = false;
}

static const struct seen *find_seen(const struct rounds *rounds, const char *key)
{
	for (size_t i = 0; i < rounds->count; i++)
		if (strcmp(rounds->list[i].key, key) == 0)
			return &rounds->list[i];
	return NULL;
}

static struct seen *note_seen(struct round *round, const char *key)
{
	struct rounds *next = &round->next;
	const struct seen *before = find_seen(round->rounds, key);

	next->list = arena_extend(next->arena, next->list, next->count, sizeof(*next->list));
	next->list[next->count] = (struct seen){ arena_strdup(next->arena, key),
						 before ? before->first_at : clock_monotonic(),
						 before && before->said };
	return &next->list[next->count++];
}

static struct kept as_kept(const struct finding *finding)
{
	return (struct kept){
		.name = finding->name,
		.subject = finding->subject ? finding->subject : "",
		.queue = finding->queue ? finding->queue : "",
		.since = finding->since,
		.text = finding->text,
		.advice = finding->advice,
		.dead = finding->dead,
	};
}

static bool is_same(const struct kept *kept, const struct kept *other)
{
	return kept->ended_at == 0 && other->ended_at == 0 &&
	       strcmp(kept->name, other->name) == 0 && strcmp(kept->subject, other->subject) == 0 &&
	       strcmp(kept->queue, other->queue) == 0;
}

static struct kept *find_kept(const struct round *round, const struct kept *like)
{
	for (size_t i = 0; i < round->kept.count; i++)
		if (is_same(&round->kept.list[i], like))
			return &round->kept.list[i];
	return NULL;
}

static bool is_found(const struct round *round, const struct kept *kept)
{
	for (size_t i = 0; i < round->found.count; i++) {
		const struct kept found = as_kept(&round->found.list[i]);
		if (is_same(kept, &found))
			return true;
	}
	return false;
}

static void say(const struct kept *kept, bool ended)
{
	char since[CLOCK_TEXT_SIZE] = "";

	if (kept->since != 0)
		clock_format_iso(kept->since, since);
	log_event(ended ? LOG_INFO : LOG_WARN, ended ? "finding.ended" : "finding.began",
		  LOG_TEXT("finding", kept->name),
		  LOG_TEXT("subject", *kept->subject ? kept->subject : NULL),
		  LOG_TEXT("queue", *kept->queue ? kept->queue : NULL),
		  LOG_TEXT("since", *since ? since : NULL), LOG_TEXT("text", kept->text),
		  LOG_TEXT("advice", kept->advice));
}

/* May it be changed in this round? What was said already stays noted in any case. */
static bool may_change(struct round *round, enum status status)
{
	return status == STATUS_OK && round->changes++ < CHANGES_MOST;
}

/* What is late already was waited for. */
static bool has_waited(const char *name)
{
	static const char *const names[] = { "queue_late", "queue_busy", "task_late",
					     "task_failing", FAILING };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool lasts(const struct round *round, const struct kept *kept, const struct seen *seen)
{
	return find_seen(round->rounds, seen->key) &&
	       (has_waited(kept->name) ||
		clock_monotonic() - seen->first_at >= round->rounds->patience);
}

static enum status begin(struct round *round, const struct kept *kept, enum status status,
			 struct error *error)
{
	const char *key =
		arena_printf(round->arena, "%s %s\n%s", kept->name, kept->subject, kept->queue);

	if (find_seen(&round->next, key)) /* found twice */
		return status;
	struct seen *seen = note_seen(round, key);

	if (!lasts(round, kept, seen) || !may_change(round, status))
		return status;
	if (!seen->said)
		say(kept, false);
	seen->said = true;
	round->rounds->untold = true;
	return kept_begin(round->member->db, round->member->epoch, kept, error);
}

/* Of one that nobody was told of the end is not told either: it is forgotten at once. */
static enum status end(struct round *round, struct kept *kept, enum status status,
		       struct error *error)
{
	struct membership *member = round->member;
	struct seen *seen =
		note_seen(round, arena_printf(round->arena, "%" PRId64 " ended", kept->id));

	if (!may_change(round, status))
		return status;
	if (!seen->said)
		say(kept, true);
	seen->said = true;
	if (!member->config->process.on_alarm && !kept->told)
		return kept_forget(member->db, member->epoch, kept, error);
	kept->ended_at = db_now(member->db);
	round->rounds->untold = true;
	return kept_mark(member->db, member->epoch, kept, error);
}

static enum status mark_away(struct round *round, struct kept *kept, int64_t since,
			     enum status status, struct error *error)
{
	if (!may_change(round, status))
		return status;
	kept->away_since = since;
	return kept_mark(round->member->db, round->member->epoch, kept, error);
}

/*
 * One that stands in the tables. When nothing runs that is all that is found of a deployment, and
 * what stood stands. A clock that was set back begins its absence anew.
 */
static enum status look_at_kept(struct round *round, struct kept *kept, enum status status,
				struct error *error)
{
	const int64_t now = db_now(round->member->db);
	const bool away = kept->away_since != 0;

	if (is_found(round, kept) ||
	    (findings_are_dead(&round->found) && strcmp(kept->name, FAILING) != 0))
		return away ? mark_away(round, kept, 0, status, error) : status;
	if (!away || kept->away_since > now)
		return mark_away(round, kept, now, status, error);
	return now - kept->away_since < ROUNDS_AWAY ? status : end(round, kept, status, error);
}

/* One whose end is to be told, and we cannot: another leader may, if there is one within a day. */
static enum status look_at_ended(struct round *round, const struct kept *kept, enum status status,
				 struct error *error)
{
	struct membership *member = round->member;

	if (member->config->process.on_alarm ||
	    (kept->told && db_now(member->db) - kept->ended_at < ROUNDS_TELLABLE) ||
	    !may_change(round, status))
		return status;
	return kept_forget(member->db, member->epoch, kept, error);
}

static enum status compare(struct round *round, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < round->found.count; i++) {
		const struct kept found = as_kept(&round->found.list[i]);
		if (!find_kept(round, &found))
			status = begin(round, &found, status, error);
	}
	for (size_t i = 0; i < round->kept.count; i++) {
		struct kept *kept = &round->kept.list[i];
		if (kept->ended_at == 0)
			status = look_at_kept(round, kept, status, error);
		else
			status = look_at_ended(round, kept, status, error);
		round->rounds->untold = round->rounds->untold || !kept->told || kept->ended_at != 0;
	}
	return status;
}

/* Until a command has worked; a new leader takes the word of the one before it. */
static void add_failing(struct round *round)
{
	const enum rounds_alarm alarm = round->rounds->alarm;
	struct findings *found = &round->found;
	struct finding failing = {
		.name = FAILING,
		.text = "The command of `on_alarm` fails, so nobody is told of findings.",
		.advice = "The log says how (`alarm.failed`): run it by hand on that host.",
	};
	const struct kept like = as_kept(&failing);

	if (!round->member->config->process.on_alarm || alarm == ALARM_WORKS ||
	    (alarm == ALARM_UNKNOWN && !find_kept(round, &like)))
		return;
	found->list = arena_extend(round->arena, found->list, found->count, sizeof(failing));
	found->list[found->count++] = failing;
}

static bool is_well(const struct round *round)
{
	for (size_t i = 0; i < round->kept.count; i++)
		if (round->kept.list[i].ended_at == 0)
			return false;
	return round->found.count == 0;
}

enum status rounds_look(struct rounds *rounds, struct db *db, struct arena *arena,
			struct kept_list *kept, struct error *error)
{
	enum status status = kept_read(db, arena, kept, error);

	if (status == STATUS_OK)
		degraded_text(arena, kept, db_now(db), rounds->degraded);
	return status;
}

static enum status read_all(struct round *round, struct error *error)
{
	struct membership *member = round->member;
	const struct findings_request request = {
		.config = member->config,
		.patience = policy_silence(member->config, 0),
		.roles = round->rounds->roles,
	};
	enum status status =
		rounds_look(round->rounds, member->db, round->arena, &round->kept, error);

	if (status == STATUS_OK)
		status = findings_read(member->db, round->arena, &request, &round->found, error);
	return status;
}

enum status rounds_run(struct rounds *rounds, struct membership *member, struct error *error)
{
	struct round round = { .rounds = rounds, .member = member, .arena = arena_new() };
	enum status status = read_all(&round, error);

	rounds->well = false;
	if (status == STATUS_OK) {
		round.next.arena = arena_new();
		add_failing(&round);
		status = compare(&round, error);
		rounds->well = status == STATUS_OK && is_well(&round);
		if (rounds->arena)
			arena_free(rounds->arena);
		rounds->arena = round.next.arena;
		rounds->list = round.next.list;
		rounds->count = round.next.count;
	}
	arena_free(round.arena);
	return status;
}
