/*
 * What stands against the hosts: processes that ended without a word and whose places are empty,
 * and hosts on which nothing runs any more. A process under a living supervisor is that one's
 * business: it starts another, or says that it has given up.
 */
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "show/findings_look.h"

static bool is_supervisor(const char *kind)
{
	return strncmp(kind, "Supervisor", strlen("Supervisor")) == 0;
}

/* Is there one of the second kind only because a supervisor has started it? */
static bool is_minded(const char *by, const char *kind)
{
	return is_supervisor(by) && !is_supervisor(kind) && !kind_is_watcher(kind);
}

static bool is_host(const char *one, const char *other)
{
	return one && other && strcasecmp(one, other) == 0;
}

static bool is_alive(const struct look *look, const char *host)
{
	for (size_t i = 0; i < look->servers.count; i++)
		if (!look->servers.list[i].silent &&
		    is_host(look->servers.list[i].row.hostname, host))
			return true;
	return false;
}

/* Is another there for it, which cares for its host or has come since? */
static bool is_replaced(const struct look *look, const struct gone *gone)
{
	for (size_t i = 0; i < look->servers.count; i++) {
		const struct server *server = &look->servers.list[i];
		const struct process_row *row = &server->row;
		if (server->silent || !is_host(row->hostname, gone->hostname))
			continue;
		if (is_minded(row->kind, gone->kind))
			return true;
		if (strcmp(row->kind, gone->kind) == 0 && row->created_at > gone->last_heartbeat_at)
			return true;
	}
	return false;
}

/*
 * Has a later one of its kind left the place, in good order or not, or was it a supervisor's, which
 * is gone as well? Then nothing is said of this one.
 */
static bool is_outlived(const struct look *look, const struct gone *gone)
{
	for (size_t i = 0; i < look->gone_count; i++) {
		const struct gone *other = &look->gone[i];
		if (other == gone || !is_host(other->hostname, gone->hostname))
			continue;
		if (is_minded(other->kind, gone->kind))
			return true;
		if (strcmp(other->kind, gone->kind) == 0 &&
		    (other->last_heartbeat_at > gone->last_heartbeat_at ||
		     (other->last_heartbeat_at == gone->last_heartbeat_at && other < gone)))
			return true;
	}
	return false;
}

static void add_gone(struct look *look, const struct gone *gone)
{
	struct arena *arena = look->arena;

	findings_add(look,
		     (struct finding){
			     .name = "process_gone",
			     .subject = gone->name,
			     .since = gone->at,
			     .text = arena_printf(arena,
						  "%s (process %d on %s) ended unexpectedly at %s "
						  "UTC, and no other has taken its place. %s",
						  gone->name, (int)gone->pid, gone->hostname,
						  clock_say(arena, gone->at), gone->how),
			     .advice = arena_printf(arena,
						    "Start it again, or run `dray processes forget "
						    "%s`.",
						    gone->hostname) });
}

/* The last that is known of a host, of its watchers or of those that work; NULL = nothing. */
static const struct gone *last_of(const struct look *look, const char *host, bool watches)
{
	const struct gone *last = NULL;

	for (size_t i = 0; i < look->gone_count; i++)
		if (is_host(look->gone[i].hostname, host) &&
		    kind_is_watcher(look->gone[i].kind) == watches &&
		    (!last || look->gone[i].last_heartbeat_at > last->last_heartbeat_at))
			last = &look->gone[i];
	return last;
}

/* A watcher that leaves in good order says nothing of those that work, nor do they of it. */
static const struct gone *find_missed(const struct look *look, const char *host)
{
	const struct gone *worked = last_of(look, host, false);
	const struct gone *watched = last_of(look, host, true);

	return !worked || (!worked->how && watched && watched->how) ? watched : worked;
}

/* Once. `named`: some host's files expect it; otherwise one that left in good order is not. */
static void add_missing(struct look *look, const char *host, bool named)
{
	struct arena *arena = look->arena;

	for (size_t i = 0; i < look->findings->count; i++)
		if (strcmp(look->findings->list[i].name, "host_missing") == 0 &&
		    is_host(look->findings->list[i].subject, host))
			return;
	const struct gone *last = find_missed(look, host);
	const int64_t since = last ? last->last_heartbeat_at : 0;
	if (!named && (!last || !last->how))
		return;
	findings_add(
		look,
		(struct finding){
			.name = "host_missing",
			.subject = host,
			.since = since,
			.text = since > 0 ? arena_printf(arena,
							 "No process runs on the host %s; the last "
							 "heartbeat of one was at %s UTC.",
							 host, clock_say(arena, since))
					  : arena_printf(arena, "No process runs on the host %s.",
							 host),
			.advice = named ? "Start dray there, or take it out of `expect_hosts` in "
					  "queue.yml."
					: arena_printf(arena,
						       "Start dray there, or run `dray processes "
						       "forget %s`.",
						       host) });
}

/* Do the files of some host say which ones they expect? Adds those that are not there. */
static bool add_expected(struct look *look)
{
	bool said = false;

	for (size_t i = 0; i < look->servers.count; i++) {
		const struct server *server = &look->servers.list[i];
		if (server->silent || !server->expected)
			continue;
		said = true;
		for (size_t j = 0; j < server->expected_count; j++)
			if (!is_alive(look, server->expected[j]))
				add_missing(look, server->expected[j], true);
	}
	return said;
}

enum status findings_add_hosts(struct look *look, struct error *error)
{
	enum status status =
		gone_read(look->db, look->arena, &look->gone, &look->gone_count, error);
	const bool said = add_expected(look);

	for (size_t i = 0; i < look->gone_count && status == STATUS_OK; i++) {
		const struct gone *gone = &look->gone[i];
		if (!gone->how || !gone->hostname)
			continue;
		if (!is_alive(look, gone->hostname)) {
			if (!said)
				add_missing(look, gone->hostname, false);
		} else if (!is_replaced(look, gone) && !is_outlived(look, gone))
			add_gone(look, gone);
	}
	return status;
}
